"""What every widget's traits keep: one tile, one access, whoever changes them."""

from __future__ import annotations

import pytest
import traitlets
from ipywidgets import IntSlider, Widget
from ipywidgets.embed import embed_minimal_html

from swizzle_widgets import Access, BankHeatmap, BitDiagram, ColumnRead, Swizzle, SwizzleLab, Tile
from swizzle_widgets.widgets.element import opening_offset

TILE = Tile(16, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
ACCESS = Access.ldmatrix(TILE)
WIDGETS = [lambda: BankHeatmap(TILE, ACCESS), lambda: ColumnRead(TILE, ACCESS), lambda: SwizzleLab(TILE, ACCESS)]
widgets = pytest.mark.parametrize("make", WIDGETS)


@pytest.mark.parametrize("make", [*WIDGETS, lambda: BitDiagram(TILE)])
def test_the_tile_is_observed_whoever_moves_a_slider(make):
    widget, seen = make(), []
    widget.observe(lambda change: seen.append(change.new), "tile")
    widget.bits = 2
    widget.set_state({"base": 5})
    widget.recast("element")
    assert [str(tile.swizzle) for tile in seen] == ["Sw<2,4,3>", "Sw<2,5,3>", "Sw<2,4,3>"]
    assert widget.tile == seen[-1]
    assert widget.tile.unit == "element"


@widgets
def test_the_browser_may_pass_where_no_swizzle_is_and_the_tile_stays_the_last_legal_one(make):
    widget = make()
    widget.set_state({"bits": 4})
    assert (widget.bits, widget.tile) == (4, TILE)
    assert widget.problem.startswith("shift (S) = 3 is too short for bits (B) = 4")
    assert repr(widget) == f"{type(widget).__name__}: {widget.problem}"
    widget.bits = widget.bits
    widget.set_state({"shift": 4})
    assert (str(widget.tile.swizzle), widget.problem) == ("Sw<4,4,4>", "")
    widget.set_state({"shift": 3})
    widget.tile = TILE
    assert (widget.bits, widget.base, widget.shift, widget.problem) == (3, 4, 3, "")


@widgets
def test_what_python_assigns_raises_and_changes_nothing(make):
    widget = make()
    before, seen = widget.get_state(), []
    widget.observe(seen.append)
    with pytest.raises(ValueError, match="too short"):
        widget.bits = 4
    with pytest.raises(ValueError, match="too short"):
        _held(widget, base=5, bits=4)
    with pytest.raises(ValueError, match="outside the tile"):
        widget.access = {"pattern": "ldmatrix", "row": 16}
    assert (widget.get_state(), widget.tile, widget.access, seen) == (before, TILE, ACCESS, [])
    _held(widget, bits=4, shift=4)
    assert str(widget.tile.swizzle) == "Sw<4,4,4>"


def _held(widget, **change):
    with widget.hold_trait_notifications():
        for name, value in change.items():
            setattr(widget, name, value)


@widgets
@pytest.mark.parametrize("name", ["bits", "tile"])
def test_no_observer_can_leave_what_is_no_swizzle(make, name):
    widget, refused = make(), []

    def interfere(change):
        try:
            widget.shift = 1
        except ValueError as error:
            refused.append(str(error))

    widget.observe(interfere, name)
    widget.set_state({"bits": 2})
    assert len(refused) == 1
    assert (widget.bits, widget.shift, str(widget.tile.swizzle)) == (2, 3, "Sw<2,4,3>")


@widgets
def test_tile_and_access_change_together(make):
    widget = make()
    other = Tile(8, 64, "f16", swizzle=Swizzle(2, 4, 3), unit="byte")
    with pytest.raises(ValueError, match=r"the access that the widget keeps, ldmatrix.x4.*show\(tile, access\)"):
        widget.tile = other
    assert (widget.tile, widget.access) == (TILE, ACCESS)
    widget.show(other, Access.column(other))
    assert (widget.tile, widget.access) == (other, Access.column(other))
    with widget.hold_trait_notifications():
        widget.access, widget.tile = ACCESS, TILE
    assert (widget.tile, widget.access) == (TILE, ACCESS)


def test_a_linked_tile_keeps_no_old_tracks():
    heatmap, read = BankHeatmap(TILE), ColumnRead(TILE)
    traitlets.link((heatmap, "tile"), (read, "tile"))
    heatmap.tile = TILE.padded(8).with_swizzle(Swizzle(2, 4, 3), "byte")
    assert read.tile == heatmap.tile
    assert [label for label, _ in read.tracks] == [label for label, _ in ColumnRead(heatmap.tile).tracks]


def test_an_access_that_the_browser_cannot_mean_changes_nothing_and_is_told():
    widget = BankHeatmap(TILE, ACCESS)
    widget.set_state({"access": {"pattern": "ldmatrix", "row": 99}})
    assert (widget.access, "outside the tile" in widget.problem) == (ACCESS, True)
    widget.set_state({"access": {"pattern": "column", "col": 5}})
    assert (widget.access, widget.problem) == (Access.column(TILE, 5), "")
    widget.set_state({"tile": {"rows": 3}})
    assert widget.tile == TILE


def test_the_swizzle_of_a_widget_is_its_tiles():
    with pytest.raises(TypeError, match="bits belongs to the tile"):
        BankHeatmap(TILE, bits=2)
    assert not hasattr(BankHeatmap(TILE), "swizzle")


@pytest.mark.parametrize(
    ("access", "place"),
    [(Access.column(TILE, col=5), (1, 5)), (Access.ldmatrix(TILE), (1, 0)), (Access.row(TILE), (0, 0))],
)
def test_the_lab_opens_where_the_swizzle_moves_something(access, place):
    assert SwizzleLab(TILE, access).place == place
    lab = SwizzleLab(TILE)
    lab.access = access
    assert (lab.place, lab.offset) == (place, opening_offset(access))


def test_controls_are_some_of_those_there_are():
    widget = ColumnRead(TILE, controls=["playback", "swizzle"])
    assert widget.controls == ["swizzle", "playback"]
    with pytest.raises(ValueError, match="must be one of"):
        widget.controls = ["sliders"]


def test_embedding_works_beside_every_widget(tmp_path):
    # It writes every widget that is open, other tests' too.
    Widget.close_all()
    shown = [make() for make in WIDGETS]
    embed_minimal_html(tmp_path / "one.html", views=[IntSlider()])
    embed_minimal_html(tmp_path / "all.html", views=shown, drop_defaults=True)
    text = (tmp_path / "all.html").read_text()
    for name in ("bits", "base", "shift", "unit", "tile", "access", "variants", "step", "speed"):
        assert f'"{name}"' in text, name


def test_making_a_column_read_builds_few_tiles(monkeypatch):
    built, check = [], Tile._check
    monkeypatch.setattr(Tile, "_check", lambda tile: (built.append(tile), check(tile))[1])
    ColumnRead(TILE, ACCESS)
    assert len(built) <= 5


def test_a_layout_of_ipywidgets_is_taken():
    assert BitDiagram(TILE, layout={"width": "50%"}).layout.width == "50%"
