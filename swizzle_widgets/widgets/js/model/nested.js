// Layouts with nested modes as {shape, stride}: whole numbers, or lists of them nested alike, as Python's Layout.

import { shown, refuse, whole } from "./checks.js";

// Beyond this, whole numbers are not exact here; nothing in shared memory is.
const MAX_OFFSET = Number.MAX_SAFE_INTEGER;

export function layoutOf(shape, stride) {
  checkNumbers("shape", shape, 1);
  checkNumbers("stride", stride, -Infinity);
  const layout = { shape, stride };
  const largest = Math.max(sizeOf(layout), cosizeOf(layout), -lowestOf(layout));
  if (largest > MAX_OFFSET) {
    const [size, last] = [sizeOf(layout), cosizeOf(layout) - 1].map(shown);
    refuse(`a layout of ${size} elements with offsets up to ${last} is too large`);
  }
  return layout;
}

function checkNumbers(name, value, low) {
  if (Array.isArray(value)) value.forEach((item) => checkNumbers(name, item, low));
  else whole(name, value, low, Infinity);
}

const leaves = (value) => (Array.isArray(value) ? value.flatMap(leaves) : [value]);

// The [extent, stride] pairs from first to last, nesting removed.
export function flatOf({ shape, stride }) {
  const strides = leaves(stride);
  return leaves(shape).map((extent, place) => [extent, strides[place]]);
}

export const sizeOf = (layout) => flatOf(layout).reduce((size, [extent]) => size * extent, 1);

// One more than the largest offset, and the smallest.
export const cosizeOf = (layout) =>
  flatOf(layout).reduce((end, [extent, stride]) => end + (extent - 1) * Math.max(stride, 0), 1);
export const lowestOf = (layout) =>
  flatOf(layout).reduce((low, [extent, stride]) => low + (extent - 1) * Math.min(stride, 0), 0);

export function modesOf({ shape, stride }) {
  return Array.isArray(shape)
    ? shape.map((item, place) => ({ shape: item, stride: stride[place] }))
    : [{ shape, stride }];
}

// Modes side by side.
export const joined = (...modes) => ({
  shape: modes.map((mode) => mode.shape),
  stride: modes.map((mode) => mode.stride),
});

export function offsetAt(layout, index) {
  if (index >= sizeOf(layout))
    refuse(`coordinate ${index} is outside ${textOf(layout)}, which has ${sizeOf(layout)} elements`);
  let [offset, rest] = [0, index];
  for (const [extent, stride] of flatOf(layout)) {
    offset += (rest % extent) * stride;
    rest = Math.floor(rest / extent);
  }
  return offset;
}

// "row" or "column", by which neighbors are adjacent; null if neither are.
export function orderOf(layout) {
  const [rowMode, colMode] = modesOf(layout);
  const [rowStep, colStep] = [rowMode, colMode].map((mode) => flatOf(mode)[0][1]);
  if (colStep === 1 || (sizeOf(colMode) === 1 && rowStep !== 1)) return "row";
  return rowStep === 1 || sizeOf(rowMode) === 1 ? "column" : null;
}

export const nestedText = (value, mark = "") =>
  Array.isArray(value) ? `(${value.map((item) => nestedText(item, mark)).join(",")})` : `${mark}${value}`;

export const textOf = ({ shape, stride }) => `${nestedText(shape)}:${nestedText(stride)}`;
