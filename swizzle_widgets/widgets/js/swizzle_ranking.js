// SwizzleRanking: every swizzle that the search tried as a cell, by the wavefronts that it costs.

import { mount } from "./card.js";
import { radioGroup } from "./controls.js";
import { h, put, s, write } from "./dom.js";
import { ModelError, list, plural, shown, whole } from "./model/checks.js";
import { liveRegion } from "./reading.js";
import { SWIZZLE_TRAITS, once, readTile, save } from "./state.js";

const RANKING_CELL = { width: 22, height: 15 };
const MARGIN = { left: 30, top: 30 };
// Few conflicts are light, many are dark; the ideal stands out by hue. Each with the ink that is read on it.
const IDEAL = ["#0b5fa5", "#ffffff"];
const CONFLICT = [["#fdeed9", "#1f2328"], ["#fbc98b", "#1f2328"], ["#f19a4e", "#1f2328"], ["#c9531f", "#ffffff"], ["#7f2704", "#ffffff"]];

function colorOf(way, ideal) {
  if (way.wavefronts <= ideal) return IDEAL;
  const doublings = Math.log2(way.wavefronts / ideal);
  return CONFLICT[Math.min(CONFLICT.length - 1, Math.floor(2 * doublings))];
}

// What Python's `ways` and `best` hold.
function wayOf(row) {
  const [bits, base, shift, wavefronts, verdict] = list("ways", row);
  if (![bits, base, shift, wavefronts].every(Number.isInteger) || typeof verdict !== "string") {
    throw new ModelError(`ways must hold [B, M, S, wavefronts, verdict], not ${shown(row)}`);
  }
  return { bits, base, shift, wavefronts, verdict };
}

function bestOf(row, ways) {
  const [swizzle, text] = list("best", row);
  const way = swizzle && ways.find(({ bits, base, shift }) => `${[bits, base, shift]}` === `${swizzle}`);
  if (way === undefined || typeof text !== "string") {
    throw new ModelError(`best must hold [[B, M, S], verdict] of one of the ways, not ${shown(row)}`);
  }
  return { way, text };
}

// One B: rows are M, columns are S. Returns {element, draw(selected, raise)}; M is shown `raise` larger.
function rankingPanel(bits, ways, ideal, onpick) {
  const shifts = [...new Set(ways.map((way) => way.shift))].sort((a, b) => a - b);
  const bases = [...new Set(ways.map((way) => way.base))].sort((a, b) => a - b);
  const x = (shift) => MARGIN.left + shifts.indexOf(shift) * RANKING_CELL.width;
  const y = (base) => MARGIN.top + bases.indexOf(base) * RANKING_CELL.height;
  const size = { width: MARGIN.left + shifts.length * RANKING_CELL.width + 2, height: MARGIN.top + bases.length * RANKING_CELL.height + 2 };

  const marker = s("rect", { class: "swz-chosen", width: RANKING_CELL.width, height: RANKING_CELL.height, visibility: "hidden" });
  const baseTexts = bases.map((base) => s("text", { x: MARGIN.left - 6, y: y(base) + RANKING_CELL.height / 2, "text-anchor": "end" }));
  const picture = s(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, "aria-hidden": "true" },
    s("text", { x: MARGIN.left - 6, y: 20, "text-anchor": "end" }, "M"),
    s("text", { x: MARGIN.left, y: 8 }, "S"),
    ...shifts.map((shift) => s("text", { x: x(shift) + RANKING_CELL.width / 2, y: 20, "text-anchor": "middle" }, shift)),
    ...baseTexts,
    ...ways.map((way) => cell(way, x(way.shift), y(way.base))),
    marker,
  );
  const best = Math.min(...ways.filter((way) => way.wavefronts >= 0).map((way) => way.wavefronts));
  const label = `B = ${bits}: ${Number.isFinite(best) ? `at best ${best} wavefronts` : "all rejected"}`;
  const element = h("div", { class: "swz-ranks swz-picture", tabindex: 0, role: "application", "aria-label": label, onkeydown: onkey }, h("p", { class: "swz-title" }, label), picture);
  let chosen = null;

  function cell(way, left, top) {
    const box = { x: left, y: top, width: RANKING_CELL.width - 1, height: RANKING_CELL.height - 1 };
    const rejected = way.wavefronts < 0;
    const [fill, ink] = rejected ? ["var(--raised)", "var(--quiet)"] : colorOf(way, ideal);
    const text = { x: left + RANKING_CELL.width / 2 - 0.5, y: top + RANKING_CELL.height / 2, "text-anchor": "middle", style: `fill: ${ink}` };
    return s(
      "g",
      { class: "swz-way", onclick: () => onpick(way) },
      s("title", {}, way.verdict),
      s("rect", { ...box, style: `fill: ${fill}` }),
      s("text", text, rejected ? "×" : way.wavefronts),
    );
  }

  // From the chosen cell to the next one in the direction of the key.
  function onkey(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    if (!chosen) return onpick(ways.find((way) => way.wavefronts === best) ?? ways[0]);
    let row = bases.indexOf(chosen.base) + step[0];
    let column = shifts.indexOf(chosen.shift) + step[1];
    for (; row in bases && column in shifts; row += step[0], column += step[1]) {
      const next = ways.find((way) => way.base === bases[row] && way.shift === shifts[column]);
      // Keys can come faster than frames, so the next one starts from here.
      if (next) return onpick((chosen = next));
    }
  }

  function draw(selected, raise) {
    chosen = ways.includes(selected) ? selected : null;
    baseTexts.forEach((text, index) => write(text, bases[index] + raise));
    put(marker, { visibility: chosen ? "visible" : "hidden" });
    if (chosen) put(marker, { x: x(chosen.shift) - 0.5, y: y(chosen.base) - 0.5 });
  }

  return { element, draw };
}

export function renderSwizzleRanking({ model, el }) {
  return mount({
    model,
    el,
    label: "Swizzle ranking",
    traits: [...SWIZZLE_TRAITS, "geometry", "ways", "best", "ideal"],
    build: buildRanking,
  });
}

function buildRanking(context) {
  const { model, card } = context;
  const units = radioGroup("counted in", [["byte", "bytes"], ["element", ""]], changeUnit);
  const items = h("ol", { class: "swz-best" });
  const verdict = h("p", { class: "swz-detail" });
  const count = h("p", { class: "swz-count" });
  const reading = h("div", { class: "swz-verdict" }, count, verdict);
  const panels = h("div", { class: "swz-panels swz-ranking" });
  const legend = h("p", { class: "swz-note" });
  const live = liveRegion();
  const beside = h("div", { class: "swz-panel" }, panels, h("div", { class: "swz-reading" }, reading, h("p", { class: "swz-title" }, "best first"), items));
  card.append(h("div", { class: "swz-controls" }, units.element, legend), beside, live);
  let ways = [];
  let pieces = [];

  // M in bytes is M in elements plus the bits of a byte address within an element.
  const raise = (unit) => (unit === "byte" ? Math.log2(model.get("geometry").elementBits) - 3 : 0);

  function pick(way) {
    const unit = way.base + raise(model.get("unit")) < 0 ? "element" : model.get("unit");
    save(model, { bits: way.bits, base: way.base + raise(unit), shift: way.shift, unit });
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
    const all = list("ways", rows).map(wayOf);
    const first = list("best", best).map((row) => bestOf(row, all));
    whole("ideal", ideal, 0, Number.MAX_SAFE_INTEGER);
    ways = all;
    const widths = [...new Set(ways.map((way) => way.bits))].filter((bits) => bits > 0).sort();
    pieces = widths.map((bits) => rankingPanel(bits, ways.filter((way) => way.bits === bits), ideal, pick));
    panels.replaceChildren(...pieces.map((piece) => piece.element));
    write(legend, `A cell is a swizzle and its wavefronts, all accesses together: ${ideal} is the ideal, × is rejected.`);
    const chooser = ({ way, text }) => h("button", { type: "button", onclick: () => pick(way) }, text);
    items.replaceChildren(...first.map((item) => h("li", {}, item.way ? chooser(item) : item.text)));
  });

  function draw() {
    load(...["ways", "best", "ideal"].map((name) => model.get(name)));
    const { swizzle, unit, dtype } = readTile(model);
    const base = swizzle.base - raise(unit);
    const selected = ways.find((way) =>
      way.bits === swizzle.bits && (!way.bits || (way.base === base && way.shift === swizzle.shift)));
    units.rename("element", `${dtype} elements`);
    units.choose(unit);
    pieces.forEach((piece) => piece.draw(selected, raise(unit)));
    const state = !selected || selected.wavefronts < 0 ? "cut" : selected.wavefronts > model.get("ideal") ? "conflict" : "clean";
    put(reading, { "data-state": state });
    write(count, !selected ? "not tried" : selected.wavefronts < 0 ? "rejected" : plural(selected.wavefronts, "wavefront"));
    const text = selected ? selected.verdict : `${swizzle} lies beyond the tile or has too many bits.`;
    for (const place of [verdict, live]) write(place, text);
  }

  return { draw };
}

export default { render: renderSwizzleRanking };
