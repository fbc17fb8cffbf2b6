// BankHeatmap: every cell of the tile by its bank, plain beside swizzled, and what an access costs on each.

import { accessMenu } from "./access_menu.js";
import { mount } from "./card.js";
import { swizzleControls } from "./controls.js";
import { h, put, s, write } from "./dom.js";
import { BANKS, BANK_COLORS, BANK_INKS, BANK_TINTS, BLACK, WORD_BYTES } from "./generated.js";
import { Access } from "./model/access.js";
import { wordsPerBank } from "./model/banks.js";
import { liveRegion, sentence, verdictPanel } from "./reading.js";
import { SWIZZLE_TRAITS, once, readTile } from "./state.js";

// Up to here each cell is large enough for its bank's number; beyond, it is one pixel.
const MOST_NUMBERED = 2048;
const CELL = { width: 14, height: 17, gap: 0.6, text: 9 };

// A picture of the tile. Returns {element, draw(banks, access), close}.
function bankGrid(tile, label, { onpick, onhover }) {
  const numbered = tile.rows * tile.cols <= MOST_NUMBERED;
  const size = { width: tile.cols * CELL.width, height: tile.rows * CELL.height };
  const cells = numbered ? numberedCells(tile) : pixelCells(tile);
  const touched = s("g", { class: "swz-touched" });
  const picture = s("svg", { viewBox: `0 0 ${size.width} ${size.height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, touched);
  const frame = h("div", {}, cells.element, picture);
  // Few columns need no wide picture; many would be unreadable below a few pixels each.
  frame.style.cssText = `aspect-ratio: ${size.width} / ${size.height}; max-width: ${size.width * 1.6}px; min-width: ${tile.cols * 4}px`;
  const element = h("div", { class: "swz-grid swz-picture", tabindex: 0, role: "application", "aria-label": label }, frame);
  let marks = [];

  const cellAt = (event) => {
    const box = picture.getBoundingClientRect();
    const place = (value, start, length, count) => Math.min(count - 1, Math.max(0, Math.floor(((value - start) / length) * count)));
    return [place(event.clientY, box.top, box.height, tile.rows), place(event.clientX, box.left, box.width, tile.cols)];
  };
  frame.addEventListener("click", (event) => onpick(...cellAt(event)));
  frame.addEventListener("pointermove", (event) => onhover(...cellAt(event)));
  frame.addEventListener("pointerleave", () => onhover());

  const mark = once((spec) => {
    const places = new Access(tile.with(null), spec).cells().flat();
    marks = places.map(([row, col]) => ({ cell: row * tile.cols + col, ...cellMark(row, col, numbered) }));
    touched.replaceChildren(...marks.flatMap(({ rect, text }) => (text ? [rect, text] : [rect])));
  });

  function draw(banks, access) {
    cells.draw(banks);
    mark(access.spec);
    for (const { cell, rect, text } of marks) {
      const bank = banks[cell];
      put(rect, { fill: BANK_COLORS[bank] });
      if (!text) continue;
      put(text, { fill: BANK_INKS[bank] });
      write(text, bank);
    }
  }

  return { element, draw, close: cells.close };
}

function cellMark(row, col, numbered) {
  const box = { x: col * CELL.width, y: row * CELL.height, width: CELL.width, height: CELL.height };
  const rect = s("rect", { ...box, "vector-effect": "non-scaling-stroke", "stroke-width": numbered ? 1.5 : 1 });
  const place = { x: (col + 0.5) * CELL.width, y: (row + 0.5) * CELL.height };
  return { rect, text: numbered ? s("text", { ...place, "font-size": CELL.text }) : null };
}

// Every cell with its number, on a canvas: as SVG a slider's step would take several frames. A cell is copied from a
// sheet that holds one for each bank, and only where the bank is another one.
function numberedCells(tile) {
  const element = h("canvas", { class: "swz-cells" });
  const context = element.getContext("2d");
  const sheet = document.createElement("canvas");
  const cell = { width: 0, height: 0 };
  let wanted = [];
  let drawn = [];

  function resize() {
    const { width, height } = element.getBoundingClientRect();
    const size = [width, height].map((length) => Math.round(length * devicePixelRatio));
    // A closed tab has no size.
    if (!width || (size[0] === element.width && size[1] === element.height)) return;
    [element.width, element.height] = size;
    const scale = element.width / (tile.cols * CELL.width);
    cell.width = Math.max(1, Math.floor((CELL.width - CELL.gap) * scale));
    cell.height = Math.max(1, Math.floor((CELL.height - CELL.gap) * scale));
    drawSheet(CELL.text * scale);
    drawn = [];
    copy();
  }

  function drawSheet(size) {
    [sheet.width, sheet.height] = [cell.width * BANKS, cell.height];
    const brush = sheet.getContext("2d");
    Object.assign(brush, { font: `${size}px ${getComputedStyle(element).fontFamily}`, textAlign: "center", textBaseline: "middle" });
    BANK_TINTS.forEach((tint, bank) => {
      brush.fillStyle = tint;
      brush.fillRect(bank * cell.width, 0, cell.width, cell.height);
      brush.fillStyle = BLACK;
      brush.fillText(bank, (bank + 0.5) * cell.width, cell.height / 2);
    });
  }

  function copy() {
    const { width, height } = cell;
    if (!width) return;
    for (let row = 0, index = 0; row < tile.rows; row++) {
      const y = Math.round((row * element.height) / tile.rows);
      for (let col = 0; col < tile.cols; col++, index++) {
        const bank = wanted[index];
        if (drawn[index] === bank) continue;
        context.drawImage(sheet, bank * width, 0, width, height, Math.round((col * element.width) / tile.cols), y, width, height);
      }
    }
    drawn = wanted;
  }

  const resized = new ResizeObserver(resize);
  resized.observe(element);
  // Zoom changes the number of device pixels even where the picture is as wide as it may be.
  addEventListener("resize", resize);

  function draw(banks) {
    wanted = banks;
    copy();
  }

  function close() {
    resized.disconnect();
    removeEventListener("resize", resize);
  }

  return { element, draw, close };
}

const BANK_PIXELS = BANK_TINTS.map((color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)));

function pixelCells(tile) {
  const element = h("canvas", { class: "swz-cells swz-pixels", width: tile.cols, height: tile.rows });
  const context = element.getContext("2d");
  const image = context.createImageData(tile.cols, tile.rows);
  // One number a pixel, its bytes in the order of the machine.
  const pixels = new Uint32Array(image.data.buffer);
  const palette = new Uint32Array(Uint8Array.from(BANK_PIXELS.flatMap((color) => [...color, 255])).buffer);

  function draw(banks) {
    for (let cell = 0; cell < pixels.length; cell++) pixels[cell] = palette[banks[cell]];
    context.putImageData(image, 0, 0);
  }

  return { element, draw, close() {} };
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
      put(bars[bank], { height, y: 10 + BAR.height - height, visibility: count ? "visible" : "hidden" });
    });
    const peak = Math.max(...counts);
    write(top, `all words per bank: at most ${peak}`);
    const used = counts.map((count, bank) => (count ? `bank ${bank}: ${count}` : "")).filter(Boolean);
    put(picture, { "aria-label": `words per bank: ${used.join(", ")}` });
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
  let shown = null;

  function draw(access, heading, most) {
    shown = access;
    grid.draw(access.tile.banks(), access);
    verdict.draw(access, heading);
    words.draw(access.report(), most);
  }

  return { element, grid, draw, access: () => shown };
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
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  const menu = accessMenu(context);
  const note = h("p", { class: "swz-note" });
  const live = liveRegion();
  const panels = h("div", { class: "swz-panels" });
  card.append(...(controls ? [swizzle.element] : []), h("div", { class: "swz-controls" }, menu.element, note), problem, panels, live);
  let shown = null;
  let pair = [];

  function onkey(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    menu.moveBy(...step);
  }

  function describe(variant, row, col) {
    const access = pair[variant]?.access();
    if (row === undefined || !access) return (note.textContent = "Click a cell, or use the arrow keys, to move the access.");
    const { tile } = access;
    const lane = access.cells().findIndex((cells) => cells.some(([r, c]) => r === row && c === col));
    const address = tile.address(row, col);
    const bank = Math.floor(address / WORD_BYTES) % BANKS;
    note.textContent =
      `row ${row}, column ${col}: byte ${address} (0x${address.toString(16)}), bank ${bank}` +
      (lane < 0 ? "" : `, wanted by lane ${lane}`);
  }

  const close = () => pair.forEach((item) => item.grid.close());

  function rebuild(tile) {
    close();
    pair = ["no swizzle", "swizzled"].map((label, variant) =>
      panel(tile, label, { onpick: menu.moveTo, onhover: (row, col) => describe(variant, row, col) }),
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
    write(live, accesses.map(sentence).join(". "));
  }

  return { draw, close };
}

export default { render: renderBankHeatmap };
