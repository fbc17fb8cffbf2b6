// Refusals as the page has them: the model names Python's arguments, the page has fields.

const COUNTS = { element: "elements", byte: "bytes" };
const FIELDS = [
  [/predicate=True leaves out the lanes/, 'beyond the tile, "lanes stay out" leaves out the lanes'],
  [/\bdtype="(\w+)"/, "$1"],
  [/\bshape=\(rows, cols\)/, "Triton's shape"],
  [/partition="mma"/g, "the partition mma"],
  [/\(stage=\)/, "(the field stage)"],
  [/\bunit='(element|byte)'(?:, anchor='\w+')?/g, (_, unit) => `swizzle counts: ${COUNTS[unit]}`],
  [/Tile\.from_cute reads/, "the box above reads"],
];

/** The message with the page's fields in place of Python's arguments; lines that show a text stay as they are. */
export function inFields(message) {
  const said = (line) => FIELDS.reduce((text, [pattern, words]) => text.replace(pattern, words), line);
  return message
    .split("\n")
    .map((line) => (line.startsWith("    ") ? line : said(line)))
    .join("\n");
}
