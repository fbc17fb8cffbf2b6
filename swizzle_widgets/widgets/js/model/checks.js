// Checks whose errors show the value and the rule, in the words of checks.py.

export class ModelError extends Error {}

export function refuse(text) {
  throw new ModelError(text);
}

// A value for an error text, cut where it is long.
export function shown(value) {
  const text = typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)} ...` : text;
}

export function whole(name, value, low, high) {
  if (!Number.isInteger(value)) refuse(`${name} must be a whole number, not ${shown(value)}`);
  if (value < low) refuse(`${name} = ${value} is too small: it must be at least ${low}`);
  if (value > high) refuse(`${name} = ${value} is too large: it must be at most ${high}`);
  return value;
}

export function list(name, value) {
  return Array.isArray(value) ? value : refuse(`${name} must be a list, not ${shown(value)}`);
}

export function oneOf(name, value, choices) {
  if (choices.includes(value)) return value;
  const written = typeof value === "string" ? `'${value}'` : shown(value);
  const known = choices.map((choice) => `'${choice}'`).join(", ");
  return refuse(`${name} = ${written} is not known: it must be one of ${known}`);
}

export function plural(count, noun, nouns = `${noun}s`) {
  return `${count} ${count === 1 ? noun : nouns}`;
}

// Rows and columns from "16x64"; with `most` = 3 also stages before them.
export function sizesOf(name, text, most = 2) {
  const parts = text.split("x");
  if (parts.length < 2 || parts.length > most || !parts.every((part) => /^[0-9]+$/.test(part)))
    refuse(`${name} = '${text}' must be rows x columns, such as 16x64`);
  return parts.map(Number);
}

export const range = (count) => Array.from({ length: count }, (_, index) => index);
export const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const isCount = (value) => Number.isInteger(value) && value >= 0;
