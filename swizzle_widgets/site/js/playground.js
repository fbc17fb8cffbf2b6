// The page to paste into: a layout, a whole copy of it or dumped addresses, what they are, and a link to the same.

import { DTYPE_BITS, KINDS, KIND_WIDTHS } from "../../widgets/js/generated.js";
import { Access } from "../../widgets/js/model/access.js";
import { ModelError, refuse, sizesOf } from "../../widgets/js/model/checks.js";
import { countedCopy } from "../../widgets/js/model/copy.js";
import { dumpedRequest } from "../../widgets/js/model/dumped.js";
import { cppCode, dslCode, dumpedCode, pythonCode } from "../../widgets/js/model/writing.js";
import { h } from "../../widgets/js/dom.js";
import { traitsOf, unswizzled } from "../../widgets/js/paste_box.js";
import { SWIZZLE_TRAITS, once, readTile } from "../../widgets/js/state.js";
import { openingOffset } from "../../widgets/js/swizzle_lab.js";
import { copy } from "./copies.js";
import { inFields } from "./fields.js";
import { pageModel, viewOf } from "./live.js";

const FIELDS = [
  ...["text", "dtype", "unit", "stage", "partition", "shape"],
  ...["tv", "tiler", "kind", "width", "predicate", "dump", "dumpkind", "dumpwidth"],
];
const WIDTHS = [...new Set(Object.values(KIND_WIDTHS).flat())].sort((a, b) => a - b);

export function startPlayground(form) {
  if (!form) return;
  const model = pageModel("lab");
  const shown = { source: null };
  fillChoices(form);

  function show(before) {
    attempt("said", () => {
      const said = before();
      shown.source = form.elements.dump.value.trim() ? fromDump(form, said) : fromLayout(form, model, said);
      model.set({ ...shown.source.traits, ...opening(shown.source.traits) });
      return shown.source.said ?? `${readTile(model)}`;
    });
    follow();
  }

  // The address, the totals and the lines say what is shown, sliders and access included.
  function follow() {
    if (!shown.source) return;
    history.replaceState(null, "", `#${stateOf(form, model)}`);
    attempt("copied", () => shown.source.totals(model));
    const worst = shown.source.worst(model);
    document.getElementById("worst").hidden = !worst || JSON.stringify(worst) === JSON.stringify(model.get("access"));
    attempt("lines", () => Object.values(shown.source.lines(model)).join("\n"));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(() => ({}));
  });
  document.getElementById("worst").addEventListener("click", () => model.set("access", shown.source.worst(model)));
  for (const name of [...SWIZZLE_TRAITS, "access"]) model.on(`change:${name}`, follow);
  for (const button of document.querySelectorAll("[data-copies]")) {
    const text = () =>
      button.dataset.copies === "link" ? location.href : shown.source.lines(model)[button.dataset.copies];
    button.addEventListener("click", () => shown.source && copy(button, text()));
  }
  show(() => restored(form));
  viewOf("SwizzleLab")({ model, el: document.getElementById("lab") });
}

function fillChoices(form) {
  const fill = (name, choices) => form.elements[name].append(...choices.map(([value, text]) => option(value, text)));
  const option = (value, text) => h("option", { value }, text);
  fill("dtype", [["", "as the text says"], ...Object.keys(DTYPE_BITS).map((name) => [name, name])]);
  for (const name of ["kind", "dumpkind"])
    fill(
      name,
      KINDS.map((kind) => [kind === "load" ? "" : kind, kind]),
    );
  fill("width", [["", "widest"], ...WIDTHS.map((width) => [width, width])]);
  fill("dumpwidth", [["", "usual"], ...WIDTHS.map((width) => [width, width])]);
}

// Shows what `make` returns in the element, or why it cannot be made.
function attempt(id, make) {
  const element = document.getElementById(id);
  try {
    element.textContent = make();
    element.classList.remove("refused");
  } catch (error) {
    element.textContent = inFields(error.message);
    element.classList.add("refused");
    if (!(error instanceof ModelError)) reportError(error);
  }
}

function stateOf(form, model) {
  const state = new URLSearchParams();
  for (const name of FIELDS) if (form.elements[name].value) state.set(name, form.elements[name].value);
  state.set("swizzle", SWIZZLE_TRAITS.map((name) => model.get(name)).join());
  state.set("access", JSON.stringify(model.get("access")));
  return state;
}

// What a link says beside the fields of the form: the sliders and the access.
function restored(form) {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const name of FIELDS) if (state.has(name)) form.elements[name].value = state.get(name);
  for (const box of form.querySelectorAll("details")) {
    box.open = [...box.querySelectorAll("input, select, textarea")].some((field) => field.value);
  }
  const [bits, base, shift] = (state.get("swizzle") ?? "").split(",").map(Number);
  const unit = (state.get("swizzle") ?? "").split(",")[3];
  const traits = unit ? { bits, base, shift, unit } : {};
  return state.has("access") ? { ...traits, access: accessIn(state.get("access")) } : traits;
}

function accessIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(`access = ${text} in the address is no access: use the link as it was copied`);
  }
}

// The element whose bits are shown first.
function opening(traits) {
  const tile = readTile({ get: (name) => traits[name] });
  return { offset: openingOffset(tile, new Access(tile.with(null), traits.access)) };
}

const fieldOf = (form, name) => form.elements[name].value.trim() || null;

// A layout; the text's own swizzle is where the sliders begin, unless a link says otherwise.
function fromLayout(form, model, before) {
  const value = (name) => fieldOf(form, name);
  const options = { stage: Number(value("stage") ?? 0) };
  for (const name of ["dtype", "unit", "partition", "shape"]) options[name] = value(name);
  const { traits, layout, told } = traitsOf(value("text") ?? "", options, before.access ?? movable(model));
  const change = { ...traits, ...before, access: traits.access };
  const copied = value("tv") && copyOptions(value);
  // Counted once for each state of the sliders.
  const counted = once((...swizzle) => {
    const names = Object.fromEntries(SWIZZLE_TRAITS.map((name, at) => [name, swizzle[at]]));
    return countedCopy(readTile({ get: (name) => names[name] ?? change[name] }), copied());
  });
  const count = (get) => counted(...SWIZZLE_TRAITS.map(get));
  const worst = (get) => (copied ? worstOf(() => count(get)) : null);
  if (copied && !before.access) change.access = worst((name) => change[name]) ?? change.access;
  return {
    traits: change,
    totals: (at) => (copied ? totalsOf(count((name) => at.get(name))) : ""),
    worst: (at) => worst((name) => at.get(name)),
    lines: (at) => linesOf(at, { options, layout, told, copied }),
  };
}

// The access on the model, if it is one that can be kept on another tile: one that stands where it was put is not.
function movable(model) {
  const access = model.get("access");
  return ["at", "offsets"].includes(access.pattern) ? null : access;
}

// Read when asked, so that a tiler that is none is said beside the copy, and the layout is shown.
const copyOptions = (value) => () => ({
  tv: value("tv"),
  tiler: sizesOf("tiler", value("tiler") ?? ""),
  width: value("width") && Number(value("width")),
  kind: value("kind") ?? "load",
  predicate: value("predicate") !== null,
});

function worstOf(count) {
  try {
    return count().report?.worst.spec ?? null;
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

const totalsOf = ({ report, refusal }) => (report ? `The whole copy: ${report.text}.` : refuse(refusal));

// Addresses: the lines of shared memory that they touch, as they lie.
function fromDump(form, before) {
  const value = (name) => fieldOf(form, name);
  const options = { width: value("dumpwidth") && Number(value("dumpwidth")), kind: value("dumpkind") ?? "load" };
  const { tile, access, addresses, first } = dumpedRequest(value("dump"), options);
  const from = first ? `, counted from byte 0x${first.toString(16)}` : "";
  const rows = `${tile.rows} line${tile.rows === 1 ? "" : "s"} of 128 bytes`;
  return {
    traits: { ...unswizzled(tile, access), ...before, access },
    said: `dumped addresses on ${rows}${from}; the layout above is not used`,
    totals: () => "",
    worst: () => null,
    lines: () => ({ python: dumpedCode(addresses, first, access.width, access.kind), ...noLayout("addresses are") }),
  };
}

const noLayout = (what) => ({ cpp: `// ${what} no CuTe layout`, dsl: `# ${what} no CuTe layout` });

// The lines that make what is shown; a table is no layout of C++ or the DSL.
function linesOf(model, { options, layout, told, copied }) {
  const tile = readTile(model);
  const { swizzle, unit, anchor, dtype, elementBits } = tile;
  const changed = SWIZZLE_TRAITS.some((name) => told[name] !== model.get(name));
  const text = document.getElementById("pasted").value.trim();
  const asked = copied ? copied() : null;
  const python = pythonCode(text, options, changed ? swizzle : null, unit, model.get("access"), asked);
  if (!layout) return { python, ...noLayout("a table of offsets is") };
  const onPointer = anchor === "address" && unit === "byte";
  const spelled = swizzle.bits ? (onPointer ? swizzle : swizzle.recast(tile.unitBits, elementBits)) : null;
  return {
    python,
    cpp: cppCode(layout, spelled, onPointer && elementBits),
    dsl: dslCode(layout, spelled, onPointer && dtype),
  };
}
