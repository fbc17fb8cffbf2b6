"""For tests of kernels: assert that accesses of a tile meet no bank conflict."""

from __future__ import annotations

from collections.abc import Sequence

from .model.access import Access
from .model.access_names import read_access
from .model.copy import TiledCopy
from .model.tile import Tile


def assert_clean(tile: Tile, accesses: Access | TiledCopy | str | Sequence[Access | TiledCopy | str]) -> None:
    """Assert that every access of a tile takes its fewest wavefronts.

    Parameters
    ----------
    tile : Tile
    accesses : Access, TiledCopy, str, or a sequence of them
        A single request, a whole copy, or the name of one as the command line takes it ("ldmatrix",
        "row:16", "m16n8k16.A:4x1"). Those made on another tile are moved to this one.

    Raises
    ------
    AssertionError
        With an explanation for a terminal: which lanes meet in which bank, or why no instruction can do it.
    TypeError, ValueError
        If an access is none of these, or a name is unknown.

    Examples
    --------
    >>> from swizzle_widgets import Swizzle, Tile
    >>> assert_clean(Tile(128, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte"), ["cp.async", "ldmatrix"])
    """
    if isinstance(accesses, (Access, TiledCopy, str)):
        accesses = [accesses]
    problems = [problem for access in accesses if (problem := _problem(tile, access))]
    if problems:
        raise AssertionError("\n\n".join([f"{tile} is not clean", *problems]))


def _problem(tile: Tile, access: Access | TiledCopy | str) -> str:
    """What is wrong with an access on the tile; "" if nothing is."""
    if isinstance(access, str):
        make = read_access(access).make
        name, moved = access, lambda: make([tile])
    elif isinstance(access, (Access, TiledCopy)):
        name, moved = str(access), lambda: access.on(tile)
    else:
        raise TypeError(f"an access is an Access, a TiledCopy or a name, not {access!r}")
    try:
        here = moved()
        report = here.report()
    except ValueError as problem:
        return f"{name}: {problem}"
    if not report.conflicts:
        return ""
    return f"{name}:\n{report.explain() if isinstance(here, TiledCopy) else here.explain()}"
