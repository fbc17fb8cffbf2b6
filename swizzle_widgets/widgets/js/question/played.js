// A request, played as far as a guess of its wavefronts goes.

import { h } from "../dom.js";
import { BANKS, BANK_COLORS } from "../generated.js";
import { plural } from "../model/checks.js";

// "0 to 3, 8" for sorted numbers.
export function ranges(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.length && runs.at(-1)[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", ");
}

// The machine, as far as `count` wavefronts go: a row each, the banks that deliver in their colors; then who waits.
export function playedView(served, count) {
  const banks = Array.from({ length: BANKS }, (_, bank) => bank);
  const row = (label, index, cells) =>
    h("div", { class: "swz-played-row", style: `--at: ${index}` }, h("span", {}, label), ...cells);
  const dense = Math.min(count, served.length) > 12;
  const cell = (turn, bank) => h("i", bank in turn ? { style: `background: ${BANK_COLORS[bank]}` } : {});
  const rows = served.slice(0, count).map((turn, index) =>
    row(
      dense && index % 4 < 3 ? "" : index + 1,
      index,
      banks.map((bank) => cell(turn, bank)),
    ),
  );
  const left = served.slice(count);
  const waiting = [...new Set(left.flatMap((turn) => Object.values(turn).flat()))].sort((a, b) => a - b);
  const closed = banks.map((bank) => h("i", { class: left.some((turn) => bank in turn) ? "swz-waits" : null }));
  if (left.length) rows.push(row("wait", rows.length, closed));
  const end = left.length ? `lanes ${ranges(waiting)} still wait, at the marked banks` : "every lane has its words";
  const text = `After ${plural(Math.min(count, served.length), "wavefront")} ${end}.`;
  const slow = `--pace: ${Math.min(0.35, 2.5 / (rows.length || 1))}s; --height: ${dense ? 6 : 12}px`;
  const picture = h(
    "div",
    { class: "swz-played", style: slow, "aria-hidden": "true" },
    row(
      "bank",
      0,
      banks.map((bank) => h("small", {}, bank % 8 ? null : bank)),
    ),
    ...rows,
  );
  return { picture, text };
}
