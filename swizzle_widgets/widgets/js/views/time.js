// Time: a row a wavefront, 32 banks wide, with the lanes that are served; as Python's column_read.py.

import { BANKS, LINE_BYTES, MEASURES as m } from "../generated.js";
import { isMatrix, served } from "../model/banks.js";
import { plural } from "../model/checks.js";
import { NUMBER, Scene, lanesShort, lanesText, wrapped } from "./scene.js";

// One variant: {label, report, reason, rows, wavefronts, gaps, unit, part}; an access, or the reason why there is none.
export function trackOf(outcome, label) {
  const reason = typeof outcome === "string" ? outcome : outcome.refusal;
  if (reason || outcome === "") {
    return { label, report: null, reason, rows: [], wavefronts: 0, gaps: 0, unit: "", part: "" };
  }
  const report = outcome.report();
  return {
    label,
    report,
    reason: "",
    rows: served(report),
    wavefronts: report.cost,
    gaps: Math.max(0, report.phases.length - 1),
    unit: report.unit,
    // One 8x8 matrix of ldmatrix and stmatrix is a phase.
    part: isMatrix(report.kind) ? "matrix" : "phase",
  };
}

// What rows, numbers and hatches mean, and that phases wait for each other.
export function timeKey(tracks, wide, row) {
  const all = tracks.filter((track) => track.wavefronts);
  if (!all.length) return [];
  const line = all[0].unit === "line" ? `line of ${LINE_BYTES} bytes` : "wavefront, a trip to memory";
  const numbered = all.every((track) => numbersFit(track, wide, row));
  const entries = [
    ["", "", `one row: one ${line}`],
    ["bank.4", numbered ? "5" : "", numbered ? "what lane 5 gets" : "served"],
    ["hatch", "", "an idle bank"],
  ];
  const parts = all[0].part === "matrix" ? "matrices" : "phases";
  if (all.some((track) => track.gaps)) entries.push(["", "", `${parts} are served one after another`]);
  return entries;
}

// Pixels on the left of the rows: the numbers of the wavefronts, and names where there are several phases.
export const timeLeft = (tracks) => m.TIME_LEFT + (tracks.some((track) => track.gaps) ? m.TIME_PHASES : 0);

// Whether the lanes fit all cells of a track; else none is numbered.
const numbersFit = (track, wide, row) =>
  track.rows.every(({ deliveries }) =>
    joined(deliveries).every(({ count, lanes }) => lanesText(lanes, count * wide, row)),
  );

const most = (values) => values.reduce((a, b) => Math.max(a, b), 0);

// The height of a wavefront, the same for all: that at which `height` pixels hold every line of tracks.
export function rowHeight(lines, height) {
  const head = m.TRACK_NAME + m.TRACK_VERDICT + m.TRACK_AXIS + m.BETWEEN_ROWS;
  const fixed = lines.reduce((sum, line) => sum + head + m.PHASE_GAP * most(line.map((track) => track.gaps)), 0);
  const rows = lines.reduce((sum, line) => sum + most(line.map((track) => track.wavefronts)), 0);
  return Math.max(m.ROW_LOWEST, Math.min(m.ROW_TALL, Math.floor((height - fixed) / Math.max(1, rows))));
}

// How many tracks stand beside each other: two, or as many as have room, in lines as full as they can be.
export function trackColumns(count, width) {
  if (width < m.TWO_TRACKS) return 1;
  const least = m.TRACK_LEAST + m.BETWEEN;
  const lines = Math.ceil(count / (count < 3 ? 2 : Math.floor((width + m.BETWEEN) / least)));
  return Math.ceil(count / lines);
}

// One track, `step` wavefronts done (null: all). Its height is that of the finished one, so that nothing moves while it
// fills. Returns {scene, left, wide, tops}: where bank 0 begins, the width of a bank and the top of each wavefront.
export function timeScene(track, width, row, step = null, named = true, left = timeLeft([track])) {
  const scene = new Scene(width);
  const wide = Math.min(m.BANK_WIDEST, Math.floor((width - left) / BANKS));
  if (named) {
    scene.text(0, 8, track.label, { size: m.TITLE, bold: true });
    scene.height = m.TRACK_NAME;
  }
  if (track.blank) {
    scene.height += m.TRACK_VERDICT + m.TRACK_AXIS + track.wavefronts * row + m.PHASE_GAP * track.gaps;
    return { scene, left, wide, tops: [] };
  }
  if (!track.report) {
    refusal(scene, track.reason);
    return { scene, left, wide, tops: [] };
  }
  const done = step === null ? track.wavefronts : Math.min(step, track.wavefronts);
  reading(scene, track, done);
  scene.height += m.TRACK_VERDICT;
  scene.text(left - 5, scene.height + 6, "bank", { fill: "quiet", at: "right" });
  for (let bank = 0; bank < BANKS; bank += 4) {
    const x = left + (bank + 0.5) * wide;
    scene.text(x, scene.height + 6, `${bank}`, { ...NUMBER, fill: "quiet" });
  }
  scene.height += m.TRACK_AXIS;
  const top = scene.height;
  const tops = track.rows.map(({ phase }, at) => top + at * row + phase * m.PHASE_GAP);
  drawRows(scene, track, { left, wide, row, done, tops });
  scene.height += track.wavefronts * row + m.PHASE_GAP * track.gaps;
  return { scene, left, wide, tops };
}

function refusal(scene, reason) {
  scene.text(0, scene.height + 11, "✕ no instruction", { size: m.TITLE, fill: "bad", bold: true });
  scene.height += m.TRACK_VERDICT;
  for (const line of wrapped(reason, Math.floor(scene.width / 6))) {
    scene.text(0, scene.height + 6, line, { fill: "quiet" });
    scene.height += m.TEXT + 4;
  }
}

// The per cent of the banks' time in which they deliver, over the first `step` wavefronts.
function busy({ rows }, step) {
  const words = rows.slice(0, step).reduce((sum, { deliveries }) => sum + deliveries.length, 0);
  return evenRound((100 * words) / (BANKS * Math.max(1, step)));
}

// As Python rounds: a half goes to the even neighbor.
function evenRound(value) {
  const low = Math.floor(value);
  return value - low === 0.5 ? low + (low % 2) : Math.round(value);
}

// The count, large; the ideal and the share of busy banks once all is done.
function reading(scene, track, done) {
  const { least, excess, unit } = track.report;
  const y = scene.height + 11;
  const over = done === track.wavefronts;
  const words = plural(done, unit).split(" ")[1];
  // A running count gives nothing away, the whole one would.
  const fill = over ? (excess ? "bad" : "good") : "ink";
  const rest = over
    ? `${words}, ${unit === "line" ? "at least" : "ideal"} ${least}, ${busy(track, done)}% of the banks busy`
    : `${words} so far`;
  scene.text(0, y, `${done}`, { size: m.COUNT, fill, bold: true });
  scene.text(15 * `${done}`.length + 5, y + 2, rest, { size: 12, fill: "quiet" });
}

function drawRows(scene, track, { left, wide, row, done, tops }) {
  const gap = row > 3 ? m.GAP : 0;
  const fills = Array.from({ length: BANKS }, () => []);
  const idle = [];
  const texts = [];
  track.rows.slice(0, done).forEach(({ deliveries }, at) => {
    const boxes = joined(deliveries);
    for (const { bank, count, lanes } of boxes) {
      for (let part = bank; part < bank + count; part++) {
        // Words that go to the same lanes touch, so that the number is not cut by a line.
        const full = wide - (part === bank + count - 1 ? m.GAP : 0);
        fills[part].push([left + part * wide, tops[at], full, row - gap]);
      }
      texts.push({ bank, count, lanes, y: tops[at] });
    }
    for (const [bank, count] of idleRuns(deliveries)) {
      idle.push([left + bank * wide, tops[at], count * wide - m.GAP, row - gap]);
    }
  });
  rowNumbers(scene, { left, row, tops: tops.slice(0, done) });
  phaseNames(scene, track, { left, row, done, tops });
  scene.hatch(idle);
  fills.forEach((rects, bank) => scene.rects(`bank.${bank}`, rects));
  if (!numbersFit(track, wide, row)) return;
  for (const { bank, count, lanes, y } of texts) {
    const text = lanesText(lanes, count * wide, row);
    const fill = `ink.${bank + ((count - 1) >> 1)}`;
    const x = left + bank * wide + (count * wide - 1) / 2;
    scene.text(x, y + (row - 1) / 2, text, { ...NUMBER, fill });
  }
}

// The numbers of the wavefronts on the left: every one, or as many as have room.
function rowNumbers(scene, { left, row, tops }) {
  const every = row > m.TEXT ? 1 : [2, 4, 8, 16, 32].find((step) => step * row >= 2 * m.TEXT || step === 32);
  tops.forEach((top, at) => {
    if ((at + 1) % every) return;
    scene.text(left - 5, top + (row - 1) / 2, `${at + 1}`, { fill: "quiet", at: "right", narrow: true });
  });
}

// A bracket along the rows of each phase, and words on its left.
function phaseNames(scene, track, { left, row, done, tops }) {
  if (!track.gaps) return;
  const x = left - 24;
  let at = 0;
  track.report.phases.forEach((_, index) => {
    const count = track.rows.filter(({ phase }) => phase === index).length;
    const rows = Math.min(count, done - at);
    const y = tops[at];
    at += count;
    if (rows <= 0) return;
    const height = rows * row;
    const line = [
      [x, y + 0.5],
      [x, y + height - 1.5],
    ];
    scene.lines([line], "soft", 2);
    // A single line stands in the middle of a low phase.
    const first = y + (Math.min(height, m.PHASE_LINE) - 1) / 2;
    phaseWords(track, index, rows, height).forEach((text, place) => {
      scene.text(left - m.TIME_LEFT - m.TIME_PHASES, first + place * m.PHASE_LINE, text, { fill: "quiet" });
    });
  });
}

// What a phase is called, which lanes it holds and what it took so far: as much as its height holds.
function phaseWords({ report, part }, index, rows, height) {
  const name = `${part} ${index + 1}`;
  const lanes = lanesShort(report.phases[index].lanes, m.PHASE_LETTERS);
  if (height >= 3 * m.PHASE_LINE) return [name, lanes, plural(rows, report.unit)];
  if (height >= 2 * m.PHASE_LINE) return [`${name}: ${rows}`, lanes];
  // A row is enough for a line: the gap below it is free.
  return height + m.PHASE_GAP >= m.TEXT ? [`${name}: ${rows}`] : [];
}

// First bank and length of each run of banks that deliver nothing.
function idleRuns(deliveries) {
  const busyBanks = new Set(deliveries.map(({ bank }) => bank));
  const runs = [];
  for (let bank = 0; bank < BANKS; bank++) {
    if (busyBanks.has(bank)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === bank) last[1]++;
    else runs.push([bank, 1]);
  }
  return runs;
}

// First bank, number of banks, first word and lanes of each delivery; neighboring words for the same lanes are one.
export function joined(deliveries) {
  const boxes = [];
  for (const { bank, word, lanes } of [...deliveries].sort((a, b) => a.bank - b.bank)) {
    const last = boxes.at(-1);
    const goesOn = last && last.bank + last.count === bank && last.word + last.count === word;
    if (goesOn && `${last.lanes}` === `${lanes}`) last.count++;
    else boxes.push({ bank, count: 1, word, lanes });
  }
  return boxes;
}
