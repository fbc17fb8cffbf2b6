// The page to paste into: a text, what it means as a tile, and a link to the same picture.

import { DTYPE_BITS } from "../../widgets/js/generated.js";
import { Access } from "../../widgets/js/model/access.js";
import { cppCode, dslCode, pythonCode } from "../../widgets/js/model/writing.js";
import { h } from "../../widgets/js/dom.js";
import { traitsOf } from "../../widgets/js/paste_box.js";
import { SWIZZLE_TRAITS, readTile } from "../../widgets/js/state.js";
import { openingOffset } from "../../widgets/js/swizzle_lab.js";
import { copy } from "./copies.js";
import { pageModel, viewOf } from "./live.js";

const FIELDS = ["text", "dtype", "unit", "stage", "partition", "shape"];

export function startPlayground(form) {
  if (!form) return;
  const model = pageModel("lab");
  const said = document.getElementById("said");
  const shown = { options: {}, layout: null, told: null };
  form.elements.dtype.append(
    ...["", ...Object.keys(DTYPE_BITS)].map((name) => h("option", { value: name }, name || "as the text says")),
  );

  function show(before = {}) {
    try {
      Object.assign(shown, read(form, model, before));
      said.textContent = `${readTile(model)}`;
      said.classList.remove("refused");
      follow();
    } catch (error) {
      said.textContent = error.message;
      said.classList.add("refused");
    }
  }

  // The address and the lines say what is shown, sliders and access included.
  function follow() {
    const state = new URLSearchParams();
    for (const name of FIELDS) if (form.elements[name].value) state.set(name, form.elements[name].value);
    state.set("swizzle", SWIZZLE_TRAITS.map((name) => model.get(name)).join());
    state.set("access", JSON.stringify(model.get("access")));
    history.replaceState(null, "", `#${state}`);
    document.getElementById("lines").textContent = Object.values(lines(model, shown)).join("\n");
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  for (const name of [...SWIZZLE_TRAITS, "access"]) model.on(`change:${name}`, () => shown.told && follow());
  for (const button of document.querySelectorAll("[data-copies]")) {
    const text = () => (button.dataset.copies === "link" ? location.href : lines(model, shown)[button.dataset.copies]);
    button.addEventListener("click", () => copy(button, text()));
  }
  show(restored(form));
  viewOf("SwizzleLab")({ model, el: document.getElementById("lab") });
}

// What a link says beside the fields of the form: the sliders and the access.
function restored(form) {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const name of FIELDS) if (state.has(name)) form.elements[name].value = state.get(name);
  const [bits, base, shift] = (state.get("swizzle") ?? "").split(",").map(Number);
  const unit = (state.get("swizzle") ?? "").split(",")[3];
  const traits = unit ? { bits, base, shift, unit } : {};
  return state.has("access") ? { ...traits, access: JSON.parse(state.get("access")) } : traits;
}

// Reads the form into the model; the text's own swizzle is where the sliders begin, unless a link says otherwise.
function read(form, model, before) {
  const value = (name) => form.elements[name].value.trim() || null;
  const stage = Number(value("stage") ?? 0);
  const options = { stage };
  for (const name of ["dtype", "unit", "partition", "shape"]) options[name] = value(name);
  const { traits, layout, told } = traitsOf(value("text") ?? "", options, before.access ?? model.get("access"));
  const change = { ...traits, ...before, access: traits.access };
  const tile = readTile({ get: (name) => change[name] });
  model.set({ ...change, offset: openingOffset(tile, new Access(tile.with(null), change.access)) });
  return { options, layout, told };
}

// The lines that make what is shown; a table is no layout of C++ or the DSL.
function lines(model, { options, layout, told }) {
  const tile = readTile(model);
  const { swizzle, unit, anchor, dtype, elementBits } = tile;
  const changed = SWIZZLE_TRAITS.some((name) => told[name] !== model.get(name));
  const text = document.getElementById("pasted").value.trim();
  const python = pythonCode(text, options, changed ? swizzle : null, unit, model.get("access"));
  if (!layout)
    return { python, cpp: "// a table of offsets is no CuTe layout", dsl: "# a table of offsets is no CuTe layout" };
  const onPointer = anchor === "address" && unit === "byte";
  const spelled = swizzle.bits ? (onPointer ? swizzle : swizzle.recast(tile.unitBits, elementBits)) : null;
  return {
    python,
    cpp: cppCode(layout, spelled, onPointer && elementBits),
    dsl: dslCode(layout, spelled, onPointer && dtype),
  };
}
