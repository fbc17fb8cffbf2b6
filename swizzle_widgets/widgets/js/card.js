// What every widget is made of: a card with controls, a picture, a reading and an error line.

import { Access, ModelError, Swizzle, Tile, oneOf } from "./model.js";

const SVG = "http://www.w3.org/2000/svg";
const NO_SHORTCUTS = "data-lm-suppress-shortcuts";

// Creates an element; text always becomes a text node, never markup.
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

// Sets text or attributes only where they differ: whatever is set is laid out, painted and read out anew.
export function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

export function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

// Every widget loads this module anew, so a counter alone would give two widgets on a page the same ids:
// their labels and their groups of radio buttons would get mixed up.
const MODULE_ID = Math.random().toString(36).slice(2);
let made = 0;
export const freshId = (prefix) => `swz-${prefix}-${MODULE_ID}-${++made}`;

// The traits that say which tile is shown under which swizzle.
export const SWIZZLE_TRAITS = ["bits", "base", "shift", "unit"];

// The tile as the traits say, or a ModelError.
export function readTile(model, change = {}) {
  const get = (name) => change[name] ?? model.get(name);
  const unit = oneOf("unit", get("unit"), ["byte", "element"]);
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

// Builds a card and keeps it in step with the model. `build(card)` fills it and returns {draw, close}.
// draw() runs after any of `traits` changed, at most once a frame. If it refuses the state, the last good picture stays
// and the error line says what is wrong.
export function mount({ model, el, label, traits, build }) {
  const keys = { onfocusin: keepPlainKeys, onkeydown: keepPlainKeys, onkeyup: keepPlainKeys };
  const card = h("section", { class: "swz", "aria-label": label, ...keys });
  // A part of another card shows what is wrong; the other card says it, once.
  const problem = h("p", { class: "swz-problem", role: el.closest(".swz") ? null : "alert", hidden: true });
  el.append(card);
  let due = false;
  let frame = 0;

  const context = {
    model,
    card,
    // To be put above the picture, in sight of the controls.
    problem,
    // Does what the reader or a trait asked for, or says on the error line why not.
    attempt(action) {
      try {
        action();
        problem.hidden = true;
        card.classList.remove("swz-stale");
      } catch (error) {
        write(problem, error.message);
        problem.hidden = false;
        card.classList.add("swz-stale");
        // A mistake of ours, not of the reader: the picture is marked all the same, but not in silence.
        if (!(error instanceof ModelError)) console.error(error);
      }
    },
    redraw() {
      if (!due && !frame) queueMicrotask(drawNow);
      due = true;
    },
  };

  // At once, so that the picture is ready when its frame comes; what changes until then is drawn in that frame.
  function drawNow() {
    if (!due) return;
    due = false;
    frame = requestAnimationFrame(() => {
      frame = 0;
      drawNow();
    });
    context.attempt(parts.draw);
  }

  const parts = build(context);
  if (!card.contains(problem)) card.append(problem);
  traits.forEach((name) => model.on(`change:${name}`, context.redraw));
  context.attempt(parts.draw);
  return () => {
    due = false;
    cancelAnimationFrame(frame);
    traits.forEach((name) => model.off(`change:${name}`, context.redraw));
    parts.close?.();
  };
}

// Else a notebook takes arrow keys and letters for its own shortcuts while a control has the focus. JupyterLab listens
// after the card, so there they are stopped; Notebook 7 listens before, but leaves alone a control with this attribute.
function keepPlainKeys(event) {
  const forTheNotebook = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && ["Enter", "Shift"].includes(event.key));
  event.target.toggleAttribute(NO_SHORTCUTS, !forTheNotebook);
  if (!forTheNotebook && event.type === "keydown") event.stopPropagation();
}

// --- Controls ----------------------------------------------------------------------------------

const FIELDS = [
  { name: "bits", letter: "B", hint: "bits XORed", low: 0, high: 5 },
  { name: "base", letter: "M", hint: "low bits kept", low: 0, high: 7 },
  { name: "shift", letter: "S", hint: "distance", low: -7, high: 7 },
];

// Sliders for B, M and S and the unit switch. An illegal combination stays on the sliders, so that the
// reader can move the next one, but it never reaches the traits. Returns {element, draw}.
export function swizzleControls({ model, attempt }) {
  const wanted = {};
  const sliders = FIELDS.map((field) => {
    const id = freshId(field.name);
    const input = h("input", { type: "range", id, min: field.low, max: field.high, step: 1, oninput: onSlide });
    input.dataset.field = field.name;
    const output = h("output", { for: id });
    const text = h("label", { for: id, title: field.hint }, h("b", {}, field.letter), ` ${field.hint}`);
    return { field, input, output, element: h("div", { class: "swz-slider" }, text, input, output) };
  });
  const units = radioGroup("counted in", [["byte", "bytes"], ["element", ""]], (unit) => changeUnit(unit));
  const spelled = h("output", { class: "swz-spelled" });

  function onSlide(event) {
    wanted[event.target.dataset.field] = Number(event.target.value);
    show();
    attempt(() => {
      readTile(model, wanted);
      save(model, { ...wanted });
    });
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

  function draw() {
    for (const { name } of FIELDS) wanted[name] = model.get(name);
    show();
    const tile = readTile(model);
    units.rename("element", `${tile.dtype} elements`);
    units.choose(tile.unit);
    write(spelled, `${tile.swizzleName}${inOtherUnit(tile)}`);
  }

  const parts = [...sliders.map((slider) => slider.element), units.element, spelled];
  const controls = h("div", { class: "swz-controls" }, ...parts);
  // Where nothing is swizzled yet, the sliders wait behind a word.
  const closed = h("details", { class: "swz-closed" }, h("summary", {}, "swizzle this tile"), controls);
  return { element: model.get("bits") ? controls : closed, draw };
}

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

// --- Choosing an access ------------------------------------------------------------------------

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

// A menu of the accesses that fit the tile. Returns {element, draw, moveTo}.
export function accessMenu({ model, attempt }) {
  const id = freshId("access");
  const select = h("select", { id, onchange: () => save(model, { access: JSON.parse(select.value) }) });
  const element = h("div", { class: "swz-menu" }, h("label", { for: id }, "access"), select);
  let shownFor = null;

  function draw(access) {
    const fitting = MENU.map(([label, spec]) => ({ label, access: legal(access.tile, spec) })).filter((item) => item.access);
    const chosen = fitting.find((item) => item.access.spec.pattern === access.spec.pattern && sameShape(item.access, access));
    const key = JSON.stringify([fitting.map((item) => item.label), chosen ? chosen.label : access.spec]);
    if (key === shownFor) return;
    shownFor = key;
    const options = fitting.map((item) => h("option", { value: JSON.stringify(item.access.spec) }, item.label));
    if (!chosen) options.unshift(h("option", { value: JSON.stringify(access.spec) }, access.name));
    select.replaceChildren(...options);
    select.selectedIndex = chosen ? fitting.indexOf(chosen) : 0;
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
      for (row += down, col += right; row >= 0 && col >= 0 && row < tile.rows && col < tile.cols; row += down, col += right) {
        if (move(tile, placed(tile, spec, row, col))) return;
      }
    });
  }

  function move(tile, spec) {
    if (!spec || !legal(tile, spec)) return false;
    save(model, { access: spec });
    return true;
  }

  return { element, draw, moveTo, moveBy };
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

// --- Verdict -----------------------------------------------------------------------------------

// Large numbers and one sentence. Returns {element, draw}.
export function verdictPanel(title) {
  const name = h("p", { class: "swz-title" }, title);
  const big = h("p", { class: "swz-count" });
  const detail = h("p", { class: "swz-detail" });
  const element = h("div", { class: "swz-verdict" }, name, big, detail);

  function draw(access, heading) {
    write(name, heading);
    const { wavefronts, ideal, conflicts } = access.report();
    const cut = access.cutText;
    element.dataset.state = cut ? "cut" : conflicts ? "conflict" : "clean";
    write(big, cut ? "no instruction" : `${wavefronts} wavefront${wavefronts === 1 ? "" : "s"}`);
    write(detail, cut || `ideal ${ideal}, ${conflicts} conflict${conflicts === 1 ? "" : "s"}`);
  }

  return { element, draw };
}

// The sentence a screen reader hears after each change.
export function liveRegion() {
  return h("p", { class: "swz-hidden", "aria-live": "polite" });
}

export function sentence(access) {
  return access.cutText || `${access.tile.swizzleName}: ${access.report().text}`;
}
