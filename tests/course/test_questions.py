"""question() and progress() in Python: what a widget carries, what this kernel remembers."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from swizzle_widgets.course import check, progress, question
from swizzle_widgets.course.progress import forget
from swizzle_widgets.course.registry import everything, known


@pytest.fixture(autouse=True)
def nothing_seen():
    forget()
    yield
    forget()


def line(notebook: str) -> tuple:
    found = next(line for line in progress().lines if line.notebook == notebook)
    return found.seen, found.answered, found.right


@pytest.mark.parametrize("number", ["01.2", "01.4", "02.3", "04.8", "07.1"])
def test_a_widget_carries_the_judges_verdicts(number):
    packed = json.loads(zlib.decompress(base64.b64decode(question(number).verdicts)))
    verdicts = {
        key: (bool(right), *(packed["texts"][place] for place in places))
        for key, (right, *places) in packed["rows"].items()
    }
    assert verdicts == {
        key: (each.right, each.cost, each.hint, each.why) for key, each in known(number).verdicts.items()
    }


def test_who_is_served_when_travels_along():
    packed = json.loads(zlib.decompress(base64.b64decode(question("01.2").verdicts)))
    assert [sorted(map(int, turn)) for turn in packed["served"]] == [list(range(0, 32, 2))] * 2
    assert packed["served"][1]["0"] == [16]
    assert json.loads(zlib.decompress(base64.b64decode(question("03.1").verdicts)))["served"] is None


def test_the_traits_follow_an_answer():
    widget = question("01.2")
    assert (widget.answer, widget.answered, widget.right) == ("", False, False)
    widget.answer = "3"
    assert (widget.answered, widget.right) == (True, False)
    widget.answer = "2"
    assert (widget.answered, widget.right) == (True, True)
    with pytest.raises(ValueError, match=r"answer = 'many' is no answer of this form: wavefronts: a whole number"):
        widget.answer = "many"
    assert widget.answer == "2"


def test_the_sentence_in_its_place_says_the_form_alone():
    assert repr(question("04.2")) == (
        "Question 04.2: Granule and period of Sw<2,3,4> in bytes. Answer with granule: a power of two from 1 to 64; "
        "period: a power of two from 1 to 4096."
    )
    data, _ = question("04.2")._repr_mimebundle_()
    assert data["text/plain"] == repr(question("04.2"))
    assert "image/png" not in data


def test_what_is_built_is_not_asked():
    with pytest.raises(ValueError, match=r'02.5 asks for something to be built: check\("02.5", answer\) judges it'):
        question("02.5")
    with pytest.raises(ValueError, match=r"exercise = .01\.99. is not known"):
        question("01.99")


def test_progress_counts_what_was_seen_answered_and_right(capsys):
    assert line("01") == (0, 0, 0)
    asked = question("01.2")
    check("01.3", None)
    # The answer that a cell comes with is nobody's.
    check("01.6", everything()["01.6"].start)
    assert line("01") == (3, 0, 0)
    asked.answer = "3"
    check("01.3", 2)
    assert line("01") == (3, 2, 0)
    asked.answer = "2"
    # What was right once stays right.
    asked.answer = "3"
    check("01.3", "no number")
    assert line("01") == (3, 2, 1)
    assert line("02") == (0, 0, 0)
    assert repr(progress()).splitlines()[:2] == [
        "notebook  seen  answered  right",
        "01           3         2      1  of 8",
    ]
    assert "<tr><th>01</th><td>3</td><td>2</td><td>1</td><td>8</td></tr>" in progress()._repr_html_()
    assert sum(each.questions for each in progress().lines) == len(everything())
