"""The command line as a build or a terminal sees it: what it prints, and its exit status."""

import io
import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from swizzle_widgets import Swizzle, Tile, TiledCopy
from swizzle_widgets.command import main
from swizzle_widgets.model.access_names import read_access, usual
from tests.support.terminal import PLAIN, SWIZZLED, TRITON, unfolded


def test_a_table_the_worst_the_verdict_and_the_better_swizzle(capsys):
    assert main([PLAIN, "--dtype", "f16", "--access", "ldmatrix", "--access", "row:16"]) == 1
    assert capsys.readouterr().out == (
        "128x64 f16 tile, (128,64):(64,1), no swizzle\n"
        "\n"
        "requests  wavefronts  ideal  conflicts  instruction  access\n"
        "      32        1024    128        896  ldmatrix.x4  ldmatrix\n"
        "     128         128    128          0  LDS.128      row:16\n"
        "\n"
        "The worst of ldmatrix takes 32 wavefronts instead of 4: step (0, 0), warp 0,\n"
        "  vector 0.\n"
        "\n"
        "896 conflicts.\n"
        "Better: Sw<3,3,3> in f16 elements = Sw<3,4,3> in bytes: 256 wavefronts, the\n"
        "  ideal.\n"
        "  ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>,\n"
        "      Layout<Shape<Int<128>, Int<64>>, Stride<Int<64>, Int<1>>>>{}\n"
        "  smem.allocate_tensor(cutlass.Float16, cute.make_layout((128, 64), stride=(64,\n"
        "      1)), byte_alignment=1024, swizzle=cute.make_swizzle(3, 4, 3))\n"
    )


def test_a_clean_layout_is_exit_status_0(capsys):
    assert main([SWIZZLED, "--dtype", "f16", "--access", "ldmatrix"]) == 0
    assert capsys.readouterr().out == (
        "128x64 f16 tile, (128,64):(64,1), Sw<3,4,3> in bytes\n"
        "\n"
        "requests  wavefronts  ideal  conflicts  instruction  access\n"
        "      32         128    128          0  ldmatrix.x4  ldmatrix\n"
        "\n"
        "Clean: every access takes its fewest wavefronts.\n"
    )


def test_what_no_instruction_can_do_is_exit_status_1_and_says_why(capsys):
    text = "Sw<3,3,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1)"
    assert main([text, "--access", "ldmatrix"]) == 1
    out = capsys.readouterr().out
    assert "ldmatrix cannot be done: step (0, 32), warp 0, vector 0: Sw<3,3,3> in bytes" in out
    assert "\nNo instruction can do ldmatrix.\nBetter: Sw<3,3,3> in u16 elements = Sw<3,4,3> in bytes" in out
    assert "requests" not in out


def test_an_access_that_does_not_fit_is_no_fault_of_the_swizzle(capsys):
    name = "tv=((8,16),8):((128,1),16)/tiler=16x64"
    assert main(["(_24,_64):(_64,_1)", "--dtype", "f16", "--access", "row:16", "--access", name]) == 1
    assert capsys.readouterr().out.splitlines()[4:] == [
        "",
        f"{name} does not fit the tile: the tiler of 16x64",
        "  does not divide the tile of 24x64: /predicate behind its name leaves out the",
        "  lanes beyond it.",
        "",
        f"The tile does not fit {name}.",
    ]
    assert main(["(_24,_64):(_64,_1)", "--dtype", "f16", "--access", f"{name}/predicate"]) == 0


def test_json_has_this_shape_and_these_sums(capsys):
    arguments = [PLAIN, "--dtype", "f16", "--json", "--access", "ldmatrix", "--access", "m16n8k16.A:2x1"]
    assert main(arguments) == 1
    found = json.loads(capsys.readouterr().out)
    tile = Tile(128, 64, "f16")
    expected = []
    for name, copy in (
        ("ldmatrix", TiledCopy.ldmatrix(tile)),
        ("m16n8k16.A:2x1", TiledCopy.fragment(tile, "m16n8k16.A", (2, 1))),
    ):
        report = copy.report()
        expected.append({
            "access": name,
            "total": {"requests": report.requests, "wavefronts": report.wavefronts, "ideal": report.ideal,
                      "conflicts": report.conflicts},
            "worst": {"wavefronts": report.worst.wavefronts, "ideal": report.worst.ideal,
                      "conflicts": report.worst.conflicts, "where": report.worst.where},
        })  # fmt: skip
    assert found == {"tile": str(tile), "accesses": expected}
    assert expected[0]["total"] == {"requests": 32, "wavefronts": 1024, "ideal": 128, "conflicts": 896}


def test_json_of_a_refusal_has_the_reason_in_place_of_the_counts(capsys):
    assert main(["(_128,_64):(_65,_1)", "--dtype", "f16", "--json", "--access", "row:16"]) == 1
    (refused,) = json.loads(capsys.readouterr().out)["accesses"]
    assert refused == {
        "access": "row:16",
        "refused": "thread 0, values 0 to 7 from (1, 0) starts at byte 130, no multiple of 16 bytes",
        "total": None,
        "worst": None,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["(_8,_64):(_64,_1", "--dtype", "f16"], "expected ',' or ')':\n    (_8,_64):(_64,_1\n                    ^\n"),
        ([PLAIN], "the text does not say how large an element is"),
        ([PLAIN, "--dtype", "f17"], "dtype 'f17' is not known"),
        ([PLAIN, "--dtype", "f16", "--access", "ldmatri"], "access 'ldmatri' is not known.\naccesses, each counted"),
        ([PLAIN, "--dtype", "f16", "--access", "ldmatrix.x3"], "access 'ldmatrix.x3' is not known."),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)"], "access 'tv=(32,8):(8,1)': 'tiler' is missing."),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16"],
         "access 'tv=(32,8):(8,1)/tiler=16': tiler = '16' must be rows x columns, such as 16x64\n"),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8:(8,1)/tiler=16x16"], "tv: expected ',' or ')'"),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=8x8"],
         "tv = (32,8):(8,1) sends thread 8, value 0 to index 64, outside the tiler of 8x8\n"),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/speed=3"],
         "access 'tv=(32,8):(8,1)/tiler=16x16/speed=3': 'speed' is not known."),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/width=x"],
         "access 'tv=(32,8):(8,1)/tiler=16x16/width=x': width = 'x' must be a number of bytes\n"),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/tiler=8x8"],
         "access 'tv=(32,8):(8,1)/tiler=16x16/tiler=8x8': 'tiler' is given twice."),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/predicate=3"],
         "access 'tv=(32,8):(8,1)/tiler=16x16/predicate=3': 'predicate' takes no value."),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/width"],
         "access 'tv=(32,8):(8,1)/tiler=16x16/width': 'width' has no value."),
        ([PLAIN, "--dtype", "f16", "--access", "tv=(32,8):(8,1)/tiler=16x16/kind=copy"], "kind = 'copy' is not known"),
        ([PLAIN, "--dtype", "f16", "--access", "values=(1,8):(8,1)"],
         "access 'values=(1,8):(8,1)': 'threads' is missing."),
        ([PLAIN, "--dtype", "f16", "--access", "threads=(16,2):(2,2)/values=(1,8):(8,1)"],
         "threads = (16,2):(2,2) gives number 1 never: it must give 0 to 31 once each\n"),
        ([PLAIN, "--dtype", "f16", "--access", "wgmma.m64n64.D:3x1"],
         "warps = (3, 1): a warpgroup is 4 warps along M\n"),
        ([PLAIN, "--dtype", "f16", "--shape", "8x8"], "--shape 8x8: a CuTe layout has its shape\n"),
        ([PLAIN, "--dtype", "f16", "--stage", "3"], "--stage 3, but"),
        (["#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "--from", "cute"], "expected"),
        ([PLAIN, "--dtype", "f16", "--from", "triton"], "expected #ttg.swizzled_shared<"),
        (["S<3,4,3> o 0 o (8,64):(64,1)", "--dtype", "f16"], "the text does not say what S<3,4,3> counts"),
        (["#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "--unit", "byte"],
         "--unit byte: a Triton layout says it itself\n"),
        (["#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "--shape", "64"],
         "--shape 64 must be rows x columns, such as 16x64\n"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_exit_status_2_with_the_reason_on_stderr(arguments, message, capsys):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    # Lines of a message are folded to fit a terminal.
    assert unfolded(shown.err).startswith(unfolded(f"swizzle-widgets: {message}"))


def test_a_text_comes_from_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{SWIZZLED}\n"))
    assert main(["--dtype", "f16", "--access", "ldmatrix"]) == 0
    assert capsys.readouterr().out.startswith("128x64 f16 tile, (128,64):(64,1), Sw<3,4,3> in bytes\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert main([]) == 2
    assert capsys.readouterr().err == "swizzle-widgets: standard input was empty: pipe in what CuTe or Triton printed\n"


def test_a_terminal_without_a_text_is_asked_for_one(monkeypatch, capsys):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)
    assert main(["--dtype", "f16"]) == 2
    assert "give a layout, such as" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("ldmatrix.x2", lambda tile: TiledCopy.ldmatrix(tile, num=2)),
        ("ldmatrix.trans", lambda tile: TiledCopy.ldmatrix(tile, trans=True)),
        ("stmatrix.x1.trans", lambda tile: TiledCopy.stmatrix(tile, num=1, trans=True)),
        ("stmatrix", TiledCopy.stmatrix),
        ("cp.async", TiledCopy.cp_async),
        ("column", TiledCopy.column),
        ("column:16", lambda tile: TiledCopy.column(tile, 16)),
        ("store.row:4", lambda tile: TiledCopy.row(tile, 4, "store")),
        ("atomic.column:4", lambda tile: TiledCopy.column(tile, 4, "atomic")),
        ("load.row:4", lambda tile: TiledCopy.row(tile, 4)),
        ("m16n8k16.A", lambda tile: TiledCopy.fragment(tile, "m16n8k16.A")),
        ("mma.m16n8k8.B:2x2", lambda tile: TiledCopy.fragment(tile, "m16n8k8.B", (2, 2))),
        ("load.m16n8k16.C", lambda tile: TiledCopy.fragment(tile, "m16n8k16.C", kind="load")),
        ("wgmma.m64n64.D:8x1", lambda tile: TiledCopy.fragment(tile, "wgmma.m64n64.D", (8, 1))),
        ("tv=((8,16),8):((128,1),16)/tiler=16x64/kind=store/width=8",
         lambda tile: TiledCopy.from_tv(tile, "((8,16),8):((128,1),16)", (16, 64), 8, "store")),
        ("threads=(16,8):(8,1)/values=(1,8):(8,1)/predicate",
         lambda tile: TiledCopy.of_threads(tile, "(16,8):(8,1)", "(1,8):(8,1)", predicate=True)),
    ],
)  # fmt: skip
def test_every_name_is_the_copy_it_says(name, make):
    tile = Tile(128, 64, "f16")
    named, expected = read_access(name).make([tile]), make(tile)
    assert (named.kind, named.width, len(named)) == (expected.kind, expected.width, len(expected))
    assert (named.rows == expected.rows).all()
    assert (named.cols == expected.cols).all()


def test_ldmatrix_without_a_number_takes_the_most_that_divide_the_tile():
    made = [read_access("ldmatrix").make([Tile(*size, "f16")]) for size in ((16, 16), (16, 8), (8, 64))]
    assert [copy.instruction for copy in made] == ["ldmatrix.x4", "ldmatrix.x2", "ldmatrix.x1"]


@pytest.mark.parametrize("dtype", ["f16", "e4m3", "s4", "f32", "f64"])
def test_the_usual_four_fit_a_tile_of_their_dtype(dtype, capsys):
    tile = Tile(64, 1024 // Tile(1, 8, dtype).element_bits, dtype)
    names = usual(tile)
    assert len(set(names)) == 4
    # The 128B mode serves all four: without --access, a right layout is clean.
    swizzled = replace(tile, swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
    assert main([swizzled.cute_text, "--dtype", dtype, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["access"] for one in found["accesses"]] == names
    assert main([tile.cute_text, "--dtype", dtype]) == 1


def test_explain_shows_the_banks(capsys):
    assert main([PLAIN, "--dtype", "f16", "--access", "ldmatrix", "--explain"]) == 1
    out = capsys.readouterr().out
    assert f"ldmatrix:\n{TiledCopy.ldmatrix(Tile(128, 64, 'f16')).report().explain()}\n" in out


def test_a_picture_is_written(tmp_path, capsys):
    path = tmp_path / "out.png"
    assert main([PLAIN, "--dtype", "f16", "--access", "ldmatrix", "--picture", str(path)]) == 1
    assert path.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().err == f"wrote {path}\n"


@pytest.mark.parametrize(
    ("arguments", "tile"),
    [
        (["S<3,4,3> o 0 o (8,64):(64,1)", "--dtype", "f16", "--unit", "byte", "--base-address", "1024"],
         "8x64 f16 tile at byte 1024, (8,64):(64,1), Sw<3,4,3> in bytes"),
        (["S<3,3,3> o 0 o (8,64):(64,1)", "--dtype", "f16", "--unit", "16", "--anchor", "offset"],
         "8x64 f16 tile, (8,64):(64,1), Sw<3,3,3> in 16-bit units"),
        (["(_32,_64,_3):(_64,_1,_2048)", "--dtype", "f16", "--stage", "2"],
         "32x64 f16 tile at byte 8192, (32,64):(64,1), no swizzle"),
        (["((_128,_16),_1,_4):((_64,_1),_0,_16)", "--dtype", "f16", "--partition", "mma"],
         "128x64 f16 tile, (128,(16,4)):(64,(1,16)), no swizzle"),
        (["#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", "--shape", "64x64",
          "--dtype", "f16"], "64x64 f16 tile, (64,64):(64,1), Sw<3,3,3> in f16 elements"),
        (["#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [2, 1, 0]}>", "--shape", "4x64x64",
          "--dtype", "f16", "--stage", "1", "--from", "triton"],
         "64x64 f16 tile at byte 8192, (64,64):(64,1), Sw<3,3,3> in f16 elements"),
    ],
)  # fmt: skip
def test_options_complete_what_the_text_does_not_say(arguments, tile, capsys):
    main([*arguments, "--json", "--access", "row"])
    assert json.loads(capsys.readouterr().out)["tile"] == tile


def test_the_module_runs_and_every_line_of_its_help_fits():
    done = subprocess.run(
        [sys.executable, "-m", "swizzle_widgets", "--help"], capture_output=True, text=True, check=True
    )
    assert "wgmma.m64n128.D" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120
    assert re.search(r"^usage: swizzle-widgets", done.stdout)


def test_a_reader_that_has_seen_enough_is_no_error():
    program = f"{sys.executable} -m swizzle_widgets '{PLAIN}' --dtype f16 --explain | head -n 1"
    done = subprocess.run(program, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout == "128x64 f16 tile, (128,64):(64,1), no swizzle\n"
    assert done.stderr == ""


def test_lines_that_cp_async_could_do_without_are_no_conflict_and_not_clean(capsys):
    arguments = ["(_64,_64):(_72,_1)", "--dtype", "f16", "--access", "cp.async", "--access", "row:16"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == (
        "64x64 f16 tile, (64,64):(72,1), no swizzle\n"
        "\n"
        "requests  wavefronts  ideal  conflicts  instruction  access\n"
        "      64          64     64          0  LDS.128      row:16\n"
        "\n"
        "requests       lines  fewest      extra  instruction     access\n"
        "      16         120      64         56  cp.async.cg.16  cp.async\n"
        "\n"
        "cp.async writes 120 lines of 128 bytes where 64 would do: no bank conflict, but\n"
        "  time.\n"
        "\n"
        "No bank conflicts, but 56 lines more than needed.\n"
    )
    main([*arguments, "--json"])
    first, second = json.loads(capsys.readouterr().out)["accesses"]
    assert first["lines"] == {"touched": 120, "fewest": 64}
    assert first["total"]["conflicts"] == 0
    assert "lines" not in second


@pytest.mark.parametrize(
    ("accesses", "verdict"),
    [
        (["cp.async"], "Clean: every access takes its fewest lines."),
        (["cp.async", "ldmatrix"], "Clean: every access takes its fewest wavefronts or lines."),
    ],
)
def test_a_clean_verdict_names_what_was_counted(accesses, verdict, capsys):
    assert main([SWIZZLED, *(part for name in accesses for part in ("--access", name))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == verdict


@pytest.mark.parametrize(
    ("arguments", "stage"),
    [
        (["(_32,_64,_3):(_64,_1,_2048)", "--dtype", "f16", "--stage", "2"], (2, 3)),
        (["(_32,_64,_3):(_64,_1,_2048)", "--dtype", "f16"], (0, 3)),
        (["((_64,_16),_1,_4,_3):((_64,_1),_0,_16,_4096)", "--dtype", "f16", "--partition", "mma"], (0, 3)),
        ([TRITON.replace("[1, 0]", "[2, 1, 0]"), "--shape", "4x64x64", "--dtype", "f16", "--stage", "1"],
         (1, 4)),
        ([PLAIN, "--dtype", "f16"], None),
        (["(_32,_64,_1):(_64,_1,_0)", "--dtype", "f16"], None),
        ([TRITON, "--shape", "64x64", "--dtype", "f16"], None),
    ],
)  # fmt: skip
def test_the_header_names_the_stage_that_was_taken(arguments, stage, capsys):
    main([*arguments, "--access", "row"])
    header = " ".join(capsys.readouterr().out.partition("\n\n")[0].split())
    assert header.endswith(f", stage {stage[0]} (0 to {stage[1] - 1})") if stage else "stage" not in header
    main([*arguments, "--access", "row", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found.get("stage"), found.get("stages")) == (stage or (None, None))


@pytest.mark.parametrize(
    ("name", "usual_one"),
    [
        ("LDSM", "ldmatrix"), ("ldsm.16.m88.4", "ldmatrix.x4"), ("LDSM.16.MT88.2", "ldmatrix.x2.trans"),
        ("LDSM.16.M88", "ldmatrix.x1"), ("STSM.16.M88.4", "stmatrix.x4"), ("stsm", "stmatrix"),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "ldmatrix.x4.trans"),
        ("stmatrix.sync.aligned.m8n8.x2.shared::cta.b16", "stmatrix.x2"),
        ("SM75_U32x4_LDSM_N", "ldmatrix.x4"), ("SM75_U16x8_LDSM_T", "ldmatrix.x4.trans"),
        ("SM90_U32x2_STSM_N", "stmatrix.x2"), ("LDGSTS.E.BYPASS.128", "cp.async.cg"),
        ("LDGSTS.E.BYPASS.LTC128B.128", "cp.async.cg"), ("LDGSTS.E.128", "cp.async.ca:16"),
        ("LDGSTS.E.64", "cp.async.ca:8"), ("LDGSTS.E", "cp.async.ca:4"), ("cp.async.cg", "cp.async.cg"),
        ("cp.async.cg.shared.global", "cp.async.cg"), ("cp.async.ca.shared::cta.global.L2::128B", "cp.async.ca"),
        ("SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>", "cp.async.cg"),
        ("SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", "cp.async.ca:8"),
    ],
)  # fmt: skip
def test_names_of_the_field_are_the_accesses_they_say(name, usual_one):
    tile = Tile(128, 64, "f16")
    named, expected = read_access(name).make([tile]), read_access(usual_one).make([tile])
    assert named.instruction == expected.instruction
    assert (named.rows == expected.rows).all()
    assert (named.cols == expected.cols).all()


@pytest.mark.parametrize(
    ("name", "works"),
    [
        ("LDS.128", ["row:16", "column:16", "m16n8k16.C"]), ("STS.64", ["store.row:8", "store.m16n8k16.C"]),
        ("LDS", ["row", "column"]), ("LDS.U.16", ["row:2"]), ("ld.shared.v4.b32", ["row:16"]),
        ("st.shared::cta.v2.f32", ["store.row:8"]), ("ATOMS.ADD", ["atomic.row", "atomic.column"]),
        ("atom.shared.add.u32", ["atomic.row:4"]), ("UniversalCopy<uint128_t>", ["row", "column"]),
        ("wgmma", ["stmatrix", "wgmma.m64n128.D"]), ("wgmma.mma_async.sync.aligned.m64n64k16", ["stmatrix"]),
        ("HGMMA.64x64x16.F32", ["stmatrix"]), ("TMA", ["ldmatrix"]), ("UTMALDG.2D", ["ldmatrix"]),
        ("cp.async.bulk.tensor.2d", ["ldmatrix"]), ("SM90_TMA_LOAD", ["ldmatrix"]),
        ("HMMA.16816.F32", ["m16n8k16.A"]), ("mma", ["m16n8k16.A"]), ("LDGSTS", ["cp.async.cg", "cp.async.ca"]),
    ],
)  # fmt: skip
def test_names_that_do_not_say_which_elements_are_refused_with_names_that_work(name, works, capsys):
    assert main([PLAIN, "--dtype", "f16", "--access", name]) == 2
    said = unfolded(capsys.readouterr().err)
    assert said.startswith(f"swizzle-widgets: access {name!r} ")
    for each in works:
        assert re.search(rf"(?<![\w.]){re.escape(each)}(?![\w:])", said)
        read_access(each)


def test_every_line_fits_a_terminal(capsys):
    main(["S<3,4,3> o 0 o (64,64):(64,1)", "--dtype", "f16"])
    assert max(map(len, capsys.readouterr().err.splitlines())) <= 80
    for text in ("((_8,_16),(_64,_1)):((_64,_512),(_1,_0))", "(_128,_64):(_72,_1)", "(_128,_64):(_64,_1)"):
        main([text, "--dtype", "f16"])
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
