"""The pictures say what the model says: panels, texts, colors, boxes; and they are cheap and repeatable."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from swizzle_widgets import Access, Layout, Swizzle, Tile, figures
from swizzle_widgets.model.table import Table
from swizzle_widgets.theme import BANK_COLORS, BANK_INKS, contrast

TILE = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
SQUARE = Tile(32, 32, "f32", swizzle=Swizzle(5, 0, 5), unit="element")
PALETTE = np.array([list(bytes.fromhex(color[1:])) for color in BANK_COLORS], np.uint8)


def plain_and_swizzled(access: Access) -> list[Access]:
    return [access.on(access.tile.with_swizzle(None)), access]


def png(figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100)
    return buffer.getvalue()


def pixels(figure):
    """The picture as an RGB array, shape (height, width, 3)."""
    from PIL import Image

    return np.array(Image.open(io.BytesIO(png(figure))).convert("RGB"))


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def cells(axes) -> np.ndarray:
    return np.asarray(axes.images[0].get_array())


def numbers(axes) -> dict[tuple[int, int], tuple[int, str]]:
    """(row, column in the picture) -> bank and ink of the number that stands there."""
    image = axes.images[0]
    left, right, bottom, top = image.get_extent()
    height, width = cells(axes).shape[:2]
    found = {}
    for line in axes.lines:
        for x, y in zip(line.get_xdata(), line.get_ydata()):
            row, col = (y - top) / (bottom - top) * height, (x - left) / (right - left) * width
            assert row % 1 == pytest.approx(0.5)
            assert col % 1 == pytest.approx(0.5)
            found[int(row), int(col)] = int(line.get_label()), line.get_markerfacecolor()
    return found


# --- Laziness and repeatability --------------------------------------------------------------------

LAZY = """
import sys
import swizzle_widgets, swizzle_widgets.figures, swizzle_widgets.theme
loaded = lambda: sorted(name for name in sys.modules if name.split(".")[0] in ("matplotlib", "PIL"))
assert not loaded(), loaded()
tile = swizzle_widgets.Tile(8, 64, "f16")
swizzle_widgets.figures.bank_heatmap([swizzle_widgets.Access.column(tile)])
assert "matplotlib.figure" in loaded()
assert "matplotlib.pyplot" not in loaded()
"""


def test_matplotlib_is_imported_when_a_picture_is_asked_for_and_pyplot_never():
    subprocess.run([sys.executable, "-c", LAZY], check=True)


PICTURES = {
    "bank_heatmap": lambda: figures.bank_heatmap(plain_and_swizzled(Access.column(TILE, 3))),
    "bit_diagram": lambda: figures.bit_diagram(TILE, 320),
    "column_read": lambda: figures.column_read([Access.column(TILE), "too wide"], ["one", "other"], 1),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_same_input_gives_the_same_bytes(name):
    assert png(PICTURES[name]()) == png(PICTURES[name]())


@pytest.mark.parametrize("name", PICTURES)
def test_the_readers_settings_do_not_change_the_picture(name):
    import matplotlib

    expected = png(PICTURES[name]())
    settings = {
        "figure.facecolor": "black",
        "axes.facecolor": "black",
        "text.color": "white",
        "font.family": "serif",
        "font.weight": "bold",
        "font.size": 30,
        "lines.linewidth": 5,
        "lines.markeredgewidth": 3,
        "patch.edgecolor": "red",
        "image.origin": "lower",
        "axes.xmargin": 0.4,
    }
    with matplotlib.rc_context(settings):
        assert png(PICTURES[name]()) == expected


@pytest.mark.parametrize("name", PICTURES)
def test_a_page_wide_and_white(name):
    picture = pixels(PICTURES[name]())
    assert picture.shape[1] == 900
    border = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (border == 255).all(), "something touches the edge of the page"


# --- Heatmap ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("tile", [TILE, SQUARE], ids=["wide", "square"])
def test_one_panel_per_access(tile, count):
    accesses = [Access.column(tile.with_swizzle(Swizzle(bits, 4, 5), "byte")) for bits in range(count)]
    figure = figures.bank_heatmap(accesses)
    assert len(figure.axes) == count
    for axes, access in zip(figure.axes, accesses):
        assert access.tile.swizzle_name in texts(axes)
    boxes = [axes.get_position() for axes in figure.axes]
    for index, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:index])


def test_wide_tiles_are_stacked_and_square_ones_side_by_side():
    square = (SQUARE, Tile(128, 128, "f16"), Tile(1024, 64, "f16"))
    wide = (TILE, Tile(16, 1024, "f16"), Tile(1, 2048, "f16"))
    for tile, beside in [*((tile, True) for tile in square), *((tile, False) for tile in wide)]:
        first, second = figures.bank_heatmap([Access.column(tile)] * 2).axes
        assert (first.get_position().y0 == second.get_position().y0) == beside
        assert (first.get_position().x0 == second.get_position().x0) != beside


def test_no_access_is_refused():
    with pytest.raises(ValueError, match="at least one access"):
        figures.bank_heatmap([])


@pytest.mark.parametrize(
    "access",
    [
        Access.column(TILE, 3),
        Access.column(SQUARE),
        Access.ldmatrix(Tile(128, 128, "f16", swizzle=Swizzle(3, 3, 3), unit="element")),
        Access.row(Tile(32, 32, "f16", order="column"), 4),
        Access.column(Tile.of_layout(Layout(((8, 4), (16, 2)), ((16, 256), (1, 128))), "s8")),
    ],
    ids=str,
)
def test_cells_have_the_color_of_their_bank(access):
    for axes, shown in zip(figures.bank_heatmap(plain_and_swizzled(access)).axes, plain_and_swizzled(access)):
        np.testing.assert_array_equal(cells(axes)[..., :3], PALETTE[shown.tile.banks])
        rows, cols = shown.coordinates
        touched = np.zeros(shown.tile.banks.shape, bool)
        run = np.arange(8 * shown.width // shown.tile.element_bits)
        for row, col in zip(rows, cols):
            if row >= 0 and shown.tile.order == "row":
                touched[row, col + run] = True
            elif row >= 0:
                touched[row + run, col] = True
        np.testing.assert_array_equal(cells(axes)[..., 3] == 255, touched)
        assert len(set(cells(axes)[..., 3][~touched].tolist())) == 1


@pytest.mark.parametrize("access", [Access.column(TILE, 3), Access.column(SQUARE, 31)], ids=str)
def test_every_cell_carries_its_banks_number(access):
    (axes,) = figures.bank_heatmap([access]).axes
    found = numbers(axes)
    banks = access.tile.banks
    assert {place: bank for place, (bank, _) in found.items()} == dict(np.ndenumerate(banks))
    for lane in range(access.tile.rows):
        place = lane, access.spec["col"]
        assert found[place][1] == BANK_INKS[banks[place]]


def test_numbers_can_be_read_on_dimmed_cells_too():
    (axes,) = figures.bank_heatmap([Access.column(SQUARE)]).axes
    for (row, col), (bank, ink) in numbers(axes).items():
        *color, alpha = (int(value) for value in cells(axes)[row, col])
        seen = [round(value * alpha / 255 + 255 - alpha) for value in color]
        assert contrast(ink, "#" + bytes(seen).hex()) >= 4.5, f"{ink} on bank {bank}, ({row}, {col})"


def test_the_color_on_the_page_is_the_banks():
    tile = Tile(4, 8, "f32")
    access = Access.at(tile, np.arange(32) // 8, np.arange(32) % 8)
    figure = figures.bank_heatmap([access])
    picture = pixels(figure).reshape(-1, 3)
    for color in PALETTE:
        assert (picture == color).all(axis=1).sum() > 20, f"{color} is not on the page"


def test_only_small_tiles_are_numbered():
    for rows, cols, numbered in ((64, 32, True), (65, 32, False), (1, 2048, True), (2048, 1, True), (128, 128, False)):
        (axes,) = figures.bank_heatmap([Access.column(Tile(rows, cols, "f16"))]).axes
        assert sum(len(line.get_xdata()) for line in axes.lines) == numbered * rows * cols


@pytest.mark.parametrize(
    ("access", "edges"),
    [
        # Eight cells below each other: 8 x 2 sides, 9 edges across.
        (Access.column(TILE, 3), 8 * 2 + 9),
        # Eight vectors of 8 elements below each other: the same, the edges across 8 cells wide.
        (Access.column(TILE, 8, width=16), 8 * 2 + 9 * 8),
    ],
    ids=str,
)
def test_each_vector_has_one_frame(access, edges):
    from matplotlib.colors import to_rgba

    (axes,) = figures.bank_heatmap([access]).axes
    (frame,) = (lines for lines in axes.collections if tuple(lines.get_edgecolor()[0]) == to_rgba(figures.INK))
    assert len(frame.get_segments()) == edges


@pytest.mark.parametrize("variant", [0, 1])
def test_the_verdict_is_the_reports(variant):
    access = plain_and_swizzled(Access.column(TILE))[variant]
    axes = figures.bank_heatmap(plain_and_swizzled(Access.column(TILE))).axes[variant]
    report = access.report()
    shown = texts(axes)
    assert shown[shown.index("wavefront" if variant else "wavefronts") - 1] == str(report.wavefronts)
    assert f"ideal {report.ideal}, {report.conflicts} conflicts" in shown
    assert f"all words per bank: at most {report.words_per_bank.sum(axis=0).max()}" in shown
    assert ("✓" if variant else "▲") in shown
    assert str(access) in shown


def test_the_bars_are_the_words_per_bank():
    accesses = plain_and_swizzled(Access.column(Tile(8, 64, "f16", swizzle=Swizzle(2, 4, 3), unit="byte")))
    heights = []
    for axes, access in zip(figures.bank_heatmap(accesses).axes, accesses):
        (bars,) = (item for item in axes.collections if type(item).__name__ == "PolyCollection")
        counts = access.report().words_per_bank.sum(axis=0)
        used = np.flatnonzero(counts)
        assert len(bars.get_paths()) == len(used)
        np.testing.assert_allclose(bars.get_facecolor()[:, :3] * 255, PALETTE[used])
        heights += [np.ptp(path.vertices[:, 1]) / count for path, count in zip(bars.get_paths(), counts[used])]
    # One scale for both panels.
    assert heights == pytest.approx([heights[0]] * len(heights))


@pytest.mark.parametrize("shape", [(8, 64), (32, 32)])
def test_a_cut_access_says_why_instead_of_a_verdict(shape):
    tile = Tile(*shape, "f16", swizzle=Swizzle(2, 2, 4), unit="byte")
    access = Access.column(tile, 8, width=16)
    assert access.cut_text
    axes = figures.bank_heatmap(plain_and_swizzled(access)).axes[1]
    shown = texts(axes)
    assert "no instruction" in shown
    assert access.cut_text in " ".join(shown)
    assert not [text for text in shown if text.startswith("wavefront")]


def odd_tiles() -> dict[str, Tile]:
    rng = np.random.default_rng(1)
    return {
        "one element": Tile(1, 1, "f64"),
        "one row": Tile(1, 2048, "f32", swizzle=Swizzle(3, 2, 3), unit="element"),
        "one column": Tile(2048, 1, "f32", swizzle=Swizzle(3, 2, 3), unit="element"),
        "8 x 256": Tile(8, 256, "f16", swizzle=Swizzle(3, 4, 3), unit="byte"),
        "prime": Tile(37, 53, "f32"),
        "bits": Tile(3, 40, "b1"),
        "fp4": Tile(64, 128, "e2m1", swizzle=Swizzle(3, 4, 3), unit="byte"),
        "all of shared memory": Tile(454, 512, "u8"),
        "tall": Tile(1024, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte"),
        "very wide": Tile(2, 50000, "f16"),
        "very tall": Tile(50000, 2, "f16"),
        "column order": Tile(64, 32, "f16", order="column"),
        "padded": Tile(32, 32, "f32", padding=1),
        "table": Tile(4, 8, "f32", layout=Table(rng.permutation(32).reshape(4, 8))),
        "aliased": Tile.of_layout(Layout((8, 8), (0, 1)), "f32"),
        "at the end": Tile(8, 16, "f32", base_address=227 * 1024 - 512),
    }


@pytest.mark.parametrize("name", odd_tiles())
def test_odd_tiles_are_drawn_whole(name):
    tile = odd_tiles()[name]
    access = Access.offsets(tile, [0], 8 if name == "one element" else None)
    figure = figures.bank_heatmap([access, access])
    for axes in figure.axes:
        shown = cells(axes)
        colors = Counter(map(tuple, shown[shown[..., 3] > 0][:, :3].tolist()))
        assert colors == Counter(map(tuple, PALETTE[tile.banks.ravel()].tolist()))
        assert "not shown" not in " ".join(texts(axes))
    assert png(figure)


def test_bands_follow_each_other():
    tile = odd_tiles()["8 x 256"]
    (axes,) = figures.bank_heatmap([Access.column(tile)]).axes
    shown = cells(axes)
    gaps = np.flatnonzero((shown[..., 3] == 0).all(axis=1))
    bands = [band[(band[..., 3] > 0).all(axis=1)] for band in np.split(shown, gaps)]
    np.testing.assert_array_equal(np.concatenate(bands, axis=1)[..., :3], PALETTE[tile.banks])
    starts = np.cumsum([0, *(band.shape[1] for band in bands[:-1])])
    assert set(texts(axes)) >= {f"c {start}" for start in starts}


def test_a_picture_that_cannot_hold_the_tile_says_so():
    tile = Tile(1, 1 << 20, "b1")
    figure = figures.bank_heatmap([Access.offsets(tile, [0])])
    (axes,) = figure.axes
    shown = np.count_nonzero(cells(axes)[..., 3])
    assert f"the last {tile.cols - shown} of {tile.cols} cells are not shown" in texts(axes)
    assert figure.get_size_inches()[1] < 12


def test_touched_padding_is_no_cell():
    tile = Tile(4, 4, "f32", padding=4)
    (axes,) = figures.bank_heatmap([Access.offsets(tile, [0, 4, 8, 31])]).axes
    assert np.argwhere(cells(axes)[..., 3] == 255).tolist() == [[0, 0], [1, 0]]


# --- Bits ------------------------------------------------------------------------------------------


def bit_rows(figure) -> list[str]:
    """The rows of large single digits, from left to right, from top to bottom."""
    (axes,) = figure.axes
    rows: dict[float, list] = {}
    label_y = [text.get_position()[1] for text in axes.texts if text.get_text() in ("before", "after")]
    for text in axes.texts:
        x, y = text.get_position()
        if text.get_text() in ("0", "1") and y in label_y:
            rows.setdefault(y, []).append((x, text.get_text()))
    return ["".join(digit for _, digit in sorted(rows[y])) for y in sorted(rows)]


@pytest.mark.parametrize("offset", [0, 77, 320, 511])
@pytest.mark.parametrize(
    "tile",
    [
        TILE,
        Tile(8, 64, "f16"),
        Tile(8, 64, "f16", swizzle=Swizzle(0, 4, 3), unit="byte"),
        Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element"),
        Tile(8, 64, "f32", swizzle=Swizzle(3, 4, -3), unit="byte"),
        Tile(8, 64, "e2m1", swizzle=Swizzle(2, 5, -3), unit="element"),
        Tile(8, 64, "b1", swizzle=Swizzle(2, 5, 2), unit="element"),
        Tile(8, 64, "f64", swizzle=Swizzle(1, 0, 1), unit=64),
        Tile(8, 64, "f16", base_address=128, swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address"),
        Tile(8, 64, "f16", base_address=1024, swizzle=Swizzle(3, 4, 3), unit="byte"),
        Tile(8, 64, "f16", base_address=1 << 14, swizzle=Swizzle(3, 4, 3), unit="byte"),
        Tile(8, 64, "f16", base_address=4096),
    ],
    ids=str,
)
def test_the_bits_are_those_of_the_address(tile, offset):
    figure = figures.bit_diagram(tile, offset)
    plain = int(tile.with_swizzle(None).bit_addresses(offset))
    swizzled = int(tile.bit_addresses(offset))
    low = min(3, tile.element_bits.bit_length() - 1)
    before, after = bit_rows(figure)
    assert int(before, 2) == plain >> low
    assert int(after, 2) == swizzled >> low
    assert len(before) == len(after) >= 10
    shown = texts(figure.axes[0])
    assert [f"byte 0x{bits >> 3:x}" in shown for bits in (plain, swizzled)] == [True, True]
    banks = [after for before, after in pairwise(shown) if before == "bank" and after.isdigit()]
    assert banks == [str(bits >> 5 & 31) for bits in (plain, swizzled)]
    assert tile.swizzle_name in shown
    assert ("in\nbyte" in shown) == (tile.element_bits < 8)
    bits = tile.swizzle.bits if tile.swizzle else 0
    assert sum(line.get_marker() == "+" for line in figure.axes[0].lines) == bits, "one XOR a bit"
    assert ("source\nYYY" in shown) == ("target\nZZZ" in shown) == (bits > 0)
    assert png(figure)


def test_wires_lead_from_each_source_bit_to_its_target():
    for swizzle in (Swizzle(3, 4, 3), Swizzle(2, 3, -4)):
        (axes,) = figures.bit_diagram(TILE.with_swizzle(swizzle, "byte"), 320).axes
        wires = [lines.get_segments()[0] for lines in axes.collections if type(lines).__name__ == "LineCollection"]
        bends = [wire for wire in wires if len(wire) == 3]
        assert len(bends) == swizzle.bits
        widths = {round((wire[2] - wire[0])[0], 6) for wire in bends}
        (bit_4, bit_5) = (text.get_position()[0] for bit in "45" for text in axes.texts if text.get_text() == bit)
        # Higher bits are further left; a wire goes `shift` columns down to lower bits.
        assert widths == {round((bit_4 - bit_5) * swizzle.shift, 6)}
        for (start, _), (_, y), (goal, _) in bends:
            for (x, _), (_, depth), _ in bends:
                assert not (min(start, goal) < x < max(start, goal) and y < depth), "a wire crosses another's way down"


def test_an_unseen_base_is_added_after_the_swizzle():
    tile = Tile(8, 64, "f32", base_address=48, swizzle=Swizzle(3, 4, 3), unit="byte")
    figure = figures.bit_diagram(tile, 100)
    before, after = (int(row, 2) for row in bit_rows(figure))
    assert (before, after) == (400, Swizzle(3, 4, 3)(400))
    shown = texts(figure.axes[0])
    assert {f"byte 0x{before:x} + 0x30", f"byte 0x{after:x} + 0x30"} <= set(shown)
    banks = [after for before, after in pairwise(shown) if before == "bank" and after.isdigit()]
    assert banks == [str((value + 48) // 4 % 32) for value in (before, after)]


def test_the_diagram_names_the_element():
    assert "offset 320: element (5, 0) of the 8x64 f16 tile" in texts(figures.bit_diagram(TILE, 320).axes[0])
    assert "offset 512: no element of the 8x64 f16 tile" in texts(figures.bit_diagram(TILE, 512).axes[0])


def test_the_widest_swizzles_fit_on_the_page():
    for swizzle, unit in ((Swizzle(15, 0, 16), 128), (Swizzle(1, 29, 1), "byte"), (Swizzle(7, 10, -14), "element")):
        tile = Tile(1, 8, "f16", swizzle=swizzle, unit=unit)
        picture = pixels(figures.bit_diagram(tile, 0))
        assert (picture[:, -8:] == 255).all()


@pytest.mark.parametrize("offset", [-1, 8 * 227 * 1024, 1.5, "0", True])
def test_offsets_outside_shared_memory_are_refused(offset):
    with pytest.raises((TypeError, ValueError), match="offset"):
        figures.bit_diagram(TILE, offset)


# --- Reading, wavefront by wavefront ---------------------------------------------------------------


def frames(axes) -> list[tuple[int, int]]:
    """First bank and number of banks of each box, in the order of drawing."""
    found = []
    for boxes in axes.collections:
        if type(boxes).__name__ == "PolyCollection" and not boxes.get_facecolor().any():
            corners = [path.vertices[:, 0] for path in boxes.get_paths()]
            found += [(round(x.min() / figures.SLOT), round(np.ptp(x) / figures.SLOT)) for x in corners]
    return found


@pytest.mark.parametrize(
    ("step", "states"),
    [
        (0, ("wavefront 0", "wavefront 0")),
        (3, ("wavefront 3 of 8", "✓ done after 1")),
        (8, ("✓ done after 8", "✓ done after 1")),
        (99, ("✓ done after 8", "✓ done after 1")),
    ],
)
def test_one_track_per_variant_with_its_state(step, states):
    labels = ("no swizzle", "swizzled")
    figure = figures.column_read(plain_and_swizzled(Access.column(TILE)), labels, step)
    assert len(figure.axes) == 2
    for axes, label, state in zip(figure.axes, labels, states):
        assert {label, state} <= set(texts(axes))


@pytest.mark.parametrize("step", range(10))
def test_what_is_left_and_what_was_delivered(step):
    access = Access.column(TILE.with_swizzle(Swizzle(1, 4, 3), "byte"))
    served = access.report().served
    (axes,) = figures.column_read([access], ["x"], step).axes
    shown = [*served[step:], *([served[step - 1]] if 0 < step <= len(served) else [])]
    assert frames(axes) == [(bank, 1) for wavefront in shown for bank in wavefront]
    assert ("delivered" in texts(axes)) == (0 < step <= len(served))
    colors = [
        tuple(np.round(boxes.get_facecolor()[i, :3] * 255).astype(int))
        for boxes in axes.collections
        if type(boxes).__name__ == "PolyCollection" and boxes.get_facecolor().any()
        for i in range(len(boxes.get_facecolor()))
    ]
    floor = [tuple(color) for color in PALETTE.tolist()]
    assert Counter(colors) == Counter(floor + [floor[bank] for wavefront in shown for bank in wavefront])


def test_a_16_byte_vector_is_one_box_of_four_banks_and_phases_are_named():
    tile = Tile(32, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    access = Access.column(tile, 16, width=16)
    (axes,) = figures.column_read([access], ["x"], 0).axes
    boxes = frames(axes)
    assert len(boxes) == 32
    assert all(first % 4 == 0 and count == 4 for first, count in boxes)
    shown = texts(axes)
    assert {f"phase {i + 1}, lanes {8 * i}-{8 * i + 7}" for i in range(4)} <= set(shown)
    # The banks' numbers, and each lane once.
    assert Counter(text for text in shown if text.isdigit()) == Counter(2 * list(map(str, range(32))))
    (later,) = figures.column_read([access], ["x"], 3).axes
    assert [text for text in texts(later) if text.startswith("phase")] == ["phase 4, lanes 24-31"]


def test_lanes_that_share_a_word_share_a_box():
    row = figures.column_read([Access.row(TILE)], ["row"], 0).axes[0]
    assert {"0-1", "30-31"} <= set(texts(row))
    half = Access.at(SQUARE.with_swizzle(None), [0, 1] * 16, 0)
    (axes,) = figures.column_read([half], ["two words"], 0).axes
    assert texts(axes).count("x16") == 2
    alone = Access.at(SQUARE.with_swizzle(None), [0] * 32, 0)
    assert "0-31" in texts(figures.column_read([alone], ["one word"], 0).axes[0])


def test_a_reason_stands_where_there_is_no_access():
    tile = Tile(32, 64, "f16", swizzle=Swizzle(3, 2, 3), unit="byte")
    cut = Access.column(tile, 16, width=16)
    figure = figures.column_read(["lane 1: not aligned", cut], ["padded", "cut"], 0)
    for axes, reason in zip(figure.axes, ("lane 1: not aligned", cut.cut_text)):
        assert reason in " ".join(texts(axes))
        assert "✕ no such access" in texts(axes)
        assert not axes.collections


def test_towers_of_all_tracks_have_one_scale():
    heights = set()
    for axes in figures.column_read(plain_and_swizzled(Access.column(SQUARE)), "ab", 0).axes:
        for boxes in axes.collections:
            if type(boxes).__name__ == "PolyCollection" and not boxes.get_facecolor().any():
                heights |= {float(np.ptp(path.vertices[:, 1])) for path in boxes.get_paths()}
    assert len(heights) == 1


def test_tracks_keep_their_place_from_step_to_step():
    accesses = plain_and_swizzled(Access.column(SQUARE))
    places = {
        tuple(tuple(axes.get_position().bounds) for axes in figures.column_read(accesses, "ab", step).axes)
        for step in (0, 5, 40)
    }
    assert len(places) == 1


@pytest.mark.parametrize(
    ("accesses", "labels", "step", "match"),
    [
        ([], [], 0, "at least one"),
        (["no"], ["a", "b"], 0, "1 accesses need as many labels, not 2"),
        (["no"], ["a"], -1, "step = -1"),
        (["no"], ["a"], 1.5, "step must be a whole number"),
    ],
)
def test_bad_arguments_are_refused(accesses, labels, step, match):
    with pytest.raises((TypeError, ValueError), match=match):
        figures.column_read(accesses, labels, step)


# --- Animation -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "each"), [(2, 500), (4, 250)])
def test_the_gif_has_a_frame_per_wavefront_and_holds_the_last(tmp_path, speed, each):
    from PIL import Image

    path = tmp_path / "read.gif"
    accesses = plain_and_swizzled(Access.column(TILE))
    figures.column_read_gif(path, accesses, ["no swizzle", "swizzled"], speed)
    with Image.open(path) as image:
        assert image.n_frames == 9
        durations = []
        for frame in range(image.n_frames):
            image.seek(frame)
            durations.append(image.info["duration"])
        assert durations[:-1] == [each] * 8
        assert durations[-1] == pytest.approx(1500, abs=each)
        assert image.info["loop"] == 0
        image.seek(3)
        still = pixels(figures.column_read(accesses, ["no swizzle", "swizzled"], 3))
        # A GIF's frame has at most 256 colors.
        assert np.abs(np.array(image.convert("RGB"), int) - still).mean() < 2


def test_the_gif_is_the_same_each_time(tmp_path):
    import matplotlib

    accesses = plain_and_swizzled(Access.column(TILE.with_swizzle(Swizzle(2, 4, 3), "byte")))
    for name in ("a.gif", "b.gif"):
        with matplotlib.rc_context({"savefig.bbox": "tight"} if name == "b.gif" else {}):
            figures.column_read_gif(tmp_path / name, accesses, ["no swizzle", "swizzled"], 2)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_slow_gif_and_one_without_an_access(tmp_path):
    from PIL import Image

    figures.column_read_gif(str(tmp_path / "slow.gif"), [Access.column(TILE)], ["x"], 0.5)
    with Image.open(tmp_path / "slow.gif") as image:
        assert (image.n_frames, image.info["duration"]) == (2, 2000)
    figures.column_read_gif(tmp_path / "none.gif", ["does not fit"], ["x"], 2)
    with Image.open(tmp_path / "none.gif") as image:
        assert image.n_frames == 1


@pytest.mark.parametrize("speed", [0, -1, 51, float("nan"), float("inf"), "fast", True])
def test_impossible_speeds_are_refused(tmp_path, speed):
    with pytest.raises((TypeError, ValueError), match="speed"):
        figures.column_read_gif(tmp_path / "x.gif", [Access.column(TILE)], ["x"], speed)
    assert not (tmp_path / "x.gif").exists()
