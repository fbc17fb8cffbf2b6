// What the widgets read from their model and write to it.

import { OFFSET_BITS, UNITS } from "./generated.js";
import { ModelError, oneOf, shown, whole } from "./model/checks.js";
import { Swizzle } from "./model/swizzle.js";
import { Tile } from "./model/tile.js";

// The traits that say which tile is shown under which swizzle.
export const SWIZZLE_TRAITS = ["bits", "base", "shift", "unit"];
export const TILE_TRAITS = [...SWIZZLE_TRAITS, "tile"];

// The tile as the traits say, or a ModelError.
export function readTile(model, change = {}) {
  const get = (name) => change[name] ?? model.get(name);
  const unit = oneOf("unit", get("unit"), UNITS);
  return new Tile(model.get("tile"), new Swizzle(get("bits"), get("base"), get("shift")), unit);
}

// The tile without a swizzle.
export const plainTile = (model) => new Tile(model.get("tile"));

// What the sliders ask for where that is no swizzle, or none for this tile: {name, wanted, verdict, error}; null where
// it is one. What no slider can ask for is refused as it is.
export function illegal(model) {
  plainTile(model);
  try {
    readTile(model);
    return null;
  } catch (error) {
    const [bits, base, shift] = SWIZZLE_TRAITS.slice(0, 3).map((name) => model.get(name));
    const small = [bits, base, shift].every((value) => Number.isInteger(value) && Math.abs(value) <= OFFSET_BITS);
    if (!(error instanceof ModelError) || !small || bits < 0 || base < 0) throw error;
    const wanted = { bits, base, shift };
    const verdict = isSwizzle(wanted) ? "does not fit this tile" : "is no swizzle";
    return { name: `Sw<${bits},${base},${shift}>`, wanted, verdict, error };
  }
}

function isSwizzle({ bits, base, shift }) {
  try {
    return Boolean(new Swizzle(bits, base, shift));
  } catch (error) {
    if (error instanceof ModelError) return false;
    throw error;
  }
}

// Calls `make` again only if an argument is another one.
export function once(make) {
  let known = null;
  let result;
  return (...values) => {
    if (known && values.every((value, index) => value === known[index])) return result;
    result = make(...values);
    known = values;
    return result;
  };
}

// Sets several traits and sends them together. One by one: marimo's models take no more, and nobody draws in between.
export function save(model, change) {
  for (const [name, value] of Object.entries(change)) model.set(name, value);
  model.save_changes();
}

// What moves the time, or a ModelError.
export function checkedPlayback(model) {
  const step = model.get("step");
  if (step !== null) whole("step", step, 0, Infinity);
  for (const name of ["playing", "loop"]) {
    const value = model.get(name);
    if (typeof value !== "boolean") throw new ModelError(`${name} must be True or False, not ${shown(value)}`);
  }
  const speed = model.get("speed");
  if (typeof speed !== "number") throw new ModelError(`speed must be a number, not ${shown(speed)}`);
  if (!(speed > 0 && speed < Infinity)) throw new ModelError(`speed = ${speed} must be positive and finite`);
}

// Shows the groups of controls that the trait names.
export function toggleControls(model, groups) {
  const shown = model.get("controls");
  if (!Array.isArray(shown)) throw new ModelError("controls must be a list of names");
  for (const [name, elements] of Object.entries(groups)) {
    for (const element of elements) element.hidden = !shown.includes(name);
  }
}
