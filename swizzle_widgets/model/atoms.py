"""Atoms: the small swizzled tiles that CuTe repeats to fill a large one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .checks import one_of, whole
from .dtypes import DTYPE_BITS, dtype_name
from .hardware import GRANULE_BYTES
from .layout import Layout
from .modes import mode, operand_refusal
from .tile import ORDERS, Tile

ATOM_LINES = 8


def gmma_atom(dtype: Any, major: str = "K", swizzle: str = "128B") -> Tile:
    """Return the atom of a WGMMA operand in shared memory, which CuTe calls GMMA::Layout_K_SW128_Atom<T> and so on.

    Eight lines as long as the mode's span, whose 16-byte granules are permuted by the byte address.
    Rows are M or N, columns are K.

    Parameters
    ----------
    dtype : str
        The element type.
    major : str
        "K": a line holds elements of one row. "MN": a line holds elements of one column.
    swizzle : str
        The mode: "128B", "64B", "32B", or "none" with lines of 16 bytes, which CuTe calls INTER.

    Raises
    ------
    ValueError
        If the dtype, major or the mode are unknown, or WGMMA has no such operand: 4-bit and 64-bit ones do not
        exist, and only 16-bit ones may be MN-major.

    Examples
    --------
    >>> gmma_atom("half").cute_text
    'Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)'
    """
    name, found = dtype_name(dtype), mode(swizzle)
    length = 8 * (found.row_bytes or GRANULE_BYTES) // DTYPE_BITS[name]
    if refusal := operand_refusal(name, one_of("major", major, ("K", "MN"))):
        raise ValueError(refusal)
    rows = Layout((ATOM_LINES, length), (length, 1))
    layout = rows if major == "K" else Layout((length, ATOM_LINES), (1, length))
    return Tile.of_layout(layout, name, swizzle=found.swizzle, unit="byte", anchor="address")


def tile_to_shape(atom: Tile, rows: int, cols: int, order: str = "column") -> Tile:
    """Return a rows x cols tile made of copies of `atom`, one behind the other, as CuTe's tile_to_shape makes it.

    Parameters
    ----------
    atom : Tile
        Its layout must fill its bytes without holes.
    rows, cols : int
        Multiples of the atom's.
    order : str
        "column": the copies below each other are neighbors in memory, as CuTe's default; "row":
        those beside each other (Step<_2, _1>).

    Raises
    ------
    TypeError
        If atom is no Tile, or a size no whole number.
    ValueError
        If the atom is a table or has holes, the sizes are no multiples, or the tile is too large.

    Examples
    --------
    >>> print(tile_to_shape(gmma_atom("half"), 128, 64).layout)
    ((8,16),(64,1)):((64,512),(1,0))
    """
    if not isinstance(atom, Tile):
        raise TypeError(f"atom must be a Tile, not {atom!r}")
    one_of("order", order, ORDERS)
    layout = atom.layout
    if not isinstance(layout, Layout) or layout.cosize != layout.size:
        raise ValueError(f"{layout} cannot be repeated: an atom is a layout without holes")
    down, across = (_copies(*sizes) for sizes in (("rows", rows, atom.rows), ("cols", cols, atom.cols)))
    steps = (1, down) if order == "column" else (across, 1)
    tiled = Layout(
        tuple((mode.shape, count) for mode, count in zip(layout.modes, (down, across))),
        tuple(
            (mode.stride, step * layout.size if count > 1 else 0)
            for mode, count, step in zip(layout.modes, (down, across), steps)
        ),
    )
    return replace(atom, rows=rows, cols=cols, layout=tiled)


def _copies(name: str, size: int, atom: int) -> int:
    size = whole(name, size, 1)
    if size % atom:
        raise ValueError(f"{name} = {size} must be a multiple of the atom's {atom}")
    return size // atom
