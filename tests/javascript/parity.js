// What the tests need beside the model itself: plain values out of its objects, in Python's order.

import { Access } from "../../swizzle_widgets/widgets/js/model/access.js";
import { bankReport, served, wordsPerBank } from "../../swizzle_widgets/widgets/js/model/banks.js";
import { copyReport, tiledCopy } from "../../swizzle_widgets/widgets/js/model/copy.js";
import { dumpedRequest } from "../../swizzle_widgets/widgets/js/model/dumped.js";
import { WARP_LANES, WORD_BYTES } from "../../swizzle_widgets/widgets/js/generated.js";
import { ModelError, range, sizesOf, whole } from "../../swizzle_widgets/widgets/js/model/checks.js";
import { pastedTile } from "../../swizzle_widgets/widgets/js/model/pasted.js";
import { reportsOf, requestSpec, totalsOf } from "../../swizzle_widgets/widgets/js/requests.js";
import { openingOffset } from "../../swizzle_widgets/widgets/js/swizzle_lab.js";
import { dumpedCode } from "../../swizzle_widgets/widgets/js/model/writing.js";
import { Swizzle } from "../../swizzle_widgets/widgets/js/model/swizzle.js";
import { Tile } from "../../swizzle_widgets/widgets/js/model/tile.js";
import { tritonTile } from "../../swizzle_widgets/widgets/js/model/triton.js";

const byNumber = ([a], [b]) => a - b;

function attempt(make) {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { error: error.message };
  }
}

function phasesOf(report) {
  const wordsOf = ({ banks }) => [...banks].sort(byNumber).map(([bank, words]) => [bank, [...words]]);
  return report.phases.map((phase) => ({ lanes: phase.lanes, words: wordsOf(phase) }));
}

function tileOf({ geometry, swizzle, unit }) {
  return new Tile(geometry, swizzle ? new Swizzle(...swizzle) : null, unit ?? undefined);
}

function accessOf(tile, spec) {
  const access = new Access(tile, spec);
  const report = access.report();
  const turn = ({ deliveries }) => deliveries.map(({ bank, word, lanes }) => [bank, word, lanes]).sort(byNumber);
  return {
    text: `${access}`,
    instruction: access.instruction,
    name: access.name,
    kind: access.kind,
    width: access.width,
    starts: access.starts,
    addresses: access.addresses,
    vectors: access.vectors,
    torn: access.tornLanes,
    reordered: access.reorderedLanes,
    refusal: access.refusal,
    cells: access.cells(),
    report: report.text,
    cost: [report.cost, report.least, report.excess, report.lines, report.unit],
    merged: report.merged,
    phases: phasesOf(report),
    served: served(report).map(turn),
    perBank: wordsPerBank(report),
  };
}

// A pasted text as the widgets take it, and where each element lies; `maker` is who printed it.
function pastedOf({ text, told, maker }) {
  const { tile, swizzle, unit } = (maker === "triton" ? tritonTile : pastedTile)(text, told);
  const shown = new Tile(tile, swizzle, unit);
  const addresses = shown.table.offsets.map((offset) => Math.floor(shown.bitAddress(offset) / 8));
  return { tile, swizzle: swizzle && `${swizzle}`, unit: swizzle && unit, addresses };
}

// What dumped addresses cost, and the addresses that were read, as text.
function dumpedOf({ text, told }) {
  const { tile, access, addresses, first } = dumpedRequest(text, told);
  const { report } = accessOf(new Tile(tile), access);
  const code = dumpedCode(addresses, first, access.width, access.kind);
  return {
    addresses: addresses.map(String),
    lines: tile.rows,
    bytes: (tile.cols * tile.elementBits) / 8,
    report,
    code,
  };
}

// A whole copy: its requests, what it costs, and the worst of them.
function copyOf({ told, ...item }) {
  const copy = tiledCopy(tileOf(item), told);
  const { worst, text, unit, ...sums } = copyReport(copy);
  const [rows, cols, where] = ["rows", "cols", "where"].map((name) => copy.requests.map((one) => one[name]));
  const worstIs = { where: worst.where, rows: worst.spec.rows, cols: worst.spec.cols, report: worst.report.text };
  return { width: copy.width, rows, cols, where, text, unit, sums, worst: worstIs };
}

// What a widget says of a copy that Python sent, and one request of it.
function walkOf({ copy, place, ...item }) {
  return { totals: totalsOf(copy, reportsOf(copy, tileOf(item))), access: requestSpec(copy, place) };
}

// One request of a warp, whose lanes want runs of words; addresses in the order of the lanes, bit i of mask for lane i.
function requestReport(addresses, mask, width, kind) {
  const count = Math.max(1, width / WORD_BYTES);
  const words = addresses.map((address) => range(count).map((i) => Math.floor(address / WORD_BYTES) + i));
  return bankReport(
    words,
    addresses,
    width,
    kind,
    range(WARP_LANES).map((lane) => (mask >>> lane) % 2 === 1),
  );
}

// Requests one after the other in `text`, 32 addresses (in widths) and a mask each; every so many in full.
function requestsOf({ width, kind, every, text }) {
  const numbers = Float64Array.from(text.split(","), Number);
  const reports = [];
  const costs = range(numbers.length / (WARP_LANES + 1)).map((request) => {
    const first = request * (WARP_LANES + 1);
    const addresses = Array.from(numbers.subarray(first, first + WARP_LANES), (vector) => vector * width);
    const report = requestReport(addresses, numbers[first + WARP_LANES], width, kind);
    if (request % every === 0) reports.push({ text: report.text, merged: report.merged, phases: phasesOf(report) });
    return [report.wavefronts, report.ideal, report.conflicts, report.cost];
  });
  return { costs, reports };
}

// The opening element of SwizzleLab.
function openingOf(item) {
  const tile = tileOf(item);
  return openingOffset(tile, new Access(tile.with(null), item.spec)) ?? null;
}

function answer(question, argument) {
  return JSON.stringify(question(JSON.parse(argument)));
}

Object.assign(globalThis, {
  Swizzle,
  Tile,
  Access,
  attempt,
  tileOf,
  accessOf,
  requestsOf,
  openingOf,
  pastedOf,
  pastedTile,
  copyOf,
  dumpedOf,
  sizesOf,
  whole,
  walkOf,
  answer,
});
