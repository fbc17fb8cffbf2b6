"""How TMA and WGMMA were measured: the tiles, boxes and layouts that the records speak of."""

from __future__ import annotations

from dataclasses import dataclass

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
SPEED_ROUNDS = 5
# The matrix that the boxes come from has rows of so many bytes.
SPEED_PITCH = 512


@dataclass(frozen=True)
class Traffic:
    """Who loads by TMA at once, and what.

    Attributes
    ----------
    name : str
    everyone : bool
        All multiprocessors, or one alone.
    bytes : int or None
        What each walks over, again and again; None for one box.
    own : bool
        Whether each has bytes of its own; else all walk over the same, at the same time.
    """

    name: str
    everyone: bool
    bytes: int | None
    own: bool


TRAFFIC = (
    Traffic("one alone, 128 KiB in L2", False, 128 * 1024, True),
    Traffic("one alone, 32 MiB", False, 32 * 1024 * 1024, True),
    Traffic("all, one box for all", True, None, False),
    Traffic("all, the same 128 KiB", True, 128 * 1024, False),
    Traffic("all, 128 KiB each, in L2", True, 128 * 1024, True),
    Traffic("all, 32 MiB each, from memory", True, 32 * 1024 * 1024, True),
)

# Descriptors at random, 16 to 1024 bytes between core matrices: whether any makes operand reads collide.
DESCRIPTORS = 24
READ_ROUNDS = 5
# Results that an instruction has in a row (the N of m64nNk16) and whose operand reads were counted.
WIDTHS = (64, 8)

# The layouts that operands were stored in.
STORED = (None, Swizzle(1, 4, 3), Swizzle(2, 4, 3), Swizzle(3, 4, 3), Swizzle(3, 3, 3), Swizzle(3, 4, 4))
