// ColumnRead: one access on several variants of a tile, wavefront by wavefront, all in step.

import { accessMenu } from "./access_menu.js";
import { mount } from "./card.js";
import { swizzleControls } from "./controls.js";
import { freshId, h, put, s, write } from "./dom.js";
import { BANKS, BANK_COLORS, BANK_INKS, WORD_BYTES } from "./generated.js";
import { Access } from "./model/access.js";
import { served } from "./model/banks.js";
import { ModelError, list, plural, shown, whole } from "./model/checks.js";
import { Swizzle } from "./model/swizzle.js";
import { Tile } from "./model/tile.js";
import { liveRegion } from "./reading.js";
import { SWIZZLE_TRAITS, once, readTile, save } from "./state.js";

// Heights in pixels. Widths are per cent of the picture, so that text keeps its size on a narrow page.
const TRACK = { box: 16, tower: 200, strip: 14, gap: 4, bank: 15, legible: 9, drop: 300 };
const CAPTION = { size: 9, least: 6, digit: 0.65 };
const HALF_FRAME = 8;
const SPEED = { low: 0.5, high: 16 };
const KEYS_HINT = "Space plays and pauses, → steps, ← steps back, Home and End go to the ends";

const acrossBanks = (banks) => `${(100 * banks) / BANKS}%`;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// --- What stands where -------------------------------------------------------------------------

// The same access on a variant, or the sentence that says why it cannot be done there.
function tryVariant(access, tile) {
  try {
    const there = accessOnVariant(access, tile);
    return there.refusal || there;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}

// Offsets count the elements of one layout: on another, the elements that they mean are looked up.
function accessOnVariant(access, tile) {
  const { pattern, offsets, ...rest } = access.spec;
  const map = ({ geometry: { rowMode, colMode, offsets: table } }) => JSON.stringify([rowMode, colMode, table]);
  if (pattern !== "offsets" || map(tile) === map(access.tile)) return new Access(tile, access.spec);
  const cells = offsets.map((offset, lane) => {
    const cell = offset < 0 ? [offset, offset] : access.tile.table.cells.get(offset);
    if (!cell) throw new ModelError(`lane ${lane} starts at offset ${offset}, which is no element of ${access.tile}`);
    return cell;
  });
  return new Access(tile, { ...rest, pattern: "at", rows: cells.map(([row]) => row), cols: cells.map(([, col]) => col) });
}

// The wavefronts of an access, each with its phase and its boxes: a box is a word, or a vector over its banks.
function wavefrontsOf(access) {
  return served(access.report()).map(({ phase, turn, deliveries }) => ({ phase, first: turn === 0, boxes: joinWords(deliveries) }));
}

function joinWords(deliveries) {
  const boxes = [];
  for (const { bank, word, lanes } of [...deliveries].sort((a, b) => a.bank - b.bank)) {
    const left = boxes.at(-1);
    if (left && left.bank + left.span === bank && left.word + left.span === word && `${left.lanes}` === `${lanes}`) left.span++;
    else boxes.push({ bank, word, lanes, span: 1 });
  }
  return boxes;
}

// "0–7", "0, 2, 9–11"; a long list is broken off.
function laneRuns(lanes, separator = ", ", most = 8) {
  const runs = [];
  for (const lane of [...lanes].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.to + 1 === lane) run.to = lane;
    else runs.push({ from: lane, to: lane });
  }
  const shown = runs.slice(0, most).map(({ from, to }) => (from === to ? from : `${from}${to === from + 1 ? separator : "–"}${to}`));
  return shown.join(separator) + (runs.length > most ? " …" : "");
}

const lanesNamed = (lanes) => `lane${lanes.length === 1 ? "" : "s"} ${laneRuns(lanes)}`;
const lanesIn = (layers) => layers.flatMap((layer) => layer.boxes.flatMap((box) => box.lanes));
const phasesIn = (layers) => (layers.length ? layers.at(-1).phase + 1 : 0);
const stripsIn = (layers) => (phasesIn(layers) > 1 ? phasesIn(layers) : 0);

// The height of a box, the same in all tracks: that at which the tallest tower fits.
const boxHeight = (piles) => Math.min(TRACK.box, ...piles.map((layers) => TRACK.tower / layers.length));

// --- One track ---------------------------------------------------------------------------------

// The towers above the banks. Returns {element, load(layers, height), show(step, duration), fit(width)}.
function trackPicture() {
  const tower = s("g");
  const slots = s("g", { class: "swz-served" });
  const pile = s("svg", { width: "100%" }, tower);
  const mouth = s("svg", { width: "100%", height: TRACK.box }, ...bankCells(mouthCell), slots);
  const floor = s("svg", { width: "100%", height: TRACK.bank }, ...bankCells(bankCell));
  const element = s("svg", { class: "swz-tower", width: "100%", "aria-hidden": "true" }, pile, mouth, floor);
  let layers = [];
  let rest = [];
  let waiting = [];
  let delivered = [];
  let captions = [];
  let shown = 0;
  let width = 0;

  function load(newLayers, height) {
    layers = newLayers;
    const strip = stripsIn(layers) ? TRACK.strip : 0;
    const total = layers.length * height + stripsIn(layers) * TRACK.strip;
    captions = [];
    waiting = [];
    rest = [];
    let low = 0;
    for (const layer of layers) {
      if (layer.first) waiting.push(s("g", {}, strip ? phaseStrip(layer.phase, phasesIn(layers), total - low) : null));
      rest.push(low);
      if (layer.first) low += strip;
      low += height;
      waiting.at(-1).append(...layer.boxes.map((box) => wordBox(box, total - low, height, captions)));
    }
    // Once all is delivered, and one step later, when the last wavefront has left the banks.
    rest.push(total + 1, total + 1);
    delivered = [];
    tower.replaceChildren(...waiting);
    slots.replaceChildren();
    put(pile, { height: total });
    put(mouth, { y: total + TRACK.gap });
    put(floor, { y: total + TRACK.gap + TRACK.box });
    put(element, { height: total + TRACK.gap + TRACK.box + TRACK.bank });
    fit(width);
    place(Math.min(shown, layers.length + 1));
  }

  // A label shrinks to its box; with no room at all it becomes an ellipsis (the box's title still names the lanes).
  function fit(newWidth, some = captions) {
    width = newWidth;
    const pitch = width / BANKS;
    // A closed tab has no width.
    if (!pitch) return;
    for (const { text, full, span } of some) {
      const size = Math.min(CAPTION.size, (span * pitch) / (full.length * CAPTION.digit));
      text.style.fontSize = `${Math.max(size, CAPTION.least)}px`;
      write(text, size < CAPTION.least ? "…" : full);
    }
  }

  // What lies in the banks after `step` wavefronts, made when it is first shown.
  function deliveredBy(step) {
    const layer = layers[step - 1];
    if (!layer || delivered[step]) return delivered[step];
    const known = captions.length;
    delivered[step] = s("g", {}, ...layer.boxes.map((box) => wordBox(box, 0, TRACK.box, captions)));
    slots.append(delivered[step]);
    fit(width, captions.slice(known));
    return delivered[step];
  }

  function place(step) {
    shown = step;
    element.classList.toggle("swz-empty", step > layers.length);
    const phase = layers[step]?.phase;
    tower.style.transform = `translateY(${rest[step]}px)`;
    waiting.forEach((group, index) => group.classList.toggle("swz-later", index > phase));
    const inBanks = deliveredBy(step);
    delivered.forEach((group) => (group.style.visibility = group === inBanks ? "visible" : "hidden"));
  }

  // Shows the track after `step` wavefronts. A single step falls (or rises again) within `duration` ms.
  function show(step, duration) {
    const before = shown;
    place(Math.min(step, layers.length + 1));
    if (!duration || Math.abs(shown - before) !== 1) return;
    const timing = { duration, easing: "cubic-bezier(0.4, 0, 0.3, 1)" };
    const [above, below] = [`translateY(${-TRACK.box}px)`, `translateY(${TRACK.box}px)`];
    const down = shown > before;
    // While it moves, what leaves the mouth is seen although it is already hidden.
    const moving = (transform, opacity) => ({ transform, opacity, visibility: "visible" });
    const still = moving("none", 1);
    tower.animate([{ transform: `translateY(${rest[before]}px)` }, { transform: `translateY(${rest[shown]}px)` }], timing);
    deliveredBy(before)?.animate([still, down ? moving(below, 0) : moving(above, 1)], timing);
    deliveredBy(shown)?.animate([down ? moving(above, 1) : moving(below, 0), still], timing);
  }

  return { element, load, show, fit };
}

const bankCells = (cell) => BANK_COLORS.map((color, bank) => cell({ x: acrossBanks(bank), width: acrossBanks(1) }, bank, color));

function mouthCell(place) {
  return s("rect", { ...place, height: TRACK.box, class: "swz-frame swz-mouth" });
}

function bankCell(place, bank, color) {
  const number = { x: acrossBanks(bank + 0.5), y: TRACK.bank / 2, fill: BANK_INKS[bank], class: bank % 4 ? "swz-minor" : null };
  return s("g", {}, s("rect", { ...place, height: TRACK.bank, fill: color, stroke: "var(--paper)" }), s("text", number, bank));
}

// One word or vector, labelled with the lanes that want it; the label is added to `captions`, if there is room for one.
function wordBox({ bank, word, lanes, span }, y, height, captions) {
  const fills = Array.from({ length: span }, (_, i) =>
    s("rect", { x: acrossBanks(bank + i), width: acrossBanks(1), y, height, fill: BANK_COLORS[bank + i] }),
  );
  const frame = s("rect", { x: acrossBanks(bank), width: acrossBanks(span), y, height, class: "swz-frame" });
  const banks = span === 1 ? `bank ${bank}` : `banks ${bank}–${bank + span - 1}`;
  const title = s("title", {}, `${banks}, byte ${word * WORD_BYTES}: ${lanesNamed(lanes)}`);
  const box = s("g", { class: "swz-word" }, title, ...fills, frame);
  if (height < TRACK.legible) return box;
  const text = s("text", { x: acrossBanks(bank + span / 2), y: y + height / 2, fill: BANK_INKS[bank] });
  captions.push({ text, full: laneRuns(lanes, ","), span });
  box.append(text);
  return box;
}

function phaseStrip(phase, phases, bottom) {
  const y = bottom - TRACK.strip / 2;
  const line = s("line", { x1: 66, x2: "100%", y1: y, y2: y });
  return s("g", { class: "swz-phase" }, s("text", { x: 0, y }, `phase ${phase + 1} of ${phases}`), line);
}

const rowNames = () => h("p", { class: "swz-rows", "aria-hidden": "true" }, h("span", {}, "lane"), h("span", {}, "bank"));

// The words beside a picture. Returns {element, refuse(label, reason), load(label, access, layers), show(step), text()}.
function trackReading() {
  const title = h("p", { class: "swz-title" });
  const count = h("p", { class: "swz-count" });
  const detail = h("p", { class: "swz-detail" });
  const element = h("div", { class: "swz-verdict" }, title, count, detail);
  let layers = [];
  let report = null;

  function say(state, head, more) {
    element.dataset.state = state;
    write(count, head);
    write(detail, more);
  }

  function refuse(label, reason) {
    write(title, label);
    report = null;
    say("cut", "cannot be done", reason);
  }

  function load(label, access, newLayers) {
    write(title, label);
    layers = newLayers;
    report = access.report();
  }

  function show(step) {
    if (!report) return;
    const { wavefronts, ideal, conflicts } = report;
    if (step >= wavefronts) {
      const verdict = `${plural(wavefronts, "wavefront")}, ideal ${ideal}, ${plural(conflicts, "conflict")}`;
      return say(conflicts ? "conflict" : "clean", `done after ${wavefronts}`, verdict);
    }
    // The number of wavefronts would give away what the reader is asked to predict.
    if (step === 0) return say("running", "wavefront 0", lanesAt(0));
    const phase = layers[step - 1].phase + 1;
    say("running", `wavefront ${step} of ${wavefronts}`, `phase ${phase} of ${phasesIn(layers)}\n${lanesAt(step)}`);
  }

  function lanesAt(step) {
    const wait = lanesIn(layers.slice(step)).length;
    if (step === 0) return `${plural(wait, "lane")} ${wait === 1 ? "waits" : "wait"}`;
    const done = lanesIn(layers.slice(0, step - 1)).length;
    return `${lanesNamed(lanesIn([layers[step - 1]]))} now, ${done} done, ${wait} ${wait === 1 ? "waits" : "wait"}`;
  }

  const text = () => `${title.textContent}: ${count.textContent}, ${detail.textContent}`;
  return { element, refuse, load, show, text };
}

// Returns {element, read(access, tile), load(label, read, height), show, text, close}; what `read` returns is an
// access or why there is none, and its wavefronts.
function track() {
  const picture = trackPicture();
  const reading = trackReading();
  const element = h("div", { class: "swz-track" }, rowNames(), picture.element, reading.element);

  const read = once((access, tile) => {
    const outcome = tryVariant(access, tile);
    return { outcome, layers: typeof outcome === "string" ? [] : wavefrontsOf(outcome) };
  });

  const load = once((label, { outcome, layers }, height) => {
    const refused = typeof outcome === "string";
    element.classList.toggle("swz-refused", refused);
    if (refused) reading.refuse(label, outcome);
    else reading.load(label, outcome, layers);
    picture.load(layers, height);
  });

  function show(step, duration) {
    picture.show(step, duration);
    reading.show(step);
  }

  const resized = new ResizeObserver(([entry]) => picture.fit(entry.contentRect.width));
  resized.observe(picture.element);

  return { element, read, load, show, text: reading.text, close: () => resized.disconnect() };
}

// --- Time --------------------------------------------------------------------------------------

// Moves `step` on while `playing` is set. `last()` says how many wavefronts there are.
function columnPlayer(model, last) {
  let frame = 0;
  let since = 0;

  const goTo = (step) => save(model, { step: Math.max(0, Math.min(step, last())), playing: false });
  const now = () => (Number.isInteger(model.get("step")) ? Math.min(model.get("step"), last()) : 0);

  function tick(time) {
    frame = requestAnimationFrame(tick);
    if (time - since + HALF_FRAME >= 1000 / model.get("speed")) turn();
  }

  function turn() {
    const [step, end, loop] = [now(), last(), model.get("loop")];
    if (step < end) save(model, { step: step + 1, playing: loop || step + 1 < end });
    else save(model, { step: 0, playing: loop && end > 0 });
  }

  // Every change of step restarts the clock: two views of one widget do not play at twice the speed.
  function restart() {
    since = performance.now();
  }

  function follow() {
    cancelAnimationFrame(frame);
    frame = 0;
    if (model.get("playing") !== true) return;
    restart();
    if (now() === last()) save(model, { step: 0 });
    frame = requestAnimationFrame(tick);
  }

  function start() {
    model.on("change:step", restart);
    model.on("change:playing", follow);
    if (calm()) save(model, { playing: false });
    follow();
  }

  function close() {
    cancelAnimationFrame(frame);
    model.off("change:step", restart);
    model.off("change:playing", follow);
  }

  return {
    start,
    close,
    toggle: () => save(model, { playing: !model.get("playing") && last() > 0 }),
    forward: () => goTo(now() + 1),
    back: () => goTo(now() - 1),
    toStart: () => goTo(0),
    toEnd: () => goTo(last()),
  };
}

function playControls(model, player) {
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  const play = button("Play", player.toggle);
  const back = button("Back", player.back);
  const forward = button("Step", player.forward);
  const reset = button("Reset", player.toStart);
  play.classList.add("swz-play");
  const id = freshId("speed");
  const speed = h("input", { type: "range", id, ...SPEED, step: 0.5, oninput: () => save(model, { speed: Number(speed.value) }) });
  const rate = h("output", { for: id });
  const loop = h("input", { type: "checkbox", onchange: () => save(model, { loop: loop.checked }) });
  const element = h(
    "div",
    { class: "swz-controls", role: "group", "aria-label": "animation" },
    h("span", { class: "swz-buttons" }, play, back, forward, reset),
    h("div", { class: "swz-slider" }, h("label", { for: id }, "wavefronts a second"), speed, rate),
    h("label", { class: "swz-loop" }, loop, "Loop"),
  );

  function draw(step, last) {
    write(play, model.get("playing") ? "Pause" : "Play");
    play.disabled = last === 0;
    back.disabled = reset.disabled = step === 0;
    forward.disabled = step === last;
    const value = model.get("speed");
    speed.min = Math.min(SPEED.low, value);
    speed.max = Math.max(SPEED.high, value);
    speed.value = value;
    write(rate, value);
    loop.checked = model.get("loop");
  }

  return { element, draw };
}

// --- The widget --------------------------------------------------------------------------------

export function renderColumnRead({ model, el, controls = true }) {
  return mount({
    model,
    el,
    label: "Column read",
    traits: [...SWIZZLE_TRAITS, "geometry", "access", "variants", "step", "playing", "speed", "loop"],
    build: (context) => buildColumnRead(context, controls),
  });
}

// A fixed track, as Python's `variants` describes it.
function variantOf(item) {
  const { label, geometry, swizzle } = item ?? {};
  if (typeof label !== "string") {
    throw new ModelError(`a variant is described by its label, geometry and swizzle, not by ${shown(item)}`);
  }
  if (swizzle === null) return { label, tile: new Tile(geometry) };
  const { bits, base, shift, unit } = swizzle ?? {};
  return { label, tile: new Tile(geometry, new Swizzle(bits, base, shift), unit) };
}

function flag(model, name) {
  const value = model.get(name);
  if (typeof value !== "boolean") throw new ModelError(`${name} must be True or False, not ${shown(value)}`);
  return value;
}

function rateOf(speed) {
  if (typeof speed !== "number") throw new ModelError(`speed must be a number, not ${shown(speed)}`);
  if (!(speed > 0 && speed < Infinity)) throw new ModelError(`speed = ${speed} must be positive and finite`);
  return speed;
}

function buildColumnRead(context, controls) {
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  const menu = accessMenu(context);
  const spoken = liveRegion();
  const tracks = h("div", { class: "swz-tracks swz-picture", tabindex: 0, role: "application", "aria-label": `Wavefronts. ${KEYS_HINT}` });
  let lanes = [];
  let last = 0;
  const player = columnPlayer(model, () => last);
  const transport = playControls(model, player);
  const hint = h("p", { class: "swz-note swz-keys" }, `${KEYS_HINT}.`);
  const bar = h("div", { class: "swz-controls" }, controls ? menu.element : null, transport.element);
  card.append(...(controls ? [swizzle.element] : []), bar, problem, tracks, hint, spoken);

  const keys = { " ": player.toggle, ArrowRight: player.forward, ArrowLeft: player.back, Home: player.toStart, End: player.toEnd };
  tracks.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const fixed = once((variants) => {
    return list("variants", variants).map(variantOf);
  });
  const plainAccess = once((geometry, spec) => new Access(new Tile(geometry), spec));

  // All that does not depend on the step.
  const load = once((geometry, bits, base, shift, unit, spec, variants) => {
    const tile = readTile(model);
    const access = plainAccess(geometry, spec);
    const others = fixed(variants);
    const live = { label: tile.swizzleName, tile };
    // With B = 0 the last track would repeat the one without a swizzle.
    const all = !tile.swizzle.bits && others.some(({ label }) => label === live.label) ? others : [...others, live];
    if (lanes.length !== all.length) {
      lanes.forEach((lane) => lane.close());
      lanes = all.map(track);
      tracks.replaceChildren(...lanes.map((lane) => lane.element));
    }
    const reads = lanes.map((lane, index) => lane.read(access, all[index].tile));
    const piles = reads.map(({ layers }) => layers);
    const height = boxHeight(piles);
    lanes.forEach((lane, index) => lane.load(all[index].label, reads[index], height));
    last = Math.max(...piles.map((layers) => layers.length));
    swizzle.draw();
    menu.draw(access);
  });

  // Not before the first picture: only then is the number of wavefronts known.
  const begin = once(player.start);

  function draw() {
    const wanted = whole("step", model.get("step"), 0, Infinity);
    const [playing, speed] = [flag(model, "playing"), rateOf(model.get("speed"))];
    flag(model, "loop");
    load(...["geometry", ...SWIZZLE_TRAITS.slice(0, 3), "unit", "access", "variants"].map((name) => model.get(name)));
    const step = Math.min(wanted, last);
    if (step !== wanted) save(model, { step });
    const duration = calm() ? 0 : Math.min(TRACK.drop, playing ? 700 / speed : Infinity);
    lanes.forEach((lane) => lane.show(step, duration));
    transport.draw(step, last);
    if (!playing) write(spoken, lanes.map((lane) => lane.text()).join(". "));
    begin();
  }

  function close() {
    player.close();
    lanes.forEach((lane) => lane.close());
  }

  return { draw, close };
}

export default { render: renderColumnRead };
