"""The static site: every widget alive over http and from a disk, and not one request to anywhere else."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from swizzle_widgets import Access, Swizzle, Tile, TiledCopy, bank_report, site, widgets
from swizzle_widgets.site.text import markdown
from tests.support.lab import code_notebook

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
COURSE = ROOT / "notebooks"

SETUP = """from swizzle_widgets import *
from swizzle_widgets.widgets import *
from swizzle_widgets.course import check, question
t = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")"""

# How each widget is made here; a new one must be added.
MAKE = {
    "BankHeatmap": "BankHeatmap(t)",
    "BitDiagram": "BitDiagram(t, row=5)",
    "ColumnRead": "ColumnRead(t)",
    "SwizzleLab": "SwizzleLab(t)",
    "SwizzleRanking": "SwizzleRanking(best_swizzles(t, [Access.column(t, 0)]))",
}

OPENING = """# 02 · All widgets <and more>

See [notebook 01](01_thirty_two_banks.ipynb#To-take-away) first. Row $r$ & column $c$ go to slot $c \\oplus r$.

$$\\text{bank} = \\lfloor a / 4 \\rfloor \\bmod 32$$

In code nothing is a formula: `$x$`, and [this](02_all_widgets.ipynb) is a link."""


def write_notebook(path: Path, opening: str, *sources: str) -> None:
    nbformat.write(code_notebook(*sources, opening=opening), path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A site of two notebooks, the first of the course and one with every widget, written by the documented command."""
    notebooks, out = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("site")
    shutil.copy(COURSE / "01_thirty_two_banks.ipynb", notebooks)
    views = ["w = BankHeatmap(t); w", "w", "import ipywidgets\nipywidgets.VBox([BitDiagram(t, row=5)])"]
    asked = ['question("01.2")', 'print("the answer")', "BankHeatmap(t)"]
    built = 'answer = None\ncheck("02.6", answer)'
    goal = 'answer = Tile(64, 32, "f16", swizzle=Swizzle(2, 4, 3), unit="element")\ncheck("05.7", answer)'
    write_notebook(notebooks / "02_all_widgets.ipynb", OPENING, SETUP, *MAKE.values(), *views, *asked, built, goal)
    command = [sys.executable, "-m", "swizzle_widgets.site", str(notebooks), str(out), "--binder", "someone/course/v1"]
    subprocess.run(command, check=True, timeout=300)
    return out


# A disk is the stricter home: a page may load nothing beside it. A server's pages have another storage, other links and
# another origin; what depends on these is seen in both homes, the rest over http before a release.
everywhere = pytest.mark.parametrize("address", ["file", "http"], indirect=True, scope="module")


@pytest.fixture(scope="module", params=["file", pytest.param("http", marks=pytest.mark.release)])
def address(request, folder):
    """Where the site is: on a server, or on a disk."""
    if request.param == "file":
        yield folder.as_uri()
        return
    handler = functools.partial(QuietHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def visit(browser, address):
    """Return a function that opens a page of the site, or an empty one. No other place is asked, and nothing fails."""
    contexts, outside, problems = [], [], []

    def open_page(name: str | None, **options):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        contexts.append(context)
        context.on("request", lambda request: outside.append(request.url) if not is_own(request.url) else None)
        context.route(re.compile("^(?!file:|http://127.0.0.1)"), lambda route: route.abort())
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        if name is not None:
            page.goto(f"{address}/{name}.html")
        return page

    def is_own(url: str) -> bool:
        return url.startswith((f"{address}/", "data:"))

    open_page.problems = problems
    yield open_page
    for context in contexts:
        context.close()
    assert outside == []
    assert problems == []


def test_this_file_knows_every_widget():
    assert set(MAKE) == set(widgets.__all__)


def told(figure, text: str):
    """Wait until a live widget says a text to screen readers."""
    figure.locator(".swz [aria-live]").filter(has_text=text).first.wait_for(state="attached")


def column(bits: int) -> str:
    """What a heatmap says of column 0 under B bits."""
    tile = Tile(8, 64, "f16", swizzle=Swizzle(bits, 4, 3), unit="byte")
    return f"{tile.swizzle_name}: {Access.column(tile, 0).report()}"


@everywhere
def test_every_widget_is_alive(visit):
    page = visit("02_all_widgets")
    figures = page.locator("figure.swz-live")
    assert figures.count() == len(MAKE) + 6
    for at in range(figures.count()):
        assert figures.nth(at).locator(".swz").count()
        assert figures.nth(at).locator("img, figcaption, .swz-failed").count() == 0
    heatmap = figures.nth(list(MAKE).index("BankHeatmap"))
    told(heatmap, column(3))
    for bits in (2, 1):
        heatmap.locator("input[data-field=bits]").press("ArrowLeft")
        told(heatmap, column(bits))


def test_the_animation_plays(visit):
    page = visit("02_all_widgets")
    animation = page.locator("figure.swz-live").nth(list(MAKE).index("ColumnRead"))
    told(animation, "no swizzle: done after")
    animation.get_by_role("button", name="Reset").click()
    told(animation, "no swizzle: wavefront 0")
    animation.get_by_role("button", name="Step").click()
    told(animation, "no swizzle: 1 wavefront so far")
    animation.locator("input[type=range][max='16']").press("End")
    animation.get_by_role("button", name="Play").click()
    told(animation, "no swizzle: done after")


def test_two_views_of_a_widget_move_together(visit):
    page = visit("02_all_widgets")
    first, second = (page.locator("figure.swz-live").nth(len(MAKE) + at) for at in (0, 1))
    first.locator("input[data-field=bits]").press("ArrowLeft")
    told(second, column(2))
    assert second.locator("input[data-field=bits]").input_value() == "2"


@everywhere
def test_the_page_itself_forbids_every_request(visit):
    page = visit("02_all_widgets")
    page.evaluate("() => document.addEventListener('securitypolicyviolation', (e) => (window.refused = e.blockedURI))")
    refused = page.evaluate("() => fetch('https://example.org/').then(() => false, () => true)")
    assert refused
    page.wait_for_function("() => window.refused === 'https://example.org/'")
    # The browser says so on the console, and asked nobody: `visit` would have seen it.
    assert all("Content Security Policy" in text for text in visit.problems)
    visit.problems.clear()


@pytest.mark.parametrize(
    "name", ["index", "01_thirty_two_banks", "02_all_widgets", "cheat_sheet", "playground", "teachers", "terms"]
)
def test_a_phone_scrolls_in_one_direction(visit, name):
    page = visit(name, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    ends = page.evaluate("() => [...document.querySelectorAll('.swz')].map((c) => c.getBoundingClientRect().right)")
    assert all(right <= 360 for right in ends)
    text = page.evaluate(
        "() => parseFloat(getComputedStyle(document.querySelector('main p:not(.facts), main li, main dd')).fontSize)"
    )
    assert text >= 16


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes(visit, scheme):
    page = visit("02_all_widgets", color_scheme=scheme)
    colors = page.evaluate(
        """() => ['body', '.swz', '.highlight', '.swz-count'].map((name) => {
            const element = document.querySelector(name);
            let behind = element;
            const paper = (item) => getComputedStyle(item).backgroundColor;
            while (paper(behind) === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
            return [getComputedStyle(element).color, paper(behind)];
        })"""
    )
    brightness = lambda color: sum(map(int, re.findall(r"\d+", color)[:3]))  # noqa: E731
    for ink, paper in colors:
        assert abs(brightness(ink) - brightness(paper)) > 400
        assert (brightness(paper) < 200) == (scheme == "dark")


def test_readable_without_javascript(visit):
    page = visit("02_all_widgets", java_script_enabled=False)
    assert page.locator(".swz").count() == 0
    figure = page.locator("figure.swz-live").first
    expected = repr(widgets.BankHeatmap(Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")))
    assert " ".join(figure.locator("figcaption").text_content().split()) == " ".join(expected.split())
    box = figure.locator("img").bounding_box()
    assert box["width"] > 400
    assert box["height"] > 100
    picture = figure.locator("img").screenshot()
    assert len(set(picture)) > 100


def test_formulas_and_links(visit):
    page = visit("02_all_widgets")
    assert page.locator("math").count() == 4
    assert page.locator("math[display=block]").bounding_box()["height"] > 15
    assert page.locator("code >> text='$x$'").count() == 1
    page.get_by_role("link", name="notebook 01", exact=True).click()
    page.wait_for_url("**/01_thirty_two_banks.html#To-take-away")
    assert page.title() == "01 · Thirty-two banks · GPU shared memory, seen"
    page.locator("a[rel=next]").first.click()
    page.wait_for_url("**/02_all_widgets.html")
    page.get_by_role("link", name="GPU shared memory, seen").first.click()
    page.wait_for_url("**/index.html")
    page.get_by_role("link", name="02 · All widgets <and more>").click()
    page.wait_for_url("**/02_all_widgets.html")


def answer(page, text: str):
    """Answer the page's question 01.2 with a number."""
    question = page.locator("figure.swz-live").filter(has=page.locator("form")).first
    question.locator("input[type=text]").fill(text)
    question.locator("input[type=text]").press("Enter")
    return question


GOAL = 'figure[data-models="goal-05.7"]'


def test_a_goal_is_reached_with_the_keys_and_remembered(visit, address):
    page = visit("02_all_widgets")
    goal = page.locator(GOAL)
    said, live = goal.locator(".swz-said"), goal.locator(".swz-question [aria-live]")
    said.filter(has_text="Not yet. 1536 of 2048 elements").wait_for()
    assert live.text_content() == ""
    assert goal.locator(".swz-why").is_hidden()
    goal.get_by_role("button", name="Hint").press("Enter")
    assert live.text_content() == "Hint: A half is 2**1 bytes, and only M depends on the unit."
    assert page.locator(".progress").text_content() == "2 questions"
    goal.locator("input[data-field=bits]").press("ArrowRight")
    goal.locator("input[data-field=bits]").press("ArrowRight")
    said.filter(has_text="Not yet. No tile has this swizzle.").wait_for()
    goal.locator("input[data-field=bits]").press("ArrowLeft")
    goal.locator("input[data-field=bits]").press("ArrowLeft")
    goal.locator("input[data-field=base]").press("ArrowLeft")
    said.filter(has_text="Reached. 0 of 2048 elements").wait_for()
    assert live.text_content().endswith(
        "Why: Sw<2,4,3> in bytes = Sw<2,3,3> in elements of two bytes, every element in its place."
    )
    assert page.locator(".progress").text_content() == "1 of 2 questions answered"
    # What is moved on afterwards does not undo what was reached.
    goal.locator("input[data-field=base]").press("ArrowLeft")
    said.filter(has_text="Not yet.").wait_for()
    page.reload()
    said.filter(has_text="Reached.").wait_for()
    assert goal.locator("input[data-field=base]").input_value() == "3"
    page.goto(f"{address}/index.html")
    page.get_by_role("button", name="forget my answers").click()
    page.goto(f"{address}/02_all_widgets.html")
    said.filter(has_text="Not yet. 1536 of 2048 elements").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reason_of_a_goal_is_told_on_request_and_counts(visit, scheme):
    page = visit("02_all_widgets", color_scheme=scheme)
    goal = page.locator(GOAL)
    goal.get_by_role("button", name="Reason").click()
    assert goal.locator(".swz-why").is_visible()
    assert page.locator(".progress").text_content() == "1 of 2 questions answered"
    # With its hint, its reason and "Reached.", as it is at the end.
    goal.get_by_role("button", name="Hint").click()
    goal.locator("input[data-field=base]").press("ArrowLeft")
    goal.locator(".swz-said").filter(has_text="Reached.").wait_for()
    # Of a page from a disk its style cannot be fetched a second time.
    audit = Axe().run(page, context=GOAL, options={"preload": False})
    assert not audit.response["violations"], audit.generate_report()


def test_menus_make_an_answer(visit):
    """01.6, by hand: words 7, 39 and 71 for all lanes."""
    page = visit("01_thirty_two_banks")
    goal = page.locator('figure[data-models="goal-01.6"]')
    for name, choice in (("a", "7"), ("n", "3"), ("b", "32")):
        goal.get_by_label(name, exact=True).select_option(choice)
    goal.locator(".swz-said").filter(has_text="Reached. Yours: 32 lanes, 32 of them in bank 7, 3 wavefronts").wait_for()
    goal.get_by_label("n", exact=True).select_option("4")
    goal.locator(".swz-said").filter(has_text="Not yet. Yours: 32 lanes, 32 of them in bank 7, 4 wavefronts").wait_for()


def test_what_an_exercise_asks_waits_behind_no_other(visit):
    page = visit("01_thirty_two_banks")
    for text in page.locator("strong", has_text=re.compile(r"^\d\d\.\d+$")).all():
        assert text.is_visible(), text.text_content()


def test_what_follows_a_question_waits_for_the_answer(visit):
    page = visit("02_all_widgets")
    hidden = page.locator("pre >> text='the answer'")
    assert page.locator("details.behind").count() == 1
    assert not hidden.is_visible()
    assert page.locator(".progress").text_content() == "2 questions"
    answer(page, "nonsense")
    assert not hidden.is_visible()
    answer(page, "1")
    hidden.wait_for(state="visible")
    assert page.locator(".progress").text_content() == "1 of 2 questions answered"


@everywhere
def test_answers_are_remembered_until_the_reader_forgets_them(visit, address):
    page = visit("02_all_widgets")
    answer(page, "1")
    page.locator("pre >> text='the answer'").wait_for(state="visible")
    page.reload()
    page.locator("pre >> text='the answer'").wait_for(state="visible")
    assert page.locator("figure.swz-live form input[type=text]").input_value() == "1"
    page.goto(f"{address}/index.html")
    page.get_by_role("button", name="forget my answers").click()
    assert page.locator("#whole-progress").is_hidden()
    page.goto(f"{address}/02_all_widgets.html")
    assert not page.locator("pre >> text='the answer'").is_visible()


def test_who_will_not_answer_may_look(visit):
    page = visit("02_all_widgets")
    page.locator("details.behind > summary").click()
    assert page.locator("pre >> text='the answer'").is_visible()


@everywhere
def test_code_waits_behind_a_word_and_can_be_copied(visit):
    page = visit("02_all_widgets")
    code = page.locator("details.code").filter(has_text="BankHeatmap(t)").first
    assert not code.locator("pre").is_visible()
    code.locator("summary").click()
    assert code.locator("pre").is_visible()
    code.get_by_role("button").click()
    page.locator("button.copy >> text=/copied|not allowed here/").wait_for()


def test_answers_that_are_built_say_what_they_need(visit):
    page = visit("02_all_widgets")
    page.locator("details.behind > summary").click()
    page.locator(".needs-kernel a").first.click()
    section = page.locator("#answer")
    assert section.is_visible()
    assert section.locator("pre").text_content().startswith(block("open"))
    url = "https://mybinder.org/v2/gh/someone/course/v1?urlpath=lab/tree/notebooks/02_all_widgets.ipynb"
    assert section.get_by_role("link").get_attribute("href") == url


def block(marker: str) -> str:
    """The README's command behind a marker, up to the notebook that it opens."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", readme, re.DOTALL)[1]
    return shown.strip().splitlines()[-1].partition(" notebooks/")[0]


@everywhere
def test_the_first_page_answers_at_once(visit):
    page = visit("index")
    told = page.locator("figure.swz-live [aria-live]").filter(has_text="Sw<3,4,3> in bytes")
    told.filter(has_text="32").wait_for(state="attached")
    page.locator("input[data-field=bits]").press("Home")
    told.wait_for(state="detached")


def test_the_cheat_sheet_is_computed(visit):
    page = visit("cheat_sheet")
    rows = page.locator("table").nth(1).locator("tbody tr").all_text_contents()
    assert rows[2] == "128 bytesSw<3,4,3>Sw<3,3,3>4 wavefronts, 0 conflicts"
    modes = page.locator("table").nth(2).locator("tbody tr td:nth-child(2)").all_text_contents()
    assert modes == ["none", "Sw<1,4,3>", "Sw<2,4,3>", "Sw<3,4,3>"]


def paste(page, text: str, **fields: str) -> str:
    """Paste a text into the playground; what it says."""
    page.locator("#pasted").fill(text)
    for name, value in fields.items():
        page.locator(f"[name={name}]").select_option(value)
    page.get_by_role("button", name="show").click()
    return page.locator("#said").text_content()


def test_the_playground_reads_what_is_pasted(visit):
    page = visit("playground")
    assert paste(page, "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", dtype="f16").startswith("8x64 f16 tile")
    assert "Sw<3,3,3> in f16 elements" in page.locator("#said").text_content()
    refused = paste(page, "S<3,4,3> o 0 o (64,64):(64,1)")
    assert "elements of the layout" in refused
    assert "bytes of the pointer's address" in refused
    assert "refused" in page.locator("#said").get_attribute("class")
    assert "Sw<3,4,3> in bytes" in paste(page, "S<3,4,3> o 0 o (64,64):(64,1)", unit="byte")
    assert paste(page, "(8,64):(64,1").endswith("^")


SW128 = "Sw<3,4,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1)"
TRITON = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
TV, TILER = "((8,16),8):((128,1),16)", (16, 64)


def fill(page, **fields: str) -> None:
    """Fill the playground's fields, boxes that are closed included, and show what they say."""
    page.eval_on_selector_all("#playground details", "boxes => boxes.forEach((box) => (box.open = true))")
    for name, value in fields.items():
        field = page.locator(f"#playground [name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name="show", exact=True).click()


def said_of(page) -> list[str]:
    """What the playground says: of the tile, of the copy, in lines of code, and in the lab's sentence."""
    places = ["#said", "#copied", "#lines", "#lab [aria-live]"]
    return [page.locator(place).first.text_content() for place in places]


def test_a_whole_copy_in_the_playground_costs_what_python_says(visit):
    page = visit("playground")
    for text in (SW128, "smem_ptr[16b](unset) o (_128,_64):(_64,_1)"):
        tile = Tile.from_cute(text)
        for tv, tiler in ((TV, TILER), ("(32,8):(1,32)", (32, 8))):
            report = TiledCopy.from_tv(tile, tv, tiler, kind="store").report()
            fill(page, text=text, tv=tv, tiler=f"{tiler[0]}x{tiler[1]}", kind="store")
            assert page.locator("#copied").text_content() == f"The whole copy: {report}."
            # The lab shows its worst request.
            assert report.worst.where in page.locator("#lines").text_content()
            assert f"{report.worst.report.wavefronts}" in said_of(page)[3]
    # Without the swizzle's bits the same copy costs more; its worst is a press away.
    fill(page, text=SW128, tv="(32,8):(1,32)", tiler="32x8", kind="store")
    page.locator("input[data-field=bits]").press("Home")
    plain = TiledCopy.from_tv(Tile(128, 64, "f16"), "(32,8):(1,32)", (32, 8), kind="store").report()
    assert page.locator("#copied").text_content() == f"The whole copy: {plain}."
    assert page.locator("#worst").is_hidden()
    page.locator("select").filter(has_text="ldmatrix.x1").select_option(label="ldmatrix.x1")
    assert plain.worst.where not in page.locator("#lines").text_content()
    page.locator("#worst").click()
    assert plain.worst.where in page.locator("#lines").text_content()


def test_a_copy_that_does_not_fit_is_refused_beside_the_layout(visit):
    page = visit("playground")
    fill(page, text=SW128, tv=TV, tiler="48x64")
    assert page.locator("#said").text_content().startswith("128x64 u16 tile")
    assert "does not divide the tile" in page.locator("#copied").text_content()
    fill(page, tiler="x")
    assert "must be rows x columns" in page.locator("#copied").text_content()
    assert page.locator("#worst").is_hidden()


def test_refusals_in_the_playground_name_its_fields(visit):
    page = visit("playground")
    texts = [
        {"text": "(8,8):(8,1)"}, {"text": TRITON, "dtype": "f16"}, {"text": "S<3,4,3> o 0 o (64,64):(64,1)"},
        {"text": "(_128,_64,_2):(_128,_1,_64)"}, {"text": SW128, "unit": "element"},
        {"text": SW128, "unit": "", "tv": TV, "tiler": "48x64"},
    ]  # fmt: skip
    for fields in texts:
        fill(page, **fields)
        (said,) = page.locator("#playground .refused").all_text_contents()
        assert not re.findall(r"\b\w+=", said.partition("\n    ")[0]), said


def test_dumped_addresses_in_the_playground_cost_what_python_says(visit):
    page = visit("playground")
    addresses = [lane * 144 for lane in range(32)]
    for start in (0, 0x7FFF21C00000):
        fill(page, dump=" ".join(hex(start + address) for address in addresses), dumpwidth="16")
        assert "dumped addresses on" in page.locator("#said").text_content()
        assert "wavefronts" in said_of(page)[3]
        assert str(bank_report(addresses, 16).wavefronts) in said_of(page)[3]
        (line,) = [line for line in page.locator("#lines").text_content().splitlines() if line.startswith("print")]
        assert line == f'print(bank_report({addresses}, 16, "load"))'
    fill(page, dump="0 2", dumpwidth="4")
    assert "lane 1" in page.locator("#said").text_content()


def test_triton_in_the_playground(visit):
    page = visit("playground")
    fill(page, text=TRITON, shape="64x64", dtype="f16")
    tile = Tile.from_triton(TRITON, (64, 64), "f16")
    assert page.locator("#said").text_content() == f"{tile}"
    fill(page, unit="byte")
    assert "a Triton layout says it itself" in page.locator("#said").text_content()


@pytest.mark.parametrize(
    "fields",
    [
        {"text": SW128, "dtype": "f16"},
        {"text": "(_32,_64,_3):(_64,_1,_2048)", "dtype": "f16", "stage": "2"},
        {"text": TRITON, "shape": "64x64", "dtype": "bf16"},
        {"text": SW128, "tv": TV, "tiler": "16x64", "kind": "store", "width": "4", "predicate": "1"},
        {"dump": "0 0x80 256 - 512", "dumpwidth": "8", "dumpkind": "store"},
    ],
    ids=["layout", "stage", "triton", "copy", "dump"],
)
def test_each_kind_of_input_is_the_same_from_a_link(visit, fields):
    page = visit("playground")
    fill(page, **fields)
    link, said = page.url, said_of(page)
    assert not page.locator("#playground .refused").count()
    other = visit(None)
    other.goto(link)
    assert said_of(other) == said
    for name, value in fields.items():
        assert other.locator(f"#playground [name={name}]").input_value() == value
    assert other.url == link


def test_a_link_that_was_cut_is_refused_and_the_page_lives(visit):
    page = visit("playground")
    fill(page, text=SW128)
    link = page.url
    page.goto("about:blank")
    page.goto(link[: link.index("access=") + 12])
    assert "use the link as it was copied" in page.locator("#said").text_content()
    fill(page, text=SW128)
    assert page.locator("#said").text_content().startswith("128x64")


@everywhere
def test_a_link_shows_the_same_in_a_fresh_browser(visit, address):
    page = visit("playground")
    paste(page, "Sw<3,3,3> o _0 o (_16,_64):(_64,_1)", dtype="f16")
    page.locator("input[data-field=bits]").press("ArrowLeft")
    page.locator("select").filter(has_text="ldmatrix.x1").select_option(label="ldmatrix.x1")
    page.wait_for_function("() => location.hash.includes('num%22%3A1')")
    link, lines = page.url, page.locator("#lines").text_content()
    assert "Swizzle(2, 3, 3)" in lines
    other = visit(None)
    other.goto(link)
    assert other.locator("#lines").text_content() == lines
    assert other.locator("input[data-field=bits]").input_value() == "2"
    assert other.url == link


def test_terms_lead_to_where_they_are_explained(visit):
    page = visit("terms")
    page.locator("dt#bank + dd a").click()
    page.wait_for_url("**/01_thirty_two_banks.html**")


class Collector(HTMLParser):
    """Collects of a page what search engines and readers follow."""

    def __init__(self, text: str):
        super().__init__()
        self.ids, self.links, self.title, self.description, self._in_title = set(), [], "", "", False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids.add(found.get("id"))
        self.links += [found[name] for name in ("href", "src") if name in found]
        self._in_title = tag == "title"
        if tag == "meta" and found.get("name") == "description":
            self.description = found["content"]

    def handle_data(self, data):
        if self._in_title:
            self.title += data
            self._in_title = False


def test_titles_descriptions_and_local_links(folder):
    pages = {path.name: Collector(path.read_text(encoding="utf-8")) for path in folder.glob("*.html")}
    assert len(pages) == 7
    for what in ("title", "description"):
        texts = [getattr(page, what) for page in pages.values()]
        assert all(texts)
        assert len(set(texts)) == len(texts)
    assert all(len(page.description) <= 160 for page in pages.values())
    for name, page in pages.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            # The course's other notebooks are not in this small site.
            if link.startswith(("https://", "data:")) or (COURSE / file).with_suffix(".ipynb").exists():
                continue
            assert (folder / (file or name)).exists(), link
            assert not anchor or anchor in pages[file or name].ids, link


@pytest.mark.parametrize("path", sorted(COURSE.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_course_can_become_a_site(path):
    """Every formula is one that MathML can say, and every link to a notebook finds it."""
    notebook = nbformat.read(path, as_version=4)
    text = "".join(markdown(cell.source) for cell in notebook.cells if cell.cell_type == "markdown")
    for formula in re.findall(r"<math.*?</math>", text, re.DOTALL):
        assert "\\" not in formula
    for name in re.findall(r'href="([\w-]+)\.html', text):
        assert (COURSE / f"{name}.ipynb").exists()


def test_what_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has no notebooks"):
        site.build(tmp_path, tmp_path / "out")
    write_notebook(tmp_path / "a.ipynb", "# A", "1")
    with pytest.raises(ValueError, match="organization/repository/tag"):
        site.build(tmp_path, tmp_path / "out", binder="x?y")
    assert not (tmp_path / "out").exists()
