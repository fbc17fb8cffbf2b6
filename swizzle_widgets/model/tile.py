"""A matrix of some dtype in shared memory: where each element lies, and in which bank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .checks import one_of, shown, whole
from .dtypes import DTYPE_BITS, dtype_name
from .hardware import SHARED_BYTES
from .layout import Layout
from .placement import Placement
from .swizzle import Swizzle
from .table import Table, plain_layout, recognized, tabulated, xor_note
from .units import checked_unit

ORDERS = ("row", "column")
ANCHORS = ("offset", "address")


@dataclass(frozen=True, init=False)
class Tile(Placement):
    """A rows x cols matrix in shared memory.

    Parameters
    ----------
    rows, cols : int
        The size in elements.
    dtype : str
        The element type, 1 to 128 bits: f32, tf32, f16, bf16, e4m3, e5m2, s8, e2m1, f64 ... or an
        alias such as half, float16, fp8.
    order : str
        "row" (the elements of a row are neighbors) or "column".
    padding : int
        Unused elements behind each row (behind each column in column order), as the 1 in
        `float tile[32][32 + 1]`.
    layout : Layout or Table, optional
        Any layout of two modes, rows and columns, counted in elements; takes the place of order
        and padding. A Table stands for a map that is no layout.
    base_address : int
        The byte address of the tile in shared memory, a multiple of the element's size.
    swizzle : Swizzle, optional
        None stores the elements where the layout says.
    unit : str or int
        What the swizzle counts: "element", "byte", or a unit's size in bits (a power of two up
        to 128). Must be given with a swizzle: the unit decides which map it is.
    anchor : str
        "offset": the swizzle permutes offsets within the tile, then the base address is added (a CuTe
        composition). "address": it permutes addresses, base address included (TMA, WGMMA and CuTe's smem_ptr
        layouts). The two differ only if the base address is not a multiple of the swizzle's period.

    Raises
    ------
    TypeError
        If a number is no whole number, or swizzle or layout are of another type.
    ValueError
        If a number is out of range, a name is unknown, the unit of a swizzle is missing, the
        swizzle moves parts of an element, or the tile does not fit into shared memory (227 KiB).

    Examples
    --------
    >>> Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element").banks[:, 0].tolist()
    [0, 4, 8, 12, 16, 20, 24, 28]
    """

    def __init__(
        self, rows: int, cols: int, dtype: Any = "f32", *, order: str = "row", padding: int = 0,
        layout: Layout | Table | None = None, base_address: int = 0, swizzle: Swizzle | None = None,
        unit: str | int | None = None, anchor: str = "offset",
    ) -> None:  # fmt: skip
        limit = 8 * SHARED_BYTES
        rows, cols = whole("rows", rows, 1, limit), whole("cols", cols, 1, limit)
        if layout is None:
            layout = _plain_layout(rows, cols, one_of("order", order, ORDERS), whole("padding", padding, 0, limit))
        elif not isinstance(layout, (Layout, Table)):
            raise TypeError(f"layout must be a Layout, not {layout!r}")
        elif order != "row" or padding:
            raise ValueError("a layout already says where the elements lie: leave order and padding out")
        dtype = dtype_name(dtype)
        fields = {
            "rows": rows, "cols": cols, "dtype": dtype, "layout": layout,
            "base_address": whole("base_address", base_address, 0, SHARED_BYTES),
            "swizzle": swizzle, "unit": checked_unit(swizzle, unit, dtype),
            "anchor": one_of("anchor", anchor, ANCHORS),
        }  # fmt: skip
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._check()

    @classmethod
    def of_layout(cls, layout: Layout, dtype: Any = "f32", **options: Any) -> Tile:
        """Return the tile that a two-mode layout describes; its modes are rows and columns.

        Parameters
        ----------
        layout : Layout
            Counted in elements.
        dtype, **options
            As for `Tile`.
        """
        if not isinstance(layout, Layout):
            raise TypeError(f"layout must be a Layout, not {layout!r}")
        if layout.rank != 2:
            raise ValueError(f"layout {layout} has {layout.rank} modes: a tile needs two, rows and columns")
        rows, cols = layout.sizes
        return cls(rows, cols, dtype, layout=layout, **options)

    @classmethod
    def from_cute(
        cls, text: str, dtype: Any = None, *, stage: int = 0, partition: str | None = None,
        unit: str | int | None = None, anchor: str | None = None, base_address: int = 0,
    ) -> Tile:  # fmt: skip
        """Return the tile that CuTe printed.

        Parameters
        ----------
        text : str
            What `print` shows for a layout, a composed layout or a tensor in shared memory, in C++ or the CuTe DSL, or
            a type of the DSL's IR. `Sw<3,3,3> o _0 o (_8,_64):(_64,_1)`: a swizzle on the layout counts elements.
            `Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)`: one on the pointer counts bytes of the address.
            Text that a web page, a terminal or a log damaged is read where one reading is left.
        dtype : str or object, optional
            May be left out if the text says the element's size, as smem_ptr[16b] does.
        stage : int
            Which stage to take. A third mode counts stages if its stride is at least what the first two reach, or its
            extent is 1, and the first mode cannot be an MMA's (rows, columns).
        partition : str, optional
            "mma": the modes are (MMA, MMA_M, MMA_K[, PIPE]), as partition_A and make_fragment_A's operands have them.
        unit, anchor : str or int, optional
            As for `Tile`, for a text that does not tell: the DSL prints `S<3,4,3> o 0 o (8,64):(64,1)` whether the
            swizzle will act on elements or on a pointer. `unit="byte"` alone means the bytes of the address.
        base_address : int
            The byte address of the tile. A pointer's own address is added; a generic address of 64
            bits counts modulo the swizzle's period, which is all that banks depend on.

        Raises
        ------
        TypeError
            If `text` is not a string.
        ValueError
            If it is nothing that CuTe prints (the message points at the character), could mean two maps (the message
            names both), is one thread's view, contradicts what is said beside it, or as `Tile`.

        Examples
        --------
        >>> print(Tile.from_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "half"))
        8x64 f16 tile, (8,64):(64,1), Sw<3,4,3> in bytes
        """
        from .texts.tiles import cute_tile

        return cute_tile(cls, text, dtype, stage, partition, unit, anchor, base_address)

    @classmethod
    def from_triton(cls, text: str, shape: tuple[int, ...] | None = None, dtype: Any = None, *, stage: int = 0) -> Tile:
        """Return the tile that a shared layout of Triton describes.

        Parameters
        ----------
        text : str
            `#ttg.swizzled_shared<{..}>`, `#ttg.padded_shared<[..:+..] {..}>` or `#ttg.nvmma_shared<{..}>`, as Triton's
            IR shows it, older spellings included, or a whole `!ttg.memdesc<64x64xf16, #ttg...>`.
        shape : tuple of int, optional
            (rows, cols) or (stages, rows, cols), powers of two; may be left out if the text says it.
        dtype : str or object, optional
            May be left out if the text says the element's size.
        stage : int
            Which of the stages to take.

        Raises
        ------
        TypeError
            If `text` is not a string, or a number is no whole number.
        ValueError
            If it is nothing that Triton prints, or something that is not read (the message says what), or as `Tile`.

        Examples
        --------
        >>> text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
        >>> print(Tile.from_triton(text, (64, 64), "f16"))
        64x64 f16 tile, (64,64):(64,1), Sw<3,3,3> in f16 elements
        """
        from .texts.triton import triton_tile

        return triton_tile(cls, text, shape, dtype, stage)

    @classmethod
    def from_map(
        cls, offsets: Any, shape: tuple[int, ...] | None = None, dtype: Any = "f32", *, base_address: int = 0,
        unit: str | int | None = None, stage: int = 0,
    ) -> Tile:  # fmt: skip
        """Return the tile that any map from (row, col) to an element offset describes.

        Parameters
        ----------
        offsets : integer array of shape (rows, cols), or callable
            The offsets in elements, or f(row, col) or f((row, col)) that returns one: a function, a
            layout of pycute, tensor-layouts or the CuTe DSL. It is called once for each element.
        shape : tuple of int, optional
            Rows and columns of a callable without a `shape` of its own.
        dtype : str
        base_address : int
            The byte address of the tile.
        unit : str or int, optional
            What the swizzle of a layout of the CuTe DSL will count, as for `from_cute`: it is read from what the layout
            prints. Left out, the offsets are those that the layout itself gives.
        stage : int
            Which stage to take where the map has a third coordinate, behind row and column.

        Returns
        -------
        Tile
            A swizzled layout is recognized as one; any other map is kept as a `Table`.

        Raises
        ------
        TypeError
            If `offsets` is neither, or an offset is no whole number.
        ValueError
            If the shape is missing or an offset is negative, or as `Tile`.
        """
        if unit is not None:
            return cls.from_cute(str(offsets), dtype, stage=stage, unit=unit, base_address=base_address)
        table = Table(tabulated(offsets, shape, stage) if callable(offsets) else offsets)
        layout, swizzle, first = recognized(table)
        unit = None if swizzle is None else "element"
        rows, cols = table.sizes
        tile = cls(rows, cols, dtype, layout=layout, base_address=base_address, swizzle=swizzle, unit=unit)
        return tile._moved(first)

    def with_swizzle(self, swizzle: Swizzle | None, unit: str | int | None = None) -> Tile:
        """Return the same tile under another swizzle, or under none."""
        return replace(self, swizzle=swizzle, unit=unit if swizzle is not None else None)

    def padded(self, padding: int) -> Tile:
        """Return the same tile without a swizzle, each row (column) followed by `padding` unused elements.

        Raises
        ------
        ValueError
            If the tile's layout is neither plain row-major nor plain column-major.
        """
        order = self.order
        if order is None or not self.layout.is_flat:
            raise ValueError(f"layout {self.layout} cannot be padded: only plain row- or column-major tiles can")
        return Tile(self.rows, self.cols, self.dtype, order=order, padding=padding, base_address=self.base_address)

    def recast(self, dtype: Any) -> Tile:
        """Return the same bytes as a matrix of another dtype.

        Raises
        ------
        ValueError
            If the tile's layout is a table or its elements cannot be gathered or split, or the
            swizzle moves parts of the new element.
        """
        name = dtype_name(dtype)
        if not isinstance(self.layout, Layout):
            raise ValueError(f"a {self.layout} cannot be counted in other elements")
        layout = self.layout.recast(self.element_bits, DTYPE_BITS[name])
        swizzle, unit = self.swizzle, self.unit
        if swizzle is not None and unit == "element":
            swizzle = swizzle.recast(self.element_bits, DTYPE_BITS[name])
        return Tile.of_layout(
            layout, name, base_address=self.base_address, swizzle=swizzle, unit=unit, anchor=self.anchor
        )

    def part(self, row: int, col: int, rows: int, cols: int) -> Tile:
        """Return the rows x cols elements whose corner is (row, col), as a tile that lies where they lie.

        Raises
        ------
        TypeError, ValueError
            If they are not inside the tile, or their place cannot be said as a byte address.
        """
        row, col = whole("row", row, 0), whole("col", col, 0)
        rows, cols = whole("rows", rows, 1, self.rows - row), whole("cols", cols, 1, self.cols - col)
        offsets = self.layout.offsets[row : row + rows, col : col + cols]
        first = int(offsets.min())
        layout = plain_layout(offsets - first) or Table(offsets - first)
        return replace(self, rows=rows, cols=cols, layout=layout)._moved(first)

    @property
    def cute_text(self) -> str:
        """The tile as CuTe prints it, `Sw<3,3,3> o _0 o (_8,_64):(_64,_1)`; `from_cute` reads it.

        A swizzle of byte addresses shows as one on a smem_ptr, any other in elements. The base address shows
        only where the swizzle acts on it.

        Raises
        ------
        ValueError
            If the tile's layout is a table.
        """
        from .texts.tiles import cute_text

        return cute_text(self)

    @property
    def dsl_text(self) -> str:
        """The tile as a tensor of the CuTe DSL prints itself, which tells what its swizzle counts.

        `from_cute` reads it. The DSL prints no address: `base_address` is left out.

        Raises
        ------
        ValueError
            If the tile's layout is a table, or the swizzle acts on an address that the text would have to show.
        """
        from .texts.tiles import dsl_text

        return dsl_text(self)

    @cached_property
    def map_note(self) -> str:
        """What is known of a map that is no layout: of how many fields it is an XOR; "" if it is none."""
        return xor_note(self.layout) if isinstance(self.layout, Table) else ""

    def __str__(self) -> str:
        note = f" ({self.map_note})" if self.map_note else ""
        where = f" at byte {self.base_address}" if self.base_address else ""
        return f"{self.rows}x{self.cols} {self.dtype} tile{where}, {self.layout}, {self.swizzle_name}{note}"

    def _moved(self, offset: int) -> Tile:
        """The tile with `offset` elements added to each element's place before the swizzle."""
        bits = offset * self.element_bits
        if bits % 8:
            raise ValueError(f"offset {offset} of {self.dtype} elements is in the middle of a byte")
        anchor = self.anchor
        if bits % self.period_bits:
            if 8 * self.base_address % self.period_bits:
                raise ValueError(
                    f"base_address = {self.base_address} must be a multiple of the period of {self.swizzle_name}, "
                    f"{self.period_bits // 8} bytes, with the offset {shown(offset)} inside the swizzle"
                )
            anchor = "address"
        return replace(self, base_address=self.base_address + bits // 8, anchor=anchor)


def _plain_layout(rows: int, cols: int, order: str, padding: int) -> Layout:
    return Layout((rows, cols), (cols + padding, 1) if order == "row" else (1, rows + padding))
