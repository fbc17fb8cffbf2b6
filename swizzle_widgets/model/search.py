"""The best way to store a tile for given accesses: every legal swizzle and every padding, ranked.

The order is: least cost, summed over all accesses by their weights; fewest extra bytes; then the simplest:
no swizzle before one of the hardware's modes before any other swizzle, few bits before many,
positive shifts before negative, short before long, large granules before small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .access import Access
from .checks import one_of, whole
from .hardware import LINE_BYTES
from .ranking import Ranking
from .swizzle import OFFSET_BITS, legal_swizzles
from .tile import Tile

if TYPE_CHECKING:
    from .copy import TiledCopy

ENGINES = ("tma", "wgmma")


def best_swizzles(
    tile: Tile,
    accesses: Sequence[Access | TiledCopy],
    *,
    bits: int = 5,
    padding: bool = True,
    weights: Sequence[float] | None = None,
    modes: str | None = None,
) -> Ranking:
    """Rank every legal swizzle and every padding of a tile for all accesses at once.

    Parameters
    ----------
    tile : Tile
        Its own swizzle is taken off; layout, base and anchor stay.
    accesses : sequence of Access or TiledCopy
        What the tile must serve: the write and the reads. A copy counts with all its requests.
    bits : int
        The largest B to try, counted in elements. Fields that reach beyond the tile's offsets are
        left out: they would read zeros.
    padding : bool
        Whether to try padded lines too, up to 128 bytes; only plain row- or column-major tiles can
        be padded.
    weights : sequence of float, optional
        How often each access counts, 1 if left out.
    modes : str, optional
        "tma": only what TMA writes. "wgmma": only what TMA writes and WGMMA reads as an operand.

    Returns
    -------
    Ranking
        Best first, in the order that the module describes.

    Raises
    ------
    TypeError
        If tile or accesses are of another type.
    ValueError
        If there is no access, one does not fit on the tile, or weights or modes are none.

    Examples
    --------
    >>> from swizzle_widgets import Access, Tile, best_swizzles
    >>> tile = Tile(128, 64, "f16")
    >>> print(best_swizzles(tile, [Access.ldmatrix(tile), Access.ldmatrix(tile, trans=True)]).best)
    Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes: 8 wavefronts, the ideal; this is the 128B mode of TMA and WGMMA.
    """
    if not isinstance(tile, Tile):
        raise TypeError(f"tile must be a Tile, not {tile!r}")
    if not isinstance(accesses, (list, tuple)) or not all(
        isinstance(access, Access) or hasattr(access, "accesses") for access in accesses
    ):
        raise TypeError(f"accesses must be a list of Access or TiledCopy, not {accesses!r}")
    if not accesses:
        raise ValueError("accesses is empty: without an access every layout is as good as any other")
    bits = whole("bits (B)", bits, 0, OFFSET_BITS)
    if modes is not None:
        one_of("modes", modes, ENGINES)
    plain = replace(tile, swizzle=None, unit=None)
    moved = tuple(access.on(plain) for access in accesses)
    swizzles = list(legal_swizzles(bits, (plain.layout.cosize - 1).bit_length()))
    paddings = _paddings(plain, moved) if padding else []
    return Ranking(plain, moved, swizzles, paddings, _weights(weights, len(moved)), modes)


def _weights(weights: Sequence[float] | None, count: int) -> tuple[float, ...]:
    if weights is None:
        return (1,) * count
    numbers = np.asarray(weights)
    if numbers.shape != (count,) or numbers.dtype.kind not in "iuf" or not (numbers > 0).all():
        raise ValueError(f"weights = {weights!r}: one number above 0 for each of the {count} accesses")
    return tuple(numbers.tolist())


def _paddings(tile: Tile, accesses: tuple[Access | TiledCopy, ...]) -> list[int]:
    """The paddings below 128 bytes that keep every line aligned to the widest access; none if it cannot be padded."""
    if not tile.layout.is_flat or tile.order is None:
        return []
    size, width = tile.element_bits, 8 * max(access.width for access in accesses)
    return [count for count in range(1, 8 * LINE_BYTES // size) if (tile.line_length + count) * size % width == 0]
