"""The exercises: what they say to right, wrong and malformed answers, and that the notebooks use every one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile
from swizzle_widgets.course import check
from swizzle_widgets.course.registry import everything
from tests.course import answers as answers_04_09

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LANES = np.arange(32)
MEMORY = Tile(32, 32, "f32")
PADDED = Tile(32, 32, "f32", padding=1)
FLOATS = Tile(1, 128, "f32")
XORED = Tile(32, 32, "f32", swizzle=Swizzle(5, 0, 5), unit="element")

# For each exercise: answers that are right, and answers of the right form that are wrong.
ANSWERS = {
    "01.1": ([18, np.int64(18), 18.0, "18", "0x12", np.array([18])], [0, 8, 31, 50]),
    "01.2": ([2], [1, 3, 32]),
    "01.3": ([1], [0, 2, 16]),
    "01.4": ([(4, 0), [4, 0], np.array([4, 0]), "(4, 0)", (4.0, "0")], [(4, 3), (1, 0), (16, 12)]),
    "01.5": ([1128, 872, 104, 1131], [1000, 1004, 0]),
    "01.6": (
        [Access.offsets(MEMORY, 7 + 32 * (LANES % 3)), Access.at(MEMORY, np.minimum(LANES, 2), 7)],
        [
            Access.offsets(MEMORY, 32 * LANES),
            Access.offsets(MEMORY, [7, 39, 71]),
            Access.offsets(MEMORY, 7 + 32 * (LANES % 4)),
            Access.offsets(MEMORY, [*(7 + 32 * (LANES[:31] % 3)), 0]),
        ],
    ),
    "01.7": (["b", "B", '"b"', "b)"], ["a", "c"]),
    "01.8": ([(4, 2), [4, 2]], [(2, 0), (4, 0), (4, 3), (8, 6)]),
    "02.1": ([8], [1, 32]),
    "02.2": ([8], [1, 24, 32]),
    "02.3": (["c"], ["a", "b"]),
    "02.4": ([32], [4, 8, 64]),
    "02.5": (
        [MEMORY.padded(4), Tile(32, 32, padding=4)],
        [MEMORY, MEMORY.padded(1), MEMORY.padded(8), MEMORY.padded(12)],
    ),
    "02.6": ([64], [80, 128, 144]),
    "02.7": (
        [
            31 - LANES,
            (5.0 - LANES) % 32,
            list(range(31, -1, -1)),
            Access.at(PADDED, LANES, 31 - LANES),
            Access.at(PADDED, LANES, (5 - LANES) % 32, kind="store"),
        ],
        [LANES + 1, -LANES, 32 - LANES, [0] * 32, Access.at(PADDED, LANES, LANES), Access.column(PADDED)],
    ),
    "03.1": ([19], [27, 3, 0]),
    "03.2": ([(11, 14), np.array([11, 14])], [(3, 3), (11, 16), (3, 14)]),
    "03.3": ([2], [1, 16]),
    "03.4": ([4], [1, 2, 3, 8]),
    "03.5": ([828], [804, 0, 829]),
    "03.6": (
        [LANES, (LANES ^ 9).tolist(), Access.at(XORED, LANES, LANES ^ 9)],
        [5 * LANES % 32, LANES + 32, Access.column(XORED)],
    ),
    "03.7": ([12, 20, 28], [0, 1, 2, 4, 8, 16]),
    "03.8": ([24], [0, 1, 4, 8, 16]),
    "08.1": ([8192], [64, 4096, 512]),
    "08.2": ([6144], [256, 4096, 8192]),
    "08.3": (
        [
            "Sw<3,3,5> o _0 o (_64,_256):(_256,_1)",
            "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_8),(_64,_4)):((_64,_512),(_1,_4096))",
        ],
        ["Sw<3,3,4> o _0 o (_64,_256):(_256,_1)", "(_64,_256):(_256,_1)", "(_64,_256):(_264,_1)"],
    ),
    "10.1": ([32], [1, 31, 128]),
    "10.2": ([2], [1, 4]),
    "10.3": (["b"], ["a", "c", "d"]),
    "10.4": ([16], [64, 8, 128]),
    "10.5": (["c"], ["a", "b"]),
    "10.6": (
        [Access.offsets(FLOATS, LANES // 2 * 2, 8), Access.offsets(FLOATS, (LANES // 4 * 2 + LANES % 2) * 2, 8)],
        [
            Access.offsets(FLOATS, LANES * 2, 8),
            Access.offsets(FLOATS, LANES * 0, 8),
            Access.offsets(FLOATS, LANES // 4 * 2, 8),
            Access.offsets(FLOATS, LANES // 2 * 2, 8, "store"),
            Access.offsets(FLOATS, LANES // 2 * 4, 16),
            Access.offsets(FLOATS, LANES[:16] * 2, 8),
        ],
    ),
    "10.7": ([7], [1, 4, 6, 8, 16]),
    "10.8": (
        [
            Tile(64, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte"),
            Tile(64, 64, "half", swizzle=Swizzle(3, 3, 3), unit="element"),
        ],
        [
            Tile(64, 64, "f16"),
            Tile(64, 64, "f16", padding=8),
            Tile(64, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="byte"),
            Tile(64, 64, "f16", swizzle=Swizzle(2, 4, 3), unit="byte"),
            Tile(64, 64, "f16", base_address=16, swizzle=Swizzle(3, 4, 3), unit="byte"),
        ],
    ),
}
ANSWERS |= {
    "11.2": ([(8, 6), [8, 6]], [(2, 0), (4, 2), (8, 7), (32, 31)]),
    "11.1": (
        [Swizzle(2, 3, 2), (2, 3, 2), "Sw<2,3,2>"],
        [(2, 5, 2), Swizzle(3, 2, 3), Swizzle(3, 0, 3), Swizzle(2, 3, 3)],
    ),
    "11.3": (
        [
            Tile(8, 128, "f32", swizzle=Swizzle(3, 4, 5), unit="byte"),
            Tile(8, 128, "f32", swizzle=Swizzle(3, 2, 5), unit="element"),
            Tile.from_map(lambda row, col: 128 * row + (col ^ 4 * row), (8, 128), "f32"),
        ],
        [
            Tile(8, 128, "f32"),
            Tile(8, 128, "f32", padding=4),
            Tile(8, 128, "f32", padding=1),
            Tile(8, 128, "f32", swizzle=Swizzle(3, 4, 3), unit="byte"),
            Tile(8, 128, "f32", swizzle=Swizzle(5, 2, 7), unit="byte"),
        ],
    ),
}
ANSWERS |= answers_04_09.ANSWERS
MALFORMED = [
    "nonsense", "", b"8", object(), Access, {}, [], [[]], [None], (1, 2, 3), [[1, 2], [3]], {"bank": 3}, 3.0,
    float("nan"), True, -1, 10**30, 1 << 20_000, np.array([1.5]), np.zeros((2, 2), int), Swizzle(3, 4, 3),
    Tile(8, 8, "f16"), Access.row(Tile(8, 8, "f16")),
]  # fmt: skip


def cells(notebook: Path) -> list[dict]:
    return json.loads(notebook.read_text(encoding="utf-8"))["cells"]


def checks(notebook: Path) -> list[str]:
    """The numbers of the exercises that a notebook's code cells check or ask."""
    code = "\n".join("".join(cell["source"]) for cell in cells(notebook) if cell["cell_type"] == "code")
    return re.findall(r"\b(?:check|question)\(\s*[\"']([^\"']*)[\"']", code)


def said(capsys, number: str, answer, **options) -> list[str]:
    check(number, answer, **options)
    return capsys.readouterr().out.splitlines()


def test_every_exercise_is_answered_here():
    assert set(everything()) == set(ANSWERS)


@pytest.mark.parametrize(
    ("number", "answer"), [(number, answer) for number, (right, _) in ANSWERS.items() for answer in right]
)
def test_a_right_answer(capsys, number, answer):
    first, why = said(capsys, number, answer)
    assert first.startswith(f"{number}: right. ")
    assert why.startswith("Why: ")


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        (number, answer)
        for number, (_, wrong) in ANSWERS.items()
        for answer in wrong
        if not everything()[number].is_start(answer)
    ],
)
def test_a_wrong_answer_gets_its_cost_and_a_hint_and_the_solution_on_request(capsys, number, answer):
    cost, hint, offer = said(capsys, number, answer)
    assert cost.startswith(f"{number}: not yet. ")
    # A cost says something in numbers or words, not only "wrong".
    assert len(cost) > 40
    assert hint.startswith("Hint: ")
    assert len(hint) > 40
    assert f'check("{number}", answer, solution=True)' in offer
    # However often: nothing is poured out.
    assert said(capsys, number, answer) == [cost, hint, offer]
    first, why = said(capsys, number, answer, solution=True)
    assert first == cost
    assert why.startswith("Why: ")


@pytest.mark.parametrize("number", [number for number, each in everything().items() if each.start is not None])
def test_the_answer_that_a_cell_comes_with_is_nobodys_attempt(capsys, number):
    start = everything()[number].start
    for _ in range(3):
        cost, ask = said(capsys, number, start)
        assert cost.startswith(f"{number}: not yet. ")
        assert ask == "Change the answer and run the cell again."


@pytest.mark.parametrize("number", ANSWERS)
def test_malformed_answers_get_a_sentence(capsys, number):
    for answer in MALFORMED:
        lines = said(capsys, number, answer)
        assert re.match(rf"{number}: (right|not yet|this is not an answer yet)\. \S", lines[0]), (answer, lines)
    assert "not an answer yet" in said(capsys, number, object())[0]


@pytest.mark.parametrize("number", ANSWERS)
def test_no_answer_yet(capsys, number):
    assert said(capsys, number, None) == [
        f"{number}: not answered yet. Replace None by your answer and run the cell again."
    ]


@pytest.mark.parametrize("number", ["01.99", "1", "00.1", "banks", "", None, 1.1])
def test_an_unknown_exercise_is_an_error(number):
    with pytest.raises(ValueError, match="is not known"):
        check(number, None)


def test_the_registry_knows_what_a_cell_comes_with():
    """Where a cell comes with an answer, its saved output asks to change it; all others start with None."""
    given = {}
    for notebook in NOTEBOOKS.glob("[0-9]*.ipynb"):
        for cell in cells(notebook):
            source = "".join(cell["source"])
            if re.search(r"^answer = (?!None\b)", source, re.MULTILINE):
                number = re.search(r"^check\([\"']([^\"']*)", source, re.MULTILINE)[1]
                given[number] = "".join("".join(output.get("text", "")) for output in cell["outputs"])
    # Questions that were exercises keep their cells until the notebooks ask them.
    assert {number for number in given if not everything()[number].form} == {
        number for number, each in everything().items() if each.start is not None
    }
    for number, printed in given.items():
        assert printed.endswith("Change the answer and run the cell again.\n"), number


def test_the_notebooks_use_every_exercise_once_and_only_their_own():
    used = {notebook.name: checks(notebook) for notebook in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))}
    for name, numbers in used.items():
        assert all(number.startswith(name[:2]) for number in numbers), name
    assert sorted(number for numbers in used.values() for number in numbers) == sorted(set(everything()))


def test_no_notebook_gives_an_answer_away():
    for notebook in NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"):
        for cell in cells(notebook):
            printed = "".join("".join(output.get("text", "")) for output in cell.get("outputs", []))
            assert not re.search(r"^\d\d\.\d+: right", printed, re.MULTILINE), (notebook.name, cell["id"])
