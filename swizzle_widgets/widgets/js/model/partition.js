// Which modes of a printed layout are rows, columns and stages, as swizzle_widgets/model/texts/tiles.py decides it.

import { FRAGMENT_BITS, MMA_COLUMN_BITS, MMA_ROWS } from "../generated.js";
import { refuse } from "./checks.js";
import { cosizeOf, flatOf, joined, layoutOf, modesOf, offsetAt, sizeOf, textOf } from "./nested.js";

// Rows and columns as {layout, offset}: the offset of the stage and the text's own.
export function partsOfMatrix({ shape, stride, offset }, bits, stage, partition) {
  const layout = layoutOf(shape, stride);
  const modes = modesOf(layout);
  const rank = Array.isArray(shape) ? modes.length : 1;
  if (rank > 2 && isFragment(modes[0], bits)) {
    refuse(`${textOf(layout)} is one thread's view, not a tile: print the tensor before it is partitioned`);
  }
  const { matrix, stages } = matrixOf(layout, modes, rank, bits, partition);
  if (!stages && stage) refuse(`stage = ${stage}, but ${textOf(matrix)} has no third mode to count stages`);
  return { layout: matrix, offset: offset + (stages ? offsetAt(stages, stage) : 0) };
}

function matrixOf(layout, modes, rank, bits, partition) {
  if (partition === "mma") return unpartitioned(layout, modes, rank);
  if (rank === 3) {
    checkStages(layout, modes, bits);
    return { matrix: joined(modes[0], modes[1]), stages: modes[2] };
  }
  if (rank === 2) return { matrix: layout };
  const hint = rank === 4 ? '; is it an MMA\'s partition (MMA, MMA_M, MMA_K, PIPE): say partition="mma"' : "";
  return refuse(`layout ${textOf(layout)} has ${rank} modes: a tile needs two, rows and columns${hint}`);
}

// (MMA, MMA_M, MMA_K[, PIPE]) as rows and columns: (MMA rows, MMA_M), (MMA columns, MMA_K).
function unpartitioned(layout, modes, rank) {
  if (![3, 4].includes(rank) || !isPair(modes[0])) {
    refuse(
      `layout ${textOf(layout)} is no MMA's partition: (MMA, MMA_M, MMA_K[, PIPE]), ` +
        "where MMA is a pair (rows, columns)",
    );
  }
  const [rows, cols] = modesOf(modes[0]);
  return { matrix: joined(behind(rows, modes[1]), behind(cols, modes[2])), stages: modes[3] };
}

const isPair = (mode) => Array.isArray(mode.shape) && mode.shape.length === 2;

// Two modes as one, the second counting whole firsts; a second of extent 1 adds nothing.
const behind = (first, second) => (sizeOf(second) === 1 ? first : joined(first, second));

const stepsOf = (mode) =>
  flatOf(mode)
    .filter(([extent]) => extent > 1)
    .map(([, stride]) => Math.abs(stride));

// Refuses a layout of three modes whose third cannot only be stages.
function checkStages(layout, [first, second, third], bits) {
  const reach = cosizeOf(joined(first, second));
  const staged = stepsOf(third).every((stride) => stride >= reach);
  if (staged && !isMmaPair(first, bits)) return;
  const problem = staged
    ? "its third mode can count stages, and its first can be an MMA's (rows, columns)"
    : `its third mode counts no stages: its stride is smaller than the ${reach} elements that the first two reach`;
  refuse(
    `${textOf(layout)}: ${problem}. An MMA's partition (MMA, MMA_M, MMA_K) is read with partition="mma"; for stages ` +
      "give the two modes of one stage, or a third mode behind plain rows (stage=); one thread's view is no tile",
  );
}

// Whether a first mode can be the values of one thread: nested, contiguous, no larger than a fragment.
function isFragment(first, bits) {
  const steps = stepsOf(first);
  return (
    Array.isArray(first.shape) && sizeOf(first) * bits <= FRAGMENT_BITS && (!steps.length || Math.min(...steps) <= 1)
  );
}

// Whether a first mode can be the (rows, columns) of an MMA: as large, and contiguous in one of the two.
function isMmaPair(first, bits) {
  if (!isPair(first)) return false;
  const [rows, cols] = modesOf(first).map(sizeOf);
  const [least, most] = MMA_ROWS;
  const fits = rows % 8 === 0 && least <= rows && rows <= most && MMA_COLUMN_BITS.includes(cols * bits);
  return fits && flatOf(first).some(([, stride]) => stride === 1);
}
