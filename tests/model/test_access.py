"""Access: each pattern by its definition, vectors that are cut or misaligned, and the costs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from swizzle_widgets import Access, Layout, Swizzle, Tile, bank_report
from tests.support.reference import cost, element_bit, merged, phases
from tests.support.strategies import swizzles

SW = {"swizzle": Swizzle(3, 3, 3), "unit": "element"}


def places(access: Access) -> list[tuple[int, int] | None]:
    """Where each of the 32 lanes starts, None for one that takes no part."""
    rows, cols = access.coordinates
    return [(row, col) if row >= 0 else None for row, col in zip(rows.tolist(), cols.tolist())]


def lanes(cells) -> list[tuple[int, int] | None]:
    return [*cells, *[None] * (32 - len(cells))]


class TestPatterns:
    def test_column(self):
        tile = Tile(40, 16, "f16", **SW)
        for col in (0, 5, 15):
            assert places(Access.column(tile, col)) == [(lane, col) for lane in range(32)]
        assert places(Access.column(tile, 8, row=30, width=16)) == lanes([(row, 8) for row in range(30, 40)])
        access = Access.column(tile, 2, width=4, kind="store")
        assert (access.width, access.kind, str(access)) == (4, "store", "STS.32, column 2")
        assert str(Access.column(tile, 2, row=3)) == "LDS.U16, column 2 from row 3"

    def test_row(self):
        tile = Tile(4, 48, "f32")
        assert places(Access.row(tile, 1)) == [(1, lane) for lane in range(32)]
        assert places(Access.row(tile, 1, col=20)) == lanes([(1, col) for col in range(20, 48)])
        assert places(Access.row(tile, 2, width=16)) == lanes([(2, col) for col in range(0, 48, 4)])
        assert places(Access.row(tile, 3, col=4, width=8)) == lanes([(3, col) for col in range(4, 48, 2)])
        assert str(Access.row(tile, 3, col=4, width=8)) == "LDS.64, row 3 from column 4"

    def test_row_and_column_of_a_column_major_tile(self):
        tile = Tile(64, 40, "f16", order="column")
        # A vector runs down the column: a row read takes the neighbors below each element.
        assert places(Access.row(tile, 8, width=16)) == [(8, lane) for lane in range(32)]
        assert places(Access.column(tile, 3)) == [(lane, 3) for lane in range(32)]
        with pytest.raises(ValueError, match="lane 1: address 386 is not a multiple of the access width, 16 bytes"):
            Access.column(tile, 3, width=16)

    @pytest.mark.parametrize(("order", "width"), [("row", 16), ("row", 8), ("row", 4), ("column", 16)])
    def test_cp_async(self, order, width):
        rows, cols = (12, 32) if order == "row" else (32, 12)
        tile = Tile(rows, cols, "f16", order=order)
        step = width // 2
        # Every vector of the tile in the order of its lines, from line 5 on, as many as there are lanes.
        cells = [(line, at) for line in range(5, 12) for at in range(0, 32, step)][:32]
        if order == "column":
            cells = [(row, col) for col, row in cells]
        access = Access.cp_async(tile, 5, width)
        assert places(access) == lanes(cells)
        kind = "cp.async.cg" if width == 16 else "cp.async.ca"
        assert (access.kind, access.width, access.name) == (kind, width, "from line 5")
        assert str(access) == f"{kind}.{width}, from line 5"

    @pytest.mark.parametrize("kind", ["ldmatrix", "stmatrix"])
    @pytest.mark.parametrize("trans", [False, True])
    def test_matrices(self, kind, trans):
        tile = Tile(32, 64, "f16", **SW)
        pattern = getattr(Access, kind)
        # The corners of the 8x8 matrices; lane l takes line l % 8 of matrix l // 8.
        corners = {1: [(0, 0)], 2: [(0, 0), (8, 0)], 4: [(0, 0), (8, 0), (0, 8), (8, 8)]}
        corners_trans = {**corners, 4: [(0, 0), (0, 8), (8, 0), (8, 8)]}
        for num, expected in (corners_trans if trans else corners).items():
            access = pattern(tile, row=4, col=16, num=num, trans=trans)
            assert places(access) == lanes([(4 + r + i, 16 + c) for r, c in expected for i in range(8)])
            assert (access.kind, access.width, access.instruction) == (kind, 16, f"{kind}.x{num}")
            assert access.report().ideal == num

    def test_matrices_of_a_column_major_tile_and_other_dtypes(self):
        expected = [(8 * c + 16, 4 + r + i) for r, c in ((0, 0), (8, 0), (0, 1), (8, 1)) for i in range(8)]
        assert places(Access.ldmatrix(Tile(64, 32, "f16", order="column"), row=16, col=4)) == expected
        wide = Access.ldmatrix(Tile(16, 16, "f32"))
        assert places(wide)[16] == (0, 4)
        narrow = Access.ldmatrix(Tile(16, 64, "e4m3"))
        assert places(narrow)[16] == (0, 16)

    def test_trans_changes_no_cost(self):
        tile = Tile(64, 64, "f16")
        for num in (1, 2, 4):
            plain, trans = (Access.ldmatrix(tile, num=num, trans=trans).report() for trans in (False, True))
            assert (plain.wavefronts, plain.ideal) == (trans.wavefronts, trans.ideal)

    def test_at(self):
        tile = Tile(16, 16, "f32")
        rows, cols = [3, -1, 0], [2, -1, 15]
        assert places(Access.at(tile, rows, cols)) == lanes([(3, 2), None, (0, 15)])
        assert places(Access.at(tile, 5, range(16))) == lanes([(5, col) for col in range(16)])
        assert places(Access.at(tile, 5, 6)) == lanes([(5, 6)])
        assert places(Access.at(tile, np.arange(16, dtype=np.uint8), 3)) == lanes([(row, 3) for row in range(16)])
        assert str(Access.at(tile, 5, 6, name="one lane")) == "LDS.32, one lane"

    def test_offsets(self):
        tile = Tile(16, 16, "f32", padding=1)
        access = Access.offsets(tile, [17 * 3 + 2, -1, 0])
        assert places(access) == lanes([(3, 2), None, (0, 0)])
        assert access == Access.at(tile, [3, -1, 0], [2, -1, 0], name="chosen offsets")
        # Padding is memory too; only a row and a column it has none.
        stray = Access.offsets(tile, [0, 16])
        assert stray.addresses[:2].tolist() == [0, 64]
        with pytest.raises(ValueError, match="lane 1 starts at offset 16, which is no element of 16x16 f32 tile"):
            stray.coordinates  # noqa: B018

    @pytest.mark.parametrize(
        ("dtype", "width"), [("f64", 8), ("f32", 4), ("f16", 2), ("s8", 1), ("e2m1", 1), ("b1", 1)]
    )
    def test_usual_width_is_an_element_but_at_least_a_byte(self, dtype, width):
        tile = Tile(32, 64, dtype)
        assert Access.column(tile, 0).width == width
        assert Access.row(tile, 0).width == width
        per_byte = max(1, 8 // tile.element_bits)
        assert places(Access.row(tile, 0)) == lanes([(0, col) for col in range(0, 64, per_byte)][:32])

    def test_the_width_of_the_kind(self):
        assert Access.column(Tile(32, 64, "f16"), 8, kind="ldmatrix").width == 16
        assert Access.row(Tile(32, 256, "f16"), 0, kind="ldmatrix").width == 16

    def test_lanes_do_not_depend_on_the_swizzle(self):
        plain, swizzled = Tile(64, 64, "f16"), Tile(64, 64, "f16", **SW)
        for pattern in (Access.column, Access.row, Access.cp_async, Access.ldmatrix, Access.stmatrix):
            assert pattern(plain).starts == pattern(swizzled).starts


@st.composite
def accesses(draw):
    """(Access of whole vectors anywhere in a tile, the tile as plain numbers)."""
    dtype = draw(st.sampled_from(("f64", "f32", "f16", "s8", "e2m1", "b1")))
    order = draw(st.sampled_from(("row", "column")))
    anchor = draw(st.sampled_from(("offset", "address")))
    kind = draw(st.sampled_from(("load", "store", "ldmatrix")))
    width = 16 if kind == "ldmatrix" else draw(st.sampled_from((1, 2, 4, 8, 16)))
    bits = Tile(1, 1, dtype).element_bits
    assume(8 * width >= bits)
    run = 8 * width // bits
    line_count, per_line = draw(st.integers(1, 40)), draw(st.integers(1, 6))
    base = 16 * draw(st.integers(0, 70))
    swizzle = draw(st.one_of(st.none(), swizzles(most=4)))
    unit = None if swizzle is None else draw(st.sampled_from((bits, 8, 16)))
    assume(swizzle is None or not swizzle.bits or unit << swizzle.base >= bits)
    assume(swizzle is None or unit * swizzle.target_mask < 8 * 100_000)
    lines, length = line_count, run * per_line
    rows, cols = (lines, length) if order == "row" else (length, lines)
    tile = Tile(rows, cols, dtype, order=order, base_address=base, swizzle=swizzle, unit=unit, anchor=anchor)
    count = draw(st.sampled_from((8, 16, 32))) if kind == "ldmatrix" else draw(st.integers(1, 32))
    vectors = draw(st.lists(st.integers(0, lines * per_line - 1), min_size=count, max_size=count))
    starts = [vector * run for vector in vectors]
    if kind != "ldmatrix":
        starts = [start if draw(st.booleans()) else -1 for start in starts]
    starts += [-1] * (32 - len(starts))

    def bit(offset):
        return element_bit(offset, bits, base, swizzle, unit, anchor)

    return tile, starts, width, kind, [[bit(start + i) for i in range(run)] for start in starts]


@given(accesses())
@settings(max_examples=150)
def test_addresses_vectors_and_costs_lane_by_lane(case):
    tile, starts, width, kind, bits = case
    active = [start >= 0 for start in starts]
    access = Access.offsets(tile, starts, width, kind)
    assert access.starts == tuple(starts)
    # A reordered vector begins where its aligned bytes do.
    expected = [
        min(line) // 8 if lane in access.reordered_lanes else line[0] // 8 if active[lane] else 0
        for lane, line in enumerate(bits)
    ]
    assert access.addresses.tolist() == expected
    torn = [lane for lane, line in enumerate(bits) if active[lane] and len({bit // (8 * width) for bit in line}) > 1]
    reordered = [
        lane
        for lane, line in enumerate(bits)
        if active[lane] and lane not in torn and line != [min(line) + i * tile.element_bits for i in range(len(line))]
    ]
    assert (access.torn_lanes, access.reordered_lanes) == (tuple(torn), tuple(reordered))
    assert access.vectors == ("torn" if torn else "reordered" if reordered else "whole")
    refused = bool(torn or (reordered and kind == "ldmatrix"))
    assert bool(access.refusal) == refused
    if refused:
        with pytest.raises(ValueError, match="tears the" if torn else "reorders the") as error:
            access.report()
        assert str(error.value) == access.refusal
    report = access.report(allow_torn=True)
    # Every byte of every element, wherever the swizzle put it.
    words = [
        {place // 32 for bit in line for place in range(bit, bit + tile.element_bits)} if taking else set()
        for line, taking in zip(bits, active)
    ]
    addresses = expected
    expected = phases(words, width, kind, active, addresses)
    assert [list(phase.lanes) for phase in report.phases] == [some for some, _ in expected]
    assert [
        {bank: {word: set(who) for word, who in wanted.items()} for bank, wanted in phase.words.items()}
        for phase in report.phases
    ] == [banks for _, banks in expected]
    assert report.merged == merged(addresses, width, kind, active)
    if not torn:
        assert (report.wavefronts, report.ideal) == cost(addresses, width, kind, active)


@given(accesses())
def test_coordinates_lead_back_to_the_starts(case):
    tile, starts, width, kind, _ = case
    access = Access.offsets(tile, starts, width, kind)
    rows, cols = access.coordinates
    assert [tile.layout(row, col) if row >= 0 else -1 for row, col in zip(rows.tolist(), cols.tolist())] == starts
    assert Access.at(tile, rows, cols, width, kind, access.name) == access


class TestVectors:
    def test_reordered_is_moved_by_loads_and_stores_alone(self):
        tile = Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="byte")
        access = Access.column(tile, 0, width=16)
        # Byte bit 6 goes to bit 3: an odd 64-byte half swaps the 8-byte halves of its vectors. Rows are
        # 128 bytes, so column 0 lies in even halves and column 32 in odd ones.
        assert (access.vectors, access.reordered_lanes, access.torn_lanes, access.refusal) == ("whole", (), (), "")
        for kind in ("load", "store"):
            swapped = Access.column(tile, 32, width=16, kind=kind)
            assert (swapped.vectors, swapped.reordered_lanes, swapped.torn_lanes) == ("reordered", tuple(range(8)), ())
            assert swapped.refusal == ""
            # The lanes want the vectors that they want without the halves' swap.
            assert swapped.report() == bank_report(swapped.addresses[:8], 16, kind)
        for kind, name in (
            ("ldmatrix", "ldmatrix.x1"),
            ("cp.async.cg", "cp.async.cg.16"),
            ("cp.async.ca", "cp.async.ca.16"),
        ):
            refused = Access.column(tile, 32, width=16, kind=kind)
            text = (
                "Sw<3,3,3> in bytes reorders the 16-byte vectors of lanes 0, 1, 2, 3, 4, 5, 6, 7: it moves granules "
                f"of 8 bytes, bits 3 to 5 of the offset in bytes, and {name} moves them in order only"
            )
            assert (refused.vectors, refused.refusal) == ("reordered", text)
            with pytest.raises(ValueError, match=re.escape(text)):
                refused.report()
            assert refused.report(allow_torn=True) == bank_report(refused.addresses[:8], 16, kind)

    def test_torn_is_moved_by_none(self):
        # Bit 3, which tells the halves of a vector apart, is added to bit 6.
        tile = Tile(8, 64, "f16", swizzle=Swizzle(1, 3, -3), unit="byte", anchor="address")
        text = (
            "Sw<1,3,-3> in bytes tears the 16-byte vectors of lanes 0, 1, 2, 3, 4, 5, 6, 7: it moves granules "
            "of 8 bytes, bits 6 to 6 of the address in bytes, which no instruction gathers"
        )
        for kind in ("load", "store", "ldmatrix", "cp.async.cg"):
            access = Access.column(tile, 0, width=16, kind=kind)
            assert (access.vectors, access.torn_lanes, access.reordered_lanes) == ("torn", tuple(range(8)), ())
            assert access.refusal == text
            with pytest.raises(ValueError, match=re.escape(text)):
                access.report()

    def test_the_worst_lane_counts(self):
        # The same bit is no part of an 8-byte vector.
        tile = Tile(8, 8, "f32", swizzle=Swizzle(1, 3, -3), unit="byte")
        assert Access.column(tile, 0, width=8).vectors == "whole"
        assert Access.column(tile, 0, width=16).vectors == "torn"

    def test_the_bits_are_those_that_move(self):
        # A negative shift changes the upper field, and reads the lower one: bits 1 and 5 here.
        text = Access.row(Tile(8, 64, "f16", swizzle=Swizzle(1, 1, -4), unit="byte"), 0, width=16).refusal
        assert "bits 5 to 5 of the offset in bytes" in text
        assert "lanes 0, 1, 2, 3, 4, 5, 6, 7:" in text

    def test_many_lanes_are_abbreviated(self):
        access = Access.column(
            Tile(32, 64, "f16", swizzle=Swizzle(1, 2, 1), unit="element"), 8, width=16, kind="ldmatrix"
        )
        assert access.reordered_lanes == tuple(range(32))
        assert "of lanes 0, 1, 2, 3, 4, 5, 6, 7 ...:" in access.refusal

    def test_a_vector_of_two_words_an_element(self):
        # 8-byte granules under 16-byte vectors: each lane still wants four words.
        tile = Tile(8, 16, "f64", swizzle=Swizzle(1, 0, 3), unit="element")
        report = Access.row(tile, 0, width=16).report(allow_torn=True)
        assert report.words_per_bank.sum() == 4 * 8


class TestOn:
    def test_other_swizzle(self):
        plain, swizzled = Tile(64, 64, "f16"), Tile(64, 64, "f16", **SW)
        access = Access.ldmatrix(plain, row=8, col=16)
        assert access.on(swizzled) == Access.ldmatrix(swizzled, row=8, col=16)
        assert (access.report().wavefronts, access.on(swizzled).report().wavefronts) == (32, 4)

    def test_padded(self):
        access = Access.at(Tile(32, 32), [3, -1, 31], [1, -1, 31])
        assert access.on(Tile(32, 32, padding=1)).starts[:4] == (3 * 33 + 1, -1, 31 * 33 + 31, -1)
        assert Access.column(Tile(32, 32)).on(Tile(32, 32, padding=1)).report().wavefronts == 1

    def test_offsets_follow_their_elements(self):
        access = Access.offsets(Tile(32, 32), [32, 0, -1, 33])
        assert access.on(Tile(32, 32, padding=1)).starts[:5] == (33, 0, -1, 34, -1)

    def test_refused(self):
        with pytest.raises(ValueError, match=r"\(31, 0\) is outside the tile|lane \d+: .*outside"):
            Access.at(Tile(32, 32), [31], [0]).on(Tile(8, 32))
        with pytest.raises(ValueError, match="not a multiple of the access width, 16 bytes"):
            Access.column(Tile(32, 32), width=16).on(Tile(32, 32, padding=1))
        with pytest.raises(TypeError, match="an access is made on a Tile, not on None"):
            Access.column(Tile(32, 32)).on(None)
        with pytest.raises(ValueError, match="lane 1 starts at offset 32, which is no element"):
            Access.offsets(Tile(32, 32, padding=1), [0, 32]).on(Tile(32, 32))


class TestSpec:
    @pytest.mark.parametrize(
        "access",
        [
            Access.column(Tile(40, 16, "f16"), 8, row=3, width=16, kind="store"),
            Access.row(Tile(40, 16, "f16"), 8, col=4, width=8),
            Access.cp_async(Tile(40, 16, "f16"), 3, 8),
            Access.ldmatrix(Tile(40, 16, "f16"), 3, 8, num=2, trans=True),
            Access.stmatrix(Tile(40, 16, "f16"), 3, 0, num=4),
            Access.at(Tile(40, 16, "f16"), [3, -1], [4, -1], name="two"),
            Access.offsets(Tile(40, 16, "f16"), [3, -1, 4], name="three"),
        ],
        ids=lambda access: access.spec["pattern"],
    )
    def test_rebuilds_the_access(self, access):
        again = Access.from_spec(access.tile, access.spec)
        assert (again, again.spec) == (access, access.spec)
        assert hash(again) == hash(access)

    @pytest.mark.parametrize(
        ("spec", "error", "text"),
        [
            ({"pattern": "diagonal"}, ValueError, "pattern = 'diagonal' is not known: it must be one of 'column'"),
            ({"pattern": "from_spec"}, ValueError, "pattern = 'from_spec' is not known"),
            ({}, ValueError, "pattern = None is not known"),
            ("column", TypeError, "an access is described by a dict with a pattern, not by 'column'"),
            ({"pattern": "column", "line": 3}, TypeError, "line"),
            ({"pattern": "column", "col": 16}, ValueError, "(0, 16) is outside the tile"),
        ],
    )
    def test_refused(self, spec, error, text):
        with pytest.raises(error, match=re.escape(text)):
            Access.from_spec(Tile(40, 16), spec)


class TestRefused:
    F16, F32, COLUMN = Tile(16, 64, "f16"), Tile(16, 64, "f32"), Tile(64, 16, "f16", order="column")

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda t: Access.column(t.F32, 64), "(0, 64) is outside the tile of 16 rows and 64 columns"),
            (lambda t: Access.column(t.F32, 0, row=16), "(16, 0) is outside the tile"),
            (lambda t: Access.row(t.F32, -1), "(-1, 0) is outside the tile"),
            (lambda t: Access.column(t.F32, width=3), "width = 3 bytes is no instruction"),
            (lambda t: Access.column(t.F32, width=32), "width = 32 bytes is no instruction"),
            (lambda t: Access.column(t.F32, width=2), "width = 2 bytes holds no whole number of 32-bit elements"),
            (lambda t: Access.column(t.F32, kind="read"), "kind = 'read' is not known: it must be one of 'load'"),
            (lambda t: Access.column(t.F32, 2, width=16), "lane 0: address 8 is not a multiple of the access width"),
            (lambda t: Access.row(t.F32, 0, col=1, width=8), "lane 0: address 4 is not a multiple of the access width"),
            (
                lambda t: Access.column(t.F32, kind="ldmatrix", row=1),
                "takes its row addresses from the first 8, 16 or 32",
            ),
            (
                lambda t: Access.column(Tile(8, 64, "e2m1"), 1),
                "lane 0 starts at offset 1 in the middle of a byte: 2 e2m1",
            ),
            (
                lambda t: Access.column(Tile(8, 64, "b1"), 12),
                "lane 0 starts at offset 12 in the middle of a byte: 8 b1",
            ),
            (
                lambda t: Access.row(Tile(2, 10, "f16", padding=6), 0, width=16),
                "lane 1: 16 bytes from (0, 8) run beyond the line of 10 elements",
            ),
            (
                lambda t: Access.column(Tile(16, 64, "f16", layout=Layout((16, 64), (128, 2))), width=16),
                "16-byte vectors need neighboring f16 elements: (16,64):(128,2) has none",
            ),
            (
                lambda t: Access.row(Tile.of_layout(Layout((8, (4, 16)), (4, (1, 32))), "f16"), 0, width=16),
                "lane 0: the 16 bytes from (0, 0) are not neighbors in (8,(4,16)):(4,(1,32))",
            ),
            (
                lambda t: Access.cp_async(t.F16, width=2),
                "width = 2 bytes is no instruction: cp.async copies 4, 8 or 16",
            ),
            (lambda t: Access.cp_async(t.F16, 16), "line = 16 is too large: it must be at most 15"),
            (lambda t: Access.cp_async(Tile(8, 66)), "a line of 66 f32 elements is not a multiple of 16 bytes"),
            (lambda t: Access.cp_async(t.COLUMN, 16), "line = 16 is too large: it must be at most 15"),
            (lambda t: Access.ldmatrix(t.F16, num=3), "num = 3 is no instruction: ldmatrix moves 1, 2 or 4 matrices"),
            (lambda t: Access.stmatrix(t.F16, num=0), "num = 0 is no instruction: stmatrix moves 1, 2 or 4 matrices"),
            (lambda t: Access.ldmatrix(t.F16, row=1), "lane 15: (16, 0) is outside the tile of 16 rows and 64 columns"),
            (lambda t: Access.ldmatrix(t.F16, col=56), "lane 16: (0, 64) is outside the tile"),
            (
                lambda t: Access.ldmatrix(t.F16, col=4),
                "lane 0: address 8 is not a multiple of the access width, 16 bytes",
            ),
            (lambda t: Access.ldmatrix(Tile(16, 64, "f16", padding=1)), "lane 1: address 130 is not a multiple"),
            (lambda t: Access.at(t.F32, [1, 2], [-1, 3]), "lane 0: (1, -1) is outside the tile"),
            (lambda t: Access.at(t.F32, [0, 16], 0), "lane 1: (16, 0) is outside the tile"),
            (
                lambda t: Access.at(t.F32, 0, range(33)),
                "a warp has 32 lanes: rows and cols of shape (33,) are too many",
            ),
            (lambda t: Access.at(t.F32, [[0]], [[0]]), "rows and cols of shape (1, 1)"),
            (lambda t: Access.at(t.F32, [0, 1], [0, 1, 2]), "rows of shape (2,) and cols of shape (3,) do not pair up"),
            (lambda t: Access.at(t.F32, [], []), "offsets must be a list of 1 to 32, one a lane, not of shape (0,)"),
            (
                lambda t: Access.offsets(t.F32, range(33)),
                "offsets must be a list of 1 to 32, one a lane, not of shape (33,)",
            ),
            (lambda t: Access.offsets(t.F32, 5), "offsets must be a list of 1 to 32, one a lane, not of shape ()"),
            (lambda t: Access.offsets(t.F32, [0, -2]), "offset -2 is negative: -1 marks a lane that takes no part"),
            (lambda t: Access.offsets(t.F32, [58112]), "lane 0: address 232448 is beyond shared memory"),
            (lambda t: Access.offsets(t.F32, [1 << 62]), "offsets must be at most 1859584, the bits of shared memory"),
            (lambda t: Access.offsets(t.F32, np.array([2**64 - 1], np.uint64)), "offsets must be at most 1859584"),
            (
                lambda t: Access.offsets(t.F32, [0] * 8, kind="ldmatrix", width=4),
                "ldmatrix always takes rows of 16 bytes",
            ),
        ],
    )
    def test_values(self, make, text):
        with pytest.raises(ValueError, match=re.escape(text)):
            make(self)

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda t: Access.column(None), "an access is made on a Tile, not on None"),
            (lambda t: Access.row(3), "an access is made on a Tile, not on 3"),
            (lambda t: Access.cp_async("f16"), "an access is made on a Tile, not on 'f16'"),
            (lambda t: Access.ldmatrix(Layout(8)), "an access is made on a Tile, not on Layout(8, 1)"),
            (lambda t: Access.at(None, 0, 0), "an access is made on a Tile, not on None"),
            (lambda t: Access.offsets(None, [0]), "an access is made on a Tile, not on None"),
            (lambda t: Access.column(t.F32, 1.0), "col must be a whole number, not 1.0"),
            (lambda t: Access.column(t.F32, True), "col must be a whole number, not True"),
            (lambda t: Access.row(t.F32, "1"), "row must be a whole number, not '1'"),
            (lambda t: Access.row(t.F32, float("nan")), "row must be a whole number, not nan"),
            (lambda t: Access.column(t.F32, width=4.0), "width must be a whole number, not 4.0"),
            (lambda t: Access.cp_async(t.F16, width=True), "width must be a whole number, not True"),
            (lambda t: Access.cp_async(t.F16, line=0.0), "line must be a whole number, not 0.0"),
            (lambda t: Access.ldmatrix(t.F16, num=True), "num must be a whole number, not True"),
            (lambda t: Access.ldmatrix(t.F16, trans=1), "trans must be True or False, not 1"),
            (lambda t: Access.at(t.F32, [0.0], [1]), "rows must be whole numbers of at most 64 bits, not float64"),
            (lambda t: Access.at(t.F32, [0], [True]), "cols must be whole numbers of at most 64 bits, not bool"),
            (lambda t: Access.offsets(t.F32, [0.5]), "offsets must be whole numbers of at most 64 bits, not float64"),
            (lambda t: Access.offsets(t.F32, [1 << 70]), "not object such as 1180591620717411303424"),
            (lambda t: Access.offsets(t.F32, None), "not object such as None"),
        ],
    )
    def test_types(self, make, text):
        with pytest.raises(TypeError, match=re.escape(text)):
            make(self)
