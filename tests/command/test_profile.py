"""`swizzle-widgets profile` on files that Nsight Compute printed."""

from pathlib import Path

import swizzle_widgets.measured
from swizzle_widgets.command import main

PROFILES = Path(__file__).parents[1] / "data" / "profiles"
TRANSPOSES = Path(swizzle_widgets.measured.__file__).parent / "data" / "profile_transposes.csv"


def test_instructions_of_each_kernel_the_worst_first(capsys):
    assert main(["profile", str(TRANSPOSES)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "transpose_plain",
        "  requests  wavefronts    ideal   excess  instruction (counts of one request)",
        "     32768          32        1       31  LDS R13, [R5]",
    ]
    assert [line for line in lines if line.startswith("transpose")] == [
        "transpose_plain", "transpose_wrong", "transpose_right",
    ]  # fmt: skip
    assert lines[-1] == "4456448 wavefronts more than the ideal 786432, over all requests."


def test_the_model_stands_beside_what_was_counted(capsys):
    tile = ["--layout", "(_64,_64):(_64,_1)", "--dtype", "f16", "--access", "ldmatrix.x4", "--access", "row:16"]
    assert main(["profile", str(PROFILES / "pipeline.csv"), *tile]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == [
        "    524288          32        4       28  LDSM.16.M88.4 R12, [R12]",
        "     model          32        4       28  ldmatrix.x4",
    ]
    # No LDS.128 is in the program, so row:16 has no line.
    assert not [line for line in lines if line.endswith("row:16")]


def test_cp_async_is_told_in_lines(capsys):
    padded = ["--layout", "(_64,_64):(_72,_1)", "--dtype", "f16", "--access", "cp.async", "--access", "cp.async.ca"]
    assert main(["profile", str(PROFILES / "pipeline.csv"), *padded]) == 1
    lines = capsys.readouterr().out.splitlines()
    written = [line for line in lines if "LDGSTS" in line]
    told = [line for line in lines if line.startswith("     model")]
    # Every copy in the file is .cg; the .ca of the same tile stands beside none.
    assert told == ["     model         7.5        4      3.5  cp.async, in lines of 128 bytes"] * len(written)


def test_a_clean_profile_is_exit_status_0_and_names_are_cut(capsys):
    assert main(["profile", str(PROFILES / "cute.csv")]) == 0
    out = capsys.readouterr().out
    assert out.endswith("\n0 wavefronts more than the ideal 704, over all requests.\n")
    assert all(len(line) <= 120 for line in out.splitlines())


def test_what_is_no_profile_is_exit_status_2(tmp_path, capsys):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert main(["profile", str(tmp_path / "other.csv")]) == 2
    assert (
        "there is no per-instruction table in it: print one with ncu --section SourceCounters"
        in capsys.readouterr().err
    )
    assert main(["profile", str(tmp_path / "missing.csv")]) == 2
    assert "missing.csv" in capsys.readouterr().err
    assert main(["profile", str(TRANSPOSES), "--access", "ldmatrix"]) == 2
    assert capsys.readouterr().err == "swizzle-widgets: --access needs the tile: give its --layout, too\n"
