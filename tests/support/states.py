"""States of the widgets at random: legal, illegal, and nothing that a trait should hold."""

from __future__ import annotations

import contextlib
import random

from swizzle_widgets import (
    Access,
    BankHeatmap,
    BitDiagram,
    ColumnRead,
    Swizzle,
    SwizzleLab,
    SwizzleRanking,
    Tile,
    best_swizzles,
)
from tests.support.live import traits
from tests.support.random_cases import random_spec, random_swizzle, random_tile

HOSTILE = "<img src=x onerror=\"throw Error('run')\">"
JUNK = [
    None, True, False, float("nan"), float("inf"), -1, 0, 1, 0.5, 3, 200, 2**31, 2**53, 1e308, "", "3", "byte", HOSTILE,
    [], [1], [[1]], [None], {}, {"pattern": "column"}, {"pattern": "toString"}, {"rows": 1},
]  # fmt: skip
START = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
RANKING = best_swizzles(START.with_swizzle(None), [Access.column(START.with_swizzle(None))])
WIDGETS = {
    "BankHeatmap": lambda: BankHeatmap(START),
    "BitDiagram": lambda: BitDiagram(START),
    "ColumnRead": lambda: ColumnRead(START),
    "SwizzleLab": lambda: SwizzleLab(START),
    "SwizzleRanking": lambda: SwizzleRanking(RANKING),
}


def next_change(rng: random.Random, widget) -> dict:
    """Some traits and their new values: a legal state, or anything."""
    names = sorted(name for name in traits(widget) if name != "playing")
    if rng.random() < 0.5:
        return legal_change(rng, widget)
    name = rng.choice(names)
    old = getattr(widget, name)
    if isinstance(old, dict) and rng.random() < 0.6:
        return {name: spoiled(rng, old)}
    if name == "variants" and rng.random() < 0.7:
        return {name: [spoiled(rng, item) for item in old[:1]]}
    return {name: rng.choice(JUNK)}


def legal_change(rng: random.Random, widget) -> dict:
    """Another tile with an access that fits it, or another swizzle on the same one; the swizzle may not fit."""
    fields, unit = random_swizzle(rng)
    fields, unit = fields or [0, 4, 3], unit if unit in ("byte", "element") else "byte"
    change = dict(zip(("bits", "base", "shift"), fields), unit=unit)
    # A ranking belongs to its tile.
    if rng.random() < 0.7 and not widget.has_trait("ways"):
        fresh = legal_widget(rng)
        change |= {name: value for name, value in fresh.get_state().items() if name in ("tile", "access", "variants")}
    change |= {"step": rng.choice((0, 1, 2, 99)), "speed": rng.choice((0.5, 2)), "loop": rng.random() < 0.5}
    change["offset"] = rng.choice((0, 5, 77, 100_000))
    return {name: value for name, value in change.items() if widget.has_trait(name)}


def legal_widget(rng: random.Random) -> ColumnRead:
    """A widget on a tile whose cells are quickly compared, with an access that fits."""
    while True:
        tile = random_tile(rng)
        if tile.rows * tile.cols <= 4096:
            with contextlib.suppress(ValueError):
                return ColumnRead(tile, random_spec(rng, tile))


def spoiled(rng: random.Random, record: dict) -> dict:
    """A copy with one part exchanged, added or missing."""
    # `layout` and `order` follow from the modes: Python writes them, and nobody else has reason to.
    record, keys = dict(record), [key for key in record if key not in ("layout", "order")]
    key = rng.choice(keys)
    action = rng.random()
    if action < 0.2:
        del record[key]
    elif action < 0.3 and "pattern" in record:
        record[HOSTILE] = 1
    else:
        record[key] = rng.choice(JUNK)
    return record
