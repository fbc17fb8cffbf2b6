"""Whole tiles copied by all threads of a block: what CuTe's TiledCopy did on the GPU, to hold a model's totals against.

The record (`recorded("whole_copies")`) has for each of COPIES, under its name: "places_NAME", uint16 (steps, threads):
the byte of shared memory at which a thread's vector begins; "counted_NAME", int64 (ROUNDS, 3): loads, stores and
conflicts that the pipe counted (COUNTERS' names).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.hardware import WARP_LANES

COUNTED = ("loads", "stores", "conflicts")
ROUNDS = 3


@dataclass(frozen=True)
class WholeCopy:
    """One copy of a whole tile.

    Attributes
    ----------
    name : str
        Of its kernels in whole_copies.cu, behind once_ and places_.
    layout : str
        The tile in shared memory, as CuTe prints it; a swizzle counts elements.
    dtype : str
    kind : str
        "load", "store", "ldmatrix" or "stmatrix".
    width : int
        Bytes of a thread's vector; 16 for ldmatrix and stmatrix.
    threads : int
    rule : str
        How CuTe was told which thread takes what.
    """

    name: str
    layout: str
    dtype: str
    kind: str
    width: int
    threads: int
    rule: str


_SQUARE = "TiledMMA(SM80_16x8x16, warps (2,2), tile 32x32x16)"
_FOUR = "TiledMMA(SM80_16x8x16, warps (4,1), tile 64x16x16)"
_ROWS = "threads (16,8):(8,1), values (1,8)"
_COLUMNS_16 = "threads (64,4):(1,64), values (1,8)"
_COLUMNS_8 = "threads (32,4):(1,32), values (1,2)"
_COLUMNS_4 = "threads (32,8):(1,32), values (1,1)"
_HIGH = {"plain": "(128,64):(64,1)", "padded": "(128,64):(72,1)", "swizzled": "Sw<3,3,3> o 0 o (128,64):(64,1)"}
_SMALL = {"plain": "(64,64):(64,1)", "padded": "(64,64):(72,1)", "swizzled": "Sw<3,3,3> o 0 o (64,64):(64,1)"}
_TURNED = {"plain": "(64,64):(1,64)", "swizzled": "Sw<3,3,3> o 0 o (64,64):(1,64)"}
_FLOATS = "(64,32):(32,1)"

COPIES = (
    WholeCopy("store16_rows_plain", _HIGH["plain"], "f16", "store", 16, 128, _ROWS),
    WholeCopy("store16_columns_plain", _HIGH["plain"], "f16", "store", 16, 256, _COLUMNS_16),
    WholeCopy("store16_columns_swizzled", _HIGH["swizzled"], "f16", "store", 16, 256, _COLUMNS_16),
    WholeCopy("store16_columns_padded", _HIGH["padded"], "f16", "store", 16, 256, _COLUMNS_16),
    WholeCopy("load16_columns_plain", _HIGH["plain"], "f16", "load", 16, 256, _COLUMNS_16),
    WholeCopy("load16_columns_swizzled", _HIGH["swizzled"], "f16", "load", 16, 256, _COLUMNS_16),
    WholeCopy("store4_columns_plain", _FLOATS, "f32", "store", 4, 256, _COLUMNS_4),
    WholeCopy("store4_columns_swizzled", f"Sw<5,0,5> o 0 o {_FLOATS}", "f32", "store", 4, 256, _COLUMNS_4),
    WholeCopy("load4_columns_padded", "(64,32):(33,1)", "f32", "load", 4, 256, _COLUMNS_4),
    WholeCopy("load8_columns_plain", _FLOATS, "f32", "load", 8, 128, _COLUMNS_8),
    WholeCopy("load8_columns_swizzled", f"Sw<4,1,4> o 0 o {_FLOATS}", "f32", "load", 8, 128, _COLUMNS_8),
    WholeCopy("load8_columns_padded", "(64,32):(34,1)", "f32", "load", 8, 128, _COLUMNS_8),
    WholeCopy("ldmatrix_a_plain", _SMALL["plain"], "f16", "ldmatrix", 16, 128, f"A of {_SQUARE}"),
    WholeCopy("ldmatrix_a_swizzled", _SMALL["swizzled"], "f16", "ldmatrix", 16, 128, f"A of {_SQUARE}"),
    WholeCopy("ldmatrix_a_padded", _SMALL["padded"], "f16", "ldmatrix", 16, 128, f"A of {_FOUR}"),
    WholeCopy("ldmatrix_b_turned_plain", _TURNED["plain"], "f16", "ldmatrix", 16, 128, f"B of {_FOUR}, .trans"),
    WholeCopy("ldmatrix_b_turned_swizzled", _TURNED["swizzled"], "f16", "ldmatrix", 16, 128, f"B of {_FOUR}, .trans"),
    WholeCopy("epilogue4_plain", _SMALL["plain"], "f16", "store", 4, 128, f"C of {_FOUR}"),
    WholeCopy("epilogue4_swizzled", _SMALL["swizzled"], "f16", "store", 4, 128, f"C of {_FOUR}"),
    WholeCopy("epilogue4_padded", _SMALL["padded"], "f16", "store", 4, 128, f"C of {_SQUARE}"),
    WholeCopy("epilogue8_plain", _FLOATS, "f32", "store", 8, 128, f"C of {_FOUR}"),
    WholeCopy("epilogue8_swizzled", f"Sw<2,3,2> o 0 o {_FLOATS}", "f32", "store", 8, 128, f"C of {_FOUR}"),
    WholeCopy("epilogue8_padded", "(64,32):(40,1)", "f32", "store", 8, 128, f"C of {_FOUR}"),
    WholeCopy("stmatrix_plain", _SMALL["plain"], "f16", "stmatrix", 16, 128, f"C of {_FOUR}"),
    WholeCopy("stmatrix_swizzled", _SMALL["swizzled"], "f16", "stmatrix", 16, 128, f"C of {_FOUR}"),
    WholeCopy("after_stmatrix_plain", _SMALL["plain"], "f16", "load", 16, 128, _ROWS),
    WholeCopy("after_stmatrix_swizzled", _SMALL["swizzled"], "f16", "load", 16, 128, _ROWS),
)


def addresses(found: dict[str, Any], copy: WholeCopy) -> np.ndarray:
    """Return the byte addresses of every request of a copy, int64 (requests, 32): step by step, warp by warp."""
    return found[f"places_{copy.name}"].astype(np.int64).reshape(-1, WARP_LANES)
