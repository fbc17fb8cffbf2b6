"""SwizzleRanking: its traits follow the search, and its figure shows it."""

from __future__ import annotations

import json

import pytest
import traitlets

from swizzle_widgets import Access, Swizzle, Table, Tile, best_swizzles
from swizzle_widgets.widgets import SwizzleRanking


@pytest.fixture
def widget() -> SwizzleRanking:
    tile = Tile(64, 64, "f16")
    return SwizzleRanking(best_swizzles(tile, [Access.cp_async(tile), Access.ldmatrix(tile)]))


def test_it_begins_with_the_best(widget):
    assert (widget.tile.swizzle, widget.unit, widget.ideal) == (Swizzle(3, 3, 3), "element", 8)
    assert widget.candidate.verdict == widget.ranking.best.verdict
    assert repr(widget) == (
        "SwizzleRanking of 321 swizzles, best first: Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes: "
        "4 wavefronts and 4 lines, the ideal; this is the 128B mode of TMA and WGMMA."
    )


def test_every_swizzle_is_sent_with_its_cost(widget):
    for bits, base, shift, wavefronts, verdict, why in widget.ways:
        candidate = widget.ranking.of(Swizzle(bits, base, shift), "element")
        assert wavefronts == (candidate.cost if not candidate.rejected else -1)
        assert (verdict, bool(why)) == (candidate.verdict, bool(candidate.rejected))
    assert [row[1] for row in widget.best] == [way.verdict for way in widget.ranking[:6]]
    json.dumps([widget.ways, widget.best])


def test_a_padding_says_its_bytes():
    tile = Tile(16, 64, "f16")
    widget = SwizzleRanking(best_swizzles(tile, [Access.ldmatrix(tile)]))
    notes = {name: note for _, _, name, note, *_ in widget.best}
    assert notes["8 f16 elements of padding"] == "+16 bytes a row, 256 bytes more"
    assert notes["Sw<3,3,3> in f16 elements"] == "= Sw<3,4,3> in bytes"


def test_it_links_with_another_widget(widget):
    tile = Tile(64, 64, "f16")
    other = SwizzleRanking(best_swizzles(tile, [Access.row(tile), Access.column(tile)]))
    for name in ("bits", "base", "shift", "unit"):
        traitlets.link((widget, name), (other, name))
    assert other.candidate.excess == 3
    widget.recast("byte")
    assert (other.base, other.unit, other.candidate.swizzle) == (4, "byte", Swizzle(3, 3, 3))


def test_a_tile_that_needs_no_swizzle():
    tile = Tile(32, 32, "f32")
    widget = SwizzleRanking(best_swizzles(tile, [Access.row(tile)]))
    assert (widget.bits, widget.candidate.name) == (0, "no swizzle")


def test_the_figure_is_that_of_the_choice(widget):
    assert widget.png().startswith(b"\x89PNG")


def test_what_is_no_ranking():
    with pytest.raises(TypeError, match="ranking must be what best_swizzles returns"):
        SwizzleRanking(Tile(8, 8))


def test_a_table_is_ranked_too():
    tile = Tile.from_map([[3, 1, 8], [0, 7, 2], [5, 4, 6]], dtype="f32")
    assert isinstance(tile.layout, Table)
    assert SwizzleRanking(best_swizzles(tile, [Access.row(tile)])).tile.layout == tile.layout


def test_another_ranking_is_shown_with_its_best(widget):
    tile = Tile(32, 32, "f32")
    widget.ranking = ranking = best_swizzles(tile, [Access.column(tile, width=16)])
    assert (widget.tile.with_swizzle(None), widget.ranking, widget.ideal) == (tile, ranking, 4)
    assert widget.candidate.verdict == next(way.verdict for way in ranking if not way.padding)
    assert len(widget.ways) == len(SwizzleRanking(ranking).ways)
    with pytest.raises(TypeError, match="ranking must be what best_swizzles returns"):
        widget.ranking = tile
    assert widget.ranking is ranking


@pytest.mark.parametrize(("name", "value"), [("ways", []), ("best", []), ("ideal", 3), ("tile", Tile(8, 8))])
def test_what_belongs_to_the_search_cannot_be_set_alone(widget, name, value):
    before = widget.get_state()
    with pytest.raises(ValueError, match="belongs to the search"):
        setattr(widget, name, value)
    assert widget.get_state() == before
    widget.tile = widget.tile.with_swizzle(Swizzle(2, 4, 3), "byte")
    assert (widget.tile.swizzle, widget.unit) == (Swizzle(2, 4, 3), "byte")
