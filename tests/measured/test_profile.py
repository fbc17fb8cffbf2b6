"""Profiles that Nsight Compute printed on an H200, read; and damaged ones, refused with the place."""

import csv
import io
from pathlib import Path

import pytest

import swizzle_widgets.measured
from swizzle_widgets import Swizzle, Tile, TiledCopy
from swizzle_widgets.measured.profile import COLUMNS, SharedInstruction, beside, parse_profile, read_profile

PROFILES = Path(__file__).parents[1] / "data" / "profiles"
TRANSPOSES = Path(swizzle_widgets.measured.__file__).parent / "data" / "profile_transposes.csv"
ALL = [TRANSPOSES, PROFILES / "pipeline.csv", PROFILES / "cute.csv"]


def test_the_transposes_cost_what_notebook_10_says():
    """32 words of one bank; 4 under the wrong swizzle; 1 under the right one. Each table is printed twice."""
    rows = read_profile(TRANSPOSES)
    loads = {kernel: {row.each for row in rows if row.kernel == kernel and row.kind == "load"} for kernel in
             ("transpose_plain", "transpose_wrong", "transpose_right")}  # fmt: skip
    assert loads == {
        "transpose_plain": {(32, 1, 31)}, "transpose_wrong": {(4, 1, 3)}, "transpose_right": {(1, 1, 0)},
    }  # fmt: skip
    assert len(rows) == 3 * 8
    assert {row.each for row in rows if row.kind == "store"} == {(1, 1, 0)}
    assert {row.width for row in rows} == {4}
    assert str(rows[0]) == "LDS R13, [R5]: 32 wavefronts a request, ideal 1, excess 31"


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_worst_stands_first_and_excess_is_wavefronts_beyond_the_ideal(path):
    rows = read_profile(path)
    assert rows
    assert [row.excess for row in rows] == sorted((row.excess for row in rows), reverse=True)
    assert all(row.excess == row.wavefronts - row.ideal for row in rows)
    assert all(row.requests > 0 for row in rows)


def test_instructions_of_the_pipeline_are_known_by_kind_and_width():
    rows = read_profile(PROFILES / "pipeline.csv")
    found = {(row.opcode, row.kind, row.width, row.matrices) for row in rows}
    assert found == {("LDGSTS.E.BYPASS.128", "cp.async.cg", 16, 0), ("LDSM.16.M88.4", "ldmatrix", 16, 4)}
    assert {row.kernel for row in rows} == {"stream_plain", "stream_right"}


def test_a_cute_program_has_kernels_with_long_names_generic_loads_and_tensor_cores():
    rows = read_profile(PROFILES / "cute.csv")
    assert {row.opcode.split(".")[0] for row in rows} == {"LDGSTS", "LDSM", "LD", "HGMMA"}
    assert {row.kind for row in rows if row.opcode.startswith("HGMMA")} == {None}
    assert {row.kind for row in rows if row.opcode.startswith("LD.")} == {"load"}
    # Two kernels differ in their template arguments alone: both are there.
    assert len({row.kernel for row in rows if "through_ldmatrix" in row.kernel}) == 2


def test_what_the_model_counts_for_the_tile_of_the_pipeline_is_what_was_counted():
    """Rows of 64 f16: 32 wavefronts for ldmatrix.x4 without a swizzle, 4 with the 128B mode."""
    plain = Tile(64, 64, "f16")
    swizzled = Tile(64, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte")
    rows = [row for row in read_profile(PROFILES / "pipeline.csv") if row.kind == "ldmatrix"]
    for kernel, tile in (("stream_plain", plain), ("stream_right", swizzled)):
        report = TiledCopy.ldmatrix(tile).report()
        counted = [row for row in rows if row.kernel == kernel]
        assert len(counted) == 4
        for row in counted:
            assert row.does(report)
            sums = (report.wavefronts, report.ideal, report.conflicts)
            assert row.each == tuple(total / report.requests for total in sums)


def test_only_copies_of_the_same_instruction_stand_beside_a_row():
    tile = Tile(64, 64, "f16")
    row = SharedInstruction("kernel", "@P0 LDSM.16.M88.2 R12, [R12]", 1, 16, 2, 2, 0)
    copies = [TiledCopy.ldmatrix(tile, num).report() for num in (1, 2, 4)]
    others = [TiledCopy.row(tile, 16).report(), TiledCopy.stmatrix(tile, 2).report()]
    assert beside(row, copies + others) == [copies[1]]
    load = SharedInstruction("kernel", "LDS.128 R12, [R12]", 1, 16, 2, 2, 0)
    assert beside(load, copies + others) == [others[0]]
    assert beside(SharedInstruction("kernel", "LDS R12, [R12]", 1, 4, 2, 2, 0), copies + others) == []
    assert [SharedInstruction("k", f"{name} R1", 1, 4, 1, 1, 0).kind for name in
            ("STS.64", "STSM.16.M88.4", "LDGSTS.E.128", "ATOMS.ADD", "@!P1 STS")] == [
        "store", "stmatrix", "cp.async.ca", "atomic", "store",
    ]  # fmt: skip


def synthetic(*rows, kernel="made up", columns=COLUMNS) -> str:
    """A page in the profiler's form whose numbers are invented, to try what no recorded file holds."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(["Kernel Name", kernel])
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def test_a_repeated_table_counts_once_and_another_launch_counts():
    one = synthetic(("LDS R1, [R2]", 4, 32, 8, 4, 4))
    other = synthetic(("LDS R1, [R2]", 4, 32, 12, 4, 8))
    assert [row.wavefronts for row in parse_profile(one + one)] == [8]
    assert [row.wavefronts for row in parse_profile(one + one + other + other)] == [12, 8]
    assert len(parse_profile(one + synthetic(("LDS R1, [R2]", 4, 32, 8, 4, 4), kernel="another"))) == 2


def test_rows_without_a_request_on_shared_memory_are_left_out():
    text = synthetic(
        ("LDG R1, [R2]", 4, 32, 0, 0, 0),
        ("LDS R1, [R2]", 0, "", 0, 0, 0),
        ("@!PT LDS RZ, [RZ]", 4, 32, "-", "-", "-"),
        ("ATOMS.ADD R1, [R2], R3", "1,024", 32, "2,048", "1,024", "1,024"),
    )
    (row,) = parse_profile(f'==PROF== banner\nwhat the program says, "quoted"\n{text}==PROF== Disconnected\n')
    assert (row.requests, row.wavefronts, row.each) == (1024, 2048, (2, 1, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "there is no per-instruction table in it: print one with ncu --section SourceCounters --page source --csv",
        ),
        ("==PROF== nothing\n", "there is no per-instruction table in it"),
        (synthetic(columns=COLUMNS[:-1]), "the table of made up has no column 'L1 Wavefronts Shared Excessive'"),
        (synthetic(("LDS", 1, 32, 1)), "line 3 has 4 fields, but the head of its table has 6"),
        (synthetic(("LDS", 1, 32, "many", 1, 0)), "line 3: L1 Wavefronts Shared = 'many' is no count"),
        (synthetic(("LDS", 1, 32, -1, 1, 0)), "line 3: L1 Wavefronts Shared = '-1' is no count"),
    ],
)
def test_what_is_no_profile_is_refused_with_the_place(text, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        parse_profile(text)
