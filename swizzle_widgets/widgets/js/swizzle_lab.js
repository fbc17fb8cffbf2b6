// SwizzleLab: tile, time and bits of one access, plain and swizzled, on one screen; what is pointed at is marked
// everywhere.

import { accessMenu } from "./access_menu.js";
import { bitsAt, bitsPicture } from "./bit_diagram.js";
import { mount } from "./card.js";
import { fallTime, playKey, told } from "./column_read.js";
import { radioGroup, swizzleControls } from "./controls.js";
import { h, write } from "./dom.js";
import { MEASURES as m, OFFSET_BITS } from "./generated.js";
import { Access } from "./model/access.js";
import { whole } from "./model/checks.js";
import { Tile } from "./model/tile.js";
import { resultLine, scrollArea } from "./narrow.js";
import { pasteBox } from "./paste_box.js";
import { KEYS_HINT, SLOTS_HINT, columnPlayer, playControls, stepNow } from "./playback.js";
import { liveRegion } from "./reading.js";
import { TILE_TRAITS, checkedPlayback, illegal, once, readTile, save, toggleControls } from "./state.js";
import { blankCells, cellsOf, elementsPerCell } from "./views/cells.js";
import { bitOf } from "./views/bits.js";
import { bitSentence } from "./views/bits_words.js";
import { labBitsScene, labScene } from "./views/lab.js";
import {
  boxesWhere,
  cellAt,
  cellBox,
  cellText,
  slotAt,
  slotBox,
  slotByKey,
  slotText,
  slotsWhere,
} from "./views/panels.js";
import { sceneStage } from "./views/stage.js";
import { statusLine } from "./views/status.js";
import { trackOf } from "./views/time.js";
import { tryVariant, variantsOf } from "./views/variants.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function renderSwizzleLab({ model, el }) {
  const seen = ["controls", "access", "copy", "request", "variants", "offset", "step", "playing", "speed", "loop"];
  const traits = [...TILE_TRAITS, ...seen];
  return mount({ model, el, label: "Swizzle lab", traits, build: buildLab });
}

// Both columns: the variant that is chosen, and the sliders' tile. Where they ask for no swizzle, its column is blank.
function columnsOf(model, choice, before) {
  const wrong = illegal(model);
  const plain = new Tile(model.get("tile"));
  const access = new Access(plain, model.get("access"));
  const others = variantsOf(model.get("variants"));
  const first = others[Math.min(choice, others.length - 1)] ?? { label: plain.swizzleName, tile: plain };
  const tile = wrong ? plain : readTile(model);
  const outcomes = [first.tile, tile].map((each) => tryVariant(access, each));
  // A variant that has no such place: its tile shows nothing wanted, its time says why.
  const accesses = [first.tile, tile].map((each, at) =>
    outcomes[at] instanceof Access ? outcomes[at] : refused(each, outcomes[at]),
  );
  const per = elementsPerCell([first.tile, tile]);
  const cells = accesses.map((each) => cellsOf(each, per));
  const tracks = outcomes.map((outcome, at) => trackOf(outcome, [first.label, tile.swizzleName][at]));
  if (wrong) {
    cells[1] = blankCells(cells[1], wrong.name);
    const reason = `${wrong.verdict}: ${wrong.error.message}`;
    tracks[1] = { ...(before ?? tracks[1]), label: wrong.name, report: null, reason, rows: [], blank: true };
  }
  return { access, tile, cells, tracks, others, wrong };
}

const refused = (tile, refusal) => ({ tile, refusal, cells: () => [] });

// The element whose bits say most: the first, in the order of the lanes, that the swizzle moves, else lane 0's.
export function openingOffset(tile, access) {
  const starts = access.starts.filter((start) => start >= 0);
  const plain = tile.with(null);
  return starts.find((start) => tile.bitAddress(start) !== plain.bitAddress(start)) ?? starts[0];
}

const nothingYet = () => {
  const lists = { tiles: [], times: [], cells: [], tracks: [], others: [] };
  return { choice: 0, step: 0, last: 0, ...lists, pointed: null, bit: null };
};

// Tile and time, under the keys.
function pictureOf(stage) {
  const keys = KEYS_HINT.replace("→ steps, ← steps back", "S steps");
  const label = `tile and time. Arrow keys move the access. ${keys}, ${SLOTS_HINT}`;
  const options = { class: "swz-picture", tabindex: 0, role: "application", "aria-label": label };
  return h("div", options, stage.element);
}

function buildLab(context) {
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  const menu = accessMenu(context);
  const shown = nothingYet();
  const player = columnPlayer(model, () => shown.last);
  const transport = playControls(model, player, true);
  const left = leftChoice((choice) => {
    shown.choice = choice;
    context.attempt(draw);
  });
  const status = statusLine(problem, () => menu.hint());
  const stage = sceneStage(() => paint());
  const bits = bitsPicture(context, { drawn: labBitsScene, onpoint: pointBit });
  const picture = pictureOf(stage);
  const live = liveRegion();
  const paste = pasteBox(context);
  const chosen = [menu.element, left.element, transport.element, paste.element, menu.requests];
  const bar = h("div", { class: "swz-controls" }, ...chosen);
  const results = resultLine((column) => scroll.to(shown.tiles[column].y));
  const controls = h("div", { class: "swz-top" }, swizzle.element, bar, status.element, results.element);
  card.classList.add("swz-lab");
  const scroll = scrollArea(picture, bits.element);
  card.append(controls, scroll.element, live);
  listen();

  function listen() {
    picture.addEventListener("keydown", onkey);
    stage.element.addEventListener("click", (event) => {
      const found = cellAt(shown.tiles, stage.pointOf(event));
      if (found && menu.moves()) menu.moveTo(found.row, found.col);
    });
    stage.element.addEventListener("pointermove", (event) => point(stage.pointOf(event)));
    stage.element.addEventListener("pointerleave", () => point(null));
    model.on("change:access", follow);
  }

  function onkey(event) {
    const slot = slotByKey(shown.times, shown.step, shown.slot, event);
    if (slot) return walk(slot, event);
    const step = ARROWS[event.key];
    if (event.key === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) return player.forward();
    if (!step) return playKey(event, player);
    if (!menu.moves()) return;
    event.preventDefault();
    menu.moveBy(...step);
  }

  // To a slot of time, with the keys.
  function walk(slot, event) {
    event.preventDefault();
    shown.slot = slot;
    status.say(slotText(slot));
    write(live, slotText(slot));
    shown.pointed = cellOfWord(slot);
    mark();
  }

  // The bits shown follow the access.
  function follow() {
    context.attempt(() => {
      if (illegal(model)) return;
      const tile = readTile(model);
      const offset = openingOffset(tile, new Access(tile.with(null), model.get("access")));
      if (offset !== undefined && offset !== model.get("offset")) save(model, { offset });
    });
  }

  // What stands under the pointer: a cell, or the word of a slot of time.
  function point(at) {
    const cell = at && cellAt(shown.tiles, at);
    const slot = at && !cell && slotAt(shown.times, at, shown.step);
    shown.slot = slot || null;
    status.say(cell ? cellText(cell) : slot ? slotText(slot) : "");
    shown.pointed = cell || (slot?.delivery ? cellOfWord(slot) : null);
    mark();
  }

  // What has the same value of the bit under the pointer as the element shown.
  function pointBit(bit) {
    shown.bit = bit;
    const same = bit !== null && bit >= m.CELL_BITS ? "; framed: where it has this value, too" : "";
    status.say(bit === null ? "" : bitSentence(bitsNow(), bit) + same);
    mark();
  }

  // The cell that a delivery comes from.
  function cellOfWord({ panel, delivery }) {
    const { cells } = shown.tiles[shown.times.indexOf(panel)];
    const cell = cells.words.indexOf(delivery.word);
    return { row: Math.floor(cell / cells.cols), col: Math.floor((cell % cells.cols) / cells.split) * cells.per };
  }

  // Marks the element pointed at, else the one whose bits are shown, in all views; and shows its bits.
  function mark() {
    if (!shown.tiles.length) return;
    const now = bitsNow();
    bits.draw(now);
    const shared = shown.bit === null ? [] : shown.tiles.flatMap((panel) => sharedBoxes(panel, now, shown.bit));
    const { place } = now;
    if (!place) return stage.mark([], shared);
    const boxes = shown.tiles.map((panel) => cellBox(panel, ...place));
    const served = shown.times.flatMap((panel, at) => {
      const { cells } = shown.tiles[at];
      const word = cells.words[place[0] * cells.cols + Math.floor(place[1] / cells.per) * cells.split];
      return slotsWhere(panel, shown.step, (delivery) => delivery.word === word);
    });
    stage.mark([...boxes, ...served], shared);
  }

  // The bits of the element pointed at, else of the one that is shown.
  function bitsNow() {
    const { tile, pointed } = shown;
    const offset = pointed ? tile.offset(pointed.row, pointed.col) : shown.offset;
    return bitsAt(model, shown.wrong, tile, offset);
  }

  function paint(step = shown.step) {
    if (!shown.cells.length || !stage.width()) return;
    const made = labScene(shown.cells, shown.tracks, stage.width(), step);
    Object.assign(shown, { tiles: made.tiles, times: made.times });
    stage.show(made.scene);
    mark();
  }

  // The words of wavefront `at`, from their cells to their slots.
  function falling(at) {
    return shown.times.flatMap((panel, index) => {
      const { cells, place, x, y } = shown.tiles[index];
      return (panel.track.rows[at]?.deliveries ?? []).map(({ bank, word }) => {
        const cell = cells.words.indexOf(word);
        const [left, top] = place.at(Math.floor(cell / cells.cols), cell % cells.cols);
        return { from: [x + left, y + top], to: slotBox(panel, at, bank), fill: `bank.${bank}` };
      });
    });
  }

  // All that does not depend on the step; `same` where only the step has changed.
  const made = once((choice) => Object.assign(shown, columnsOf(model, choice, shown.tracks[1]), { same: false }));
  const load = (...state) => {
    shown.same = true;
    made(...state);
  };
  let begun = false;
  function draw() {
    checkedPlayback(model);
    shown.offset = whole("offset", model.get("offset"), 0, 2 ** OFFSET_BITS - 1);
    const before = shown.step;
    load(shown.choice, ...[...TILE_TRAITS, "access", "variants"].map((name) => model.get(name)));
    shown.last = Math.max(0, ...shown.tracks.filter((track) => !track.blank).map((track) => track.wavefronts));
    shown.step = stepNow(model, shown.last);
    menu.draw(shown.access);
    left.draw(shown.others, shown.choice);
    results.draw(shown.tracks);
    if (!shown.pointed) status.say("");
    transport.draw(shown.step, shown.last);
    toggleControls(model, { access: [menu.element, menu.requests, left.element], text: [paste.element] });
    toggleControls(model, { playback: [transport.element] });
    const duration = shown.same ? fallTime(model, before, shown.step) : 0;
    paint(duration ? before : shown.step);
    if (duration) stage.fall(falling(before), duration, () => paint());
    if (!model.get("playing")) write(live, shown.tracks.map((track) => told(track, shown.step)).join(". "));
    if (!begun) player.start();
    begun = true;
    swizzle.draw();
    if (shown.wrong) throw shown.wrong.error;
  }

  function close() {
    model.off("change:access", follow);
    player.close();
    stage.close();
    bits.close();
    scroll.close();
  }

  return { draw, close };
}

// The cells of a tile that have the same value of a bit before the swizzle as the element shown; none for bits inside a
// word, of which every cell has both.
function sharedBoxes(panel, { tile, inputs, added }, bit) {
  if (bit < m.CELL_BITS || panel.cells.blank) return [];
  const { per, split } = panel.cells;
  const plain = tile.with(null);
  const value = bitOf(inputs[0], bit);
  const offsetOf = (cell) => tile.table.offsets[Math.floor(cell / split) * per];
  return boxesWhere(panel, (cell) => bitOf(plain.bitAddress(offsetOf(cell)) - 8 * added, bit) === value);
}

// What stands on the left: no swizzle, or padding. Nothing to choose, nothing shown.
function leftChoice(onchoose) {
  const element = h("div", { class: "swz-left" });
  let group = null;
  let built = null;

  function draw(others, choice) {
    const labels = others.map(({ label }) => label.replace(/ \(.*\)$/, ""));
    if (built !== `${labels}`) {
      built = `${labels}`;
      group = radioGroup(
        "beside",
        labels.map((label, at) => [`${at}`, label]),
        (value) => onchoose(Number(value)),
      );
      element.replaceChildren(...(labels.length > 1 ? [group.element] : []));
    }
    group.choose(`${choice}`);
  }

  return { element, draw };
}

export default { render: renderSwizzleLab };
