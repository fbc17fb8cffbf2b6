// What the widgets read from their model and write to it.

import { UNITS } from "./generated.js";
import { oneOf } from "./model/checks.js";
import { Swizzle } from "./model/swizzle.js";
import { Tile } from "./model/tile.js";

// The traits that say which tile is shown under which swizzle.
export const SWIZZLE_TRAITS = ["bits", "base", "shift", "unit"];

// The tile as the traits say, or a ModelError.
export function readTile(model, change = {}) {
  const get = (name) => change[name] ?? model.get(name);
  const unit = oneOf("unit", get("unit"), UNITS);
  return new Tile(model.get("geometry"), new Swizzle(get("bits"), get("base"), get("shift")), unit);
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
