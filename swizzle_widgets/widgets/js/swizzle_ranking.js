// SwizzleRanking: the good swizzles first, each with its time, and the map of all that the search tried.

import { mount } from "./card.js";
import { radioGroup } from "./controls.js";
import { h, write } from "./dom.js";
import { ModelError, list, plural, shown, whole } from "./model/checks.js";
import { liveRegion } from "./reading.js";
import { TILE_TRAITS, once, plainTile, readTile, save, toggleControls } from "./state.js";
import { MEASURES as m } from "./generated.js";
import { mapScene, wayScene } from "./views/ranking.js";
import { sceneStage } from "./views/stage.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function renderSwizzleRanking({ model, el }) {
  return mount({
    model,
    el,
    label: "Swizzle ranking",
    traits: [...TILE_TRAITS, "controls", "ways", "best", "ideal"],
    build: buildRanking,
  });
}

// What Python's `ways` and `best` hold.
export function wayOf(row) {
  const [bits, base, shift, cost, verdict, reason] = list("ways", row);
  const texts = [verdict, reason].every((text) => typeof text === "string");
  if (![bits, base, shift, cost].every(Number.isInteger) || !texts) {
    throw new ModelError(`ways must hold [B, M, S, cost, verdict, why rejected], not ${shown(row)}`);
  }
  return { bits, base, shift, cost, verdict, reason };
}

export function bestOf(row, ways) {
  const [swizzle, verdict, name, note, said, count, ideal, grids] = list("best", row);
  const way = swizzle && ways.find(({ bits, base, shift }) => `${[bits, base, shift]}` === `${swizzle}`);
  const texts = [verdict, name, note, said].every((text) => typeof text === "string");
  const drawn = Array.isArray(grids) && grids.every((grid) => Array.isArray(grid) && Array.isArray(grid[1]));
  if (way === undefined || !texts || !Number.isInteger(count) || !Number.isInteger(ideal) || !drawn) {
    const wanted = "[[B, M, S], verdict, name, note, cost in words, cost, ideal, grids] of one of the ways";
    throw new ModelError(`best must hold ${wanted}, not ${shown(row)}`);
  }
  return { way, verdict, name, note, said, count, ideal, grids };
}

// One of the best, as a button; padding cannot be chosen.
function wayCard(best, onpick) {
  const stage = sceneStage((width) => stage.show(wayScene(best, width)));
  const options = { class: "swz-way", type: "button", "aria-label": best.verdict, title: best.verdict };
  const element = best.way
    ? h("button", { ...options, onclick: () => onpick(best.way) }, stage.element)
    : h("div", { class: "swz-way", title: best.verdict }, stage.element);
  return { best, element, close: stage.close };
}

function buildRanking(context) {
  const { model, card, problem } = context;
  const units = radioGroup(
    "counted in",
    [
      ["byte", "bytes"],
      ["element", ""],
    ],
    changeUnit,
  );
  const all = h("input", { type: "checkbox", onchange: () => paint() });
  const folded = h("span", {});
  const cards = h("div", { class: "swz-ways" });
  const count = h("p", { class: "swz-count" });
  const verdict = h("p", { class: "swz-detail" });
  const reading = h("div", { class: "swz-verdict" }, count, verdict);
  const stage = sceneStage(() => paint());
  const map = h(
    "div",
    { class: "swz-map swz-picture", tabindex: 0, role: "application", onkeydown: onkey },
    stage.element,
  );
  const live = liveRegion();
  const bar = h("div", { class: "swz-controls" }, units.element, h("label", { class: "swz-loop" }, all, folded));
  card.append(cards, reading, bar, map, problem, live);
  const state = { ways: [], cards: [], cells: [], selected: null };

  stage.element.addEventListener("click", (event) => {
    const found = wayAt(stage.pointOf(event));
    if (found) pick(found.way);
  });
  stage.element.addEventListener("pointermove", (event) => {
    const found = wayAt(stage.pointOf(event));
    stage.element.title = found?.way.verdict ?? "";
    stage.mark(found ? [[found.x, found.y, m.WAY_WIDE - 1, m.WAY_TALL - 1]] : []);
  });
  stage.element.addEventListener("pointerleave", () => stage.mark([]));

  const wayAt = ([x, y]) =>
    state.cells.find((cell) => x >= cell.x && x < cell.x + m.WAY_WIDE && y >= cell.y && y < cell.y + m.WAY_TALL);

  // M in bytes is M in elements plus the bits of a byte address within an element.
  const raise = (unit) => (unit === "byte" ? Math.log2(plainTile(model).elementBits) - 3 : 0);

  function pick(way) {
    const unit = way.base + raise(model.get("unit")) < 0 ? "element" : model.get("unit");
    save(model, { bits: way.bits, base: way.base + raise(unit), shift: way.shift, unit });
  }

  // From the chosen cell to the next one in the direction of the key.
  function onkey(event) {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const at = state.cells.find(({ way }) => way === state.selected);
    if (!at) return state.cells.length ? pick(state.cells[0].way) : undefined;
    const ahead = ({ x, y }) =>
      step[0] ? x === at.x && (y - at.y) * step[0] > 0 : y === at.y && (x - at.x) * step[1] > 0;
    const distance = ({ x, y }) => Math.abs(x - at.x) + Math.abs(y - at.y);
    const [next] = state.cells.filter(ahead).sort((a, b) => distance(a) - distance(b));
    // Keys can come faster than frames, so the next one starts from here.
    if (!next) return;
    state.selected = next.way;
    pick(next.way);
  }

  function changeUnit(unit) {
    context.attempt(() => {
      units.choose(model.get("unit"));
      const { bits, base, shift } = readTile(model).swizzle;
      const moved = base - raise(model.get("unit")) + raise(unit);
      if (moved >= 0 || !bits) save(model, { bits, base: Math.max(0, moved), shift, unit });
    });
  }

  const load = once((rows, best, ideal) => {
    const ways = list("ways", rows).map(wayOf);
    const first = list("best", best).map((row) => bestOf(row, ways));
    whole("ideal", ideal, 0, Number.MAX_SAFE_INTEGER);
    state.cards.forEach((each) => each.close());
    Object.assign(state, { ways, ideal, cards: first.map((each) => wayCard(each, pick)) });
    cards.replaceChildren(...state.cards.map((each) => each.element));
  });

  function paint() {
    if (!state.ways.length || !stage.width()) return;
    const options = {
      ideal: state.ideal,
      chosen: state.selected,
      raise: state.raise,
      unitName: state.unitName,
      all: all.checked,
    };
    const made = mapScene(state.ways, options, stage.width());
    state.cells = made.cells;
    stage.show(made.scene);
    write(folded, "S < 0 and rows that are never better than no swizzle, too");
  }

  function draw() {
    load(...["ways", "best", "ideal"].map((name) => model.get(name)));
    const { swizzle, unit, dtype } = readTile(model);
    state.raise = raise(unit);
    state.unitName = unit === "byte" ? "bytes" : `${dtype} elements`;
    const base = swizzle.base - state.raise;
    const same = (way) =>
      way.bits === swizzle.bits && (!way.bits || (way.base === base && way.shift === swizzle.shift));
    const selected = state.ways.find(same);
    state.selected = selected;
    units.rename("element", `${dtype} elements`);
    units.choose(unit);
    toggleControls(model, { unit: [units.element] });
    for (const { best, element } of state.cards)
      element.classList.toggle("swz-chosen", Boolean(best.way) && best.way === selected);
    const rejected = !selected || selected.cost < 0;
    reading.dataset.state = rejected ? "cut" : selected.cost > state.ideal ? "conflict" : "clean";
    write(count, !selected ? "not tried" : rejected ? "rejected" : counted(selected));
    const text = selected ? selected.verdict : `${swizzle} lies beyond the tile or has too many bits.`;
    for (const place of [verdict, live]) write(place, text);
    map.setAttribute("aria-label", `map of B, M and S, arrow keys choose: ${text}`);
    paint();
  }

  return { draw, close: () => [stage, ...state.cards].forEach((each) => each.close()) };
}

// What all accesses cost together; those of cp.async.cg pay for lines, as the verdict says.
function counted({ cost, verdict }) {
  return /\blines?\b/.test(verdict) ? `${cost} wavefronts and lines` : plural(cost, "wavefront");
}

export default { render: renderSwizzleRanking };
