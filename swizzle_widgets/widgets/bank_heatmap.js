// BankHeatmap: every cell of the tile by its bank, plain beside swizzled, and what an access costs on each.

import { Access, wordsPerBank } from "./model.js";
import {
  SWIZZLE_TRAITS, accessMenu, h, liveRegion, mount, readTile, s, sentence, swizzleControls, verdictPanel,
} from "./card.js";

// Up to here each cell is an SVG rectangle with its bank's number; beyond, one pixel of a canvas.
const MOST_NUMBERED = 2048;
const CELL = { width: 14, height: 17 };

// A picture of the tile. Returns {element, draw(banks, access)}.
function bankGrid(tile, label, { onpick, onhover }) {
  const numbered = tile.rows * tile.cols <= MOST_NUMBERED;
  const size = { width: tile.cols * CELL.width, height: tile.rows * CELL.height };
  const cells = numbered ? svgCells(tile) : canvasCells(tile);
  const touched = s("g", { class: "swz-touched" });
  const picture = s("svg", { viewBox: `0 0 ${size.width} ${size.height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  if (numbered) picture.append(cells.element);
  picture.append(touched);
  const frame = h("div", {}, numbered ? null : cells.element, picture);
  // Few columns need no wide picture; many would be unreadable below a few pixels each.
  frame.style.cssText = `aspect-ratio: ${size.width} / ${size.height}; max-width: ${size.width * 1.6}px; min-width: ${tile.cols * 4}px`;
  const element = h("div", { class: "swz-grid swz-picture", tabindex: 0, role: "application", "aria-label": label }, frame);

  const cellAt = (event) => {
    const box = picture.getBoundingClientRect();
    const place = (value, start, length, count) => Math.min(count - 1, Math.max(0, Math.floor(((value - start) / length) * count)));
    return [place(event.clientY, box.top, box.height, tile.rows), place(event.clientX, box.left, box.width, tile.cols)];
  };
  frame.addEventListener("click", (event) => onpick(...cellAt(event)));
  frame.addEventListener("pointermove", (event) => onhover(...cellAt(event)));
  frame.addEventListener("pointerleave", () => onhover());

  function draw(banks, access) {
    cells.draw(banks);
    touched.replaceChildren(
      ...access.cells().flatMap((lane) => lane.map(([row, col]) => cellMark(row, col, banks[row * tile.cols + col], numbered))),
    );
  }

  return { element, draw };
}

function cellMark(row, col, bank, numbered) {
  const box = { x: col * CELL.width, y: row * CELL.height, ...CELL };
  const rect = s("rect", { ...box, fill: BANK_COLORS[bank], "vector-effect": "non-scaling-stroke", "stroke-width": numbered ? 1.5 : 1 });
  return s("g", {}, rect, numbered ? cellText(row, col, bank) : null);
}

function cellText(row, col, bank) {
  const place = { x: (col + 0.5) * CELL.width, y: (row + 0.5) * CELL.height };
  return s("text", { ...place, "font-size": 9, fill: BANK_INKS[bank] }, bank);
}

function svgCells(tile) {
  const items = [];
  for (let row = 0; row < tile.rows; row++) {
    for (let col = 0; col < tile.cols; col++) {
      const rect = s("rect", { x: col * CELL.width, y: row * CELL.height, width: CELL.width - 0.6, height: CELL.height - 0.6 });
      items.push({ rect, text: cellText(row, col, 0), bank: null });
    }
  }
  const element = s("g", { class: "swz-cells" }, ...items.flatMap(({ rect, text }) => [rect, text]));

  function draw(banks) {
    items.forEach((item, index) => {
      const bank = banks[index];
      if (item.bank === bank) return;
      item.bank = bank;
      item.rect.setAttribute("fill", BANK_COLORS[bank]);
      item.text.setAttribute("fill", BANK_INKS[bank]);
      item.text.firstChild.data = bank;
    });
  }

  return { element, draw };
}

const BANK_RGB = BANK_COLORS.map((color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)));

function canvasCells(tile) {
  const element = h("canvas", { class: "swz-cells", width: tile.cols, height: tile.rows });
  const context = element.getContext("2d");
  const image = context.createImageData(tile.cols, tile.rows);

  function draw(banks) {
    banks.forEach((bank, index) => image.data.set([...BANK_RGB[bank], 255], 4 * index));
    context.putImageData(image, 0, 0);
  }

  return { element, draw };
}

const BAR = { width: 7, height: 44 };

// Distinct words that each bank must deliver, all phases together.
function wordsHistogram() {
  const bars = BANK_COLORS.map((color, bank) => s("rect", { x: bank * BAR.width, width: BAR.width - 1, fill: color, stroke: "var(--quiet)", "stroke-width": 0.4 }));
  const top = s("text", { x: 0, y: 8, "font-size": 9, fill: "var(--quiet)" });
  const axis = [0, 8, 16, 24, 31].map((bank) =>
    s("text", { x: (bank + 0.5) * BAR.width, y: BAR.height + 20, "font-size": 9, fill: "var(--quiet)", "text-anchor": bank === 31 ? "end" : "middle" }, bank),
  );
  const picture = s("svg", { viewBox: `0 0 ${BAR.width * BANK_COLORS.length} ${BAR.height + 24}`, role: "img" }, ...bars, top, ...axis);
  const element = h("div", { class: "swz-words" }, picture);

  function draw(report, most) {
    const counts = wordsPerBank(report);
    counts.forEach((count, bank) => {
      const height = (BAR.height * count) / most;
      bars[bank].setAttribute("height", height);
      bars[bank].setAttribute("y", 10 + BAR.height - height);
      bars[bank].setAttribute("visibility", count ? "visible" : "hidden");
    });
    const peak = Math.max(...counts);
    top.textContent = `words per bank, at most ${peak}`;
    const used = counts.map((count, bank) => (count ? `bank ${bank}: ${count}` : "")).filter(Boolean);
    picture.setAttribute("aria-label", `words per bank: ${used.join(", ")}`);
  }

  return { element, draw };
}

// One variant of the tile: picture on the left, reading on the right (below, on a narrow page).
function panel(tile, label, handlers) {
  const grid = bankGrid(tile, label, handlers);
  const verdict = verdictPanel(label);
  const words = wordsHistogram();
  const reading = h("div", { class: "swz-reading" }, verdict.element, words.element);
  const element = h("div", { class: "swz-panel" }, grid.element, reading);

  function draw(access, heading, most) {
    grid.draw(access.tile.banks(), access);
    verdict.draw(access, heading);
    words.draw(access.report(), most);
  }

  return { element, grid, draw };
}

export function renderBankHeatmap({ model, el, controls = true }) {
  return mount({
    model,
    el,
    label: "Bank heatmap",
    traits: [...SWIZZLE_TRAITS, "geometry", "access"],
    build: (context) => buildHeatmap(context, controls),
  });
}

function buildHeatmap(context, controls) {
  const { model, card } = context;
  const swizzle = swizzleControls(context);
  const menu = accessMenu(context);
  const note = h("p", { class: "swz-note" });
  const live = liveRegion();
  const panels = h("div", { class: "swz-panels" });
  card.append(...(controls ? [swizzle.element] : []), h("div", { class: "swz-controls" }, menu.element, note), panels, live);
  let shown = null;
  let pair = [];

  const plainTile = () => readTile(model).with(null);

  function pick(row, col) {
    menu.moveTo(plainTile(), row, col);
  }

  function onkey(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    menu.moveBy(plainTile(), ...step);
  }

  function describe(variant, row, col) {
    if (row === undefined) return (note.textContent = "Click a cell, or use the arrow keys, to move the access.");
    const tile = variant === 0 ? plainTile() : readTile(model);
    const access = new Access(tile, model.get("access"));
    const lane = access.cells().findIndex((cells) => cells.some(([r, c]) => r === row && c === col));
    const address = tile.address(row, col);
    const bank = Math.floor(address / RULES.wordBytes) % RULES.banks;
    note.textContent =
      `row ${row}, column ${col}: byte ${address} (0x${address.toString(16)}), bank ${bank}` +
      (lane < 0 ? "" : `, wanted by lane ${lane}`);
  }

  function rebuild(tile) {
    pair = ["no swizzle", "swizzled"].map((label, variant) =>
      panel(tile, label, { onpick: pick, onhover: (row, col) => describe(variant, row, col) }),
    );
    pair.forEach((item) => item.grid.element.addEventListener("keydown", onkey));
    panels.classList.toggle("swz-beside", tile.cols <= 2 * tile.rows);
    panels.replaceChildren(...pair.map((item) => item.element));
    describe(0);
    shown = tile.geometry;
  }

  function draw() {
    const tile = readTile(model);
    // With B = 0 there is nothing to compare.
    const variants = tile.swizzle.bits ? [tile.with(null), tile] : [tile.with(null)];
    const accesses = variants.map((variant) => new Access(variant, model.get("access")));
    if (shown !== tile.geometry) rebuild(tile);
    swizzle.draw();
    menu.draw(accesses[0]);
    const most = Math.max(...accesses.flatMap((access) => wordsPerBank(access.report())));
    pair[1].element.hidden = accesses.length === 1;
    accesses.forEach((access, index) => pair[index].draw(access, access.tile.swizzleName, most));
    live.textContent = accesses.map(sentence).join(". ");
  }

  return { draw };
}

export default { render: renderBankHeatmap };
