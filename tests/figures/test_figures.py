"""The pictures say what the model says: cells, lanes, phases, rows of time, bits; and they are small and repeatable."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter
from functools import cache

import numpy as np
import pytest
from PIL import Image

from swizzle_widgets import Access, Layout, Swizzle, Tile, TiledCopy, best_swizzles, figures
from swizzle_widgets.figures import page
from swizzle_widgets.figures.bank_heatmap import tile_title, tiles_scene
from swizzle_widgets.figures.bit_diagram import Bits, bits_scene
from swizzle_widgets.figures.cells import Cells, elements_per_cell
from swizzle_widgets.figures.column_read import deliveries, row_height, time_left, time_scene, times_scene, track_of
from swizzle_widgets.figures.lab import lab_scene
from swizzle_widgets.figures.scene import TIMES
from swizzle_widgets.figures.swizzle_ranking import ranking_scene, shown_accesses
from swizzle_widgets.model.table import Table
from swizzle_widgets.theme import BANK_COLORS, BANK_INKS, contrast

TILE = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
TALL = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
SQUARE = Tile(32, 32, "f32", swizzle=Swizzle(5, 0, 5), unit="element")


def plain_and_swizzled(access: Access) -> list[Access]:
    return [access.on(access.tile.with_swizzle(None)), access]


def texts(scene) -> list[str]:
    return [item["text"] for item in scene.items if item["kind"] == "text"]


def rects(scene, kind: str) -> dict[int, list]:
    """Bank -> rectangles of "bank" (wanted, served) or "tint" (not wanted) fill."""
    found: dict[int, list] = {}
    for item in scene.items:
        name, _, bank = item.get("fill", "").partition(".")
        if item["kind"] == "rects" and name == kind:
            found.setdefault(int(bank), []).extend(item["rects"])
    return found


def pixels(data: bytes) -> np.ndarray:
    """A PNG's picture as RGB, shape (height, width, 3)."""
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


def colors_in(picture: np.ndarray) -> int:
    """How many colors a picture has, shape (height, width, 3 or more)."""
    return len(np.unique(picture[..., :3].astype(np.uint32) @ [1 << 16, 1 << 8, 1]))


PICTURES = {
    "bank_heatmap": lambda **options: figures.bank_heatmap(plain_and_swizzled(Access.column(TILE, 3)), **options),
    "ldmatrix": lambda **options: figures.bank_heatmap(plain_and_swizzled(Access.ldmatrix(TALL)), **options),
    "bit_diagram": lambda **options: figures.bit_diagram(TILE, 320, **options),
    "column_read": lambda **options: figures.column_read(
        [Access.column(TILE), "too wide"], ["one", "other"], **options
    ),
    "swizzle_lab": lambda **options: figures.swizzle_lab(plain_and_swizzled(Access.ldmatrix(TALL)), 64, **options),
    "swizzle_ranking": lambda **options: figures.swizzle_ranking(
        best_swizzles(TALL, [Access.ldmatrix(TALL), Access.row(TALL)], bits=3), Swizzle(3, 3, 3), **options
    ),
}


@cache
def plain_png(name: str) -> bytes:
    """The picture as it comes, drawn once for all tests that look at it."""
    return figures.png(PICTURES[name]())


# --- Paper -----------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("name", PICTURES)
def test_the_same_input_gives_the_same_bytes_whatever_the_readers_settings(name):
    import matplotlib

    expected = plain_png(name)
    settings = {
        "figure.facecolor": "black",
        "text.color": "white",
        "font.family": "serif",
        "font.size": 30,
        "lines.linewidth": 5,
        "patch.edgecolor": "red",
        "patch.linewidth": 4,
        "patch.antialiased": False,
    }
    with matplotlib.rc_context(settings):
        assert figures.png(PICTURES[name]()) == expected


@pytest.mark.parametrize("name", PICTURES)
def test_a_page_wide_white_at_its_edges_and_a_small_png(name):
    data = plain_png(name)
    picture = pixels(data)
    assert picture.shape[1] == 900
    border = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (border == 255).all(), "something touches the edge of the page"
    assert len(data) <= 60_000
    assert Image.open(io.BytesIO(data)).mode == "P"
    assert colors_in(picture) <= 128


@pytest.mark.parametrize("name", PICTURES)
def test_somebodys_axes_a_title_and_a_resolution(name):
    from matplotlib.figure import Figure

    mine = Figure(figsize=(4, 3))
    ax = mine.subplots()
    assert PICTURES[name](ax=ax, title="$mine$") is mine
    assert ax.get_title() == "$mine$"
    assert colors_in(np.asarray(mine_rgba(mine))) > 20, "nothing was drawn"
    plain, titled, fine = PICTURES[name](), PICTURES[name](title="a title"), PICTURES[name](dpi=200)
    assert titled.get_size_inches()[1] > plain.get_size_inches()[1]
    twice = [2 * side for side in pixels(plain_png(name)).shape[:2]]
    # Some versions of matplotlib round the half pixel of a side down.
    assert np.abs(np.subtract(pixels(figures.png(fine)).shape[:2], twice)).max() <= 1


def mine_rgba(figure):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.buffer_rgba()


def test_the_color_on_the_page_is_the_banks():
    tile = Tile(4, 8, "f32")
    picture = pixels(figures.png(figures.bank_heatmap([Access.at(tile, np.arange(32) // 8, np.arange(32) % 8)])))
    for color in BANK_COLORS:
        rgb = np.frombuffer(bytes.fromhex(color[1:]), np.uint8)
        assert (picture == rgb).all(axis=2).sum() > 20, f"{color} is not on the page"


def test_numbers_can_be_read_on_their_banks():
    assert all(contrast(ink, color) >= 4.5 for ink, color in zip(BANK_INKS, BANK_COLORS))


# --- The tile --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "per", "cells_a_row"),
    [
        (Tile(8, 64, "f16"), 2, 32),
        (TILE, 2, 32),
        (Tile(8, 64, "u8"), 4, 16),
        (Tile(8, 64, "e2m1"), 8, 8),
        (Tile(8, 32, "f32"), 1, 32),
        (Tile(8, 16, "f64"), 1, 32),
        # What splits words: padding, column order, a granule below 4 bytes, an odd row.
        (Tile(8, 64, "f16", padding=1), 1, 64),
        (Tile(8, 64, "f16", padding=8), 2, 32),
        (Tile(8, 64, "f16", order="column"), 1, 64),
        (Tile(8, 64, "f16", swizzle=Swizzle(1, 0, -1), unit="element"), 1, 64),
        # This one only turns the two elements of a word around.
        (Tile(8, 64, "f16", swizzle=Swizzle(2, 0, 6), unit="element"), 2, 32),
        (Tile(8, 64, "f16", swizzle=Swizzle(1, 0, 1), unit="element"), 2, 32),
        (Tile(8, 3, "f16"), 1, 3),
    ],
)
def test_a_cell_is_a_word_where_no_word_is_split(tile, per, cells_a_row):
    assert elements_per_cell([tile]) == per
    cells = Cells(Access.offsets(tile, [0], 8 if tile.dtype == "f64" else None), per)
    assert cells.words.shape == (tile.rows, cells_a_row)
    first = cells.words[:, :: cells.split] if per == 1 else cells.words
    np.testing.assert_array_equal(first % 32, tile.banks[:, ::per])


@pytest.mark.parametrize(
    "access",
    [
        Access.column(TILE, 3),
        Access.column(SQUARE),
        Access.ldmatrix(Tile(128, 128, "f16", swizzle=Swizzle(3, 3, 3), unit="element")),
        Access.row(Tile(32, 32, "f32", order="column"), 4),
        Access.row(TILE, 2),
        Access.column(Tile(16, 16, "f64"), 2),
        Access.column(Tile.of_layout(Layout(((8, 4), (16, 2)), ((16, 256), (1, 128))), "s8")),
    ],
    ids=str,
)
def test_lanes_stand_on_the_words_they_want(access):
    tile = access.tile
    cells = Cells(access, elements_per_cell([tile]))
    expected: dict[int, set] = {}
    run = np.arange(8 * access.width // tile.element_bits)
    for lane, start in enumerate(access.starts):
        for bit in tile.bit_addresses(start + run) if start >= 0 else ():
            for word in range(int(bit) // 32, max(int(bit) // 32 + 1, (int(bit) + tile.element_bits) // 32)):
                expected.setdefault(word, set()).add(lane)
    found = {int(cells.words[cell]): set(lanes) for cell, lanes in cells.lanes.items()}
    if cells.per > 1 or tile.element_bits >= 32:
        assert found == expected
    colored = rects(tiles_scene([access], 880, legend=False), "bank")
    assert Counter({bank: len(boxes) for bank, boxes in colored.items()}) == Counter(
        int(cells.banks[cell]) for cell in cells.lanes
    )


def test_the_phases_are_framed_and_numbered():
    for access, phases in ((Access.ldmatrix(TALL), 4), (Access.column(TILE), 1), (Access.ldmatrix(TALL, num=2), 2)):
        scene = tiles_scene([access], 880, legend=False)
        badges = [item["text"] for item in scene.items if item["kind"] == "badge"]
        assert badges == ([] if phases == 1 else [str(phase + 1) for phase in range(phases)])
        assert sum(item["kind"] == "lines" for item in scene.items) == phases
    # All on the left upper corner of their frame.
    corners = [(item["x"], item["y"]) for item in tiles_scene([Access.ldmatrix(TALL)], 880).items
               if item["kind"] == "badge"][:4]  # fmt: skip
    assert [y for _, y in corners] == [corners[0][1], corners[1][1]] * 2
    assert corners[1][0] == corners[0][0] < corners[2][0] == corners[3][0]
    cells = Cells(Access.ldmatrix(TALL), 2)
    assert cells.phases[2] == {(row, col) for row in range(8) for col in range(4, 8)}


def test_axes_and_the_key_have_words():
    said = texts(tiles_scene(plain_and_swizzled(Access.ldmatrix(TALL)), 880))
    assert said.count("row") == said.count("column (f16)") == 2
    assert {"wanted by lane 5", "not wanted", "matrices, one after another:", "lanes 24-31"} <= set(said)
    banks = texts(tiles_scene([Access.column(TILE)], 880, "banks"))
    assert "in bank 4, wanted" in banks
    assert not [text for text in banks if "one after another" in text]


def test_names_and_costs_of_tiles_do_not_run_into_each_other():
    scene = tiles_scene(plain_and_swizzled(Access.ldmatrix(TALL)), 328)
    heads = [item for item in scene.items if item["kind"] == "text" and item["bold"]]
    assert len({item["y"] for item in heads}) == 4


def test_a_lane_is_written_once_on_its_vector_and_the_others_by_their_count():
    shown = Counter(texts(tiles_scene([Access.ldmatrix(TALL)], 880, legend=False)))
    assert all(shown[str(lane)] >= 1 for lane in range(32))
    # Two lanes want one word, all 32 the same one.
    assert "0-1" in texts(tiles_scene([Access.row(TILE)], 880))
    one = Access.at(SQUARE, [0] * 32, [0] * 32)
    assert f"{TIMES}32" in texts(tiles_scene([one], 880)) or "0-31" in texts(tiles_scene([one], 880))


def test_banks_and_offsets_on_demand():
    access = Access.column(TILE)
    cells = Cells(access, 2)
    assert Counter(texts(tiles_scene([access], 880, "banks", legend=False))) >= Counter(
        map(str, cells.banks.ravel().tolist())
    )
    offsets = Counter(texts(tiles_scene([access], 880, "offsets", legend=False)))
    assert offsets >= Counter(map(str, range(0, 512, 2)))
    with pytest.raises(ValueError, match="numbers"):
        tiles_scene([access], 880, "words")


@pytest.mark.parametrize("variant", [0, 1])
def test_the_verdict_is_the_reports(variant):
    access = plain_and_swizzled(Access.column(TILE))[variant]
    shown = texts(tiles_scene([access], 880))
    assert access.tile.swizzle_name in shown
    assert (["▲ 8 wavefronts, ideal 1", "✓ 1 wavefront, ideal 1"])[variant] in shown


@pytest.mark.parametrize("shape", [(8, 64), (32, 32)])
def test_a_refused_access_has_no_verdict_and_the_figure_says_why(shape):
    from swizzle_widgets.figures.bank_heatmap import _refusals

    access = Access.ldmatrix(Tile(*shape, "f16", swizzle=Swizzle(2, 2, 4), unit="byte"), num=1)
    scene = tiles_scene([access], 880)
    assert "✕ no instruction" in texts(scene)
    assert not [text for text in texts(scene) if "wavefront" in text]
    _refusals(scene, [access])
    assert access.refusal in " ".join(texts(scene))


def test_no_access_is_refused():
    for picture in (figures.bank_heatmap, lambda accesses: figures.swizzle_lab(accesses, 0)):
        with pytest.raises(ValueError, match="at least one access"):
            picture([])


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
        "three columns": Tile(1000, 3, "u8"),
        "512 x 1": Tile(512, 1, "f16"),
        "128 x 512": Tile(128, 512, "f16"),
        "tall": Tile(1024, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte"),
        "very wide": Tile(2, 50000, "f16"),
        "very tall": Tile(50000, 2, "f16"),
        "column order": Tile(64, 32, "f16", order="column"),
        "padded": Tile(32, 32, "f32", padding=1),
        "table": Tile(4, 8, "f32", layout=Table(rng.permutation(32).reshape(4, 8))),
        "aliased": Tile.of_layout(Layout((8, 8), (0, 1)), "f32"),
        "at the end": Tile(8, 16, "f32", base_address=227 * 1024 - 512),
    }


@pytest.mark.parametrize("width", [880, 420, 260])
@pytest.mark.parametrize("name", odd_tiles())
def test_odd_tiles_are_drawn_whole_within_the_page(name, width):
    tile = odd_tiles()[name]
    access = Access.offsets(tile, [0], 8 if name == "one element" else None)
    scene = tiles_scene([access], width, legend=False)
    assert scene.height <= 930
    boxes = [box for kind in ("bank", "tint") for found in rects(scene, kind).values() for box in found]
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= scene.height for x, y, w, h in boxes)
    assert len({box[:2] for box in boxes}) == len(boxes), "two cells in one place"
    if any("not shown" in text for text in texts(scene)):
        assert tile.rows * tile.cols > 50_000 or width < 880
        return
    banks = Counter()
    for kind in ("bank", "tint"):
        banks.update({bank: len(found) for bank, found in rects(scene, kind).items()})
    cells = Cells(access, elements_per_cell([tile]))
    assert banks == Counter(cells.banks.ravel().tolist())
    assert figures.png(figures.bank_heatmap([access, access]))


def test_no_text_is_smaller_than_eleven_pixels():
    scenes = [tiles_scene(plain_and_swizzled(Access.ldmatrix(TALL)), width) for width in (300, 500, 880)]
    scenes += [lab_scene(plain_and_swizzled(Access.ldmatrix(TALL)), width) for width in (300, 880)]
    ranking = best_swizzles(TALL, [Access.ldmatrix(TALL)])
    scenes += [bits_scene(TILE, 5, 340), ranking_scene(ranking, None, 880)]
    for scene in scenes:
        assert min(item["size"] for item in scene.items if item["kind"] == "text") >= 11


# --- Time ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("access", [*plain_and_swizzled(Access.ldmatrix(TALL)), Access.column(TILE)], ids=str)
def test_a_row_is_a_wavefront_and_shows_who_is_served(access):
    report = access.report()
    track = track_of(access, "one")
    scene = time_scene(track, 880, 14)
    boxes = {(round(y), bank) for bank, found in rects(scene, "bank").items() for _, y, _, _ in found}
    tops = sorted({y for y, _ in boxes})
    assert len(tops) == report.wavefronts
    assert [{bank for y, bank in boxes if y == top} for top in tops] == [set(served) for served in report.served]
    # Idle banks and busy ones fill the row.
    (idle,) = [item["rects"] for item in scene.items if item["kind"] == "hatch"] or [[]]
    wide = min(26, (880 - time_left([track])) // 32)
    for top, served in zip(tops, report.served):
        assert sum(round((w + 1) / wide) for x, y, w, h in idle if round(y) == top) == 32 - len(served)
    shown = texts(scene)
    busy = round(100 * sum(map(len, report.served)) / (32 * report.wavefronts))
    assert str(report.wavefronts) in shown
    assert any(f"ideal {report.ideal}, {busy}% of the banks busy" in text for text in shown)


def test_rows_are_equally_high_in_both_grids():
    plain, swizzled = (track_of(access, "") for access in plain_and_swizzled(Access.ldmatrix(TALL)))
    row = row_height([[plain, swizzled]], 760)
    scene = times_scene([plain, swizzled], 880)
    heights = {h for found in rects(scene, "bank").values() for _, _, _, h in found}
    assert heights == {row - 1}


def test_the_picture_keeps_its_height_while_it_fills_and_gives_nothing_away():
    tracks = [track_of(access, "") for access in plain_and_swizzled(Access.ldmatrix(TALL))]
    for step in range(33):
        scene = times_scene(tracks, 880, step)
        assert scene.height == times_scene(tracks, 880).height
        # Without the key below.
        grid = [(x, y) for found in rects(scene, "bank").values() for x, y, _, _ in found if y < scene.height - 20]
        rows = {y for x, y in grid if x < 430}
        assert len(rows) == step
        if step < 32:
            assert "32" not in texts(scene)[:2]
    assert times_scene(tracks, 880, 32).items == times_scene(tracks, 880).items


def test_phases_are_named_with_their_lanes_and_what_they_took():
    plain, swizzled = (track_of(access, "") for access in plain_and_swizzled(Access.ldmatrix(TALL)))
    assert {"matrix 3", "lanes 16-23", "8 wavefronts"} <= set(texts(time_scene(plain, 428, 14)))
    assert "matrix 3: 1" in texts(time_scene(swizzled, 428, 14))
    # As far as they have come.
    assert {"matrix 1: 2", "lanes 0-7"} <= set(texts(time_scene(plain, 428, 14, 2)))
    phases = texts(time_scene(track_of(Access.column(TALL, 8, width=16), ""), 428, 14))
    assert {"phase 1: 1", "phase 2: 1"} <= set(phases)
    # A single one has no name.
    assert not [text for text in texts(time_scene(track_of(Access.column(TILE), ""), 428, 14)) if "phase" in text]


def test_the_key_says_what_a_row_and_a_number_are():
    ldmatrix, column = (track_of(access, "") for access in (Access.ldmatrix(TALL), Access.column(TILE)))
    said = texts(times_scene([ldmatrix], 880))
    assert {"what lane 5 gets", "an idle bank", "matrices are served one after another"} <= set(said)
    assert "one row: one wavefront, a trip to memory" in said
    assert not [text for text in texts(times_scene([column], 880)) if "one after another" in text]


def test_lanes_that_do_not_fit_are_not_drawn_and_then_none_is():
    track = track_of(Access.column(Tile(32, 32, "f32")), "")
    inks = [
        [item["text"] for item in time_scene(track, width, 14).items if item.get("fill", "").startswith("ink.")]
        for width in (428, 310)
    ]
    assert inks == [[str(lane) for lane in range(32)], []]
    assert "served" in texts(times_scene([track] * 3, 880))


def test_more_than_two_tracks_have_letters_and_fit_the_page():
    accesses = [Access.column(Tile(32, 32, "f32", padding=pad)) for pad in range(5)]
    figure = figures.column_read(accesses, [f"padding {pad}" for pad in range(5)])
    assert figure.get_size_inches()[1] <= 9
    tracks = figures.column_read.__globals__["_tracks"](accesses, list("vwxyz"))
    assert [track.label for track in tracks] == ["A  v", "B  w", "C  x", "D  y", "E  z"]


def test_neighboring_words_for_the_same_lanes_are_one_delivery():
    served = {4: (4, (0,)), 5: (5, (0,)), 6: (38, (0,)), 7: (39, (1,)), 8: (40, (1, 2))}
    assert deliveries(served) == [(4, 2, (0,)), (6, 1, (0,)), (7, 1, (1,)), (8, 1, (1, 2))]


def test_what_cannot_be_done_says_why():
    scene = times_scene([track_of("the vectors run beyond the line", "one")], 880)
    assert {"✕ no instruction", "the vectors run beyond the line"} <= set(texts(scene))
    for step, error in ((-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="step"):
            figures.column_read([Access.column(TILE)], ["one"], step)
    with pytest.raises(ValueError, match="at least one access"):
        figures.column_read([], [])
    with pytest.raises(ValueError, match="as many labels"):
        figures.column_read([Access.column(TILE)], [])


def test_the_animation_ends_with_the_still_picture(tmp_path):
    accesses, labels = plain_and_swizzled(Access.column(TILE)), ["plain", "swizzled"]
    figures.column_read_gif(tmp_path / "read.gif", accesses, labels, 4)
    image = Image.open(tmp_path / "read.gif")
    assert image.n_frames == 9
    still = pixels(figures.png(figures.column_read(accesses, labels)))
    durations = []
    for frame in range(image.n_frames):
        image.seek(frame)
        durations.append(image.info["duration"])
    assert durations == [250] * 8 + [1500]
    difference = np.abs(np.array(image.convert("RGB")).astype(int) - still)
    assert difference.max() <= 8
    for speed, error in ((0, ValueError), (51, ValueError), (True, TypeError), ("4", TypeError)):
        with pytest.raises(error, match="speed"):
            figures.column_read_gif(tmp_path / "x.gif", accesses, labels, speed)


# --- Bits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "offset"),
    [
        (TILE, 320),
        (Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element"), 320),
        (Tile(8, 64, "f16", swizzle=Swizzle(3, 3, -3), unit="element", base_address=1024), 77),
        (Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", base_address=128, anchor="address"), 77),
        (Tile(8, 64, "e2m1", swizzle=Swizzle(2, 4, 3), unit="byte"), 79),
        (Tile(32, 33, "f32"), 64),
    ],
    ids=str,
)
def test_the_bits_and_numbers_of_a_picture_are_in_one_unit(tile, offset):
    scene = bits_scene(tile, offset, 880)
    bits = Bits(tile, offset)
    unit = bits.unit
    shown = texts(scene)
    count = bits.top - bits.low
    # Written from the lowest bit up.
    digits = "".join(item["text"] for item in scene.items if item["kind"] == "text" and item["size"] == 14)
    before, after = digits[:count][::-1], digits[count:][::-1]
    assert int(before, 2) << bits.low == bits.inputs[0]
    assert int(after, 2) << bits.low == bits.inputs[1]
    first, second = (f"0x{value >> unit:x}" for value in bits.inputs)
    assert f"{first} → {second}, in {tile.unit_name or 'bytes'}" in shown
    ruler = [str(bit) for bit in range(bits.top - unit)]
    assert Counter(shown) >= Counter(ruler)


def test_kept_covers_exactly_the_bits_that_are_kept():
    for unit, swizzle in (("byte", Swizzle(3, 4, 3)), ("element", Swizzle(3, 3, 3))):
        tile = Tile(8, 64, "f16", swizzle=swizzle, unit=unit)
        scene = bits_scene(tile, 320, 880)
        (kept,) = [item["rects"][0] for item in scene.items if item["kind"] == "rects" and item["fill"] == "raised"]
        middles = {
            int(item["text"]): item["x"]
            for item in scene.items
            if item["kind"] == "text" and item["text"].isdigit() and item["y"] < 30 and item["size"] == 11
        }
        inside = {bit for bit, x in middles.items() if kept[0] <= x <= kept[0] + kept[2]}
        assert inside == set(range(swizzle.base))


def test_row_and_column_bits():
    assert Bits(TILE, 0).mode_bits(0) == [(10, 3)]
    assert Bits(TILE, 0).mode_bits(1) == [(4, 6)]
    assert Bits(Tile(8, 64, "f16", padding=8), 0).mode_bits(0) == []
    # Layouts of several modes, and maps that are none.
    assert Bits(Tile.of_layout(Layout(((2, 4), 8), ((1, 16), 2)), "f32"), 0).mode_bits(0) == [(5, 1), (9, 2)]
    assert Bits(Tile(4, 8, "f32", layout=Table(np.arange(32).reshape(4, 8))), 0).mode_bits(0) == []


@pytest.mark.parametrize(("offset", "error"), [(-1, ValueError), (1 << 20, ValueError), (1.5, TypeError)])
def test_an_offset_must_be_a_place_in_shared_memory(offset, error):
    with pytest.raises(error, match="offset"):
        figures.bit_diagram(TILE, offset)


# --- The ranking -----------------------------------------------------------------------------------


def test_the_ranking_shows_the_best_and_every_useful_cell():
    ranking = best_swizzles(TALL, [Access.ldmatrix(TALL), Access.row(TALL)])
    scene = ranking_scene(ranking, ranking.best.swizzle, 880)
    shown = texts(scene)
    for candidate in ranking[:6]:
        assert candidate.name.partition(" = ")[0] in shown
        assert any(f"{candidate.cost} wavefronts, ideal" in text for text in shown)
    plain = ranking.of(Swizzle(0, 0, 0)).cost
    better = [c for c in ranking if not c.padding and c.swizzle and c.swizzle.shift > 0 and c.cost < plain]
    assert better
    assert Counter(shown) >= Counter(str(c.cost) for c in better)


def test_of_a_whole_copy_the_worst_request_is_drawn():
    tile = Tile(64, 64, "f16")
    ranking = best_swizzles(tile, [Access.ldmatrix(tile), TiledCopy.ldmatrix(tile)])
    plain = ranking.of(Swizzle(0, 0, 0))
    _, worst = shown_accesses(plain)
    assert worst.report().cost == plain.accesses[1].on(tile).report().worst.cost
    assert figures.png(figures.swizzle_ranking(ranking))


def test_the_lab_marks_the_element_in_tile_and_time():
    """The dark frame stands around the cell, and around its word's slot of time, in both columns."""
    access = Access.ldmatrix(TALL)
    both = plain_and_swizzled(access)
    offset = access.starts[1]
    for step, marks in ((None, 4), (0, 2)):
        plain, marked = (lab_scene(both, 880, step, mark=mark) for mark in (None, offset))
        boxes = [item["lines"][0] for item in marked.items if item["kind"] == "lines" and item["width"] == 2
                 and item["fill"] == "ink" and item not in plain.items]  # fmt: skip
        assert len(boxes) == marks
        cells = {(x, y): item["fill"] for item in plain.items if item["kind"] == "rects" for x, y, *_ in item["rects"]}
        banks = {cells[x + 1, y + 1] for (x, y), *_ in boxes}
        assert banks == {f"bank.{int(each.tile.banks[1, 0])}" for each in both}


def test_a_part_of_a_tile_is_titled_by_its_swizzle_and_not_by_the_tile_around_it():
    assert tile_title(Tile(64, 64, "f16").padded(8)) == "padding of 8 f16 elements"
    assert tile_title(Tile(64, 64, "f16").part(0, 0, 16, 32)) == "no swizzle"
    assert tile_title(Tile(64, 64, "f16").padded(8).part(0, 0, 16, 8)) == "no swizzle"


def test_a_ranking_is_painted_a_color_at_a_time():
    """Hundreds of small grids and cells are joined before numbers are made of them: one outline a fill."""
    tile = Tile(64, 64, "f16")
    ranking = best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)])
    items = [item for item in ranking_scene(ranking, None, 880).items if item["kind"] == "rects"]
    outlines = [fill for _, fill in page.PAINTERS["rects"](items)]
    assert len(items) > 300
    assert sorted(outlines) == sorted({item["fill"] for item in items})
