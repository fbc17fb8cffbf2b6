// A box for a layout as CuTe or Triton printed it: what it means becomes the tile that is shown.

import { freshId, h, write } from "./dom.js";
import { Access } from "./model/access.js";
import { ModelError, refuse, sizesOf } from "./model/checks.js";
import { pastedTile } from "./model/pasted.js";
import { Tile } from "./model/tile.js";
import { isTriton, tritonTile } from "./model/triton.js";
import { save } from "./state.js";

// A swizzle that moves nothing, where the text has none: the sliders begin here.
const NONE = { bits: 0, base: 4, shift: 3, unit: "byte" };
const USUAL = [
  { pattern: "ldmatrix", num: 4 },
  { pattern: "ldmatrix", num: 2 },
  { pattern: "ldmatrix", num: 1 },
  { pattern: "column", width: 16 },
  { pattern: "column" },
];

// The traits that show a printed layout; the access that is kept is the first of these that fits.
export function traitsOf(text, options, kept) {
  const { tile, swizzle, unit, layout } = readPrinted(text, options);
  const told = swizzle ? { bits: swizzle.bits, base: swizzle.base, shift: swizzle.shift, unit } : NONE;
  const plain = new Tile(tile);
  const access = [...(kept ? [kept] : []), ...USUAL].map((spec) => fitting(plain, spec)).find(Boolean);
  return { traits: { ...unswizzled(tile, access.spec), ...told }, layout, told };
}

// The traits that show a tile as it lies, with an access.
export function unswizzled(tile, access) {
  const variants = [{ label: "no swizzle", tile, swizzle: null }];
  return { tile, ...NONE, access, variants, step: null };
}

/**
 * The tile of a text, whoever printed it. What is said of a text that says it itself is refused, as the command does:
 * shape ("64x64", or "4x64x64" with stages) is Triton's, unit and partition are CuTe's.
 */
function readPrinted(text, { shape = null, unit = null, partition = null, ...rest }) {
  if (!isTriton(text)) {
    if (shape) refuse(`shape = ${shape}: a CuTe layout has its shape`);
    return pastedTile(text, { unit, partition, ...rest });
  }
  for (const [name, value] of Object.entries({ unit, partition })) {
    if (value) refuse(`${name} = ${value}: a Triton layout says it itself`);
  }
  return tritonTile(text, { shape: shape && sizesOf("shape", shape, 3), ...rest });
}

function fitting(tile, spec) {
  try {
    return new Access(tile, spec);
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

// The box behind a word. Returns {element}.
export function pasteBox({ model }) {
  const id = freshId("pasted");
  const text = h("textarea", { id, rows: 2, spellcheck: "false", autocomplete: "off" });
  const dtype = h("input", {
    type: "text",
    size: 6,
    placeholder: "f16",
    "aria-label": "dtype, where the text does not say it",
  });
  const units = [
    ["", "as the text says"],
    ["byte", "bytes"],
    ["element", "elements"],
  ];
  const unit = h(
    "select",
    { "aria-label": "what the swizzle counts" },
    ...units.map(([value, name]) => h("option", { value }, name)),
  );
  const shape = h("input", {
    type: "text",
    size: 7,
    placeholder: "64x64",
    "aria-label": "rows x columns, for a layout of Triton",
  });
  const said = h("p", { class: "swz-pasted-said", role: "status" });
  const button = h("button", { type: "button", onclick: show }, "show");
  const row = h("div", { class: "swz-controls" }, dtype, unit, shape, button);
  const element = h(
    "details",
    { class: "swz-paste" },
    h("summary", {}, "paste a layout"),
    h("div", { class: "swz-paste-box" }, h("label", { for: id }, "as CuTe or Triton printed it"), text, row, said),
  );

  function show() {
    try {
      const options = {
        dtype: dtype.value.trim() || null,
        unit: unit.value || null,
        shape: shape.value.trim() || null,
      };
      save(model, traitsOf(text.value, options, model.get("access")).traits);
      write(said, "");
      element.open = false;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      write(said, error.message);
    }
  }

  return { element };
}
