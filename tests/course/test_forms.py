"""The forms of an answer: Python and the browser read the same texts as the same answers."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from py_mini_racer import MiniRacer

from swizzle_widgets.course.forms import Choice, Number, SwizzleNumbers
from swizzle_widgets.course.registry import everything
from swizzle_widgets.widgets.generated import ROOM

FORMS = [
    Number("bank", 0, 255),
    Number("saved", -16, 112),
    Number("period", 1, 4096, powers=True),
    SwizzleNumbers("bytes"),
]


@pytest.fixture(scope="module")
def browser_key():
    """What the browser's reading makes of a text: a key, or None."""
    text = (ROOM / "js" / "question" / "answers.js").read_text(encoding="utf-8")
    key = "function key(spec, text) { return JSON.stringify(readField(JSON.parse(spec), JSON.parse(text))); }"
    with MiniRacer() as engine:
        engine.eval(re.sub(r"^export ", "", text, flags=re.MULTILINE))
        engine.eval(key)
        yield lambda form, value: json.loads(engine.call("key", json.dumps(form.spec), json.dumps(value)))


def python_key(form, text: str) -> str | None:
    try:
        return form.key(form.read(text))
    except ValueError:
        return None


SWIZZLES = ["{},{},{}", "Sw<{},{},{}>", "({}, {}, {})", "{} {} {}", "Swizzle<{}, {},{}>{{}}"]
SPELLINGS = st.one_of(
    st.integers(-300, 5000).map(str),
    st.integers(0, 5000).map(hex),
    st.integers(0, 5000).map(bin),
    st.integers(-20, 300).map(lambda number: f" {number}.0 "),
    st.tuples(*[st.integers(-9, 9)] * 3).flatmap(
        lambda numbers: st.sampled_from(SWIZZLES).map(lambda text: text.format(*numbers))
    ),
    st.text("0123456789abxXSw<>(), .+-_{}", max_size=14),
    st.text(max_size=6),
)  # fmt: skip


@settings(max_examples=500)
@given(text=SPELLINGS)
@example(text="S<3,4,3>")
@example(text="٣")
@example(text="3\u00a0")
@example(text="3,4,-0")
@example(text="-0")
@example(text="1_0")
@example(text="0x")
def test_a_text_is_one_answer_on_both_sides(browser_key, text):
    for form in FORMS:
        assert browser_key(form, text) == python_key(form, text), form


def test_a_choice_is_one_answer_on_both_sides(browser_key):
    for form in (Choice({"a": "", "b": ""}), Choice(dict.fromkeys("ABCD", ""), several=True)):
        for value in form.values():
            chosen = list(value) if form.several else [value]
            assert (
                browser_key(form, chosen[::-1])
                == form.key(form.read(chosen if form.several else value))
                == form.key(value)
            )
    assert browser_key(Choice({"a": "", "b": ""}), []) is None


@pytest.mark.parametrize("number", [number for number, each in everything().items() if each.form])
def test_every_question_has_a_right_answer_and_a_wrong_one(number):
    verdicts = everything()[number].verdicts
    assert {feedback.right for feedback in verdicts.values()} == {True, False}
    # One hint and one reason a question: what is said on request depends on no answer.
    assert len({(feedback.hint, feedback.why) for feedback in verdicts.values()}) == 1


def test_the_verdicts_stay_small():
    from swizzle_widgets.course import question

    sizes = {number: len(question(number).verdicts) for number, each in everything().items() if each.form}
    assert max(sizes.values()) < 60_000, sizes
    assert sum(sizes.values()) < 600_000
