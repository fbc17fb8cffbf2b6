// Choosing and moving an access.

import { freshId, h } from "./dom.js";
import { Access } from "./model/access.js";
import { ModelError } from "./model/checks.js";
import { requestControls } from "./requests.js";
import { readTile, save } from "./state.js";

// The patterns that a reader can pick, before those that do not fit the tile are left out.
const MENU = [
  ["column, one element a lane", { pattern: "column" }],
  ["column, 4 bytes a lane", { pattern: "column", width: 4 }],
  ["column, 8 bytes a lane", { pattern: "column", width: 8 }],
  ["column, 16 bytes a lane", { pattern: "column", width: 16 }],
  ["row, one element a lane", { pattern: "row" }],
  ["row, 16 bytes a lane", { pattern: "row", width: 16 }],
  ["store, column, one element a lane", { pattern: "column", kind: "store" }],
  ["store, whole rows, 16 bytes (cp.async)", { pattern: "cp_async", width: 16 }],
  ["ldmatrix.x1", { pattern: "ldmatrix", num: 1 }],
  ["ldmatrix.x2", { pattern: "ldmatrix", num: 2 }],
  ["ldmatrix.x4", { pattern: "ldmatrix", num: 4 }],
  ["ldmatrix.x4.trans", { pattern: "ldmatrix", num: 4, trans: true }],
  ["stmatrix.x4", { pattern: "stmatrix", num: 4 }],
];

function legal(plain, spec) {
  try {
    return new Access(plain, spec);
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

// A menu of the accesses that fit the tile, and the requests of the copy if there is one. Returns {element, requests,
// draw, moveTo ...}.
export function accessMenu(context) {
  const { model, attempt } = context;
  const requests = requestControls(context);
  const id = freshId("access");
  const select = h("select", { id, onchange: () => save(model, { access: JSON.parse(select.value) }) });
  const element = h("div", { class: "swz-menu" }, h("label", { for: id }, "access"), select);
  let shownFor = null;
  // What no entry says, the author's own choice for one, stays on the menu.
  let own = null;

  function draw(access) {
    requests.draw();
    const fitting = MENU.map(([label, spec]) => ({ label, access: legal(access.tile, spec) })).filter(
      (item) => item.access,
    );
    const chosen = fitting.find(
      (item) => item.access.spec.pattern === access.spec.pattern && sameShape(item.access, access),
    );
    if (!chosen) own = access.spec;
    const kept = own && legal(access.tile, own);
    const key = JSON.stringify([fitting.map((item) => item.label), chosen?.label, kept?.spec]);
    if (key === shownFor) return;
    shownFor = key;
    const options = fitting.map((item) => h("option", { value: JSON.stringify(item.access.spec) }, item.label));
    if (kept) options.unshift(h("option", { value: JSON.stringify(kept.spec) }, kept.name));
    select.replaceChildren(...options);
    select.selectedIndex = chosen ? fitting.indexOf(chosen) + (kept ? 1 : 0) : 0;
  }

  const shownAccess = () => new Access(readTile(model).with(null), model.get("access"));

  // Moves the access so that it begins at (row, col), or at the nearest place before it where it fits.
  function moveTo(row, col) {
    attempt(() => {
      const { tile, spec } = shownAccess();
      for (let r = row; r >= 0; r--) {
        for (let c = col; c >= 0; c--) if (move(tile, placed(tile, spec, r, c))) return;
      }
      throw new ModelError(`this access fits nowhere at or before (${row}, ${col})`);
    });
  }

  // Moves the access on in one direction to the next place where it fits (is aligned); stays if there is none.
  function moveBy(down, right) {
    attempt(() => {
      const { tile, spec } = shownAccess();
      const along = tile.order === "row" ? "row" : "col";
      let { row, col } = { row: 0, col: 0, ...(spec.pattern === "cp_async" ? { [along]: spec.line } : spec) };
      for (
        row += down, col += right;
        row >= 0 && col >= 0 && row < tile.rows && col < tile.cols;
        row += down, col += right
      ) {
        if (move(tile, placed(tile, spec, row, col))) return;
      }
    });
  }

  function move(tile, spec) {
    if (!spec || !legal(tile, spec)) return false;
    save(model, { access: spec });
    return true;
  }

  // Whether there is anywhere to move to: chosen elements stay where they are.
  const moves = () => !["at", "offsets"].includes(model.get("access").pattern);
  const hint = () =>
    moves() ? "Click a cell, or use the arrow keys, to move the access." : "Point at a cell to read it.";

  return { element, requests: requests.element, draw, moveTo, moveBy, moves, hint };
}

// The same pattern begun at (row, col); null for patterns that have no beginning.
function placed(plain, spec, row, col) {
  if (spec.pattern === "cp_async") return { ...spec, line: plain.order === "row" ? row : col };
  return spec.pattern === "at" || spec.pattern === "offsets" ? null : { ...spec, row, col };
}

const sameShape = (a, b) =>
  a.instruction.split(".")[0] === b.instruction.split(".")[0] &&
  a.width === b.width &&
  a.kind === b.kind &&
  (a.spec.num ?? 0) === (b.spec.num ?? 0) &&
  Boolean(a.spec.trans) === Boolean(b.spec.trans);
