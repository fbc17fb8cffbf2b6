"""What a swizzle counts: elements, bytes, or units of any size. It is never guessed."""

from __future__ import annotations

from .checks import one_of, power_of_two
from .dtypes import DTYPE_BITS
from .swizzle import Swizzle

MAX_UNIT_BITS = 128

# What a swizzle counts, by name; a unit may also be a number of bits.
UNITS = ("byte", "element")


def unit_readings(swizzle: Swizzle, dtype: str) -> str:
    """Return what a swizzle without a unit can mean on a dtype: unit="element" (...) or unit="byte" (...)."""
    try:
        elements = f"{swizzle.recast(DTYPE_BITS[dtype], 8)} in bytes"
    except ValueError:
        elements = f"{dtype} elements, parts of a byte"
    return f'unit="element" (then it is {elements}) or unit="byte" (then it is {swizzle} in bytes)'


def unit_size(unit: str | int | None, dtype: str) -> int:
    """Return a unit's size in bits: "element", "byte", or that size itself."""
    if isinstance(unit, int):
        return unit
    # Without a swizzle nothing counts: bytes do as well as any.
    return DTYPE_BITS[dtype] if unit == "element" else 8


def checked_unit(swizzle: Swizzle | None, unit: str | int | None, dtype: str) -> str | int | None:
    """Return the unit of a swizzle; ValueError if it is missing, unknown, or there is no swizzle that counts."""
    if swizzle is None:
        if unit is not None:
            raise ValueError(f"unit = {unit!r} without a swizzle: the unit says what a swizzle counts")
        return None
    if not isinstance(swizzle, Swizzle):
        raise TypeError(f"swizzle must be a Swizzle or None, not {swizzle!r}; Swizzle.parse reads a spelling")
    if unit is None:
        raise ValueError(f"{swizzle} has no unit of its own: say what it counts, {unit_readings(swizzle, dtype)}")
    if isinstance(unit, str):
        return one_of("unit", unit, UNITS)
    return power_of_two("unit (in bits)", unit, 1, MAX_UNIT_BITS)
