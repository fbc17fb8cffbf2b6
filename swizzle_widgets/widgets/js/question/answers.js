// A text becomes the key of an answer, by the rules of Python's course/forms.py, or none.

const NUMBER = /^[ \t\r\n\u00a0]*([+-]?)(?:(0x[0-9a-f]+)|(0b[01]+)|(\d+)(?:\.0*)?)[ \t\r\n\u00a0]*$/i;

export function readInteger(text) {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const size = Number(match[2] ?? match[3] ?? match[4]);
  return match[1] === "-" ? 0 - size : size;
}

function readNumber(field, text) {
  const number = readInteger(text);
  const within = number !== null && field.low <= number && number <= field.high;
  return within && !(field.powers && number & (number - 1)) ? String(number) : null;
}

function readSwizzle(field, text) {
  const parts = text.replace(/^\W*S(?:w|wizzle)?\b[ ]*(?=[<(])/, "").match(/[+-]?\w+/g) ?? [];
  const numbers = parts.map(readInteger);
  if (numbers.length !== 3 || numbers.includes(null)) return null;
  const within = numbers.every((number, index) => Math.abs(number) <= field.high[index]);
  return within && numbers[0] >= 0 && numbers[1] >= 0 ? numbers.join() : null;
}

// The key of what a field holds, or null if that is no answer: a text, or for a choice the chosen names.
export function readField(field, value) {
  if (field.kind === "number") return readNumber(field, value);
  if (field.kind === "swizzle") return readSwizzle(field, value);
  const names = field.options.map(([name]) => name).filter((name) => value.includes(name));
  return field.several ? names.join() : names.length === 1 ? names[0] : null;
}
