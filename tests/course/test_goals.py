"""Goals: what a page lets its reader set is what Python judges, state by state, and no other."""

from __future__ import annotations

import base64
import json
import random
import zlib

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile
from swizzle_widgets.course import check
from swizzle_widgets.course.registry import everything
from swizzle_widgets.site.goals import goal_state
from swizzle_widgets.widgets.wire import spec_tile
from tests.support.engine import Engine

BUILT = [number for number, exercise in everything().items() if exercise.form is None]
# How many wrong states of each goal are built anew from what the page shows, and judged.
SAMPLE = 12


@pytest.fixture(scope="module")
def engine():
    made = Engine("goals.js")
    yield made
    made.close()


def unpacked(text: str):
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_every_exercise_that_is_built_has_a_goal_and_no_other():
    assert {number for number, exercise in everything().items() if exercise.goal} == set(BUILT)
    assert goal_state("01.2") is None


@pytest.mark.parametrize("number", BUILT)
def test_a_goal_begins_unreached_where_the_notebook_does_and_can_be_reached(number):
    exercise = everything()[number]
    start = exercise.goal.starts()[0]
    assert not exercise.feedback(start).right
    if isinstance(exercise.start, (Tile, Access)):
        assert start == exercise.start
    assert any(each.right for each in exercise.verdicts.values())
    # Whatever is set, there are words for it, a hint and a reason.
    assert all(each.cost and each.hint and each.why for each in exercise.verdicts.values())


@pytest.mark.parametrize("number", BUILT)
def test_the_page_reaches_what_python_judges_and_judges_alike(engine, number, capsys):
    exercise, state = everything()[number], goal_state(number)
    starts, verdicts = unpacked(state["starts"]), unpacked(state["verdicts"])
    found = {key: rest for key, *rest in engine.answer("reached", {"state": state, "starts": starts})}
    assert set(found) == set(verdicts["rows"])
    right = [key for key, row in verdicts["rows"].items() if row[0]]
    wrong = [key for key, row in verdicts["rows"].items() if not row[0]]
    some = random.Random(number).sample(wrong, min(SAMPLE, len(wrong)))
    for key in [*right[:SAMPLE], *some]:
        addresses, lanes = found[key]
        answer = shown_as({**state, **starts[int(key.partition(";")[0])]}, key, exercise.goal)
        tile = answer.tile if isinstance(answer, Access) else answer
        rows = np.arange(tile.rows)
        assert tile.addresses[rows, rows * 7 % tile.cols].tolist() == addresses
        assert not isinstance(answer, Access) or list(answer.starts) == lanes
        check(number, answer)
        said = capsys.readouterr().out.splitlines()[0]
        reached, *words = verdicts["rows"][key]
        assert said.startswith(f"{number}: right. ") == bool(reached), key
        assert said.endswith(verdicts["texts"][words[0]])


def shown_as(traits: dict, key: str, goal) -> Tile | Access:
    """The object that a page's traits show, made anew from the wire."""
    tile = spec_tile(traits["tile"])
    shown = [traits[name] for name in ("bits", "base", "shift", "unit")]
    *fields, unit = key.partition(";")[2].split(",") if goal.swizzle else shown
    if goal.swizzle or traits["bits"]:
        tile = tile.with_swizzle(Swizzle(*map(int, fields)), unit)
    return tile if isinstance(goal.starts()[0], Tile) else Access.from_spec(tile, traits["access"])


def test_one_goal_by_hand():
    """05.7: in elements of two bytes M is one less, and nothing else is right."""
    verdicts = everything()["05.7"].verdicts
    assert [key for key, each in verdicts.items() if each.right] == ["0;2,3,3,element"]
    assert verdicts["0;2,4,3,byte"].cost.startswith("A swizzle that counts elements")
    assert "0;4,3,3,element" not in verdicts
