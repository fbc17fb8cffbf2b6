"""Question in a browser: keys alone, what a screen reader hears, both themes, a phone's width; nothing given away."""

from __future__ import annotations

import pytest

from swizzle_widgets.course import question
from swizzle_widgets.course.folding import fold, folded
from swizzle_widgets.course.registry import known
from tests.support.axe import violations
from tests.support.lab import executed_notebook
from tests.support.live import LivePage

pytestmark = pytest.mark.browser

# A number, a pair, a choice, a choice of several, a swizzle, a pair with a choice.
KINDS = ("01.2", "01.4", "02.3", "07.1", "04.6", "07.3")


@pytest.fixture(scope="module")
def live(browser):
    page = browser.new_page(viewport={"width": 800, "height": 900})
    live = LivePage(page)
    yield live
    page.close()
    assert not live.problems


def state(live) -> tuple:
    return live.get("answer"), live.get("answered"), live.get("right")


def said(live) -> str:
    return live.page.locator(".swz-said").inner_text()


def test_keys_alone(live):
    live.show(question("01.2"))
    page, feedback = live.page, known("01.2").verdicts
    page.keyboard.press("Tab")
    page.keyboard.type("0x3")
    page.keyboard.press("Enter")
    page.wait_for_function("models[0].get('answered')")
    assert state(live) == ("3", True, False)
    page.locator(".swz-said", has_text="Not yet.").wait_for()
    assert said(live) == f"Not yet. {feedback['3'].cost}"
    assert page.locator("[aria-live]").inner_text() == said(live)
    # From the field over the button to the hint and to the reason.
    for name in ("Answer", "Hint", "Reason"):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == name
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert page.locator("[aria-live]").inner_text() == f"Hint: {feedback['3'].hint}"
    page.locator(".swz-ask input").fill("2")
    page.locator(".swz-ask input").press("Enter")
    page.locator(".swz-said", has_text="Right.").wait_for()
    assert state(live) == ("2", True, True)
    assert page.locator(".swz-why").inner_text() == f"Why: {feedback['2'].why}"
    assert page.locator("[aria-live]").inner_text().endswith(feedback["2"].why)
    assert page.locator(".swz-hint").is_hidden()


@pytest.mark.parametrize("number", KINDS)
def test_nothing_is_given_away_before_the_answer(live, number):
    shown = question(number)
    live.show(shown)
    page, text = live.page.content(), live.page.locator("body").inner_text()
    for feedback in known(number).verdicts.values():
        for secret in (feedback.cost, feedback.hint, feedback.why):
            assert secret not in page
            assert secret not in repr(shown)
            assert secret not in shown.verdicts
    assert live.page.locator(".swz-more button:visible").count() == 0
    assert "Right" not in text


@pytest.mark.parametrize(
    ("number", "typed", "key"),
    [
        ("01.4", ("(4", "0"), None), ("01.4", ("4", "0"), "4;0"), ("04.6", ("Sw<4,2,6>",), "4,2,6"),
        ("04.6", ("4 2 2",), "4,2,2"), ("04.1", ("0x350",), "848"), ("01.2", ("eight",), None), ("01.2", ("",), None),
        ("01.2", ("129",), None), ("01.2", (" 8.0 ",), "8"), ("04.2", ("8", "500"), None),
    ],
)  # fmt: skip
def test_what_is_typed_is_read_or_told_how_it_must_look(live, number, typed, key):
    live.show(question(number))
    for index, text in enumerate(typed):
        live.page.locator(".swz-ask input").nth(index).fill(text)
    live.page.locator(".swz-ask input").last.press("Enter")
    live.page.locator(".swz-said:not(:empty)").wait_for()
    if key is None:
        assert state(live) == ("", False, False)
        assert "is asked for." in said(live)
        return
    verdict = known(number).verdicts[key]
    assert state(live) == (key, True, verdict.right)
    assert said(live) == f"{'Right' if verdict.right else 'Not yet'}. {verdict.cost}"


@pytest.mark.parametrize(
    ("number", "answer", "rows", "waits", "text"),
    [
        ("01.2", "1", 1, 16, "After 1 wavefront lanes 16 to 31 still wait, at the marked banks."),
        ("01.2", "2", 2, 0, "After 2 wavefronts every lane has its words."),
        ("01.4", "1;0", 1, 32, "After 1 wavefront lanes 8 to 31 still wait, at the marked banks."),
        ("02.4", "16", 16, 4, "After 16 wavefronts lanes 16 to 31 still wait, at the marked banks."),
        # The right number is not to be counted off the picture of a guess beyond it.
        ("01.2", "5", None, None, None),
        ("03.1", "5", None, None, None),
    ],
)
def test_the_answer_is_played_against_the_machine(live, number, answer, rows, waits, text):
    live.show(question(number))
    live.set(answer=answer)
    live.page.locator(".swz-said:not(:empty)").wait_for()
    picture = live.page.locator(".swz-played")
    if rows is None:
        assert picture.count() == 0
        return
    served = known(number).verdicts[answer].report.served
    assert live.page.locator(".swz-waits").count() == waits
    drawn = live.page.locator(".swz-played-row").evaluate_all(
        "rows => rows.map((row) => [...row.querySelectorAll('i')].map((cell) => Boolean(cell.style.background)))"
    )[1 : 1 + rows]
    assert drawn == [[bank in turn for bank in range(32)] for turn in served[:rows]]
    assert live.page.locator(".swz-detail").inner_text() == text


def test_choices(live):
    live.show(question("07.1"))
    page = live.page
    for letter in "DA":
        page.get_by_role("checkbox", name=letter, exact=False).and_(page.locator(f"[value={letter}]")).check()
    page.keyboard.press("Enter")
    page.locator(".swz-said", has_text="Right.").wait_for()
    assert state(live) == ("A,D", True, True)
    live.show(question("02.3"))
    page.get_by_role("button", name="Answer").click()
    assert said(live).startswith("Nothing answered yet.")
    page.get_by_text("it works and takes more wavefronts").click()
    page.get_by_role("button", name="Answer").click()
    page.locator(".swz-said", has_text="Not yet.").wait_for()
    assert state(live) == ("b", True, False)


def test_the_reason_on_request_counts_as_an_answer_seen(live):
    live.show(question("01.1"))
    live.set(answer="3")
    live.page.locator(".swz-said", has_text="Not yet.").wait_for()
    # A page that remembers, or another view, fills the form.
    assert live.page.locator(".swz-ask input").input_value() == "3"
    live.page.get_by_role("button", name="Reason").click()
    assert live.get("answered")
    assert live.page.locator(".swz-why").inner_text() == f"Why: {known('01.1').verdicts['3'].why}"
    # Another answer closes what was revealed of the last one.
    live.set(answer="4")
    live.page.wait_for_function("document.querySelector('.swz-why').hidden")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800])
def test_axe_finds_nothing_at_any_width(live, theme, width):
    live.page.set_viewport_size({"width": width, "height": 900})
    live.show(*map(question, KINDS), theme=theme)
    live.set(answer="3")
    live.page.locator(".swz-said", has_text="Not yet.").wait_for()
    live.page.get_by_role("button", name="Hint").click()
    assert violations(live.page, theme) == []
    assert live.page.evaluate("document.documentElement.scrollWidth") <= width
    live.page.set_viewport_size({"width": 800, "height": 900})


ASKS = """
from swizzle_widgets.course import progress, question
w = question("01.2")
w
"""


def test_answers_reach_the_kernel_and_need_none(cell, lab_server):
    cell.python("from swizzle_widgets.course.progress import forget; forget()")
    cell.show(ASKS)
    box = cell.page.locator(".swz-ask input")
    cell.keep_busy()
    box.fill("3")
    box.press("Enter")
    cell.page.locator(".swz-said", has_text="Not yet.").wait_for()
    cell.release(lab_server.root)
    cell.become("(w.answer, w.answered, w.right)", ["3", True, False])
    # Letters are no shortcuts of the notebook here, and Enter does not edit the cell.
    box.fill("2")
    box.press("Enter")
    cell.become("(w.answer, w.right)", ["2", True])
    cell.become("[(l.seen, l.answered, l.right) for l in progress().lines if l.notebook == '01']", [[1, 1, 1]])
    cell.python("w.answer = '3'")
    cell.page.locator(".swz-said", has_text="Not yet.").wait_for()
    assert "is no answer of this form" in cell.python("w.answer = 'many'")


HIDDEN = "window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.outputHidden)"


def test_running_a_cell_unfolds_it(lab_server, open_beside):
    import nbformat

    notebook = executed_notebook(ASKS, "from swizzle_widgets import ColumnRead, Tile\nColumnRead(Tile(8, 32, 'f32'))")
    notebook.metadata.pop("widgets")
    assert fold(notebook)
    assert [folded(each) for each in notebook.cells] == [False, True]
    nbformat.write(notebook, lab_server.root / "folded.ipynb")
    lab = open_beside("folded.ipynb")
    page = lab.page
    assert page.evaluate(HIDDEN) == [False, True]
    # The placeholder shows the first line of the output, which tells no result.
    placeholder = page.locator(".jp-OutputPlaceholder")
    assert "column 0" in placeholder.inner_text()
    assert "wavefront" not in placeholder.inner_text()
    lab.run()
    page.wait_for_function(f"() => {HIDDEN}.every((hidden) => !hidden)")
    page.locator(".swz-play").wait_for()
