// What the cells of a tile's picture are, as Python's figures/cells.py has it: the word of each, and who wants it.

import { BANKS, WORD_BYTES } from "../generated.js";

const WORD_BITS = 8 * WORD_BYTES;

// How many neighboring elements of a row are one cell: those of a word, or 1 where a word is split.
export function elementsPerCell(tiles) {
  const per = Math.max(1, WORD_BITS / tiles[0].elementBits);
  return tiles.every((tile) => wordsAreWhole(tile, per)) ? per : 1;
}

function wordsAreWhole(tile, per) {
  if (per * tile.elementBits !== WORD_BITS || tile.cols % per) return false;
  const { offsets } = tile.table;
  for (let at = 0; at < offsets.length; at += per) {
    const word = Math.floor(tile.bitAddress(offsets[at]) / WORD_BITS);
    for (let next = at + 1; next < at + per; next++) {
      if (Math.floor(tile.bitAddress(offsets[next]) / WORD_BITS) !== word) return false;
    }
  }
  return true;
}

// The cells of one panel: {access, per, split, rows, cols, words, banks, lanes, phases, runs}. Cells are counted row
// by row.
export function cellsOf(access, per) {
  const { tile } = access;
  const split = Math.max(1, tile.elementBits / WORD_BITS);
  const cols = (tile.cols / per) * split;
  const words = new Int32Array(tile.rows * cols);
  for (let cell = 0; cell < words.length; cell++) {
    const element = Math.floor(cell / split) * per;
    words[cell] = Math.floor(tile.bitAddress(tile.table.offsets[element]) / WORD_BITS) + (cell % split);
  }
  const lanes = lanesOf(access, per, split, cols);
  const banks = Uint8Array.from(words, (word) => word % BANKS);
  const phases = phasesOf(access, lanes);
  return { access, per, split, rows: tile.rows, cols, words, banks, lanes, phases, runs: runsOf(lanes, cols) };
}

// Cell -> the lanes that want it.
function lanesOf(access, per, split, cols) {
  const wanted = new Map();
  access.cells().forEach((places, lane) => {
    for (const [row, col] of places) {
      for (let part = 0; part < split; part++) {
        const cell = row * cols + Math.floor(col / per) * split + part;
        const lanes = wanted.get(cell) ?? [];
        if (!lanes.includes(lane)) lanes.push(lane);
        wanted.set(cell, lanes);
      }
    }
  });
  return wanted;
}

// The cells of each phase; all of them where nothing can be said of phases.
function phasesOf(access, lanes) {
  if (access.refusal) return [new Set(lanes.keys())];
  const { phases } = access.report();
  const ofLane = new Map(phases.flatMap((phase, index) => phase.lanes.map((lane) => [lane, index])));
  const sets = phases.map(() => new Set());
  for (const [cell, wanting] of lanes) for (const lane of wanting) sets[ofLane.get(lane)].add(cell);
  return sets;
}

// Neighbors in a row that the same lanes want: {row, col, length, lanes}.
function runsOf(lanes, cols) {
  const runs = [];
  for (const cell of [...lanes.keys()].sort((a, b) => a - b)) {
    const [row, col, wanting] = [Math.floor(cell / cols), cell % cols, lanes.get(cell)];
    const last = runs.at(-1);
    if (last && last.row === row && last.col + last.length === col && `${last.lanes}` === `${wanting}`) last.length++;
    else runs.push({ row, col, length: 1, lanes: wanting });
  }
  return runs;
}

// The same cells with nothing in them: `name` is no swizzle, so nothing can be said of it.
export const blankCells = (cells, name) => ({
  ...cells,
  blank: name,
  lanes: new Map(),
  runs: [],
  phases: cells.phases.map(() => new Set()),
});
