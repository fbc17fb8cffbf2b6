"""What a report says in words: true of the report, complete, and short enough for a terminal."""

import re
from dataclasses import replace

from hypothesis import given, settings

from swizzle_widgets import Access, Layout, Swizzle, Tile, TiledCopy, bank_report
from tests.support.strategies import requests

SW128 = {"swizzle": Swizzle(3, 4, 3), "unit": "byte"}


def test_a_column_word_by_word():
    assert Access.column(Tile(4, 64, "f16")).explain() == (
        "LDS.U16, column 0 on the 4x64 f16 tile, (4,64):(64,1), no swizzle.\n"
        "LDS.U16: 4 wavefronts, ideal 1, 3 conflicts.\n"
        "Phase 1 of 1, lanes 0-3: 4 wavefronts instead of 1.\n"
        "  Bank 0 has 4 words to deliver, one a wavefront: 0 for lane 0 at (0,0), 32 for lane 1 at (1,0), 64\n"
        "    for lane 2 at (2,0), 96 for lane 3 at (3,0).\n"
        "Better: Sw<2,4,2> in f16 elements = Sw<2,5,2> in bytes: 1 wavefront, the ideal."
    )


def test_clean_phases_are_one_line_and_nothing_is_better():
    assert Access.ldmatrix(Tile(16, 64, "f16", **SW128)).explain() == (
        "ldmatrix.x4, corner (0, 0) on the 16x64 f16 tile, (16,64):(64,1), Sw<3,4,3> in bytes.\n"
        "ldmatrix.x4: 4 wavefronts, ideal 4, 0 conflicts.\n"
        "Phases 1 to 4 of 4, lanes 0-31: 1 wavefront each, no bank has two words to deliver."
    )


def test_banks_whose_words_go_to_the_same_lanes_are_said_once():
    addresses = [128 * lane if lane < 8 else 1024 + 16 * lane for lane in range(32)]
    assert bank_report(addresses, 16, "store").explain() == (
        "STS.128: 11 wavefronts, ideal 4, 7 conflicts.\n"
        "Phase 1 of 4, lanes 0-7: 8 wavefronts instead of 1.\n"
        "  Banks 0-3 have 8 words each to deliver; bank 0: 0 for lane 0, 32 for lane 1, 64 for lane 2, 96 for\n"
        "    lane 3, 128 for lane 4, 160 for lane 5, 192 for lane 6, 224 for lane 7.\n"
        "Phases 2 to 4 of 4, lanes 8-31: 1 wavefront each, no bank has two words to deliver."
    )


def test_shared_words_and_merged_phases():
    assert bank_report([lane // 2 % 2 * 128 for lane in range(32)], 8).explain() == (
        "LDS.64: 2 wavefronts, ideal 1, 1 conflict.\n"
        "Pairs of lanes want the same address, so two neighboring phases are served as one.\n"
        "Phase 1 of 1, lanes 0-31: 2 wavefronts instead of 1.\n"
        "  Banks 0-1 have 2 words each to deliver; bank 0: 0 for lanes 0-1, 4-5, 8-9, 12-13, 16-17, 20-21,\n"
        "    24-25, 28-29, 32 for lanes 2-3, 6-7, 10-11, 14-15, 18-19, 22-23, 26-27, 30-31."
    )


def test_lanes_are_named_in_runs():
    active = [lane in (0, 2, 5, 6) for lane in range(32)]
    assert bank_report([0] * 32, active=active).explain().splitlines()[1] == (
        "Phase 1 of 1, lanes 0, 2, 5-6: 1 wavefront, no bank has two words to deliver."
    )


def test_two_quiet_phases_are_said_together():
    """The smallest group: an 8-byte load of one row has two half-warps, and each takes one wavefront."""
    assert Access.row(Tile(2, 64, "f32"), 0, width=8).report().explain().splitlines()[1:] == [
        "Phases 1 to 2 of 2, lanes 0-31: 1 wavefront each, no bank has two words to deliver."
    ]


def test_no_more_than_two_groups_of_banks_are_written_out():
    lines = bank_report([lane % 4 * 4 + lane // 4 * 128 for lane in range(32)]).explain().splitlines()
    assert [line.split(" has")[0] for line in lines if line.startswith("  B")] == ["  Bank 0", "  Bank 1"]
    assert lines[-1] == "  2 more banks are as busy."
    three = bank_report([lane % 3 * 4 + lane // 3 * 128 for lane in range(30)]).explain().splitlines()
    assert three[-1] == "  1 more bank is as busy."


def test_what_no_instruction_can_do_says_why_and_what_would():
    tile = Tile(16, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="byte")
    text = Access.ldmatrix(tile, col=32).explain()
    assert "Sw<3,3,3> in bytes" in text.splitlines()[1]
    assert "\nBetter: Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes: 4 wavefronts, the ideal" in text


def test_offsets_that_are_no_elements_are_explained_without_coordinates():
    access = Access.offsets(Tile(4, 32, "f32", padding=32), [32, 96, 160])
    assert access.explain().splitlines()[2:4] == [
        "Phase 1 of 1, lanes 0-2: 3 wavefronts instead of 1.",
        "  Bank 0 has 3 words to deliver, one a wavefront: 32 for lane 0, 96 for lane 1, 160 for lane 2.",
    ]


def test_nothing_better_is_said_so():
    """A nested layout takes no padding, and at byte 4 every swizzle of addresses would leave the tile."""
    layout = Layout(((2, 2), 1), ((32, 64), 0))
    tile = Tile.of_layout(layout, "f32", base_address=4, anchor="address")
    assert Access.column(tile).explain().splitlines()[-1] == "No swizzle and no padding does better."
    copy = TiledCopy.from_tv(tile, "(4,1):(1,0)", (4, 1))
    assert copy.report().explain().splitlines()[-1] == "No swizzle and no padding does better."


def test_a_copy_is_a_table_its_worst_request_and_what_it_would_cost_otherwise():
    tile = Tile(64, 64, "f16")
    assert TiledCopy.ldmatrix(tile, num=1).report().explain() == (
        "64 steps of 8x8 by 32 threads, ldmatrix.x1 on 64x64 f16:\n"
        "64 requests of ldmatrix.x1: 512 wavefronts, ideal 64, 448 conflicts; the worst takes 8 instead of 1:\n"
        "  step (0, 0), warp 0, vector 0.\n"
        "requests  wavefronts each  ideal each  conflicts  first of them\n"
        "      64                8           1        448  step (0, 0), warp 0, vector 0\n"
        "The worst, ldmatrix.x1, step (0, 0), warp 0, vector 0:\n"
        "ldmatrix.x1: 8 wavefronts, ideal 1, 7 conflicts.\n"
        "Phase 1 of 1, lanes 0-7: 8 wavefronts instead of 1.\n"
        "  Banks 0-3 have 8 words each to deliver; bank 0: 0 for lane 0 at (0,0), 32 for lane 1 at (1,0), 64\n"
        "    for lane 2 at (2,0), 96 for lane 3 at (3,0), 128 for lane 4 at (4,0), 160 for lane 5 at (5,0),\n"
        "    192 for lane 6 at (6,0), 224 for lane 7 at (7,0).\n"
        "Better: Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes. The whole copy then takes 64 wavefronts,\n"
        "  ideal 64."
    )
    clean = TiledCopy.ldmatrix(replace(tile, **SW128)).report().explain()
    assert clean.splitlines()[2:] == [
        "requests  wavefronts each  ideal each  conflicts  first of them",
        "      16                4           4          0  step (0, 0), warp 0, vector 0",
    ]


def test_the_table_of_a_copy_has_a_row_for_every_cost_the_worst_first():
    tile = Tile(32, 40, "f32", padding=1)
    report = TiledCopy.from_tv(tile, "((4,8),1):((8,1),0)", (8, 4)).report()
    rows = [
        list(map(int, line.split()[:4])) for line in report.explain().splitlines() if re.match(r" *\d+ +\d+ +\d", line)
    ]
    assert sum(count for count, *_ in rows) == report.requests
    assert sum(count * each for count, each, *_ in rows) == report.wavefronts
    assert sum(count * ideal for count, _, ideal, _ in rows) == report.ideal
    assert sum(row[3] for row in rows) == report.conflicts
    assert [row[1] - row[2] for row in rows] == sorted((row[1] - row[2] for row in rows), reverse=True)


@settings(max_examples=60, deadline=None)
@given(requests())
def test_every_phase_of_any_request_is_told_and_every_line_fits(request):
    addresses, width, kind, active = request
    report = bank_report(addresses, width, kind, active)
    text = report.explain()
    assert all(len(line) <= 100 for line in text.splitlines())
    assert text.splitlines()[0] == f"{report}."
    busy = [phase.wavefronts for phase in report.phases if phase.wavefronts > 1]
    assert [int(count) for count in re.findall(r"(\d+) wavefronts instead of 1", " ".join(text.split()))] == busy
    assert ("served as one" in text) == report.merged
    for bank, words in re.findall(r"^  Banks? (\d+)[\d, -]* (?:has|have) (\d+) words", text, re.M):
        assert any(len(phase.words.get(int(bank), ())) == int(words) for phase in report.phases)


def test_a_report_shows_short():
    report = bank_report([0, 128, 256])
    assert repr(report) == "<BankReport: LDS.32: 3 wavefronts, ideal 1, 2 conflicts>"


def test_lines_of_cp_async_and_words_that_its_lanes_do_not_share():
    assert Access.cp_async(Tile(64, 64, "f16", padding=8)).explain().splitlines()[1:6] == [
        "cp.async.cg.16: 7 lines of 128 bytes, at least 4, no bank conflicts.",
        "Phase 1 of 4, lanes 0-7: line 0 by lanes 0-7.",
        "Phase 2 of 4, lanes 8-15: line 1 by lanes 8-14, line 2 by lane 15.",
        "Phase 3 of 4, lanes 16-23: line 2 by lanes 16-21, line 3 by lanes 22-23.",
        "Phase 4 of 4, lanes 24-31: line 3 by lanes 24-28, line 4 by lanes 29-31.",
    ]
    assert bank_report([0, 0, 128, 4], 4, "cp.async.ca").explain().splitlines()[1:] == [
        "Phase 1 of 1, lanes 0-3: 3 wavefronts instead of 1.",
        "  Bank 0 has 3 words to deliver, one a wavefront: 0 for lanes 0-1, 32 for lane 2.",
    ]
    assert bank_report([0, 0, 0], 4, "atomic").explain().splitlines()[2] == (
        "  Bank 0 has 3 words to deliver, one a wavefront: 0 for lanes 0-2."
    )
    lines = TiledCopy.cp_async(Tile(64, 64, "f16", padding=8)).report().explain().splitlines()
    assert lines[3:6] == [
        "requests       lines each    at least     excess  first of them",
        "       8                8           4         32  step (0, 0), warp 0, vector 1",
        "       8                7           4         24  step (0, 0), warp 0, vector 0",
    ]
