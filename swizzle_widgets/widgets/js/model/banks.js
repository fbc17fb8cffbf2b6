// What a warp's request costs, under the rules of the model's hardware.py.

import {
  BANKS,
  KINDS,
  KIND_WIDTHS,
  LINE_BYTES,
  MATRIX_KINDS,
  MATRIX_LANES,
  MERGE_PARTNERS,
  PHASE_LANES,
  UNSHARED_KINDS,
  WARP_LANES,
  WORD_BYTES,
} from "../generated.js";
import { oneOf, plural, range, refuse, whole } from "./checks.js";

export const isMatrix = (kind) => MATRIX_KINDS.includes(kind);
const isPlain = (kind) => kind === "load" || kind === "store";

export function instructionName(kind, width, lanes) {
  if (isMatrix(kind)) return `${kind}.x${Math.floor(lanes / MATRIX_LANES[0])}`;
  if (kind === "atomic") return `ATOMS.${8 * width}`;
  if (!isPlain(kind)) return `${kind}.${width}`;
  return (kind === "load" ? "LDS." : "STS.") + (width < WORD_BYTES ? "U" : "") + 8 * width;
}

// The width in bytes if that access is an instruction; left out, the usual one of the kind.
export function checkAccess(width, kind) {
  const widths = KIND_WIDTHS[oneOf("kind", kind, KINDS)];
  if (width == null) return isPlain(kind) ? WORD_BYTES : widths.at(-1);
  if (widths.includes(whole("width", width))) return width;
  return refuse(`width = ${width} bytes is no instruction: ${widthRule(kind, widths)}`);
}

function widthRule(kind, widths) {
  if (isMatrix(kind)) return `${kind} always takes rows of ${widths[0]} bytes`;
  if (isPlain(kind)) return "a lane reads or writes 1, 2, 4, 8 or 16 bytes";
  if (kind === "atomic") return "atomics of 4 bytes a lane are modelled; others were not measured";
  return `${kind} copies ${widths.length > 1 ? "4, 8 or 16" : 16} bytes a lane`;
}

// Rule 3 of hardware.py.
function merges(addresses, width, kind, active) {
  if (kind !== "load" || PHASE_LANES[width] === WARP_LANES) return false;
  const agree = (lane, partner) => !active[lane] || !active[partner] || addresses[lane] === addresses[partner];
  return MERGE_PARTNERS.some((step) => range(WARP_LANES).every((lane) => agree(lane, lane ^ step)));
}

// words: for each lane the word numbers it wants. Returns what BankReport holds in Python.
export function bankReport(words, addresses, width, kind, active) {
  const merged = merges(addresses, width, kind, active);
  const step = PHASE_LANES[width] * (merged ? 2 : 1);
  const phases = [];
  for (let start = 0; start < WARP_LANES; start += step) {
    const lanes = range(Math.min(step, WARP_LANES - start))
      .map((i) => start + i)
      .filter((lane) => active[lane]);
    if (lanes.length) phases.push(phaseOf(lanes, words, kind));
  }
  const sum = (name) => phases.reduce((total, phase) => total + phase[name], 0);
  const [wavefronts, lines, ideal] = [sum("wavefronts"), sum("lines"), phases.length];
  const unit = kind === "cp.async.cg" ? "line" : "wavefront";
  const cost = unit === "line" ? lines : wavefronts;
  const instruction = instructionName(kind, width, active.filter(Boolean).length);
  const report = { kind, phases, merged, wavefronts, ideal, conflicts: wavefronts - ideal, lines, instruction };
  return { ...report, unit, cost, least: ideal, excess: cost - ideal, text: reportText(report, unit) };
}

function reportText({ instruction, wavefronts, ideal, conflicts, lines }, unit) {
  if (unit === "line") {
    const touched = plural(lines, `line of ${LINE_BYTES} bytes`, `lines of ${LINE_BYTES} bytes`);
    return `${instruction}: ${touched}, at least ${ideal}, no bank conflicts`;
  }
  return `${instruction}: ${plural(wavefronts, "wavefront")}, ideal ${ideal}, ${plural(conflicts, "conflict")}`;
}

function phaseOf(lanes, words, kind) {
  const banks = demand(lanes, words);
  const all = [...banks.values()];
  const lines = new Set(all.flatMap((bank) => [...bank.keys()].map(lineOf))).size;
  return { lanes, banks, kind, lines, wavefronts: wavefrontsOf(all, kind) };
}

function wavefrontsOf(banks, kind) {
  if (kind === "cp.async.cg") return 1;
  const wanted = (bank) => [...bank.values()].reduce((total, lanes) => total + lanes.length, 0);
  return Math.max(0, ...banks.map((bank) => (UNSHARED_KINDS.includes(kind) ? wanted(bank) : bank.size)));
}

const lineOf = (word) => Math.floor(word / BANKS);

// bank -> word -> lanes, words in the order of the lanes that want them.
function demand(lanes, words) {
  const banks = new Map();
  for (const lane of lanes) {
    for (const word of words[lane]) {
      const bank = word % BANKS;
      if (!banks.has(bank)) banks.set(bank, new Map());
      const wanted = banks.get(bank);
      if (!wanted.has(word)) wanted.set(word, []);
      wanted.get(word).push(lane);
    }
  }
  return banks;
}

// Words that each bank delivers, summed over the phases.
export function wordsPerBank(report) {
  const counts = Array(BANKS).fill(0);
  for (const { deliveries } of served(report)) for (const { bank } of deliveries) counts[bank]++;
  return counts;
}

// One entry a wavefront, for cp.async.cg a line: {phase, turn, deliveries: [{bank, word, lanes}]}, as
// BankReport.served.
export function served(report) {
  return report.phases.flatMap((phase, index) =>
    turnsOf(phase).map((deliveries, turn) => ({ phase: index, turn, deliveries })),
  );
}

function turnsOf(phase) {
  const queues = [...phase.banks].map(([bank, words]) => queueOf(bank, words, phase.kind));
  if (phase.kind === "cp.async.cg") {
    const all = queues.flat();
    const lines = [...new Set(all.map(({ word }) => lineOf(word)))].sort((a, b) => a - b);
    return lines.map((line) => all.filter(({ word }) => lineOf(word) === line));
  }
  return range(phase.wavefronts).map((turn) =>
    queues.filter((queue) => turn < queue.length).map((queue) => queue[turn]),
  );
}

function queueOf(bank, words, kind) {
  const queue = [...words].map(([word, lanes]) => ({ bank, word, lanes }));
  if (!UNSHARED_KINDS.includes(kind)) return queue;
  return queue.flatMap((each) => each.lanes.map((lane) => ({ ...each, lanes: [lane] })));
}
