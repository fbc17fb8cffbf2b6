"""The bank model against its rules, written a second time lane by lane; and what it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swizzle_widgets import bank_of, bank_report, bank_reports
from tests.support.reference import cost, merged, phases
from tests.support.strategies import MEMORY, requests

LANES = np.arange(32)


def figures(report):
    return report.wavefronts, report.ideal, report.conflicts


@pytest.mark.parametrize(
    ("addresses", "width", "kind", "expected"),
    [
        # Rule 2: words, not bytes or lanes, are what a bank delivers.
        (4 * LANES, 4, "load", (1, 1, 0)),
        (0 * LANES, 4, "load", (1, 1, 0)),
        (2 * LANES, 2, "load", (1, 1, 0)),
        (LANES, 1, "store", (1, 1, 0)),
        (8 * LANES, 4, "load", (2, 1, 1)),
        (128 * LANES, 4, "load", (32, 1, 31)),
        (128 * LANES, 2, "store", (32, 1, 31)),
        (132 * LANES, 4, "load", (1, 1, 0)),
        (132 * LANES, 1, "load", (1, 1, 0)),
        # Rule 1: half-warps for 8 bytes, quarter-warps for 16.
        (8 * LANES, 8, "load", (2, 2, 0)),
        (16 * LANES, 16, "store", (4, 4, 0)),
        (128 * LANES, 16, "load", (32, 4, 28)),
        (128 * LANES, 8, "load", (32, 2, 30)),
        (144 * LANES, 16, "ldmatrix", (4, 4, 0)),
        (128 * LANES, 16, "stmatrix", (32, 4, 28)),
        # Rule 3: pairs of lanes that share an address.
        (0 * LANES, 16, "load", (2, 2, 0)),
        (0 * LANES, 8, "load", (1, 1, 0)),
        (0 * LANES, 16, "store", (4, 4, 0)),
        (0 * LANES, 16, "ldmatrix", (4, 4, 0)),
        (8 * (LANES // 2), 8, "load", (1, 1, 0)),
        (8 * (LANES & ~2), 8, "load", (2, 1, 1)),
        (8 * (LANES // 4), 8, "load", (1, 1, 0)),
        (16 * (LANES // 2), 16, "load", (2, 2, 0)),
        (16 * (LANES // 2), 16, "store", (4, 4, 0)),
        (128 * (LANES // 2), 16, "load", (16, 2, 14)),
        # The pairing is the warp's: xor 1 in one half and xor 2 in the other do not merge.
        (8 * np.where(LANES < 16, LANES & ~1, LANES & ~2), 8, "load", (2, 2, 0)),
        (8 * (LANES & ~4), 8, "load", (2, 2, 0)),
    ],
)
def test_by_hand(addresses, width, kind, expected):
    assert figures(bank_report(addresses, width, kind)) == expected
    many = bank_reports([addresses], width, kind)
    assert (many.wavefronts.tolist(), many.ideal.tolist(), many.conflicts.tolist()) == tuple([n] for n in expected)


def test_by_hand_partly_active():
    # A phase without an active lane costs nothing.
    assert figures(bank_report(128 * LANES, 16, active=LANES < 8)) == (8, 1, 7)
    # A lane whose partner is inactive agrees, so lanes 0 and 8 share a phase, and a bank.
    assert figures(bank_report(16 * LANES, 16, active=LANES % 8 == 0)) == (4, 2, 2)
    assert bank_report(16 * LANES, 16, active=LANES % 2 == 0).merged
    assert not bank_report(16 * LANES, 16, active=LANES != 31).merged
    assert figures(bank_report(16 * LANES, 16, "store", active=LANES % 2 == 0)) == (4, 4, 0)
    assert figures(bank_report(16 * LANES, active=LANES < 0)) == (0, 0, 0)


@given(requests())
@settings(max_examples=400)
def test_report_equals_the_rules(request_):
    addresses, width, kind, active = request_
    report = bank_report(addresses, width, kind, active)
    assert (report.wavefronts, report.ideal) == cost(addresses, width, kind, active)
    assert report.conflicts == report.wavefronts - report.ideal
    assert report.merged == merged(addresses, width, kind, active)
    words = [{byte // 4 for byte in range(address, address + width)} for address in addresses]
    expected = phases(words, width, kind, active, addresses)
    assert [list(phase.lanes) for phase in report.phases] == [lanes for lanes, _ in expected]
    for phase, (_, banks) in zip(report.phases, expected):
        assert {bank: {word: set(who) for word, who in wanted.items()} for bank, wanted in phase.words.items()} == banks
        assert phase.wavefronts == max(map(len, banks.values()))
    assert report.words_per_bank.tolist() == [[len(banks.get(bank, ())) for bank in range(32)] for _, banks in expected]


@given(requests())
def test_served_delivers_each_word_once(request_):
    report = bank_report(*request_)
    assert len(report.served) == report.wavefronts
    turns = iter(report.served)
    for phase in report.phases:
        delivered = [
            (bank, word, lanes) for _ in range(phase.wavefronts) for bank, (word, lanes) in next(turns).items()
        ]
        wanted = [(bank, word, lanes) for bank, words in phase.words.items() for word, lanes in words.items()]
        assert sorted(delivered) == sorted(wanted)


@given(st.lists(requests(kinds=("load",), widths=(8, 16)), min_size=1, max_size=20))
def test_many_at_once_equal_one_by_one_where_some_merge(batch):
    for width in (8, 16):
        group = [(addresses, active) for addresses, w, _, active in batch if w == width]
        if group:
            addresses, active = map(np.array, zip(*group))
            compare(addresses, width, "load", active)


@pytest.mark.parametrize("kind", ["load", "store", "ldmatrix", "stmatrix"])
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_many_at_once_equal_one_by_one(kind, width):
    if kind.endswith("matrix") and width != 16:
        return
    random = np.random.default_rng(width)
    for span in (2, 40, 300, MEMORY // width):
        addresses = random.integers(0, span, (300, 32)) * width
        addresses[::3] = addresses[::3, LANES & ~1]
        addresses[1::3] = addresses[1::3, LANES & ~2]
        active = random.random((300, 32)) < random.choice([0, 0.1, 0.5, 0.9, 1], (300, 1))
        if kind.endswith("matrix"):
            active = random.choice([8, 16, 32], (300, 1)) > LANES
        compare(addresses, width, kind, active)


def compare(addresses, width, kind, active):
    reports = bank_reports(addresses, width, kind, active)
    singles = [bank_report(line, width, kind, mask) for line, mask in zip(addresses, active)]
    assert len(reports) == len(singles)
    assert reports.wavefronts.tolist() == [single.wavefronts for single in singles]
    assert reports.ideal.tolist() == [single.ideal for single in singles]
    assert reports.conflicts.tolist() == [single.conflicts for single in singles]


class TestInput:
    def test_bank_of(self):
        assert [bank_of(address) for address in (0, 3, 4, 124, 127, 128, 132)] == [0, 0, 1, 31, 31, 0, 1]
        assert bank_of(np.array([[0, 4], [128, 252]], np.uint8)).tolist() == [[0, 1], [0, 31]]
        assert bank_of([0, 4]).tolist() == [0, 1]
        with pytest.raises(TypeError, match=r"address must be a whole number, not 4\.0"):
            bank_of(4.0)
        with pytest.raises(ValueError, match="addresses must be at least 0, but one is -4"):
            bank_of([0, -4])

    @pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64, np.uint64])
    def test_every_dtype(self, dtype):
        assert figures(bank_report(np.array([0, 64, 96, 64], dtype))) == (1, 1, 0)
        assert bank_reports(np.full((2, 32), 64, dtype)).wavefronts.tolist() == [1, 1]

    def test_fewer_than_a_warp(self):
        assert figures(bank_report([0, 128, 256])) == (3, 1, 2)
        assert bank_report([0, 128, 256]).phases[0].lanes == (0, 1, 2)
        assert bank_report([0, 128, 256], active=[True, False, True]).phases[0].lanes == (0, 2)
        assert figures(bank_report([128 * lane for lane in range(16)], kind="ldmatrix")) == (16, 2, 14)

    def test_inactive_addresses_are_ignored(self):
        addresses = np.array([-1, 3, 1 << 60] + [0] * 29)
        active = LANES > 2
        assert figures(bank_report(addresses, 4, "load", active)) == (1, 1, 0)
        assert bank_reports([addresses] * 2, 4, "load", active).wavefronts.tolist() == [1, 1]

    def test_usual_widths(self):
        assert [bank_report([0] * 32, kind=kind).width for kind in ("load", "store", "ldmatrix", "stmatrix")] == [
            4,
            4,
            16,
            16,
        ]

    def test_one_mask_for_all(self):
        reports = bank_reports([128 * LANES] * 3, 16, active=LANES < 8)
        assert reports.wavefronts.tolist() == [8, 8, 8]

    def test_none_at_all(self):
        reports = bank_reports(np.zeros((0, 32), int), 16)
        assert (len(reports), reports.wavefronts.tolist(), reports.conflicts.tolist()) == (0, [], [])

    def test_nothing_is_changed(self):
        addresses, active = np.arange(32) * 4, np.arange(32) % 2 == 0
        bank_report(addresses, 4, "load", active)
        bank_reports(addresses[None], 4, "load", active)
        assert addresses.tolist() == list(range(0, 128, 4))
        assert active.tolist() == [True, False] * 16

    def test_the_end_of_shared_memory(self):
        for width in (1, 2, 4, 8, 16):
            assert bank_report([MEMORY - width], width).wavefronts == 1


class TestText:
    @pytest.mark.parametrize(
        ("kind", "width", "lanes", "name"),
        [
            ("load", 1, 32, "LDS.U8"),
            ("load", 2, 32, "LDS.U16"),
            ("load", 4, 5, "LDS.32"),
            ("store", 8, 32, "STS.64"),
            ("store", 2, 32, "STS.U16"),
            ("load", 16, 32, "LDS.128"),
            ("ldmatrix", 16, 8, "ldmatrix.x1"),
            ("ldmatrix", 16, 16, "ldmatrix.x2"),
            ("stmatrix", 16, 32, "stmatrix.x4"),
        ],
    )
    def test_instruction(self, kind, width, lanes, name):
        assert bank_report([0] * lanes, width, kind).instruction == name

    def test_str(self):
        assert str(bank_report(128 * LANES)) == "LDS.32: 32 wavefronts, ideal 1, 31 conflicts"
        assert str(bank_report(8 * LANES)) == "LDS.32: 2 wavefronts, ideal 1, 1 conflict"
        assert str(bank_report(4 * LANES, kind="store")) == "STS.32: 1 wavefront, ideal 1, 0 conflicts"


class TestRefused:
    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (([2],), "lane 0: address 2 is not a multiple of the access width, 4 bytes"),
            (([0, 8, 20], 8), "lane 2: address 20 is not a multiple of the access width, 8 bytes"),
            (([0, -4],), "lane 1: address -4 is negative: shared memory starts at byte 0"),
            (([MEMORY],), "lane 0: address 232448 is beyond shared memory: a block has 232448 bytes"),
            (([1 << 62],), "lane 0: address 4611686018427387904 is beyond shared memory"),
            ((np.array([2**64 - 4], np.uint64),), "lane 0: address 18446744073709551612 is beyond shared memory"),
            (([],), "addresses must be a list of 1 to 32, one a lane, not of shape (0,)"),
            ((0,), "addresses must be a list of 1 to 32, one a lane, not of shape ()"),
            (([0] * 33,), "addresses must be a list of 1 to 32, one a lane, not of shape (33,)"),
            (([[0] * 32],), "addresses must be a list of 1 to 32, one a lane, not of shape (1, 32)"),
            (([0], 3), "width = 3 bytes is no instruction: a lane reads or writes 1, 2, 4, 8 or 16 bytes"),
            (([0], 32), "width = 32 bytes is no instruction"),
            (([0], -4), "width = -4 bytes is no instruction"),
            (([0], 1 << 99), "width = about 2**99 bytes is no instruction"),
            (([0] * 32, 4, "ldmatrix"), "width = 4 bytes is no instruction: ldmatrix always takes rows of 16 bytes"),
            (
                ([0] * 9, 16, "ldmatrix"),
                "ldmatrix takes its row addresses from the first 8, 16 or 32 lanes (x1, x2, x4)",
            ),
            (
                ([0] * 32, 16, "stmatrix", LANES > 15),
                "stmatrix takes its row addresses from the first 8, 16 or 32 lanes",
            ),
            (([0], 4, "Load"), "kind = 'Load' is not known: it must be one of 'load', 'store', 'ldmatrix', 'stmatrix'"),
            (([0], 4, None), "kind = None is not known"),
            (([0], 4, ["load"]), "kind = ['load'] is not known"),
            (([0] * 8, 4, "load", [True] * 32), "active must be 8 booleans, one for each address, not of shape (32,)"),
            (([0] * 32, 4, "load", True), "active must be 32 booleans, one for each address, not of shape ()"),
        ],
    )
    def test_values(self, arguments, text):
        with pytest.raises(ValueError, match=re.escape(text)):
            bank_report(*arguments)

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (([4.0],), "addresses must be whole numbers of at most 64 bits, not float64 such as 4.0"),
            (([float("nan")],), "not float64 such as nan"),
            (([True],), "not bool such as True"),
            ((["4"],), "such as '4'"),
            ((None,), "not object such as None"),
            (([1 << 70],), "not object such as 1180591620717411303424"),
            (([0], 4.0), "width must be a whole number, not 4.0"),
            (([0], True), "width must be a whole number, not True"),
            (([0], "4"), "width must be a whole number, not '4'"),
            (([0], 4, "load", [1]), "active must be booleans, one a lane, not int64"),
            (([0], 4, "load", ["no"]), "active must be booleans"),
        ],
    )
    def test_types(self, arguments, text):
        with pytest.raises(TypeError, match=re.escape(text)):
            bank_report(*arguments)

    @pytest.mark.parametrize(
        ("addresses", "active", "text"),
        [
            ([[0] * 32, [0] * 31 + [2]], None, "request 1, lane 31: address 2 is not a multiple of the access width"),
            ([[0] * 32, [0] * 31 + [-8]], None, "request 1, lane 31: address -8 is negative"),
            ([[0] * 31], None, "addresses must have the shape (n, 32), not (1, 31)"),
            ([0] * 32, None, "addresses must have the shape (n, 32), not (32,)"),
            ([[0] * 32] * 2, [True] * 31, "active must have the shape (2, 32) or (32,), not (31,)"),
            ([[0] * 32] * 2, [[True] * 32] * 3, "active must have the shape (2, 32) or (32,), not (3, 32)"),
        ],
    )
    def test_many(self, addresses, active, text):
        with pytest.raises(ValueError, match=re.escape(text)):
            bank_reports(addresses, active=active)
