"""BitDiagram: its traits, its errors, its sentence and what a notebook saves of it."""

from __future__ import annotations

import base64
import re
import subprocess
import sys

import ipywidgets
import numpy as np
import pytest

import swizzle_widgets
from swizzle_widgets import BitDiagram, Layout, Swizzle, Tile

HALVES = Tile(8, 64, "f16")


def halves(bits: int, base: int, shift: int, unit="byte") -> Tile:
    return HALVES.with_swizzle(Swizzle(bits, base, shift), unit)


def test_the_traits_are_those_of_the_tile():
    diagram = BitDiagram(halves(3, 4, 3), row=5)
    assert diagram.tile == Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    assert (diagram.bits, diagram.base, diagram.shift, diagram.unit, diagram.offset) == (3, 4, 3, "byte", 320)
    assert (
        repr(diagram)
        == "BitDiagram of Sw<3,4,3> in bytes: row 5, column 0 of 8x64 f16, byte 640 (bank 0) goes to 720 (bank 20)"
    )


def test_one_physical_swizzle_in_two_units_has_the_same_bytes():
    reprs = [repr(BitDiagram(HALVES.with_swizzle(swizzle, unit), row=5, col=9)).split(": ")[1] for swizzle, unit in (
        (Swizzle(3, 4, 3), "byte"), (Swizzle(3, 3, 3), "element"), (Swizzle(3, 0, 3), 128),
    )]  # fmt: skip
    assert len(set(reprs)) == 1


@pytest.mark.parametrize(
    ("tile", "swizzle", "unit"),
    [
        (halves(2, 3, 3, "element"), Swizzle(2, 3, 3), "element"),
        (halves(3, 3, 3, 16), Swizzle(3, 4, 3), "byte"),
        (halves(0, 2, 3, "element"), None, None),
        (HALVES, None, None),
    ],
)
def test_a_tile_is_shown_in_bytes_or_elements(tile, swizzle, unit):
    diagram = BitDiagram(tile)
    assert (diagram.tile.swizzle, diagram.tile.unit) == (swizzle, unit)
    assert (diagram.tile.banks == tile.banks).all()


@pytest.mark.parametrize("swizzle", [Swizzle(3, 4, 3), Swizzle(3, 3, 3)])
def test_a_swizzle_alone_is_refused_with_both_readings(swizzle):
    with pytest.raises(TypeError, match=r'of bytes or of elements.*unit="byte".*unit="element"'):
        BitDiagram(swizzle)


@pytest.mark.parametrize("tile", [
    Tile(32, 32, "f32", padding=1),
    Tile(16, 128, "e2m1"),
    Tile(16, 128, "b1"),
    Tile(8, 64, "f16", base_address=208),
    Tile(8, 64, "f16", base_address=208, anchor="address"),
    Tile(16, 16, "f16", layout=Layout(((8, 2), 16), ((16, 128), 1))),
    Tile(8, 32, "f64", order="column"),
    Tile.from_map(lambda row, col: 8 * row + (col + 3 * row) % 8, (8, 8), "e4m3"),
])  # fmt: skip
def test_row_and_column_set_the_offset_and_the_sentence_agrees_with_the_tile(tile):
    swizzled = tile.with_swizzle(Swizzle(2, 4, 3), "byte")
    diagram = BitDiagram(swizzled)
    for row, col in ((0, 0), (tile.rows - 1, tile.cols - 1), (5, 7)):
        diagram.place = row, col
        assert diagram.offset == tile.layout(row, col)
        assert diagram.place == (row, col)
        addresses = [variant.addresses[row, col] for variant in (tile, swizzled)]
        banks = [variant.banks[row, col] for variant in (tile, swizzled)]
        numbers = re.search(
            r"byte (\d+)(?: bit \d)? \(bank (\d+)\) goes to (\d+)(?: bit \d)? \(bank (\d+)\)", repr(diagram)
        )
        assert [*map(int, numbers.groups())] == [addresses[0], banks[0], addresses[1], banks[1]]


def test_half_a_byte_is_said():
    diagram = BitDiagram(Tile(16, 128, "e2m1", swizzle=Swizzle(1, 0, 1), unit="element"), row=0, col=2)
    assert repr(diagram).endswith("row 0, column 2 of 16x128 e2m1, byte 1 (bank 0) goes to 1 bit 4 (bank 0)")


def test_an_offset_between_the_elements_has_no_place():
    diagram = BitDiagram(Tile(32, 32, "f32", padding=1, swizzle=Swizzle(3, 4, 3), unit="byte"), offset=32)
    assert diagram.place is None
    assert "offset 32, no element of 32x32 f32, byte 128 (bank 0) goes to 144 (bank 4)" in repr(diagram)
    diagram.offset = 33
    assert diagram.place == (1, 0)


def test_recast_changes_m_and_no_address():
    diagram = BitDiagram(halves(3, 4, 3), row=7, col=33)
    before = diagram.bit_addresses
    diagram.recast("element")
    assert (diagram.tile.swizzle, diagram.unit) == (Swizzle(3, 3, 3), "element")
    assert diagram.bit_addresses == before


@pytest.mark.parametrize(
    ("swizzle", "place"),
    [(Swizzle(3, 4, 3), (1, 0)), (Swizzle(2, 4, 4), (2, 0)), (Swizzle(3, 4, -3), (0, 8)), (None, (0, 0))],
    ids=str,
)
def test_it_opens_on_an_element_that_the_swizzle_moves(swizzle, place):
    """The first down the first column, else in the next ones; told otherwise, there."""
    tile = HALVES.with_swizzle(swizzle, "byte") if swizzle else HALVES
    assert BitDiagram(tile).place == place
    assert BitDiagram(tile, row=0).place == BitDiagram(tile, col=0).place == (0, 0)


def test_offset_is_observed_and_linked():
    first, second = BitDiagram(halves(3, 4, 3)), BitDiagram(halves(2, 4, 3))
    seen = []
    first.observe(lambda change: seen.append((change.old, change.new)), "offset")
    link = ipywidgets.link((first, "offset"), (second, "offset"))
    second.place = 5, 0
    assert seen == [(64, 320)]
    link.unlink()
    assert "offset" in first.keys


def test_what_the_browser_sends_is_taken():
    diagram = BitDiagram(halves(3, 4, 3))
    diagram.set_state({"offset": 321, "bits": 2})
    assert (diagram.place, diagram.tile.swizzle) == ((5, 1), Swizzle(2, 4, 3))


@pytest.mark.parametrize(
    ("error", "text", "arguments"),
    [
        (TypeError, "tile must be a Tile", {"tile": (3, 4, 3)}),
        (TypeError, "unit belongs to the tile", {"unit": "byte"}),
        (TypeError, "BitDiagram has no argument 'swizzle'", {"swizzle": Swizzle(3, 4, 3)}),
        (ValueError, "row = 8 is too large: it must be at most 7", {"row": 8}),
        (ValueError, "col = -1 is too small", {"col": -1}),
        (TypeError, "row must be a whole number, not 1.5", {"row": 1.5}),
        (TypeError, "row must be a whole number", {"row": np.array([1, 2])}),
        (ValueError, "offset = -1 is too small", {"offset": -1}),
        (ValueError, "too large: it must be at most 2147483647", {"offset": 1 << 31}),
        (TypeError, "offset must be a whole number", {"offset": True}),
        (ValueError, "leave row and col out", {"offset": 3, "row": 1}),
    ],
)
def test_constructor_errors(error, text, arguments):
    with pytest.raises(error, match=re.escape(text)):
        BitDiagram(**{"tile": HALVES, **arguments})


def test_an_illegal_change_is_refused_and_nothing_moves():
    diagram = BitDiagram(halves(3, 4, 3), row=5)
    before = repr(diagram)
    for change in ({"shift": 2}, {"offset": -1}, {"unit": "word"}, {"base": 0}):
        ((name, value),) = change.items()
        with pytest.raises(ValueError, match=r"too short|too small|not known|would cut"):
            setattr(diagram, name, value)
        assert repr(diagram) == before
    with pytest.raises(ValueError, match="row = 8"):
        diagram.place = 8, 0
    assert repr(diagram) == before


def test_a_notebook_saves_the_view_a_picture_and_the_sentence():
    diagram = BitDiagram(halves(3, 4, 3), row=5)
    bundle = diagram._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["text/plain"].replace("\n", " ") == repr(diagram)
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == diagram.model_id
    picture = base64.b64decode(data["image/png"])
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    diagram.place = 6, 0
    assert diagram.png() != picture


def test_the_browser_gets_one_module_without_imports():
    lines = BitDiagram._esm.splitlines() if isinstance(BitDiagram._esm, str) else str(BitDiagram._esm).splitlines()
    assert not [line for line in lines if re.match(r"\s*import\b", line)]
    assert [line for line in lines if re.match(r"\s*export\b", line)] == lines[-1:]
    assert re.fullmatch(r"export default \w+\.default;", lines[-1])


def test_the_model_alone_brings_no_widgets_and_the_names_are_there_when_asked():
    code = (
        "import sys, swizzle_widgets as s; assert 'anywidget' not in sys.modules; "
        "s.BitDiagram; assert 'anywidget' in sys.modules; from swizzle_widgets import *; BitDiagram"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert "BitDiagram" in dir(swizzle_widgets)
    with pytest.raises(AttributeError, match="NoSuchWidget"):
        swizzle_widgets.NoSuchWidget  # noqa: B018
