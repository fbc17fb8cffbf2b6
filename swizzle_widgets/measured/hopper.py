"""How TMA and WGMMA were measured: the tiles, boxes and layouts that the records speak of."""

from __future__ import annotations

from ..model.swizzle import Swizzle

# CUtensorMapSwizzle, in the order of the driver's enumeration.
SWIZZLES = ("none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B")

DUMP_ROWS = 32
DUMP_BASES = (0, 128, 256, 512, 1024)
# The padded tile's rows are the longest.
PADDED_COLS, PADDING = 64, 8
DUMP_WORDS = (DUMP_ROWS * 2 * (PADDED_COLS + PADDING) + max(DUMP_BASES)) // 4

ROW_BYTES = (16, 32, 64, 128, 256)
# A box has at most 256 rows.
BOX_BYTES = 16384
SPEED_LOADS = 2000
# Where the boxes come from: 16 KiB that every multiprocessor wants at once, or 8 MiB (both stay in L2).
SPEED_SHAPES = {"one tile for all": None, "8 MiB, rows of 4 KiB": (2048, 2048)}

# The layouts that operands were stored in.
STORED = (None, Swizzle(1, 4, 3), Swizzle(2, 4, 3), Swizzle(3, 4, 3), Swizzle(3, 3, 3), Swizzle(3, 4, 4))
