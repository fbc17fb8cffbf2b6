"""ColumnRead: its tracks, its traits, its errors, its sentence and what a notebook saves of it."""

from __future__ import annotations

import base64
import json

import ipywidgets
import pytest

from swizzle_widgets import Access, Layout, Swizzle, Tile
from swizzle_widgets.widgets import BankHeatmap, ColumnRead, SwizzleLab
from swizzle_widgets.widgets.wire import spec_tile

BYTES_343 = {"swizzle": Swizzle(3, 4, 3), "unit": "byte"}
FLOATS = Tile(8, 32, "f32", **BYTES_343)
SQUARE = Tile(32, 32, "f32", swizzle=Swizzle(5, 2, 5), unit="byte")
HALVES = Tile(32, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element")


def labels(widget: ColumnRead) -> list[str]:
    return [label for label, _ in widget.tracks]


def wavefronts(widget: ColumnRead) -> list[int | str]:
    return [item if isinstance(item, str) else item.report().wavefronts for _, item in widget.tracks]


def test_usual_tracks_are_no_swizzle_a_padding_and_the_sliders():
    read = ColumnRead(FLOATS)
    assert repr(read) == (
        "ColumnRead of 8x32 f32, LDS.32, column 0: no swizzle done after 8 wavefronts; "
        "padding of 1 f32 element (4 bytes) after 1; Sw<3,4,3> in bytes after 1"
    )
    assert read.last_step == 8
    assert read.report.wavefronts == 1


@pytest.mark.parametrize(
    ("tile", "access", "label"),
    [
        (SQUARE, Access.column(SQUARE), "padding of 1 f32 element (4 bytes)"),
        (HALVES, Access.column(HALVES), "padding of 2 f16 elements (4 bytes)"),
        (HALVES, Access.column(HALVES, width=8), "padding of 4 f16 elements (8 bytes)"),
        (HALVES, Access.ldmatrix(HALVES), "padding of 8 f16 elements (16 bytes)"),
        (Tile(8, 16, "f64", **BYTES_343), None, "padding of 1 f64 element (8 bytes)"),
        (Tile(16, 64, "e2m1", **BYTES_343), None, "padding of 8 e2m1 elements (4 bytes)"),
        (Tile(64, 8, "f32", order="column", **BYTES_343), None, "padding of 1 f32 element (4 bytes)"),
    ],
)
def test_the_usual_padding_is_as_wide_as_the_access_and_at_least_a_word(tile, access, label):
    assert labels(ColumnRead(tile, access))[:2] == ["no swizzle", label]


@pytest.mark.parametrize(
    "tile",
    [
        Tile(8, 32, "f32", padding=1, **BYTES_343),
        Tile.of_layout(Layout.parse("((2,4),32):((32,64),1)"), "f32", **BYTES_343),
        # The padded rows would not fit into shared memory.
        Tile(227, 256, "f32", **BYTES_343),
    ],
    ids=["already padded", "no plain layout", "no room"],
)
def test_no_padding_where_the_tile_takes_none(tile):
    assert labels(ColumnRead(tile)) == ["no swizzle", "Sw<3,4,3> in bytes"]


def test_one_track_while_nothing_is_swizzled():
    read = ColumnRead(Tile(8, 32, "f32"))
    assert labels(read) == ["no swizzle"]
    assert labels(ColumnRead(Tile(8, 32, "f32"), compare=[])) == ["no swizzle"]
    read.tile = read.tile.with_swizzle(Swizzle(3, 4, 3), "byte")
    assert labels(read) == ["no swizzle", "padding of 1 f32 element (4 bytes)", "Sw<3,4,3> in bytes"]
    read = ColumnRead(Tile(8, 32, "f32"))
    read.bits = 3
    assert labels(read) == ["no swizzle", "Sw<3,4,3> in bytes"]


def test_compare_takes_none_tiles_and_swizzles():
    read = ColumnRead(
        SQUARE,
        compare=[
            None,
            SQUARE.padded(4),
            (Swizzle(3, 4, 3), "byte"),
            SQUARE.with_swizzle(Swizzle(5, 0, 5), 32),
            Tile(32, 32, "f32", order="column"),
            Tile(32, 32, "f32", order="column", padding=1),
            Tile(32, 32, "f32", padding=2, base_address=128, swizzle=Swizzle(1, 4, 3), unit="byte"),
            Tile(32, 32, "f32", layout=Layout((32, 32), (1, 64))),
            Tile(32, 32, "f32", layout=Layout(((8, 4), 32), ((32, 256), 1))),
        ],
    )
    assert labels(read) == [
        "no swizzle",
        "padding of 4 f32 elements (16 bytes)",
        "Sw<3,4,3> in bytes",
        "Sw<5,0,5> in 32-bit units",
        "column order",
        "column order, padding of 1 f32 element (4 bytes)",
        "padding of 2 f32 elements (8 bytes), Sw<1,4,3> in bytes, at byte 128",
        "column order, padding of 32 f32 elements (128 bytes)",
        "layout ((8,4),32):((32,256),1)",
        "Sw<5,2,5> in bytes",
    ]
    assert wavefronts(read)[:6] == [32, 4, 4, 1, 1, 1]


def test_an_unpadded_variant_of_a_padded_tile_is_named_so():
    tile = Tile(8, 32, "f32", padding=1)
    assert labels(ColumnRead(tile, compare=[Tile(8, 32, "f32")]))[0] == "no padding"


def test_a_pair_says_what_its_swizzle_counts():
    read = ColumnRead(HALVES, compare=[(Swizzle(3, 3, 3), "element"), (Swizzle(3, 3, 3), "byte")])
    assert labels(read)[:2] == ["Sw<3,3,3> in f16 elements", "Sw<3,3,3> in bytes"]
    assert wavefronts(read)[:2] == [4, 8]


def test_compare_is_set_and_the_tracks_follow():
    read = ColumnRead(FLOATS)
    read.compare = [(Swizzle(2, 4, 3), "byte")]
    assert labels(read) == ["Sw<2,4,3> in bytes", "Sw<3,4,3> in bytes"]
    assert [item["label"] for item in read.variants] == labels(read)[:1]
    chosen = ColumnRead(FLOATS, compare=[FLOATS.padded(1)])
    with pytest.raises(ValueError, match="the tracks that the widget keeps do not fit"):
        chosen.tile = SQUARE
    read.compare = None
    assert labels(read) == labels(ColumnRead(FLOATS))


def test_compare_may_be_empty():
    assert labels(ColumnRead(FLOATS, compare=[])) == ["Sw<3,4,3> in bytes"]


def test_a_variant_on_which_the_access_does_not_fit_says_why():
    read = ColumnRead(HALVES, Access.ldmatrix(HALVES), compare=[None, HALVES.padded(2), (Swizzle(3, 2, 4), "element")])
    assert wavefronts(read) == [
        32,
        "lane 1: address 132 is not a multiple of the access width, 16 bytes",
        Access.ldmatrix(HALVES.with_swizzle(Swizzle(3, 2, 4), "element")).refusal,
        4,
    ]
    assert "(4 bytes) cannot do it (lane 1: address 132 is" in repr(read)
    assert read.last_step == 32


def test_offsets_mean_the_same_elements_on_a_padded_tile():
    access = Access.offsets(FLOATS.with_swizzle(None), [0, 32, 64])
    assert wavefronts(ColumnRead(FLOATS, access)) == [3, 1, 1]


def test_an_access_may_be_described():
    read = ColumnRead(HALVES, {"pattern": "ldmatrix", "num": 2})
    assert read.access == Access.ldmatrix(HALVES, num=2)
    assert wavefronts(read) == [16, 2, 2]


def test_variants_are_json_and_say_what_the_tracks_are():
    compare = [None, FLOATS.padded(1), FLOATS.with_swizzle(Swizzle(2, 4, 3), "byte")]
    read = ColumnRead(FLOATS, compare=compare)
    sent = json.loads(json.dumps(read.get_state()["variants"]))
    assert [item["label"] for item in sent] == labels(read)[:-1]
    assert [item["swizzle"] for item in sent] == [None, None, {"bits": 2, "base": 4, "shift": 3, "unit": "byte"}]
    assert [spec_tile(item["tile"]) for item in sent] == [
        FLOATS.with_swizzle(None),
        compare[1],
        FLOATS.with_swizzle(None),
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"compare": [3]}, TypeError, "compare holds None, Tiles and pairs of a Swizzle and its unit, not 3"),
        ({"compare": [Tile(8, 16, "f32")]}, ValueError, "rows, cols and dtype must be the same"),
        ({"compare": [Tile(8, 32, "f16")]}, ValueError, "rows, cols and dtype must be the same"),
        ({"compare": [(Swizzle(3, 1, 3), "byte")]}, ValueError, "would cut elements of 32 bits"),
        ({"step": 9}, ValueError, "step = 9 is too large: it must be at most 8"),
        ({"step": -1}, ValueError, "step = -1 is too small"),
        ({"step": 1.0}, TypeError, "step must be a whole number"),
        ({"step": True}, TypeError, "step must be a whole number"),
        ({"speed": 0}, ValueError, "speed = 0 must be at least 0.5 and at most 16"),
        ({"speed": float("nan")}, ValueError, "speed = nan must be at least"),
        ({"speed": float("inf")}, ValueError, "speed = inf must be at least"),
        ({"speed": "2"}, TypeError, "speed must be a number, not '2'"),
        ({"speed": True}, TypeError, "speed must be a number, not True"),
        ({"playing": 1}, TypeError, "playing must be True or False, not 1"),
        ({"loop": None}, TypeError, "loop must be True or False, not None"),
        ({"steps": 1}, TypeError, "ColumnRead has no argument 'steps'"),
        ({"access": {"pattern": "column", "col": 32}}, ValueError, "outside the tile of 8 rows and 32 columns"),
        ({"access": 4}, TypeError, "described by a dict"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        ColumnRead(FLOATS, **arguments)


def test_a_tile_that_is_none_is_refused():
    with pytest.raises(TypeError, match="tile must be a Tile"):
        ColumnRead("f32")


def test_a_swizzle_needs_a_tile_that_says_what_it_counts():
    with pytest.raises(TypeError, match=r'two maps, of bytes or of elements.*"byte"\) or .*"element"\)'):
        ColumnRead(Tile(8, 32, "f32"), compare=[Swizzle(3, 4, 3)])


def test_the_sliders_track_must_be_an_instruction():
    with pytest.raises(ValueError, match=r"Sw<5,2,5> in bytes reorders the 16-byte vectors"):
        ColumnRead(SQUARE, Access.column(SQUARE.with_swizzle(None), width=16, kind="ldmatrix"))


@pytest.mark.parametrize("value", [[3], [{}], [{"label": "a", "tile": {}, "swizzle": None, "more": 1}]])
def test_variants_must_be_described(value):
    with pytest.raises(ValueError, match="variants follow the tile"):
        ColumnRead(FLOATS).variants = value


def test_step_is_refused_beyond_the_end_and_keeps_its_value():
    read = ColumnRead(FLOATS, step=5)
    with pytest.raises(ValueError, match="at most 8"):
        read.step = 9
    assert read.step == 5
    read.step = read.last_step
    assert read.step == 8


def test_step_follows_when_the_end_comes_nearer():
    read = ColumnRead(FLOATS, compare=[], access={"pattern": "column", "kind": "load"})
    read.bits = 0
    read.step = 8
    read.bits = 2
    assert (read.step, read.last_step) == (2, 2)
    read.access = Access.row(FLOATS)
    assert (read.step, read.last_step) == (1, 1)


def test_traits_are_observed_and_linked():
    read, slider, seen = ColumnRead(FLOATS, step=0), ipywidgets.IntSlider(max=8), []
    read.observe(lambda change: seen.append((change.name, change.new)), ["step", "playing", "speed", "loop", "bits"])
    ipywidgets.link((read, "step"), (slider, "value"))
    slider.value = 3
    read.playing = True
    read.speed = 0.5
    read.loop = True
    read.bits = 2
    assert seen == [("step", 3), ("playing", True), ("speed", 0.5), ("loop", True), ("bits", 2)]
    read.step = 4
    assert slider.value == 4


def test_what_the_browser_sends_is_taken():
    read, seen = ColumnRead(FLOATS), []
    read.observe(lambda change: seen.append(change.new), "step")
    # A slider was moved: the browser may send a step before the swizzle that makes it legal.
    read.set_state({"step": 7})
    read.set_state({"bits": 0, "step": 8, "playing": True})
    assert (read.step, read.bits, read.playing, seen) == (8, 0, True, [7, 8])
    # Nothing is swizzled any more, so there is nothing to compare the plain track with.
    assert wavefronts(read) == [8, 1]


def test_a_refusal_that_comes_from_the_browser_is_told():
    read = ColumnRead(HALVES, Access.ldmatrix(HALVES))
    read.set_state({"base": 2, "shift": 4})
    assert wavefronts(read)[-1].startswith("Sw<3,2,4> in f16 elements reorders the 16-byte vectors")


def test_another_tile_gets_the_same_comparison():
    read = ColumnRead(FLOATS, step=8)
    read.tile = Tile(16, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element")
    assert labels(read) == ["no swizzle", "padding of 2 f16 elements (4 bytes)", "Sw<3,3,3> in f16 elements"]
    chosen = ColumnRead(FLOATS, compare=[(Swizzle(2, 4, 3), "byte")])
    chosen.tile = SQUARE
    assert labels(chosen) == ["Sw<2,4,3> in bytes", "Sw<5,2,5> in bytes"]


@pytest.mark.parametrize("widget", [BankHeatmap, ColumnRead, SwizzleLab])
def test_one_element_a_lane_stays_so_on_a_tile_of_another_dtype(widget):
    shown = widget(HALVES)
    shown.tile = FLOATS
    assert shown.report == Access.column(FLOATS).report()
    shown.tile = HALVES
    assert shown.access == Access.column(HALVES)
    shown.access = Access.column(HALVES, width=4)
    shown.tile = FLOATS
    assert shown.access == Access.column(FLOATS)
    with pytest.raises(ValueError, match="holds no whole number"):
        widget(HALVES, Access.row(HALVES, width=4)).tile = Tile(8, 32, "f64")


def test_a_tile_on_which_the_access_does_not_fit_changes_nothing():
    read = ColumnRead(HALVES, Access.ldmatrix(HALVES), step=3)
    before = repr(read), read.step
    with pytest.raises(ValueError, match="outside the tile"):
        read.tile = FLOATS
    with pytest.raises(ValueError, match="reorders the 16-byte vectors"):
        read.tile = HALVES.with_swizzle(Swizzle(3, 2, 4), "element")
    assert (repr(read), read.step) == before


def test_the_bundle_has_widget_picture_and_sentence():
    read = ColumnRead(FLOATS, step=2)
    bundle = read._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["text/plain"].replace("\n", " ") == repr(read)
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert "application/vnd.jupyter.widget-view+json" in data


def test_figure_and_gif_show_the_tracks(tmp_path, monkeypatch):
    import swizzle_widgets.figures as figures

    read, calls = ColumnRead(FLOATS, step=2, speed=3), []
    monkeypatch.setattr(figures, "column_read", lambda *arguments, **options: calls.append(arguments))
    monkeypatch.setattr(figures, "column_read_gif", lambda *arguments: calls.append(arguments))
    read.figure()
    read.save_gif(tmp_path / "a.gif")
    read.save_gif(tmp_path / "b.gif", speed=8)
    names, accesses = zip(*read.tracks)
    assert calls == [
        (accesses, names, 2),
        (tmp_path / "a.gif", accesses, names, 3),
        (tmp_path / "b.gif", accesses, names, 8),
    ]


def test_a_gif_is_written(tmp_path):
    ColumnRead(FLOATS, compare=[]).save_gif(tmp_path / "read.gif")
    assert (tmp_path / "read.gif").read_bytes().startswith(b"GIF89a")
