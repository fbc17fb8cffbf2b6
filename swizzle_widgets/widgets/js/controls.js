// The controls of a swizzle: sliders for B, M and S, and the unit switch.

import { freshId, h, write } from "./dom.js";
import { ModelError } from "./model/checks.js";
import { illegal, plainTile, readTile, save, toggleControls } from "./state.js";

export const FIELDS = [
  { name: "bits", letter: "B", hint: "bits XORed", low: 0, high: 5 },
  { name: "base", letter: "M", hint: "low bits kept", low: 0, high: 7 },
  { name: "shift", letter: "S", hint: "distance", low: -7, high: 7 },
];

// Sliders for B, M and S and the unit switch. A combination that is no swizzle is set, too, so that the reader can move
// the next one; the pictures say what is wrong. Returns {element, draw}.
export function swizzleControls({ model, attempt }) {
  const wanted = {};
  const sliders = FIELDS.map((field) => {
    const id = freshId(field.name);
    const input = h("input", { type: "range", id, min: field.low, max: field.high, step: 1, oninput: onSlide });
    input.dataset.field = field.name;
    const output = h("output", { for: id });
    const text = h(
      "label",
      { for: id, title: field.hint },
      h("b", {}, field.letter),
      h("span", { class: "swz-what" }, ` ${field.hint}`),
    );
    return { field, input, output, element: h("div", { class: "swz-slider" }, text, input, output) };
  });
  const units = radioGroup(
    "counted in",
    [
      ["byte", "bytes"],
      ["element", ""],
    ],
    (unit) => changeUnit(unit),
  );
  const spelled = h("output", { class: "swz-spelled" });

  function onSlide(event) {
    wanted[event.target.dataset.field] = Number(event.target.value);
    show();
    save(model, { ...wanted });
  }

  // The same physical swizzle in the other unit.
  function changeUnit(unit) {
    attempt(() => {
      units.choose(model.get("unit"));
      const tile = readTile(model);
      const { bits, base, shift } = tile.swizzle.recast(tile.unitBits, unit === "byte" ? 8 : tile.elementBits);
      save(model, { bits, base, shift, unit });
      units.choose(unit);
    });
  }

  function show() {
    for (const { field, input, output } of sliders) {
      const value = wanted[field.name];
      input.max = Math.max(field.high, value);
      input.min = Math.min(field.low, value);
      input.value = value;
      write(output, value);
    }
  }

  const summary = h("summary", {}, "swizzle this tile");

  function draw() {
    for (const { name } of FIELDS) wanted[name] = model.get(name);
    show();
    const wrong = illegal(model);
    const tile = wrong ? plainTile(model) : readTile(model);
    units.rename("element", `${tile.dtype} elements`);
    write(summary, `swizzle this tile${noteOf(tile)}`);
    units.choose(model.get("unit"));
    write(spelled, wrong ? `${wrong.name} ${wrong.verdict}` : `${tile.swizzleName}${inOtherUnit(tile)}`);
    toggleControls(model, { swizzle: [...sliders.map((slider) => slider.element), spelled], unit: [units.element] });
    element.hidden = sliders[0].element.hidden && units.element.hidden;
  }

  const parts = [...sliders.map((slider) => slider.element), units.element, spelled];
  const controls = h("div", { class: "swz-controls" }, ...parts);
  // Where nothing is swizzled yet, the sliders wait behind a word.
  const closed = h("details", { class: "swz-closed" }, summary, controls);
  const element = model.get("bits") ? controls : closed;
  return { element, draw };
}

// What Python says of a map that no single swizzle makes.
const noteOf = ({ geometry }) => (typeof geometry.note === "string" ? `: ${geometry.note}` : "");

// " = Sw<3,3,3> in f16 elements", or nothing where the other unit cannot say it or is the same.
function inOtherUnit(tile) {
  if (tile.elementBits === 8 || !tile.swizzle.bits) return "";
  const other = tile.unit === "byte" ? "element" : "byte";
  const swizzle = swizzleIn(tile, other);
  return swizzle ? ` = ${tile.with(swizzle, other).swizzleName}` : "";
}

// The tile's swizzle counted in another unit; null where it moves parts of that unit.
export function swizzleIn(tile, unit) {
  try {
    return tile.swizzle.recast(tile.unitBits, unit === "byte" ? 8 : tile.elementBits);
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

// A row of exclusive choices. Returns {element, choose, rename}.
export function radioGroup(legend, choices, onchoose) {
  const name = freshId("radio");
  const items = choices.map(([value, text]) => {
    const input = h("input", { type: "radio", name, value, onchange: () => onchoose(value) });
    const caption = h("span", {}, text);
    return { value, input, caption, element: h("label", {}, input, caption) };
  });
  // No fieldset: not every browser lets a legend stand in the row.
  const title = h("span", { id: `${name}-title` }, legend);
  const group = { class: "swz-radios", role: "radiogroup", "aria-labelledby": title.id };
  const element = h("div", group, title, ...items.map((item) => item.element));
  const find = (value) => items.find((item) => item.value === value);
  return {
    element,
    choose: (value) => items.forEach((item) => (item.input.checked = item.value === value)),
    rename: (value, text) => (find(value).caption.textContent = text),
  };
}
