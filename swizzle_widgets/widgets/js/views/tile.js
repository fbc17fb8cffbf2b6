// The tile in memory: each word colored by its bank, with the lanes on what they want; as Python's bank_heatmap.py.

import { BANKS, MEASURES as m } from "../generated.js";
import { isMatrix } from "../model/banks.js";
import { plural } from "../model/checks.js";
import { NUMBER, Scene, lanesShort, lanesText, textWidth, verdict } from "./scene.js";

// --- Where cells stand -------------------------------------------------------------------------

// The largest cells that fit a width, and a height of `most`; a large tile is cut into bands.
export function placeCells(cells, width, most = m.TALLEST_TILE) {
  const { rows, cols } = cells;
  const left = labelWidth(rows) + (cells.phases.length > 1 ? m.TILE_BADGES : 0);
  const room = width - left;
  if (cols * m.CELL_NARROWEST <= room && rows * m.CELL_LOWEST <= most) {
    const wide = Math.min(m.CELL_WIDEST, Math.floor(room / cols));
    return placed({
      rows,
      cols,
      wide,
      tall: Math.min(m.CELL_TALL, Math.floor(most / rows)),
      bandRows: rows,
      bandCols: cols,
      left,
      most,
      width,
    });
  }
  return placed({ rows, cols, left, most, width, ...bandsOf(rows, cols, left, room, most) });
}

function bandsOf(rows, cols, left, room, most) {
  for (let size = m.CELL_TALL; size > 0; size--) {
    const [across, down] = [Math.floor(room / size), Math.floor(most / size)];
    if (cols > across && Math.ceil(cols / even(across)) * (rows * size + m.TILE_BANDS) <= most) {
      return { wide: size, tall: size, bandRows: rows, bandCols: even(across) };
    }
    if (rows > down && Math.ceil(rows / even(down)) * (cols * size + m.TILE_BANDS + left) <= room) {
      return { wide: size, tall: size, bandRows: even(down), bandCols: cols };
    }
  }
  return { wide: 1, tall: 1, bandRows: rows, bandCols: Math.min(cols, even(room)) };
}

function placed(place) {
  const { rows, cols, wide, tall, bandRows, bandCols, left, most } = place;
  const whole = Math.ceil(cols / bandCols) * (bandRows * tall + m.TILE_BANDS) - m.TILE_BANDS;
  const stepX = bandCols * wide + m.TILE_BANDS + left;
  const stepY = bandRows * tall + m.TILE_BANDS;
  return {
    ...place,
    bands: Math.ceil(rows / bandRows) * Math.ceil(cols / bandCols),
    height: Math.min(whole, most),
    // The left top corner of a cell.
    at: (row, col) => [
      (col % bandCols) * wide + Math.floor(row / bandRows) * stepX,
      (row % bandRows) * tall + Math.floor(col / bandCols) * stepY,
    ],
    // The cell [row, col] at a point; null between them.
    cellAt(x, y) {
      const [across, down] = [Math.floor(x / stepX), Math.floor(y / stepY)];
      const [col, row] = [Math.floor((x - across * stepX) / wide), Math.floor((y - down * stepY) / tall)];
      const cell = [row + across * bandRows, col + down * bandCols];
      const inside = x >= 0 && y >= 0 && row < bandRows && col < bandCols && cell[0] < rows && cell[1] < cols;
      return inside ? cell : null;
    },
  };
}

// Pixels for the numbers of the rows and the word above them.
const labelWidth = (rows) => Math.max(m.TILE_ROW, 6 + 7 * String(rows - 1).length);

// At most `count`, a multiple of 32 or 8 where it is large, so that bands begin where patterns do.
function even(count) {
  const step = count >= 32 ? 32 : count >= 8 ? 8 : 1;
  return Math.max(1, count - (count % step));
}

// Whether two panels fit side by side with their numbers in the cells, or would be too tall above each other.
export function standBeside(all, half, width, most = m.TALLEST_TILE) {
  if (half < m.TILE_LEAST) return false;
  const [near, far] = [half, width].map((room) => all.map((cells) => placeCells(cells, room, most)));
  if (near.some((place) => place.bands > 1) && far.every((place) => place.bands === 1)) return false;
  const heights = far.map((place) => place.height + 2 * m.TILE_NAME + m.TILE_COLUMNS + m.BETWEEN_ROWS);
  const fits = (places) => all.every((cells, index) => numbersFit(cells, places[index]));
  return heights.reduce((sum, height) => sum + height, 0) > most || fits(near) || !fits(far);
}

const numbersFit = (cells, place) =>
  cells.runs.every(({ length, lanes }) => lanesText(lanes, length * place.wide, place.tall));

// --- One panel ---------------------------------------------------------------------------------

// Returns {scene, place, top}: the picture, and where its cells stand.
export function tileScene(cells, width, { numbers = "lanes", most = m.TALLEST_TILE } = {}) {
  const place = placeCells(cells, width, most);
  const scene = new Scene(width);
  heading(scene, cells, place);
  const top = scene.height + m.TILE_COLUMNS;
  const grid = new Scene(place.wide * place.cols, place.height);
  labels(grid, cells, place);
  const hidden = drawCells(grid, cells, place);
  cellTexts(grid, cells, place, numbers);
  frames(grid, cells, place);
  scene.put(grid, place.left, top);
  scene.height = top + place.height;
  if (hidden) {
    scene.text(place.left, scene.height + 8, `${hidden} cells are not shown`, { fill: "quiet" });
    scene.height += m.TILE_NAME;
  }
  return { scene, place, top };
}

// A tile's swizzle, or the padding that stands in its place.
export function tileTitle(tile) {
  const padding = tile.swizzle?.bits ? 0 : paddingOf(tile);
  // Lines further apart than two of their lengths are a part of a larger tile.
  const isPadded = padding > 0 && padding < tile.lineLength;
  return isPadded ? `padding of ${plural(padding, `${tile.dtype} element`)}` : tile.swizzleName;
}

// The unused elements behind each row or column; 0 for other layouts.
function paddingOf({ geometry: { rowMode, colMode } }) {
  const parts = [rowMode, colMode].map((mode) => (mode ?? []).filter(([extent]) => extent > 1));
  if (parts.some((part) => part.length !== 1)) return 0;
  const [[[rows, down]], [[cols, right]]] = parts;
  return Math.max(right === 1 ? down - cols : 0, down === 1 ? right - rows : 0);
}

function heading(scene, { access, blank }, place) {
  if (blank) {
    scene.text(place.left, 8, blank, { size: m.TITLE, fill: "quiet", bold: true });
    scene.height = scene.width < m.ONE_LINE ? 2 * m.TILE_NAME : m.TILE_NAME;
    return;
  }
  const name = tileTitle(access.tile);
  const [fill, count, rest] = verdict(access);
  scene.text(place.left, 8, name, { size: m.TITLE, bold: true });
  scene.height = m.TILE_NAME;
  const said = access.refusal ? count : `${count}, ${rest}`;
  if (scene.width < m.ONE_LINE) {
    scene.text(place.left, 8 + m.TILE_NAME, said, { size: m.TITLE, fill, bold: true });
    scene.height += m.TILE_NAME;
  } else {
    // Not far from the name where the tile is narrow.
    const beside = place.left + 9 * (name.length + said.length) + m.BETWEEN;
    const right = Math.max(place.left + place.wide * place.bandCols, beside);
    scene.text(Math.min(scene.width, right), 8, said, { size: m.TITLE, fill, at: "right", bold: true });
  }
}

const POWERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

// The numbers of rows and columns, in elements, as many as have room.
function labels(scene, cells, place) {
  const { tile } = cells.access;
  const style = { fill: "quiet", narrow: true };
  const down = POWERS.slice(0, 8).find((step) => step * place.tall >= m.CELL_TALL) ?? 256;
  for (let row = 0; row < place.rows; row += down) {
    const [x, y] = place.at(row, 0);
    scene.text(x - place.left + labelWidth(place.rows) - 4, y + place.tall / 2, `${row}`, { ...style, at: "right" });
  }
  const perCell = cells.per / cells.split;
  const room = textWidth(`${tile.cols}`) + 6;
  const across = POWERS.find((step) => step >= perCell && (step / perCell) * place.wide >= room) ?? 1024;
  const right = axisWords(scene, tile.dtype, place);
  for (let col = 0; col < tile.cols; col += across) {
    const [x, y] = place.at(0, Math.floor(col / perCell));
    if (y === 0 && x + room > right) continue;
    scene.text(x + Math.min(place.wide, 14) / 2, y - 8, `${col}`, { ...style, at: "middle" });
  }
}

// Writes what rows and columns are; returns how far the numbers of the columns have room.
function axisWords(scene, dtype, place) {
  scene.text(labelWidth(place.rows) - place.left - 4, -8, "row", { fill: "quiet", at: "right" });
  const edge = place.bandCols * place.wide;
  const beyond = place.width - place.left - edge >= m.TILE_AXIS && place.bandRows === place.rows;
  if (!beyond && edge < 3 * m.TILE_AXIS) return Number.POSITIVE_INFINITY;
  const style = { fill: "quiet", at: beyond ? "left" : "right" };
  scene.text(beyond ? edge + 4 : edge, -8, `column (${dtype})`, style);
  return beyond ? Number.POSITIVE_INFINITY : edge - m.TILE_AXIS;
}

// Rectangles by color; neighbors that one lane wants touch, so that its number is not cut by a line. Returns how many
// cells have no room.
function drawCells(scene, cells, place) {
  if (cells.blank) return drawBlank(scene, place);
  const { rows, cols, wide, tall } = place;
  const gap = Math.min(wide, tall) > 4 ? m.GAP : 0;
  const joined = new Set();
  for (const { row, col, length } of cells.runs) {
    for (let next = 0; next < length - 1; next++) joined.add(row * cols + col + next);
  }
  const [pale, full] = [0, 1].map(() => Array.from({ length: BANKS }, () => []));
  let hidden = 0;
  for (let cell = 0; cell < rows * cols; cell++) {
    const [x, y] = place.at(Math.floor(cell / cols), cell % cols);
    if (y + tall > place.height) hidden++;
    else
      (cells.lanes.has(cell) ? full : pale)[cells.banks[cell]].push([
        x,
        y,
        joined.has(cell) ? wide : wide - gap,
        tall - gap,
      ]);
  }
  pale.forEach((rects, bank) => scene.rects(`tint.${bank}`, rects));
  full.forEach((rects, bank) => scene.rects(`bank.${bank}`, rects));
  return hidden;
}

function drawBlank(scene, { rows, cols, wide, tall, at }) {
  const cells = Array.from({ length: rows * cols }, (_, cell) => at(Math.floor(cell / cols), cell % cols));
  scene.rects(
    "idle",
    cells.map(([x, y]) => [x, y, wide - m.GAP, tall - m.GAP]),
  );
  return 0;
}

function cellTexts(scene, cells, place, numbers) {
  if (cells.blank || !numbersHaveRoom({ cells, place }, numbers)) return;
  if (numbers === "lanes") {
    for (const { row, col, length, lanes } of cells.runs) {
      const text = lanesText(lanes, length * place.wide, place.tall);
      const fill = `ink.${cells.banks[row * cells.cols + col + ((length - 1) >> 1)]}`;
      const [x, y] = place.at(row, col);
      scene.text(x + (length * place.wide - 1) / 2, y + place.tall / 2, text, { ...NUMBER, fill });
    }
    return;
  }
  const values = numbers === "banks" ? cells.banks : offsetsOf(cells);
  values.forEach((value, cell) => {
    const [x, y] = place.at(Math.floor(cell / cells.cols), cell % cells.cols);
    const fill = cells.lanes.has(cell) ? `ink.${cells.banks[cell]}` : "on-tint";
    scene.text(x + (place.wide - 1) / 2, y + place.tall / 2, `${value}`, { ...NUMBER, fill });
  });
}

// Whether all cells are large enough for these numbers; else none is shown.
export function numbersHaveRoom({ cells, place }, numbers) {
  if (numbers === "lanes") return numbersFit(cells, place);
  const values = numbers === "banks" ? cells.banks : offsetsOf(cells);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return place.tall > m.TEXT && textWidth(`${most}`) <= place.wide * (numbers === "banks" ? 1 : cells.split);
}

// The offset of each cell's first element, counted before the swizzle.
function offsetsOf({ access, per, split, words }) {
  return Array.from(words, (_, cell) => access.tile.table.offsets[Math.floor(cell / split) * per]);
}

// An outline around the cells of each phase, and its number on its left upper corner.
function frames(scene, cells, place) {
  const taken = new Set();
  cells.phases.forEach((phase, index) => {
    scene.lines(outline(phase, place), "ink", place.tall > 8 ? 1.6 : 1.2);
    const spot = sorted(phase).find((cell) => !taken.has(cell));
    if (cells.phases.length === 1 || place.tall < m.CELL_LOWEST || spot === undefined) return;
    taken.add(spot);
    const [row, col] = [Math.floor(spot / place.cols), spot % place.cols];
    const [x, y] = place.at(row, col);
    const { length } = cells.runs.find((run) => run.row === row && run.col <= col && col < run.col + run.length);
    // On the edge, so that the number in the cell stays free; beside a cell that is too narrow for both.
    const left = length * place.wide >= 4 * m.BADGE ? x - 0.5 : x - m.BADGE;
    scene.badge(left, y + (place.tall - 1) / 2, `${index + 1}`);
  });
}

// The edges between cells of a phase and others.
function outline(phase, place) {
  const { cols } = place;
  const inPhase = (row, col) => col >= 0 && col < cols && phase.has(row * cols + col);
  return sorted(phase).flatMap((cell) => {
    const [row, col] = [Math.floor(cell / cols), cell % cols];
    const [left, top] = place.at(row, col).map((edge) => edge - 0.5);
    const [right, bottom] = [left + place.wide, top + place.tall];
    const edges = [
      [
        row - 1,
        col,
        [
          [left, top],
          [right, top],
        ],
      ],
      [
        row + 1,
        col,
        [
          [left, bottom],
          [right, bottom],
        ],
      ],
      [
        row,
        col - 1,
        [
          [left, top],
          [left, bottom],
        ],
      ],
      [
        row,
        col + 1,
        [
          [right, top],
          [right, bottom],
        ],
      ],
    ];
    return edges.filter(([r, c]) => !inPhase(r, c)).map(([, , edge]) => edge);
  });
}

const sorted = (cells) => [...cells].sort((a, b) => a - b);

const SAMPLES = {
  lanes: ["5", "wanted by lane 5"],
  banks: ["4", "in bank 4, wanted"],
  offsets: ["40", "offset 40, wanted"],
};

// What a cell's number says, that pale cells are not wanted, and which lanes the frames hold.
export function tileKey(all, places, numbers) {
  const known = all.map((cells, at) => ({ cells, place: places[at] })).filter(({ cells }) => !cells.blank);
  const numbered = known.every((panel) => numbersHaveRoom(panel, numbers));
  const [number, meaning] = numbered ? SAMPLES[numbers] : ["", "wanted"];
  const entries = [
    ["bank.4", number, meaning],
    ["tint.4", numbers === "lanes" ? "" : number, "not wanted"],
  ];
  const access = all.find((cells) => !cells.access.refusal)?.access;
  const phases = access?.report().phases ?? [];
  if (phases.length < 2) return entries;
  const parts = isMatrix(access.report().kind) ? "matrices" : "phases";
  entries.push(["", "", `${parts}, one after another:`]);
  phases.forEach(({ lanes }, at) => {
    entries.push(["badge", `${at + 1}`, lanesShort(lanes, m.FRAME_LETTERS)]);
  });
  return entries;
}

// The 32 banks and their colors, numbered where there is room, else every fourth below.
export function legendScene(width) {
  const wide = Math.min(22, Math.floor((width - m.LEGEND_NAME) / BANKS));
  const inside = textWidth("31") <= wide - 1;
  const scene = new Scene(width, inside ? m.LEGEND : m.LEGEND + m.TEXT + 3);
  scene.text(0, 10, "bank", { fill: "quiet" });
  for (let bank = 0; bank < BANKS; bank++) {
    const x = m.LEGEND_NAME + bank * wide;
    scene.rects(`bank.${bank}`, [[x, 3, wide - 1, 14]]);
    if (inside) scene.text(x + (wide - 1) / 2, 10, `${bank}`, { ...NUMBER, fill: `ink.${bank}` });
    else if (bank % 4 === 0) scene.text(x + wide / 2, 25, `${bank}`, { ...NUMBER, fill: "quiet" });
  }
  return scene;
}
