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


def test_the_usual_tile_and_bytes_where_nothing_is_said():
    diagram = BitDiagram(Swizzle(3, 4, 3), row=5)
    assert diagram.tile == Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    assert (diagram.bits, diagram.base, diagram.shift, diagram.unit, diagram.offset) == (3, 4, 3, "byte", 320)
    assert (
        repr(diagram)
        == "BitDiagram of Sw<3,4,3> in bytes: row 5, column 0 of 8x64 f16, byte 640 (bank 0) goes to 720 (bank 20)"
    )


def test_one_physical_swizzle_in_two_units_has_the_same_bytes():
    reprs = [repr(BitDiagram(swizzle, HALVES, unit=unit, row=5, col=9)).split(": ")[1] for swizzle, unit in (
        (Swizzle(3, 4, 3), "byte"), (Swizzle(3, 3, 3), "element"), (Swizzle(3, 0, 3), 128),
    )]  # fmt: skip
    assert len(set(reprs)) == 1


COUNTED = HALVES.with_swizzle(Swizzle(2, 3, 3), "element")


@pytest.mark.parametrize(
    ("arguments", "swizzle", "unit"),
    [
        ({"tile": COUNTED}, Swizzle(2, 3, 3), "element"),
        ({"swizzle": Swizzle(1, 5, 4), "tile": COUNTED}, Swizzle(1, 5, 4), "element"),
        ({"swizzle": Swizzle(1, 5, 4), "tile": COUNTED, "unit": "byte"}, Swizzle(1, 5, 4), "byte"),
        ({"swizzle": Swizzle(3, 3, 3), "unit": 16}, Swizzle(3, 4, 3), "byte"),
        ({}, Swizzle(0, 4, 3), "byte"),
    ],
)
def test_swizzle_and_unit_come_from_the_arguments_before_the_tile(arguments, swizzle, unit):
    diagram = BitDiagram(**arguments)
    assert (diagram.swizzle, diagram.unit) == (swizzle, unit)


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
    diagram = BitDiagram(tile=swizzled)
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
    diagram = BitDiagram(Swizzle(1, 0, 1), Tile(16, 128, "e2m1"), unit="element", row=0, col=2)
    assert repr(diagram).endswith("row 0, column 2 of 16x128 e2m1, byte 1 (bank 0) goes to 1 bit 4 (bank 0)")


def test_an_offset_between_the_elements_has_no_place():
    diagram = BitDiagram(Swizzle(3, 4, 3), Tile(32, 32, "f32", padding=1), offset=32)
    assert diagram.place is None
    assert "offset 32, no element of 32x32 f32, byte 128 (bank 0) goes to 144 (bank 4)" in repr(diagram)
    diagram.offset = 33
    assert diagram.place == (1, 0)


def test_recast_changes_m_and_no_address():
    diagram = BitDiagram(Swizzle(3, 4, 3), row=7, col=33)
    before = diagram.bit_addresses
    diagram.recast("element")
    assert (diagram.swizzle, diagram.unit) == (Swizzle(3, 3, 3), "element")
    assert diagram.bit_addresses == before


def test_offset_is_observed_and_linked():
    first, second = BitDiagram(Swizzle(3, 4, 3)), BitDiagram(Swizzle(2, 4, 3))
    seen = []
    first.observe(lambda change: seen.append((change.old, change.new)), "offset")
    link = ipywidgets.link((first, "offset"), (second, "offset"))
    second.place = 5, 0
    assert seen == [(0, 320)]
    link.unlink()
    assert "offset" in first.keys


def test_what_the_browser_sends_is_taken():
    diagram = BitDiagram(Swizzle(3, 4, 3))
    diagram.set_state({"offset": 321, "bits": 2})
    assert (diagram.place, diagram.swizzle) == ((5, 1), Swizzle(2, 4, 3))


@pytest.mark.parametrize(
    ("error", "text", "arguments"),
    [
        (TypeError, "swizzle must be a Swizzle", {"swizzle": (3, 4, 3)}),
        (TypeError, "swizzle must be a Swizzle", {"swizzle": HALVES}),
        (TypeError, "tile must be a Tile", {"tile": Swizzle(3, 4, 3)}),
        (ValueError, "row = 8 is too large: it must be at most 7", {"row": 8}),
        (ValueError, "col = -1 is too small", {"col": -1}),
        (TypeError, "row must be a whole number, not 1.5", {"row": 1.5}),
        (TypeError, "row must be a whole number", {"row": np.array([1, 2])}),
        (ValueError, "offset = -1 is too small", {"offset": -1}),
        (ValueError, "too large: it must be at most 2147483647", {"offset": 1 << 31}),
        (TypeError, "offset must be a whole number", {"offset": True}),
        (ValueError, "leave row and col out", {"offset": 3, "row": 1}),
        (ValueError, "unit = 'byte' without a swizzle", {"unit": "byte"}),
        (ValueError, "unit = 'word' is not known", {"swizzle": Swizzle(3, 4, 3), "unit": "word"}),
        (ValueError, "would cut elements of 16 bits", {"swizzle": Swizzle(3, 0, 3)}),
        (ValueError, "must be a power of two", {"swizzle": Swizzle(3, 4, 3), "unit": 24}),
    ],
)
def test_constructor_errors(error, text, arguments):
    with pytest.raises(error, match=re.escape(text)):
        BitDiagram(**arguments)


def test_an_illegal_change_is_refused_and_nothing_moves():
    diagram = BitDiagram(Swizzle(3, 4, 3), row=5)
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
    diagram = BitDiagram(Swizzle(3, 4, 3), row=5)
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
    assert lines[-1] == "export default { render: renderBitDiagram };"


def test_the_model_alone_brings_no_widgets_and_the_names_are_there_when_asked():
    code = (
        "import sys, swizzle_widgets as s; assert 'anywidget' not in sys.modules; "
        "s.BitDiagram; assert 'anywidget' in sys.modules; from swizzle_widgets import *; BitDiagram"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert "BitDiagram" in dir(swizzle_widgets)
    with pytest.raises(AttributeError, match="NoSuchWidget"):
        swizzle_widgets.NoSuchWidget  # noqa: B018
