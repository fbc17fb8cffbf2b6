// The swizzle: an XOR of one bit field of an offset into another one.

import { OFFSET_BITS } from "../generated.js";
import { refuse, whole } from "./checks.js";

export class Swizzle {
  constructor(bits, base, shift) {
    whole("bits (B)", bits, 0, Infinity);
    whole("base (M)", base, 0, Infinity);
    whole("shift (S)", shift, -Infinity, Infinity);
    if (Math.abs(shift) < bits) {
      refuse(
        `shift (S) = ${shift} is too short for bits (B) = ${bits}: |S| must be at least B, ` +
          "so that source and target do not overlap",
      );
    }
    const top = base + bits + Math.abs(shift);
    if (top > OFFSET_BITS) {
      refuse(`the fields of <B,M,S> need ${top} bits, B + M + |S|: an offset has at most ${OFFSET_BITS}`);
    }
    Object.assign(this, { bits, base, shift });
  }

  get sourceBase() {
    return this.base + Math.max(this.shift, 0);
  }

  get targetBase() {
    return this.base - Math.min(this.shift, 0);
  }

  // The map of offsets counted in units 2^up times as small. The one XOR of this language, in arithmetic instead of
  // bit operators: offsets counted in bits can pass 32 bits here.
  map(up = 0) {
    const size = 2 ** this.bits;
    const source = 2 ** (this.sourceBase + up);
    const target = 2 ** (this.targetBase + up);
    return (offset) => {
      const field = Math.floor(offset / target) % size;
      return offset + ((field ^ (Math.floor(offset / source) % size)) - field) * target;
    };
  }

  apply(offset) {
    return this.map()(offset);
  }

  recast(fromBits, toBits) {
    const base = this.base + Math.log2(fromBits) - Math.log2(toBits);
    if (base >= 0) return new Swizzle(this.bits, base, this.shift);
    if (this.bits === 0) return new Swizzle(0, 0, this.shift);
    return refuse(
      `${this} counted in ${fromBits}-bit units cannot be counted in ${toBits}-bit units: its granule is ` +
        `${2 ** this.base * fromBits} bits, so it moves parts of a ${toBits}-bit unit`,
    );
  }

  get period() {
    return this.bits ? 2 ** (this.base + this.bits + Math.abs(this.shift)) : 1;
  }

  toString() {
    return `Sw<${this.bits},${this.base},${this.shift}>`;
  }
}
