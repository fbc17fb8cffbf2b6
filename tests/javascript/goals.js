// What the controls of a goal reach: the sliders' ranges, the switch of the unit, and each choice of the menus.

import { FIELDS } from "../../swizzle_widgets/widgets/js/controls.js";
import { Access } from "../../swizzle_widgets/widgets/js/model/access.js";
import { ModelError, range } from "../../swizzle_widgets/widgets/js/model/checks.js";
import { PageModel } from "../../swizzle_widgets/widgets/js/page_model.js";
import { readTile } from "../../swizzle_widgets/widgets/js/state.js";
import { chosen, stateKey } from "../../swizzle_widgets/site/js/goal.js";

// All that the sliders reach. A value that the switch of the unit brought remains until a slider is moved.
function* swizzles({ elementBits }) {
  const [bits, base, shift] = FIELDS.map(({ low, high }) => range(high - low + 1).map((step) => low + step));
  const more = range(Math.log2(elementBits / 8)).map((step) => base.at(-1) + 1 + step);
  for (const unit of ["byte", "element"])
    for (const b of bits)
      for (const m of unit === "byte" ? [...base, ...more] : base)
        for (const s of shift) yield { bits: b, base: m, shift: s, unit };
}

// The tile, or null where the lab refuses it.
function tileOf(model) {
  try {
    return readTile(model);
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

// [key] of every state that shows a tile; those in `looked` with the addresses of some elements, and the starts of the
// access.
function reached({ state, starts, looked }) {
  const shownOf = new Set(looked);
  const { tile, access, variants } = state;
  const first = variants === undefined ? { tile, access } : { tile, access, variants };
  const found = [];
  for (const choice of range(starts.length)) {
    const model = new PageModel({ ...state, ...chosen(first, starts, choice) });
    const sliders = state.controls.includes("swizzle") ? swizzles(model.get("tile")) : [{}];
    for (const swizzle of sliders) {
      model.set(swizzle);
      const shown = tileOf(model);
      if (!shown) continue;
      const key = stateKey(model);
      const corners = () => range(shown.rows).map((row) => shown.address(row, (row * 7) % shown.cols));
      const lanes = () => new Access(shown, model.get("access")).starts;
      found.push(shownOf.has(key) ? [key, corners(), lanes()] : [key]);
    }
  }
  return found;
}

function answer(question, argument) {
  return JSON.stringify(question(JSON.parse(argument)));
}

Object.assign(globalThis, { reached, answer });
