"""Atomics on shared memory: the requests that were tried, and what they are made of."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..model.hardware import BANKS, LINE_BYTES, WARP_LANES, WORD_BYTES
from .counters import ATOMIC_COUNTERS
from .survey import Draw

# PTX's names; exch and cas move bits, so u32 and f32 are one.
OPERATIONS = (
    "red.add.u32", "red.max.u32", "atom.add.u32", "atom.exch.b32", "atom.cas.b32", "red.add.f32", "atom.add.f32",
)  # fmt: skip
COUNTED = tuple(ATOMIC_COUNTERS)
ROUNDS = 5
# Each warp has so many bytes to itself.
SPAN_BYTES = 4096
SEED = 2029
_RANDOM = 40


@cache
def requests() -> tuple[np.ndarray, np.ndarray]:
    """Return byte addresses, int32 (n, 32), and active lanes, bool (n, 32); the same for every operation.

    Words, banks and lanes per word vary separately: 1 to 32 distinct words, as many of them in one bank as divide
    that, taken by lanes in turn, in runs, or nearly all by one word; then words at random, and some lanes asleep.
    """
    lane, draw = np.arange(WARP_LANES), Draw(SEED)
    found = []
    for words in (1, 2, 4, 8, 16, 32):
        for deep in (1, 2, 4, 8, 16, 32):
            if deep <= words:
                for chosen in (lane % words, lane * words // WARP_LANES, np.maximum(lane - (WARP_LANES - words), 0)):
                    found.append(chosen % deep * LINE_BYTES + chosen // deep * WORD_BYTES)
    found = list(np.unique(found, axis=0))
    lines, banks = (1 + draw.below(WARP_LANES, (2 * _RANDOM, 1)) for _ in range(2))
    line, bank = (draw.below(limit, (2 * _RANDOM, WARP_LANES)) for limit in (lines, banks))
    addresses = np.concatenate([found, line * LINE_BYTES + bank % BANKS * WORD_BYTES]).astype(np.int32)
    active = np.ones(addresses.shape, bool)
    active[-_RANDOM:] = draw.below(8, (_RANDOM, WARP_LANES)) < 1 + draw.below(8, (_RANDOM, 1))
    active[~active.any(axis=1), 0] = True
    return addresses, active
