"""Goals: what a page lets its reader set is what Python judges, state by state, and no other."""

from __future__ import annotations

import base64
import json
import random
import zlib
from functools import cache

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile
from swizzle_widgets.course import check
from swizzle_widgets.course.registry import everything
from swizzle_widgets.site.goals import goal_state
from swizzle_widgets.widgets.wire import spec_tile
from tests.support.engine import Engine

BUILT = [number for number, exercise in everything().items() if exercise.form is None]
# A state that reaches each goal.
REACHED = {
    "01.6": "298", "02.5": "4", "02.7": "128", "03.6": "143", "05.7": "0;2,3,3,element", "05.8": "0;3,4,4,element",
    "06.7": "0;5,2,6,byte", "07.6": "0;1,4,3,byte", "08.3": "0;3,4,5,byte", "09.13": "0;1,2,-1,byte",
    "09.14": "2;3,3,3,element", "10.6": "5", "10.8": "1;3,4,3,byte", "11.3": "1;4,3,5,byte",
}  # fmt: skip
# How many other states of each goal are judged, and built anew from what the page shows; a release judges all.
SAMPLE = 12
some_or_all = pytest.mark.parametrize("count", [SAMPLE, pytest.param(None, marks=pytest.mark.release)])


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


@cache
def states_of(number: str) -> dict[str, Tile | Access]:
    return dict(everything()[number].goal.states())


def sampled(number: str, count: int | None) -> dict[str, Tile | Access]:
    """States of a goal by their keys: the one that reaches it, the first, and `count` others; all for None."""
    states = states_of(number)
    others = [key for key in states if key != REACHED[number]]
    chosen = others if count is None else {others[0], *random.Random(number).sample(others, min(count, len(others)))}
    return {key: states[key] for key in (REACHED[number], *chosen)}


@some_or_all
@pytest.mark.parametrize("number", BUILT)
def test_a_goal_begins_unreached_where_the_notebook_does_and_can_be_reached(number, count):
    exercise = everything()[number]
    start = exercise.goal.starts()[0]
    assert not exercise.feedback(start).right
    if isinstance(exercise.start, (Tile, Access)):
        assert start == exercise.start
    verdicts = exercise.on_states(sampled(number, count).items())
    assert verdicts[REACHED[number]].right
    # Whatever is set, there are words for it, a hint and a reason.
    assert all(each.cost and each.hint and each.why for each in verdicts.values())


@some_or_all
@pytest.mark.parametrize("number", BUILT)
def test_the_page_reaches_what_python_judges_and_judges_alike(engine, number, count, monkeypatch, capsys):
    exercise, chosen = everything()[number], sampled(number, count)
    if count is not None:
        monkeypatch.setitem(vars(exercise), "verdicts", exercise.on_states(chosen.items()))
    state = goal_state(number)
    starts, verdicts = unpacked(state["starts"]), unpacked(state["verdicts"])
    asked = {"state": state, "starts": starts, "looked": list(chosen)}
    found = {key: rest for key, *rest in engine.answer("reached", asked)}
    assert set(found) == set(states_of(number))
    assert set(verdicts["rows"]) == set(chosen)
    for key in chosen:
        addresses, lanes = found[key]
        answer = shown_as({**state, **starts[int(key.partition(";")[0])]}, key, type(chosen[key]))
        tile = answer.tile if isinstance(answer, Access) else answer
        rows = np.arange(tile.rows)
        assert tile.addresses[rows, rows * 7 % tile.cols].tolist() == addresses
        assert not isinstance(answer, Access) or list(answer.starts) == lanes
        check(number, answer)
        said = capsys.readouterr().out.splitlines()[0]
        reached, *words = verdicts["rows"][key]
        assert said.startswith(f"{number}: right. ") == bool(reached), key
        assert said.endswith(verdicts["texts"][words[0]])


def shown_as(traits: dict, key: str, kind: type) -> Tile | Access:
    """The object that a page's traits show, made anew from the wire."""
    tile = spec_tile(traits["tile"])
    shown = [traits[name] for name in ("bits", "base", "shift", "unit")]
    *fields, unit = key.partition(";")[2].split(",") if ";" in key else shown
    if ";" in key or traits["bits"]:
        tile = tile.with_swizzle(Swizzle(*map(int, fields)), unit)
    return tile if kind is Tile else Access.from_spec(tile, traits["access"])


def test_one_goal_by_hand():
    """05.7: in elements of two bytes M is one less, and nothing else is right."""
    verdicts = everything()["05.7"].verdicts
    assert [key for key, each in verdicts.items() if each.right] == ["0;2,3,3,element"]
    assert verdicts["0;2,4,3,byte"].cost.startswith("A swizzle that counts elements")
    assert "0;4,3,3,element" not in verdicts
