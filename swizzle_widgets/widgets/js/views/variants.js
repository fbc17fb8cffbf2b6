// The tiles that stand beside the sliders' one, and an access on each.

import { Access } from "../model/access.js";
import { ModelError, list, shown } from "../model/checks.js";
import { Swizzle } from "../model/swizzle.js";
import { Tile } from "../model/tile.js";

// The same access on a variant, or the sentence that says why it cannot be done there.
export function tryVariant(access, tile) {
  try {
    return accessOnVariant(access, tile);
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}

// Offsets count the elements of one layout: on another, the elements that they mean are looked up.
function accessOnVariant(access, tile) {
  const { pattern, offsets, ...rest } = access.spec;
  const map = ({ geometry: { rowMode, colMode, offsets: table } }) => JSON.stringify([rowMode, colMode, table]);
  if (pattern !== "offsets" || map(tile) === map(access.tile)) return new Access(tile, access.spec);
  const cells = offsets.map((offset, lane) => {
    const cell = offset < 0 ? [offset, offset] : access.tile.table.cells.get(offset);
    if (!cell) throw new ModelError(`lane ${lane} starts at offset ${offset}, which is no element of ${access.tile}`);
    return cell;
  });
  return new Access(tile, {
    ...rest,
    pattern: "at",
    rows: cells.map(([row]) => row),
    cols: cells.map(([, col]) => col),
  });
}

// The fixed tracks, as Python's `compare` describes them.
export const variantsOf = (value) => list("variants", value).map(variantOf);

function variantOf(item) {
  const { label, tile, swizzle } = item ?? {};
  if (typeof label !== "string") {
    throw new ModelError(`a variant is described by its label, tile and swizzle, not by ${shown(item)}`);
  }
  if (swizzle === null) return { label, tile: new Tile(tile) };
  const { bits, base, shift, unit } = swizzle ?? {};
  return { label, tile: new Tile(tile, new Swizzle(bits, base, shift), unit) };
}
