// The addresses of one request, as a kernel's printf dumped them: what they touch as a tile, and the access.

import { BANKS, INACTIVE, LINE_BYTES, SHARED_BYTES, WARP_LANES, WORD_BYTES } from "../generated.js";
import { checkAccess, isMatrix } from "./banks.js";
import { plural, range, refuse } from "./checks.js";

const DTYPES = { 1: "u8", 2: "u16", 4: "u32" };

/**
 * Byte addresses from a text: decimal or 0x, apart by spaces, commas or lines; a "-" is a lane that takes no part.
 * Returns one a lane, -1 for none, as BigInt: generic pointers have 64 bits.
 */
export function readAddresses(text) {
  const words = text.split(/[\s,;[\](){}]+/).filter(Boolean);
  if (!words.length || words.length > WARP_LANES) {
    refuse(`${plural(words.length, "address", "addresses")}: one request has 1 to ${WARP_LANES}, one a lane`);
  }
  return words.map((word, lane) => {
    if (word === "-" || word === "-1") return BigInt(INACTIVE);
    if (!/^(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19})$/.test(word)) {
      refuse(`lane ${lane}: '${word}' is no address: decimal or 0x, in bytes, "-" for a lane that takes no part`);
    }
    return BigInt(word);
  });
}

/**
 * The request as the widgets take it: {tile: the 128-byte lines that it touches, access, first: the byte address where
 * they begin to count}. Pointers beyond a block's shared memory count from the first line that they touch, which
 * changes no bank.
 */
export function dumpedRequest(text, { width = null, kind = "load" } = {}) {
  const addresses = readAddresses(text);
  const bytes = checkAccess(width, kind);
  const used = addresses.filter((address) => address >= 0);
  if (!used.length) refuse("no lane has an address");
  const [least, most] = [used, used].map((all, high) => all.reduce((a, b) => ((high ? b > a : b < a) ? b : a)));
  const line = BigInt(LINE_BYTES);
  const first = most < BigInt(SHARED_BYTES) ? 0n : (least / line) * line;
  if (most - first >= BigInt(SHARED_BYTES)) {
    refuse(`addresses 0x${least.toString(16)} to 0x${most.toString(16)} lie further apart than shared memory is large`);
  }
  const places = addresses.map((address) => (address < 0 ? INACTIVE : Number(address - first)));
  const size = Math.min(bytes, WORD_BYTES);
  checkAligned(places, bytes, isMatrix(kind) ? "rows" : "vectors");
  const offsets = places.map((place) => (place < 0 ? INACTIVE : place / size));
  const access = { pattern: "offsets", offsets, width: bytes, kind, name: "dumped addresses" };
  return { tile: linesOf(places, size), access, addresses, first };
}

function checkAligned(places, bytes, what) {
  const lane = places.findIndex((place) => place >= 0 && place % bytes);
  if (lane >= 0) {
    refuse(`lane ${lane}: its address is no multiple of ${plural(bytes, "byte")}, as ${what} of that width need`);
  }
}

// The lines that are touched, one a row: a table, since other lines may lie between them.
function linesOf(places, size) {
  const touched = places.filter((place) => place >= 0).map((place) => Math.floor(place / LINE_BYTES));
  const lines = [...new Set(touched)].sort((a, b) => a - b);
  const [rows, cols] = [lines.length, (BANKS * WORD_BYTES) / size];
  const offsets = lines.flatMap((line) => range(cols).map((col) => line * cols + col));
  const layout = `table of ${rows}x${cols} offsets`;
  const geometry = { rows, cols, dtype: DTYPES[size], elementBits: 8 * size, order: "row", layout, offsets };
  return { ...geometry, baseAddress: 0, anchor: "address" };
}
