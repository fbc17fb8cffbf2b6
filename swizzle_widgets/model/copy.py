"""A whole copy, or the operand of a whole MMA: every request that all warps make in all steps over a tile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from .access import Access
from .banks import bank_reports, check_access
from .checks import one_of, plural, whole
from .copy_report import CopyReport
from .fragments import fragment_layout
from .hardware import MATRIX_KINDS, MATRIX_LANES, MATRIX_WIDTH, ORDERED_KINDS, WARP_LANES
from .reports import instruction_name
from .thread_values import along, checked_tiler, filling, raked, thread_values
from .tile import Tile
from .tiling import CopyRequests, HeldValues, check_matrix_lanes

MATRICES = (1, 2, 4)
PLAIN_KINDS = ("load", "store", "atomic")


@dataclass(frozen=True, eq=False, repr=False)
class TiledCopy:
    """All requests by which the threads of a block move a tile.

    Use the class methods: `from_tv` for CuTe's thread-value layouts, `of_threads` for what
    make_tiled_copy takes, `ldmatrix` and `stmatrix` over a whole tile, `fragment` for the operands
    of an MMA.

    Attributes
    ----------
    stages : tuple of Tile
        The tiles that are moved: one, or the stages of a pipeline one after the other.
    kind : str
        The instruction, as for an Access.
    name : str
        The copy in words.
    threads : int
    tiler : tuple of int
        Rows and columns that the threads move in one step.
    requests : CopyRequests
        Rows, columns and addresses of all lanes of all requests.
    """

    stages: tuple[Tile, ...]
    kind: str
    name: str
    threads: int
    tiler: tuple[int, int]
    requests: CopyRequests
    _made_by: tuple[Any, ...]

    @classmethod
    def from_tv(
        cls, tile: Tile | Sequence[Tile], tv: Any, tiler: tuple[int, int], width: int | None = None, kind: str = "load",
        *, num: int = 4, predicate: bool = False, name: str = "",
    ) -> TiledCopy:  # fmt: skip
        """Return the copy whose threads hold what a thread-value layout says.

        Parameters
        ----------
        tile : Tile or sequence of Tile
            What is read or written; several are the stages of a pipeline, moved one after the other.
        tv : str, Layout or an object with shape and stride
            CuTe's thread-value layout, `((8,16),8):((128,1),16)`: (thread, value) -> index in the
            tiler, first mode fastest; also an object, such as the `layout_src_tv_tiled` of a TiledCopy
            of the DSL or a layout of pycute. For ldmatrix and stmatrix it is the layout of the row addresses
            (the source's for ldmatrix, the destination's for stmatrix): each thread has the rows that
            it gives the address of.
        tiler : tuple of int
            Rows and columns of one step; the steps cover the tile, down first.
        width : int, optional
            Bytes a lane in one request; left out, the widest that all threads allow.
        kind : str
            As for an Access.
        num : int
            For ldmatrix and stmatrix: the 1, 2 or 4 matrices of x1, x2 or x4; the lanes beyond
            8 * num give no address.
        predicate : bool
            Whether lanes whose vector is outside the tile stay out; otherwise the tiler must divide the tile.
        name : str
            The copy in words.

        Raises
        ------
        TypeError, ValueError
            If the layout does not fit the tiler, the tiler not the tile, or a thread's values are no vectors of
            `width` bytes; the message names the mode, the thread and the value.

        Examples
        --------
        >>> from swizzle_widgets import Swizzle
        >>> tile = Tile(128, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
        >>> copy = TiledCopy.from_tv(tile, "((8,16),8):((128,1),16)", (16, 64), kind="store")
        >>> print(copy.report())
        32 requests of STS.128: 128 wavefronts, ideal 128, 0 conflicts
        """
        tiler = checked_tiler(tiler)
        layout, indices = thread_values(tv, tiler)
        name = name or f"{plural(len(indices), 'thread')} by {layout} on {tiler[0]}x{tiler[1]}"
        return cls._made(tile, indices, tiler, width, kind, num, predicate, name)

    @classmethod
    def of_threads(
        cls, tile: Tile | Sequence[Tile], threads: Any, values: Any, width: int | None = None, kind: str = "load",
        *, predicate: bool = False,
    ) -> TiledCopy:  # fmt: skip
        """Return the copy of make_tiled_copy(atom, threads, values): each thread has a block of values.

        Parameters
        ----------
        tile, width, kind, predicate
            As for `from_tv`.
        threads : str, Layout or an object with shape and stride
            (row, column) -> thread, such as "(16,8):(8,1)".
        values : str, Layout or an object with shape and stride
            (row, column) -> value of a thread, such as "(1,8):(8,1)". A layout of one mode has one column.

        Raises
        ------
        TypeError, ValueError
            If a layout does not number its threads or values 0, 1, 2 ... once each, or as `from_tv`.

        Examples
        --------
        >>> print(TiledCopy.of_threads(Tile(128, 64, "f16"), "(16,8):(8,1)", "(1,8):(8,1)", kind="store"))
        8 steps of 16x64 by 128 threads, STS.128 on 128x64 f16
        """
        indices, tiler = raked(threads, values)
        name = f"{plural(len(indices), 'thread')} on {tiler[0]}x{tiler[1]}"
        return cls._made(tile, indices, tiler, width, kind, MATRICES[-1], predicate, name)

    @classmethod
    def ldmatrix(cls, tile: Tile | Sequence[Tile], num: int = 4, trans: bool = False) -> TiledCopy:
        """Return the ldmatrix instructions that load every 8x8 matrix (8 lines of 16 bytes) of a tile once.

        Parameters
        ----------
        tile : Tile or sequence of Tile
        num, trans
            As for `Access.ldmatrix`: x1 is one matrix, x2 two below each other, x4 a square of two by two.

        Raises
        ------
        TypeError, ValueError
            If the matrices do not divide the tile, or as `Access.ldmatrix`.
        """
        return cls._matrices("ldmatrix", tile, num, trans)

    @classmethod
    def stmatrix(cls, tile: Tile | Sequence[Tile], num: int = 4, trans: bool = False) -> TiledCopy:
        """Return the stmatrix instructions that store every matrix once; parameters and errors as `ldmatrix`."""
        return cls._matrices("stmatrix", tile, num, trans)

    @classmethod
    def fragment(
        cls, tile: Tile | Sequence[Tile], name: str, warps: tuple[int, int] | None = None, *,
        width: int | None = None, kind: str | None = None, predicate: bool = False,
    ) -> TiledCopy:  # fmt: skip
        """Return the plain loads or stores of an MMA's operand, as each thread holds it by NVIDIA's tables.

        Parameters
        ----------
        tile : Tile or sequence of Tile
            A is M x K, B is N x K (as in CuTe), C and D are M x N.
        name : str
            "m16n8k16.A", ".B" or ".C" (with the k of the dtype: 4 or 8 for 32 bits, 8 or 16 for 16,
            16 or 32 for 8, 32 or 64 for 4 bits), or "wgmma.m64n128.D", the accumulator of a warpgroup.
        warps : pair of int, optional
            Warps along M and along N: (1, 1), or (4, 1) for WGMMA, if left out. Warps that hold the same A
            or B each load it.
        width, predicate
            As for `from_tv`.
        kind : str, optional
            "load", "store" or "atomic"; left out, A and B are loaded, C and D stored.

        Raises
        ------
        TypeError, ValueError
            If there is no such fragment for the dtype, or as `from_tv`.

        Examples
        --------
        >>> print(TiledCopy.fragment(Tile(128, 128, "f32"), "wgmma.m64n128.D").report())
        256 requests of STS.64: 2048 wavefronts, ideal 512, 1536 conflicts; the worst takes 8 instead of 2: \
step (0, 0), warp 0, vector 0
        """
        layout, tiler, usual = fragment_layout(name, _stages(tile)[0].element_bits, warps)
        kind = usual if kind is None else one_of("kind", kind, PLAIN_KINDS)
        return cls.from_tv(tile, layout, tiler, width, kind, predicate=predicate, name=name)

    @classmethod
    def column(cls, tile: Tile | Sequence[Tile], width: int | None = None, kind: str = "load") -> TiledCopy:
        """Return the requests of a warp that walks down every column: lane l moves the l-th vector of it.

        Parameters
        ----------
        tile : Tile or sequence of Tile
        width : int, optional
            Bytes a lane; one element, but at least one byte, if left out.
        kind : str
            "load", "store" or "atomic".

        Raises
        ------
        TypeError, ValueError
            If the vectors do not fit, as `from_tv`.
        """
        return cls._along("column", tile, width, kind)

    @classmethod
    def row(cls, tile: Tile | Sequence[Tile], width: int | None = None, kind: str = "load") -> TiledCopy:
        """Return the requests of a warp that walks along every row; parameters and errors as `column`."""
        return cls._along("row", tile, width, kind)

    @classmethod
    def cp_async(cls, tile: Tile | Sequence[Tile], width: int = MATRIX_WIDTH, cache: str | None = None) -> TiledCopy:
        """Return the cp.async instructions by which a warp fills whole lines of a tile, one after the other.

        Parameters
        ----------
        tile : Tile or sequence of Tile
        width, cache
            As for `Access.cp_async`.

        Raises
        ------
        TypeError, ValueError
            As `Access.cp_async`.
        """
        stages = _stages(tile)
        kind = Access.cp_async(stages[0], width=width, cache=cache).kind
        first, count = stages[0], 8 * width // stages[0].element_bits
        indices = filling(first.rows, first.cols, count, first.order == "column")
        return cls._made(stages, indices, (first.rows, first.cols), width, kind, MATRICES[-1], True, kind)

    @property
    def tile(self) -> Tile:
        """The tile; the first, if there are several stages."""
        return self.stages[0]

    @property
    def width(self) -> int:
        """Bytes a lane in one request."""
        return self.requests.width

    @property
    def rows(self) -> np.ndarray:
        """The row of each lane's first element, int64 of shape (requests, 32); -1 for a lane that takes no part."""
        return self.requests.rows

    @property
    def cols(self) -> np.ndarray:
        """The column of each lane's first element, as `rows`."""
        return self.requests.cols

    @property
    def instruction(self) -> str:
        """The instruction's name, such as LDS.128 or ldmatrix.x4."""
        return instruction_name(self.kind, self.width, int(self.requests.active[0].sum()))

    @property
    def accesses(self) -> Sequence[Access]:
        """Every request as an Access, in order: steps over the tile (down first), warps, vectors; made when asked."""
        return _Accesses(self)

    def where(self, request: int) -> str:
        """Return where a request stands: "step (16, 0), warp 3, vector 1"."""
        stage, row, col, warp, vector = self.requests.places[request].tolist()
        many = f"stage {stage}, " if len(self.stages) > 1 else ""
        return f"{many}step ({row}, {col}), warp {warp}, vector {vector}"

    def on(self, tile: Tile | Sequence[Tile]) -> TiledCopy:
        """Return the same copy of another tile (swizzled or padded, another stage).

        Raises
        ------
        ValueError
            If it does not fit there, as `from_tv`.
        """
        indices, num, predicate = self._made_by
        return self._made(tile, indices, self.tiler, self.width, self.kind, num, predicate, self.name)

    def report(self) -> CopyReport:
        """Return what the whole copy costs.

        Raises
        ------
        ValueError
            If the swizzle moves a vector's elements so that no instruction can move it; the message says which.
        """
        torn = self.requests.torn
        if self.kind in ORDERED_KINDS:
            torn = torn | self.requests.reordered
        if torn.any():
            first = int(np.flatnonzero(torn)[0])
            raise ValueError(f"{self.where(first)}: {self.accesses[first].refusal}")
        return CopyReport(self, bank_reports(self.requests.addresses, self.width, self.kind, self.requests.active))

    @classmethod
    def _made(cls, tile, indices, tiler, width, kind, num, predicate, name) -> TiledCopy:
        stages = _stages(tile)
        if whole("num", num) not in MATRICES:
            raise ValueError(f"num = {num} is no instruction: ldmatrix and stmatrix move 1, 2 or 4 matrices")
        usual = check_access(width, kind)
        width = usual if width is not None or kind in MATRIX_KINDS else None
        held = HeldValues.of(stages, indices, tiler, predicate)
        lanes = MATRIX_LANES[MATRICES.index(num)] if kind in MATRIX_KINDS else WARP_LANES
        requests = held.requests(held.chosen_width(width, kind), lanes)
        if kind in MATRIX_KINDS:
            check_matrix_lanes(kind, requests, lanes)
        return cls(stages, kind, name, len(indices), tiler, requests, (indices, num, bool(predicate)))

    @classmethod
    def _along(cls, direction: str, tile: Tile | Sequence[Tile], width: int | None, kind: str) -> TiledCopy:
        stages = _stages(tile)
        first = stages[0]
        one_of("kind", kind, PLAIN_KINDS)
        width = check_access(max(1, first.element_bits // 8) if width is None else width, kind)
        if 8 * width % first.element_bits:
            raise ValueError(f"width = {width} bytes holds no whole number of {first.element_bits}-bit elements")
        count = 8 * width // first.element_bits
        indices, tiler = along(first.rows, first.cols, count, first.order == "column", direction)
        return cls._made(stages, indices, tiler, width, kind, MATRICES[-1], True, direction)

    @classmethod
    def _matrices(cls, kind: str, tile: Tile | Sequence[Tile], num: int, trans: bool) -> TiledCopy:
        stages = _stages(tile)
        pattern = Access.ldmatrix if kind == "ldmatrix" else Access.stmatrix
        # The instruction at the corner has the right shape and the right errors; the others repeat it.
        corner = pattern(stages[0], num=num, trans=trans)
        lanes, run = MATRIX_LANES[0] * num, 8 * MATRIX_WIDTH // stages[0].element_bits
        # The lanes without a row of their own repeat the others'.
        rows, cols = (places[np.arange(WARP_LANES) % lanes, None] for places in corner.coordinates)
        along_row = stages[0].order == "row"
        rows, cols = (rows, cols + np.arange(run)) if along_row else (rows + np.arange(run), cols)
        tiler = (1 + int(rows.max()), 1 + int(cols.max()))
        name = f"{kind}.x{num}{'.trans' if trans else ''}"
        return cls._made(stages, rows + tiler[0] * cols, tiler, MATRIX_WIDTH, kind, num, False, name)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        stages = f"{len(self.stages)} stages of " if len(self.stages) > 1 else ""
        steps = -(-self.tile.rows // self.tiler[0]) * -(-self.tile.cols // self.tiler[1])
        return (
            f"{plural(steps, 'step')} of {self.tiler[0]}x{self.tiler[1]} by {plural(self.threads, 'thread')}, "
            f"{self.instruction} on {stages}{self.tile.rows}x{self.tile.cols} {self.tile.dtype}"
        )

    def __repr__(self) -> str:
        return f"<TiledCopy: {self}>"


class _Accesses(Sequence[Access]):
    """The requests of a copy, each made into an Access when it is asked for."""

    def __init__(self, copy: TiledCopy):
        self._copy = copy

    def __len__(self) -> int:
        return len(self._copy)

    @overload
    def __getitem__(self, place: int) -> Access: ...

    @overload
    def __getitem__(self, place: slice) -> list[Access]: ...

    def __getitem__(self, place: int | slice) -> Access | list[Access]:
        if isinstance(place, slice):
            return [self._access(index) for index in range(len(self))[place]]
        return self._access(range(len(self))[place])

    def __iter__(self) -> Iterator[Access]:
        return map(self._access, range(len(self)))

    def _access(self, index: int) -> Access:
        copy = self._copy
        stage = copy.stages[int(copy.requests.places[index, 0])]
        rows, cols = copy.rows[index], copy.cols[index]
        return Access.at(stage, rows, cols, copy.width, copy.kind, copy.where(index))


def _stages(tile) -> tuple[Tile, ...]:
    stages = (tile,) if isinstance(tile, Tile) else tuple(tile) if isinstance(tile, (list, tuple)) else ()
    if not stages or not all(isinstance(stage, Tile) for stage in stages):
        raise TypeError(f"a copy is made on a Tile, or on a list of them, its stages; not on {tile!r}")
    first = stages[0]
    for number, stage in enumerate(stages):
        if (stage.rows, stage.cols, stage.dtype) != (first.rows, first.cols, first.dtype):
            raise ValueError(f"stage {number} is a {stage}, but stage 0 is a {first}: all must have one size and dtype")
    return stages
