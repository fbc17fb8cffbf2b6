"""The rules once more, bit by bit and lane by lane, written without looking at the package.

Slow on purpose: each function is the sentence it implements, so that the tests compare two
ways of saying one thing.
"""

from __future__ import annotations

PHASES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}


def swizzle(bits: int, base: int, shift: int, offset: int) -> int:
    """XOR each source bit into its target bit, one at a time."""
    for i in range(bits):
        low, high = base + i, base + i + abs(shift)
        source, target = (high, low) if shift >= 0 else (low, high)
        if offset & (1 << source):
            offset ^= 1 << target
    return offset


def element_bit(offset: int, element_bits: int, base: int, sw, unit_bits, anchor: str) -> int:
    """The first bit of an element: the swizzle moves whole units, the base is in bytes."""
    bit = offset * element_bits
    if anchor == "address":
        bit += 8 * base
    if sw is not None:
        unit, rest = divmod(bit, unit_bits)
        bit = swizzle(sw.bits, sw.base, sw.shift, unit) * unit_bits + rest
    return bit if anchor == "address" else bit + 8 * base


def merged(addresses, width, kind, active) -> bool:
    """Rule 3: all pairs (i, i xor 1), or all pairs (i, i xor 2), agree; only loads of 8 and 16 bytes."""
    if kind != "load" or width < 8:
        return False
    disagree = {1: 0, 2: 0}
    for step in disagree:
        for lane in range(32):
            both = active[lane] and active[lane ^ step]
            disagree[step] += both and addresses[lane] != addresses[lane ^ step]
    return not (disagree[1] and disagree[2])


def phases(words, width, kind, active, addresses) -> list[tuple[list[int], dict]]:
    """Rules 1 to 3 for lanes that want sets of words: (active lanes, {bank: {word: lanes}}) a phase."""
    together = PHASES[width] * (2 if merged(addresses, width, kind, active) else 1)
    result = []
    for first in range(0, 32, together):
        lanes = [lane for lane in range(first, first + together) if active[lane]]
        banks: dict = {}
        for lane in lanes:
            for word in words[lane]:
                banks.setdefault(word % 32, {}).setdefault(word, set()).add(lane)
        if lanes:
            result.append((lanes, banks))
    return result


def cost(addresses, width, kind, active) -> tuple[int, int]:
    """Rules 1 to 4: (wavefronts, ideal) of a request."""
    words = [{byte // 4 for byte in range(address, address + width)} for address in addresses]
    served = phases(words, width, kind, active, addresses)
    return sum(max(map(len, banks.values())) for _, banks in served), len(served)
