"""What CuTe C++ prints: `Sw<3,3,3> o _0 o L`, `Sw<3,4,3> o smem_ptr[16b](unset) o L`, `smem_ptr[16b](0x400) o ..`."""

from __future__ import annotations

from typing import Any

from .parts import Reader

_ADDRESS = r"\((?:unset|\(nil\)|(0x[0-9a-fA-F]{1,16}|[0-9a-fA-F]{16})(?:\.([0-9]{1,3}))?)\)"
_POINTER = rf"(?:smem_)?(?:sub)?ptr\[([0-9]{{1,4}})b\]{_ADDRESS}"
# After local_tile: the static bits, the dynamic ones under their mask, and what they make together.
_MIXED_BITS = r"M_([0-9]{1,10})\|\(([0-9]{1,10})&([0-9]{1,10})\)=([0-9]{1,10})(?![0-9])"


def cpp_term(reader: Reader) -> list[tuple[Any, ...]] | None:
    """Take a pointer or an offset that only C++ prints, as (kind, value) pairs; None if there is none here."""
    # A smem_ptr of a swizzle_ptr prints the swizzle in the middle of the name.
    if reader.take(r"smem_(?=(?:Swizzle|Sw|S)\s*<)"):
        swizzle = reader.swizzle() or reader.fail("expected a swizzle")
        reader.need("_", "'_ptr'")
        return [("S", swizzle), cpp_pointer(reader)]
    if reader.take(r"(?=(?:[a-z]{2,5}_)?(?:sub)?ptr\[|[a-z]{2,5}_)"):
        return [cpp_pointer(reader)]
    if match := reader.take(_MIXED_BITS):
        static, dynamic, mask, offset = map(int, match.groups())
        if static | (dynamic & mask) != offset:
            reader.fail(f"{static} | ({dynamic} & {mask}) is {static | (dynamic & mask)}, not {offset}", match.start())
        return [("I", offset)]
    return None


def cpp_pointer(reader: Reader) -> tuple[Any, ...]:
    """Take a pointer to shared memory: ("P", (bits of an element, byte address))."""
    at = reader.at
    match = reader.need(_POINTER, "smem_ptr[bits b](unset or an address): a tile lies in shared memory")
    if int(match[3] or 0):
        reader.fail(f"bit {match[3]} is in the middle of a byte: a tile begins at one", at)
    return "P", (int(match[1]), int(match[2] or "0", 16))
