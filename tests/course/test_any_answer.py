"""Whatever a reader writes, no judge falls over: it says right, not yet, or how an answer must look."""

from __future__ import annotations

import contextlib
import io
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from swizzle_widgets import Access, Swizzle, Tile
from swizzle_widgets.course import check, question
from swizzle_widgets.course.registry import everything
from tests.support.strategies import swizzles

EXERCISES = everything()
SIZES = [(32, 32, "f32"), (64, 256, "f16"), (3, 5, "f64")]
NUMBERS = st.one_of(
    st.integers(), st.integers(-40, 1100), st.floats(), st.fractions(), st.decimals(), st.complex_numbers(),
    st.booleans(), arrays.from_dtype(np.dtype("float32")), arrays.from_dtype(np.dtype("int8")),
    arrays.from_dtype(np.dtype("uint64")), arrays.from_dtype(np.dtype("datetime64[D]")),
)  # fmt: skip
WORDS = st.one_of(
    st.text(max_size=30), st.binary(max_size=8), st.from_regex(r"[sS]w?<-?\d+,-?\d+,-?\d+>", fullmatch=True),
    st.from_regex(r"0[xX][0-9a-fA-F]{1,40}", fullmatch=True),
    st.sampled_from(["Depends", "a, d", "A,D", "(4, 0)", "9" * 200]),
    st.from_regex(r"(Sw<\d,\d,\d> o (_0|smem_ptr\[16b\]\(unset\)) o )?\(_64,_256\):\(_\d{1,3},_[18]\)", fullmatch=True),
)  # fmt: skip


@st.composite
def tiles(draw, sizes=SIZES) -> Tile:
    """A tile of some size, padded, swizzled, turned or shifted; if the model takes it."""
    rows, cols, dtype = draw(st.sampled_from(sizes))
    base = draw(st.sampled_from((0, 16, 512, 3072)))
    try:
        if draw(st.booleans()):
            options = {"padding": draw(st.integers(0, 40)), "order": draw(st.sampled_from(("row", "column")))}
            return Tile(rows, cols, dtype, base_address=base, **options)
        if draw(st.booleans()):
            scale = draw(st.integers(0, 3))
            return Tile.from_map(lambda row, col: row * cols + (col ^ row * scale) % cols, (rows, cols), dtype)
        unit = draw(st.sampled_from(("byte", "element")))
        return Tile(rows, cols, dtype, base_address=base, swizzle=draw(swizzles()), unit=unit)
    except ValueError:
        return Tile(rows, cols, dtype)


@st.composite
def accesses(draw, on=None) -> Access | Tile:
    """An access to a tile, or the tile where there is none."""
    tile = on or draw(tiles())
    width = draw(st.sampled_from((None, 4, 8, 16)))
    places = draw(st.lists(st.integers(0, tile.rows * tile.cols - 1), min_size=1, max_size=32))
    try:
        if draw(st.booleans()):
            return Access.offsets(tile, places, width, draw(st.sampled_from(("load", "store"))))
        return Access.at(tile, [place // tile.cols for place in places], [place % tile.cols for place in places], width)
    except ValueError:
        return tile


COLUMNS = arrays.arrays(
    st.sampled_from(("int64", "float64", "uint8", "bool", "object")), (32,), elements=st.integers(0, 1)
)
VALUES = st.one_of(
    NUMBERS, WORDS, st.none(), swizzles(), tiles(), accesses(), COLUMNS,
    arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(max_dims=3, max_side=33)),
    st.sampled_from([object(), Swizzle, question, range(3), np.array(5), np.arange(32), np.array([None])]),
)  # fmt: skip
ANSWERS = st.recursive(
    VALUES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.tuples(inner, inner, inner),
        st.sets(st.one_of(st.integers(), st.text(max_size=3)), max_size=4),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    max_leaves=6,
)


def near(number: str):
    """Answers of the kind that an exercise asks to be built: nearly all of them reach its judge."""
    start = EXERCISES[number].start
    if start is None:
        # The one exercise that begins with nothing asks for such a tile.
        return tiles([(32, 32, "f32")])
    if isinstance(start, Tile):
        return tiles([(start.rows, start.cols, start.dtype)])
    if isinstance(start, Access):
        return accesses(start.tile)
    return WORDS if isinstance(start, str) else arrays.arrays("int64", (32,), elements=st.integers(-40, 40))


@settings(max_examples=60)
@given(answer=ANSWERS)
def test_every_answer_is_answered(answer):
    for number in EXERCISES:
        assert_answered(number, answer)


@settings(max_examples=12)
@pytest.mark.parametrize("number", [number for number, each in EXERCISES.items() if not each.form])
@given(data=st.data())
def test_every_answer_of_the_right_kind_is_answered(number, data):
    assert_answered(number, data.draw(near(number)))


def assert_answered(number, answer):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        check(number, answer)
    assert re.match(rf"{number}: (right|not yet|not answered yet|this is not an answer yet)\. \S", printed.getvalue())


# The forms that have a table: whatever check accepts, the table knows, and says the same.
@pytest.mark.parametrize("number", [number for number, each in EXERCISES.items() if each.form])
def test_the_table_and_the_judge_say_the_same(number):
    exercise = EXERCISES[number]
    verdicts = exercise.verdicts
    for key in sorted(verdicts)[:: len(verdicts) // 40 + 1]:
        spelled = key.split(";") if ";" in key else key
        assert exercise.feedback(spelled) == verdicts[key]


@pytest.mark.parametrize(
    ("number", "spellings"),
    {
        "01.1": [18, 18.0, np.float32(18), np.uint8(18), Fraction(18), "18", " 18.0 ", "0x12", "0b10010", np.array(18)],
        "01.4": [(4, 0), [4.0, 0], np.array([4, 0]), "4, 0", "(4, 0)", "4 0"],
        "02.6": [64, "64", 64.0],
        "04.8": [(3, 4, 4), [3, 4, 4], np.array([3, 4, 4]), "3,4,4", "Sw<3,4,4>", "S<3,4,4>", "Swizzle<3, 4, 4>{}",
                 "<3,4,4>", "3 4 4", Swizzle(3, 4, 4)],
        "06.4": [3, "3", [3], (3,), {3}, ["3"], np.array([3])],
        "07.1": ["AD", "da", "A,D", "A and D".replace("and", ""), ["A", "d"], {"A", "D"}, ("D", "A")],
        "07.3": [(2, "64B"), [2, "64b"], "2, 64B", ("2", '"64B"')],
        "09.1": ["depends", "Depends", " DEPENDS. "],
        "09.3": ["true", True, "True"],
    }.items(),
)  # fmt: skip
def test_right_answers_in_another_spelling_are_right(number, spellings):
    for answer in spellings:
        assert EXERCISES[number].feedback(answer).right, answer


@pytest.mark.parametrize(
    "answer", [True, 18.5, float("nan"), float("inf"), "", "18 banks", Decimal("NaN"), 1j, [18, 18]]
)
def test_what_is_no_number_is_told_how_one_looks(answer):
    with pytest.raises(ValueError, match="bank: a whole number from 0 to 255 is asked for, not"):
        EXERCISES["01.1"].feedback(answer)
