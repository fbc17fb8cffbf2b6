"""Texts that web pages, terminals and logs damaged: read right, or refused with a caret; never read wrong.

Digits are left alone: a changed number is another layout, and nothing in the text could tell.
"""

from __future__ import annotations

import html
import random
import re

import numpy as np
import pytest

from swizzle_widgets import Swizzle, Tile
from tests.support.texts import CORPUS

DTYPES = {1: "b1", 4: "u4", 8: "u8", 16: "f16", 32: "f32", 64: "f64", 128: "u128"}


def dtype_of(text: str) -> str:
    """A dtype that goes with the text."""
    match = re.search(r"\[([0-9]+)b\]", text)
    return DTYPES[int(match[1])] if match else "f16"


def addresses(text: str, dtype: str):
    """Where the text puts its elements; the sentence of the ValueError that refuses it."""
    try:
        return Tile.from_cute(text, dtype).addresses
    except ValueError as error:
        return str(error)


def insert(text: str, piece: str, rng) -> str:
    """The text with a piece put in, not between two digits."""
    places = [at for at in range(len(text) + 1) if not re.match(r"[0-9a-f][0-9a-f]", text[max(at - 1, 0) : at + 1])]
    at = rng.choice(places)
    return text[:at] + piece + text[at:]


def dropped(text: str, characters: str, rng, all_of_them: bool) -> str:
    """The text without one, or any, of the characters."""
    places = [at for at, character in enumerate(text) if character in characters]
    if not places:
        return text
    gone = set(places) if all_of_them else {rng.choice(places)}
    return "".join(character for at, character in enumerate(text) if at not in gone)


NAMES = ("sA: ", "sA = ", "sA layout: ", "print: ", "[sA] ", "smem.A[1] = ", "smem_layout_A: ", "tile 0 -> ")
ATOM = "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"
GRID = "\n       0    1    2    3 \n    +----+----+----+----+\n 0  |  0 |  4 |  8 | 12 |"
STAMPS = ("12:30:01 ", "2024-05-01 12:30:01,123 ", "[0] ", ">>> ")
LINKED = 'Sw&lt;3,4,3&gt; o smem_ptr<a href="unset">16b</a> o (_8,_64):(_64,_1)'
DAMAGES = {
    "entities": lambda text, rng: html.escape(text),
    "entities twice": lambda text, rng: html.escape(html.escape(text)),
    "numeric entities": lambda text, rng: text.replace("<", "&#60;").replace(">", "&#x3e;"),
    "no angle brackets": lambda text, rng: dropped(text, "<>", rng, True),
    "an angle bracket less": lambda text, rng: dropped(text, "<>", rng, False),
    "no square brackets": lambda text, rng: dropped(text, "[]", rng, True),
    "a square bracket less": lambda text, rng: dropped(text, "[]", rng, False),
    "a bracket less": lambda text, rng: dropped(text, "()", rng, False),
    "no underscores": lambda text, rng: dropped(text, "_", rng, True),
    "an underscore less": lambda text, rng: dropped(text, "_", rng, False),
    "no spaces": lambda text, rng: dropped(text, " ", rng, True),
    "a letter less": lambda text, rng: dropped(text, "Swmeptruoxbl:,|&=", rng, False),
    "wrapped": lambda text, rng: insert(text, "\n    ", rng),
    "hard spaces": lambda text, rng: text.replace(" ", "\u00a0"),
    "a zero-width space": lambda text, rng: insert(text, "\u200b", rng),
    "a link put in": lambda text, rng: insert(text, " https://example.com/a ", rng),
    "a word linked": lambda text, rng: re.sub(r"smem_ptr|Sw|o", r"[\g<0>](https://example.com/a)", text, count=1),
    "tags": lambda text, rng: insert(insert(text, "<br>", rng), "</code>", rng),
    "a name before": lambda text, rng: rng.choice(NAMES) + text,
    "a time before": lambda text, rng: rng.choice(STAMPS) + text,
    "something behind": lambda text, rng: text + rng.choice((";", ",", ".", "\\n", "  // sA", '"')),
    "quoted": lambda text, rng: rng.choice(("`%s`", "'%s'", "**%s**", "\u201c%s\u201d")) % text,
    "a character more": lambda text, rng: insert(text, rng.choice("<>[](),:;_o S*|="), rng),
}  # fmt: skip


def outcome(text: str, damaged: str) -> str:
    """ "right", "refused" or what went wrong."""
    dtype = dtype_of(text)
    before, after = addresses(text, dtype), addresses(damaged, dtype)
    if isinstance(after, str):
        return "refused" if after.rstrip().endswith("^") else f"no caret: {after}"
    if isinstance(before, str):
        return "a tile where there was none"
    return "right" if np.array_equal(before, after) else "a wrong tile"


def test_a_thousand_damages():
    rng = random.Random(11)
    found = {"right": 0, "refused": 0}
    for _ in range(1000):
        text = damaged = rng.choice(CORPUS)
        names = rng.choices(list(DAMAGES), k=rng.choice((1, 1, 1, 2, 2, 3)))
        for name in names:
            damaged = DAMAGES[name](damaged, rng)
        result = outcome(text, damaged)
        assert result in found, (result, text, damaged, names)
        found[result] += 1
    assert found["right"] > 500, found
    print(found)


@pytest.mark.parametrize(
    "damage",
    ["entities", "entities twice", "numeric entities", "no spaces", "hard spaces", "a zero-width space",
     "a name before",
     "a time before", "something behind", "quoted"],
)  # fmt: skip
def test_damages_that_leave_one_reading_are_read(damage):
    rng = random.Random(damage)
    for text in CORPUS:
        if isinstance(addresses(text, dtype_of(text)), str):
            continue
        damaged = DAMAGES[damage](text, rng)
        assert outcome(text, damaged) == "right", (damaged, addresses(damaged, dtype_of(text)))


@pytest.mark.parametrize(
    ("damaged", "text"),
    [
        ("Sw3,4,3 o smem_ptr16b(unset) o (_8,_64):(_64,_1)", ATOM),
        ("Sw<3,4,3> o smem_ptr16b o (_8,_64):(_64,_1)", ATOM),
        (LINKED, ATOM),
        ("[smem_ptr](https://x.y/z)[16b](0x400) o (_8,_64):(_64,_1)", "smem_ptr[16b](0x400) o (_8,_64):(_64,_1)"),
        ("(_4,_4):(_1,_4)" + GRID, "(_4,_4):(_1,_4)"),
        ("ptr[16b](0x400) o (_2,_2):(_1,_2):\n  0.0e+00  0.00e+00\n  0.0  1.0\n", "ptr[16b](0x400) o (_2,_2):(_1,_2)"),
        ("Sw<3,4,3> \u2218 smem_ptr[16b](unset) \u2218 (_8,_64):(_64,_1)", ATOM),
    ],
)  # fmt: skip
def test_what_one_meets(damaged, text):
    assert np.array_equal(addresses(damaged, "f16"), addresses(text, "f16"))


@pytest.mark.parametrize(
    "text",
    [
        "Sw<3,4,3>_smem_ptr16b o (_8,_64):(_64,_1)",
        "(_8,_6\n4):(_64,_1)",
        "Sw<34,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "smem_ptr16b o (_8,_64):(_64,_1)",
        "Sw<3,4,3> o smem_ptr[16b](0x4\n00) o (_8,_64):(_64,_1)",
    ],
)
def test_what_could_be_anything_is_refused(text):
    """The address is lost, or a number is torn: nothing says what stood there."""
    assert addresses(text, "f16").rstrip().endswith("^")


def test_a_long_text_is_mended_and_a_longer_one_is_not():
    text = "#ttg.swizzled_shared&lt;{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}&gt;"
    assert Tile.from_triton(text.ljust(8000), (64, 64), "f16").swizzle == Swizzle(3, 3, 3)
    with pytest.raises(ValueError, match="a text of 8001 characters is no layout"):
        Tile.from_triton(text.ljust(8001), (64, 64), "f16")
