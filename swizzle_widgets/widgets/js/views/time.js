// Time: a row a wavefront, 32 banks wide, with the lanes that are served; as Python's column_read.py.

import { BANKS, MEASURES as m } from "../generated.js";
import { plural } from "../model/checks.js";
import { served } from "../model/banks.js";
import { NUMBER, Scene, lanesText, wrapped } from "./scene.js";

// One variant: {label, report, reason, rows, wavefronts, gaps}; an access, or the reason why there is none.
export function trackOf(outcome, label) {
  const reason = typeof outcome === "string" ? outcome : outcome.refusal;
  if (reason) return { label, report: null, reason, rows: [], wavefronts: 0, gaps: 0 };
  const report = outcome.report();
  return {
    label,
    report,
    reason: "",
    rows: served(report),
    wavefronts: report.cost,
    gaps: Math.max(0, report.phases.length - 1),
  };
}

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
// fills. Returns {scene, wide, top, tops}: the width of a bank and the top of each wavefront.
export function timeScene(track, width, row, step = null, named = true) {
  const scene = new Scene(width);
  const wide = Math.min(m.BANK_WIDEST, Math.floor((width - m.BRACKET) / BANKS));
  if (named) {
    scene.text(m.BRACKET, 8, track.label, { size: m.TITLE, bold: true });
    scene.height = m.TRACK_NAME;
  }
  if (track.blank) {
    scene.height += m.TRACK_VERDICT + m.TRACK_AXIS + track.wavefronts * row + m.PHASE_GAP * track.gaps;
    return { scene, wide, top: scene.height, tops: [] };
  }
  if (!track.report) {
    refusal(scene, track.reason);
    return { scene, wide, top: scene.height, tops: [] };
  }
  const done = step === null ? track.wavefronts : Math.min(step, track.wavefronts);
  reading(scene, track, done);
  scene.height += m.TRACK_VERDICT;
  for (let bank = 0; bank < BANKS; bank += 4) {
    const x = m.BRACKET + (bank + 0.5) * wide;
    scene.text(x, scene.height + 6, `${bank}`, { ...NUMBER, fill: "quiet" });
  }
  scene.height += m.TRACK_AXIS;
  const top = scene.height;
  const tops = track.rows.map(({ phase }, at) => top + at * row + phase * m.PHASE_GAP);
  drawRows(scene, track, { wide, row, done, tops });
  scene.height += track.wavefronts * row + m.PHASE_GAP * track.gaps;
  return { scene, wide, top, tops };
}

function refusal(scene, reason) {
  scene.text(m.BRACKET, scene.height + 11, "✕ no instruction", { size: m.TITLE, fill: "bad", bold: true });
  scene.height += m.TRACK_VERDICT;
  for (const line of wrapped(reason, Math.floor(scene.width / 6))) {
    scene.text(m.BRACKET, scene.height + 6, line, { fill: "quiet" });
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
  scene.text(m.BRACKET, y, `${done}`, { size: m.COUNT, fill, bold: true });
  scene.text(m.BRACKET + 15 * `${done}`.length + 5, y + 2, rest, { size: 12, fill: "quiet" });
}

function drawRows(scene, track, { wide, row, done, tops }) {
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
        fills[part].push([m.BRACKET + part * wide, tops[at], full, row - gap]);
      }
      texts.push({ bank, count, lanes, y: tops[at] });
    }
    for (const [bank, count] of idleRuns(deliveries)) {
      idle.push([m.BRACKET + bank * wide, tops[at], count * wide - m.GAP, row - gap]);
    }
  });
  brackets(scene, track, { row, done, tops });
  scene.hatch(idle);
  fills.forEach((rects, bank) => scene.rects(`bank.${bank}`, rects));
  for (const { bank, count, lanes, y } of texts) {
    const text = lanesText(lanes, count * wide, row);
    const fill = `ink.${bank + ((count - 1) >> 1)}`;
    const x = m.BRACKET + bank * wide + (count * wide - 1) / 2;
    if (text) scene.text(x, y + (row - 1) / 2, text, { ...NUMBER, fill });
  }
}

function brackets(scene, track, { row, done, tops }) {
  let at = 0;
  track.report.phases.forEach((_, index) => {
    const count = track.rows.filter(({ phase }) => phase === index).length;
    const height = Math.min(count, done - at) * row;
    const y = tops[at];
    at += count;
    if (height <= 0) return;
    const x = m.BRACKET - 5;
    scene.lines(
      [
        [
          [x, y + 0.5],
          [x, y + height - 1.5],
        ],
      ],
      "soft",
      2,
    );
    if (height + m.PHASE_GAP < m.TEXT) return;
    scene.text(x - 5, y + (height - 1) / 2, `${index + 1}`, { fill: "quiet", at: "right", narrow: true });
  });
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
