"""Maps as CuTe DSL computes them on the CPU. Imported only where CuTe DSL is installed.

No `from __future__ import annotations` here: the decorator reads the annotations as they are.
"""

import cutlass
import numpy as np
from cutlass import cute
from cutlass.cute.runtime import from_dlpack


def swizzled_offsets(swizzles, count: int) -> np.ndarray:
    """Return sw(0), ..., sw(count - 1) of every (B, M, S), int32 of shape (swizzles, count)."""
    maps = np.full((len(swizzles), count), -1, np.int32)
    _write_maps(from_dlpack(maps), swizzles, count)
    return maps


@cute.jit
def _write_maps(maps: cute.Tensor, swizzles: cutlass.Constexpr, count: cutlass.Constexpr):
    for place in cutlass.range_constexpr(len(swizzles)):
        layout = cute.make_composed_layout(cute.make_swizzle(*swizzles[place]), 0, cute.make_layout(count))
        # A loop that runs compiled: evaluating each offset while tracing takes ten times as long.
        for offset in range(count):
            maps[place, offset] = layout(offset)


def composed_tile(swizzle, rows: int, cols: int) -> tuple[str, list[list[int]]]:
    """Return how CuTe prints a swizzled row-major layout, and its offsets as evaluated while tracing."""
    result = []

    @cute.jit
    def evaluate(fields: cutlass.Constexpr):
        plain = cute.make_layout((rows, cols), stride=(cols, 1))
        layout = cute.make_composed_layout(cute.make_swizzle(*fields), 0, plain)
        result.append(str(layout))
        result.append([[cute.crd2idx((row, col), layout) for col in range(cols)] for row in range(rows)])

    evaluate(swizzle)
    return tuple(result)
