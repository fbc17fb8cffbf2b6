"""Exercises that build something, as a page has them: a lab to be set, the goal above it, the verdicts."""

from __future__ import annotations

from typing import Any

from .. import BankHeatmap, SwizzleLab
from ..course.goals import Goal
from ..course.registry import known
from ..model.access import Access
from ..model.tile import Tile
from ..widgets.question import pack, packed
from ..widgets.wire import tile_spec

VIEW = "Goal"
# Traits of every ipywidget, which only its host needs.
HOST = ("layout", "tabbable", "tooltip")


def page_traits(state: dict[str, Any]) -> dict[str, Any]:
    """Return what a page needs of a widget's state, as `get_state` gives it."""
    return {name: value for name, value in state.items() if not name.startswith("_") and name not in HOST}


def goal_state(number: str) -> dict[str, Any] | None:
    """Return the state of the goal of a built exercise, None where there is none.

    Beside the traits of its SwizzleLab (its BankHeatmap, where no swizzle is set) it has the exercise's number and what
    it asks for, the menus, what each combination of their choices changes of the lab (packed), and the verdicts on
    every state (packed, as those of a Question).
    """
    exercise = known(number)
    goal = exercise.goal
    if goal is None:
        return None
    starts = goal.starts()
    changes = [_changed(goal, made) for made in starts]
    verdicts = {key: (each.right, each.cost, each.hint, each.why) for key, each in exercise.verdicts.items()}
    return {
        **_lab(goal, *goal.shown(starts[0])), **changes[0], "number": number, "asks": exercise.asks,
        "says": goal.says, "choice": 0,
        "menus": [[name, list(map(str, choices))] for name, choices in goal.menus.items()],
        "starts": packed([_different(change, changes[0]) for change in changes]),
        "verdicts": pack(verdicts), "answer": "", "answered": False, "right": False,
    }  # fmt: skip


def _lab(goal: Goal, tile: Tile, access: Access) -> dict[str, Any]:
    """The traits of the picture: without a swizzle to set there is nothing to compare, and the menus are all."""
    if goal.swizzle:
        widget = SwizzleLab(tile, access, controls=["swizzle", "unit", "access", "playback"])
    else:
        widget = BankHeatmap(tile, access, controls=[])
    state = page_traits(widget.get_state())
    widget.close()
    return state


def _changed(goal: Goal, made: Tile | Access) -> dict[str, Any]:
    """What a combination of choices makes of the lab."""
    tile, access = goal.shown(made)
    spec = tile_spec(tile)
    beside = {"variants": [{"label": "no swizzle", "tile": spec, "swizzle": None}]} if goal.swizzle else {}
    return {"tile": spec, "access": access.spec, **beside}


def _different(change: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in change.items() if value != first[name]}
