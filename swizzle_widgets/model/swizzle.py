"""The swizzle: an XOR of one bit field of an offset into a lower (or higher) one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .checks import one_or_many, power_of_two, shown, whole

# CuTe keeps its masks in a 32-bit int, whose sign bit is no offset bit.
OFFSET_BITS = 31

_SPELLINGS = re.compile(
    r"\s*(?:(?:cute::)?(?:Swizzle|Sw|S)\s*)?(?:<(?P<angle>[^<>()]*)>|\((?P<round>[^<>()]*)\)|(?P<bare>[^<>()]*))\s*(?:\{\s*\})?\s*"
)
# CuTe prints compile-time numbers with an underscore.
_FIELD = r"\s*_?-?[0-9]{1,9}\s*"


@dataclass(frozen=True, repr=False)
class Swizzle:
    """CuTe's `Swizzle<BBits, MBase, SShift>`: a permutation of offsets that is its own inverse.

    The field of `bits` bits that starts at bit `base + shift` (the source, YYY) is XORed into
    the field that starts at bit `base` (the target, ZZZ). A negative shift exchanges the places
    of the two: the source starts at `base`, the target at `base - shift`.

    A swizzle has no unit: it counts whatever its input counts. `Tile` knows the unit,
    `recast` converts between units.

    Parameters
    ----------
    bits : int
        B, the width of both fields in bits. 0 makes the swizzle the identity.
    base : int
        M, the number of low bits that never change: a granule is 2**base units.
    shift : int
        S, the distance from target to source in bits.

    Raises
    ------
    TypeError
        If a parameter is not a whole number.
    ValueError
        If bits < 0, base < 0, abs(shift) < bits (CuTe's own rule: the fields would overlap, and
        the map would not be its own inverse), or the fields reach beyond a 31-bit offset.

    Examples
    --------
    >>> Swizzle(3, 4, 3)(0x80)
    144
    >>> str(Swizzle.parse("Swizzle<3, 4, 3>"))
    'Sw<3,4,3>'
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        bits = whole("bits (B)", self.bits, 0)
        base = whole("base (M)", self.base, 0)
        shift = whole("shift (S)", self.shift)
        if abs(shift) < bits:
            raise ValueError(
                f"shift (S) = {shown(shift)} is too short for bits (B) = {shown(bits)}: |S| must be at least B, "
                "so that source and target do not overlap"
            )
        top = base + bits + abs(shift)
        if top > OFFSET_BITS:
            raise ValueError(
                f"the fields of <B,M,S> need {shown(top)} bits, B + M + |S|: an offset has at most {OFFSET_BITS}"
            )
        for name, value in (("bits", bits), ("base", base), ("shift", shift)):
            object.__setattr__(self, name, value)

    @classmethod
    def parse(cls, text: str) -> Swizzle:
        """Read `Sw<3,4,3>`, `S<3,4,3>`, `Swizzle<3, 4, 3>{}`, `Swizzle(3, 4, 3)` or `3,4,3`.

        Raises
        ------
        TypeError
            If `text` is not a string.
        ValueError
            If it does not hold three whole numbers in one of these forms, or they are illegal.
        """
        if not isinstance(text, str):
            raise TypeError(f"a swizzle's spelling must be a string, not {text!r}")
        match = _SPELLINGS.fullmatch(text)
        fields = next((group for group in match.groups() if group is not None), "").split(",") if match else []
        if len(fields) != 3 or not all(re.fullmatch(_FIELD, field) for field in fields):
            raise ValueError(f"{text!r} is no swizzle: write it like Sw<3,4,3>, Swizzle<3,4,3> or 3,4,3")
        return cls(*(int(field.replace("_", "")) for field in fields))

    @property
    def source_base(self) -> int:
        """The lowest bit of the source field (YYY)."""
        return self.base + max(self.shift, 0)

    @property
    def target_base(self) -> int:
        """The lowest bit of the target field (ZZZ)."""
        return self.base - min(self.shift, 0)

    @property
    def source_mask(self) -> int:
        """The bits that are read (CuTe's yyy_msk)."""
        return ((1 << self.bits) - 1) << self.source_base

    @property
    def target_mask(self) -> int:
        """The bits that are changed (CuTe's zzz_msk)."""
        return ((1 << self.bits) - 1) << self.target_base

    @property
    def granule(self) -> int:
        """The units that always stay together and in order: 2**base, also for the identity, which moves none."""
        return 1 << self.base

    @property
    def period(self) -> int:
        """The units after which the pattern repeats: sw(x + period) == sw(x) + period. 1 for the identity."""
        return 1 << (self.base + self.bits + abs(self.shift)) if self.bits else 1

    @property
    def is_identity(self) -> bool:
        """Whether no offset moves: B = 0."""
        return self.bits == 0

    def __call__(self, offset: Any) -> Any:
        """Return the swizzled offset.

        Parameters
        ----------
        offset : int or integer array
            Offsets in the swizzle's unit, not negative, of any integer dtype.

        Returns
        -------
        int or numpy.ndarray
            An int for an int. For an array int64, wide enough for every target bit whatever the
            input's dtype was (uint64 stays uint64).
        """
        return self.xor(one_or_many("offset", "offsets", offset))

    def xor(self, offsets: Any, up: int = 0) -> Any:
        """Return swizzled offsets, unchecked.

        Parameters
        ----------
        offsets : int or integer array
            Not negative.
        up : int
            The offsets count parts of the swizzle's unit: 2**up of them are one unit.
        """
        return _xor(offsets, self.source_mask << up, max(self.shift, 0), max(-self.shift, 0))

    def recast(self, from_bits: int, to_bits: int) -> Swizzle:
        """Return the same physical swizzle, counted in another unit.

        Parameters
        ----------
        from_bits, to_bits : int
            The sizes of the present and the wanted unit in bits; powers of two up to 1024.

        Raises
        ------
        ValueError
            If the wanted unit is larger than the granule, so that the swizzle would move parts of it.

        Examples
        --------
        >>> Swizzle(3, 3, 3).recast(16, 8)
        Swizzle(3, 4, 3)
        """
        old = power_of_two("from_bits", from_bits, 1, 1024)
        new = power_of_two("to_bits", to_bits, 1, 1024)
        base = self.base + old.bit_length() - new.bit_length()
        if base < 0:
            if self.is_identity:
                return Swizzle(0, 0, self.shift)
            raise ValueError(
                f"{self} counted in {old}-bit units cannot be counted in {new}-bit units: its granule is "
                f"{self.granule * old} bits, so it moves parts of a {new}-bit unit"
            )
        return Swizzle(self.bits, base, self.shift)

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"

    def __repr__(self) -> str:
        return f"Swizzle({self.bits}, {self.base}, {self.shift})"


def legal_swizzles(bits: int, top: int) -> Iterator[Swizzle]:
    """Yield every legal swizzle, simplest first: the identity, then by B, then positive shifts, short shifts, small M.

    Parameters
    ----------
    bits : int
        The largest B.
    top : int
        The number of offset bits: fields that reach beyond would read or write zeros.
    """
    yield Swizzle(0, 0, 0)
    for width in range(1, bits + 1):
        for sign in (1, -1):
            for shift in range(width, top):
                for base in range(top - width - shift + 1):
                    yield Swizzle(width, base, sign * shift)


def fields_of(swizzles: Sequence[Swizzle]) -> np.ndarray:
    """Return the source masks and the distances to the right and to the left of swizzles, int64 of shape (3, n)."""
    fields = [(swizzle.source_mask, max(swizzle.shift, 0), max(-swizzle.shift, 0)) for swizzle in swizzles]
    return np.array(fields, np.int64).reshape(-1, 3).T


def xor_each(offsets: np.ndarray, fields: np.ndarray, up: int = 0) -> np.ndarray:
    """Return offsets under many swizzles, each row under its own; unchecked.

    Parameters
    ----------
    offsets : int array, shape (n, ...) or (1, ...)
    fields : int array, shape (3, n)
        Of `fields_of`.
    up : int
        As for `Swizzle.xor`.
    """
    mask, right, left = fields.reshape(*fields.shape, *[1] * (offsets.ndim - 1))
    return _xor(offsets, mask << up, right, left)


def _xor(offsets, mask, right, left):
    """The XOR itself: the field under `mask` is moved and added without carry. Numbers or arrays that broadcast."""
    field = (offsets & mask) >> right
    # A single swizzle to the right spares the second shift.
    return offsets ^ (field if isinstance(left, int) and not left else field << left)
