// BitDiagram: the bits of one address before and after the swizzle, and what the hardware reads from them.

import { mount } from "./card.js";
import { swizzleControls, swizzleIn } from "./controls.js";
import { freshId, h, put, write } from "./dom.js";
import { MEASURES as m, OFFSET_BITS } from "./generated.js";
import { ModelError, whole } from "./model/checks.js";
import { liveRegion } from "./reading.js";
import { TILE_TRAITS, illegal, plainTile, readTile, save } from "./state.js";
import { bitOf, bitsOf, bitsScene } from "./views/bits.js";
import { bitRole, bitSentence, bitsSentence, bitsTable } from "./views/bits_words.js";
import { sceneStage } from "./views/stage.js";
import { statusLine } from "./views/status.js";

export function renderBitDiagram({ model, el }) {
  return mount({
    model,
    el,
    label: "Bit diagram",
    traits: [...TILE_TRAITS, "controls", "offset"],
    build: buildBitDiagram,
  });
}

// The picture with a button over each bit of the upper row. Returns {element, draw(bits), close}. `context` is the
// card's; `drawn` is how the picture is composed; `onpoint(bit)` is told the bit under the pointer or in focus, or
// null.
export function bitsPicture({ model, attempt }, { drawn = bitsScene, onpoint }) {
  const stage = sceneStage(() => paint());
  const keys = h("div", { role: "group", "aria-label": "bits before the swizzle, most significant first" });
  const element = h("div", { class: "swz-bits swz-picture" }, stage.element, keys);
  let shown = null;
  let buttons = [];

  function flip(bit) {
    attempt(() => {
      const { tile, inputs } = shown;
      const change = (bitOf(inputs[0], bit) ? -1 : 1) * 2 ** bit;
      const offset = shown.offset + change / tile.elementBits;
      if (offset < 0) throw new ModelError(`that bit belongs to the base, byte ${tile.baseAddress}`);
      save(model, { offset: whole("offset", offset, 0, 2 ** OFFSET_BITS - 1) });
    });
  }

  function paint() {
    if (!shown || !stage.width()) return;
    const { scene, columns, before } = drawn(shown, stage.width());
    stage.show(scene);
    const wanted = shown.top - shown.low;
    if (buttons.length !== wanted || buttons[0]?.bit !== shown.top - 1) build();
    for (const { bit, button } of buttons) {
      const across = `left: ${columns.left(bit)}px; width: ${columns.wide}px`;
      button.style.cssText = `${across}; top: ${before}px; height: ${m.BIT_TALL}px`;
      describe(button, bit);
    }
  }

  function build() {
    buttons = Array.from({ length: shown.top - shown.low }, (_, at) => {
      const bit = shown.top - 1 - at;
      return {
        bit,
        button: h("button", {
          class: "swz-bit-button",
          type: "button",
          tabindex: -1,
          onclick: () => flip(bit),
          onkeydown: move,
          onpointerenter: () => onpoint(bit),
          onpointerleave: () => onpoint(null),
          onfocus: () => onpoint(bit),
          onblur: () => onpoint(null),
        }),
      };
    });
    for (const { bit, button } of buttons) button.disabled = bit < shown.element;
    const open = buttons.filter(({ button }) => !button.disabled);
    open.at(-1).button.tabIndex = 0;
    keys.replaceChildren(...buttons.map(({ button }) => button));
  }

  function move(event) {
    const open = buttons.map(({ button }) => button).filter((button) => !button.disabled);
    const at = open.indexOf(event.currentTarget);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: open.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const target = open[Math.max(0, Math.min(open.length - 1, next))];
    for (const button of open) button.tabIndex = button === target ? 0 : -1;
    target.focus();
  }

  function describe(button, bit) {
    const { unit, element: least, inputs } = shown;
    const role = bitRole(shown, bit).replace(/^./, ", $&");
    put(button, { "aria-pressed": bitOf(inputs[0], bit) === 1, "aria-label": `bit ${bit - unit}${role}` });
    button.title = bit < least ? "inside the element" : `flip bit ${bit - unit}${role}`;
  }

  function draw(bits) {
    shown = bits;
    paint();
  }

  return { element, draw, close: stage.close };
}

// The bits that the traits ask for; those of no swizzle, too: {bits, wrong}.
export function readBits(model) {
  const wrong = illegal(model);
  const offset = whole("offset", model.get("offset"), 0, 2 ** OFFSET_BITS - 1);
  return { bits: bitsAt(model, wrong, wrong ? plainTile(model) : readTile(model), offset), wrong };
}

export function bitsAt(model, wrong, tile, offset) {
  if (!wrong) return bitsOf(tile, offset);
  return bitsOf(tile.with(null), offset, wrong.wanted, model.get("unit") === "element" ? tile.elementBits : 8);
}

// Number fields for row and column. Returns {element, draw}.
function placeFields({ model, attempt }) {
  const fields = ["row", "column"].map((name) => {
    const id = freshId(name);
    const input = h("input", {
      type: "number",
      id,
      min: 0,
      step: 1,
      placeholder: "-",
      oninput: onType,
      onblur: () => draw(shown),
    });
    input.dataset.field = name;
    return { name, input, element: h("div", { class: "swz-menu" }, h("label", { for: id }, name), input) };
  });
  let shown = null;

  // A field left empty stands for the place shown, or for 0 where there is none.
  function onType() {
    attempt(() => {
      const { tile, place } = shown;
      const [row, col] = fields.map(({ name, input }, index) => {
        const empty = input.value === "" && !input.validity.badInput;
        return whole(name, empty ? (place?.[index] ?? 0) : input.valueAsNumber, 0, Number(input.max));
      });
      save(model, { offset: tile.offset(row, col) });
    });
  }

  function draw(bits) {
    shown = bits;
    const ends = [bits.tile.rows, bits.tile.cols];
    fields.forEach(({ input }, index) => {
      input.max = ends[index] - 1;
      const value = bits.place ? bits.place[index] : NaN;
      // Writing what already stands there would move the caret.
      if (!Object.is(input.valueAsNumber, value)) input.value = bits.place ? value : "";
    });
  }

  return { elements: fields.map((field) => field.element), draw };
}

function buildBitDiagram(context) {
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  const places = placeFields(context);
  const status = statusLine(
    problem,
    () => "Click a bit before the swizzle to flip it; arrow keys and Space do the same.",
  );
  let shown = null;
  const onpoint = (bit) => status.say(bit === null ? "" : bitSentence(shown, bit));
  const picture = bitsPicture(context, { onpoint });
  const table = bitsTable(swizzleIn);
  const more = h("details", { class: "swz-table" }, h("summary", {}, "both units, masks, period"), table.element);
  const live = liveRegion();
  card.append(
    swizzle.element,
    h("div", { class: "swz-controls" }, ...places.elements),
    status.element,
    picture.element,
    more,
    live,
  );

  function draw() {
    const { bits, wrong } = readBits(model);
    shown = bits;
    places.draw(bits);
    picture.draw(bits);
    status.say("");
    if (!wrong) table.draw(bits.tile);
    more.classList.toggle("swz-void", Boolean(wrong));
    write(live, wrong ? "" : bitsSentence(bits));
    swizzle.draw();
    if (wrong) throw wrong.error;
  }

  return { draw, close: picture.close };
}

export default { render: renderBitDiagram };
