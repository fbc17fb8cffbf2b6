"""The probe and what it recorded. Everything here runs without a GPU."""

import json
import stat
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile
from swizzle_widgets.measured import (
    FAMILIES,
    INSTRUCTION_NAMES,
    INSTRUCTIONS,
    Record,
    Requests,
    compare_cycles,
    price,
    recorded,
    survey,
)
from swizzle_widgets.measured.known import copy_requests, question_requests, tile_requests
from swizzle_widgets.probe import ProbeUnavailable, connect, counters
from swizzle_widgets.probe.__main__ import main
from tests.support import compiled

DATA = Path(__file__).parents[1] / "data"
QUESTIONS = DATA / "questions.json"
LANES = np.arange(32)


@pytest.fixture(scope="module")
def record():
    return recorded()


# What was recorded, against the model.


def test_the_record_is_of_an_h200_and_large_enough(record):
    assert record.about["device"] == "NVIDIA H200"
    assert len(record.requests) >= 3000
    assert len(record.survey) >= 100_000
    assert len(record.survey_cycles) == len(record.survey)
    assert set(record.counts) == set(counters.COUNTERS)


def test_the_record_covers_every_instruction_and_family(record):
    assert set(np.unique(record.requests.instruction)) == set(range(len(INSTRUCTIONS)))
    assert set(np.unique(record.survey.instruction)) == set(range(len(INSTRUCTIONS)))
    families = {FAMILIES[family] for family in np.unique(record.requests.family)}
    assert families >= {"random", "strided", "swizzled", "broadcast", "pairs", "partial", "source", "tile", "question"}


def test_the_model_equals_every_counter_of_loads_and_stores(record):
    model, plain = record.requests.model(), ~record.requests.is_async
    assert plain.sum() > 3000
    counted = record.counts["loads"] + record.counts["stores"]
    np.testing.assert_array_equal(counted[plain], model.wavefronts[plain])
    np.testing.assert_array_equal(record.counts["conflicts"][plain], model.conflicts[plain])


def test_the_model_equals_every_counter_of_copies_with_a_dense_source(record):
    model, copies = record.requests.model(), record.requests.is_async & record.requests.in_model
    assert copies.sum() > 300
    np.testing.assert_array_equal(record.counts["instructions"][copies], model.wavefronts[copies])
    np.testing.assert_array_equal(record.counts["conflicts"][copies], model.conflicts[copies])
    assert len(record.counter_disagreements()) == 0


def test_a_wrong_model_would_be_noticed(record):
    # One launch in which a counter had read one more.
    place = int(np.flatnonzero(record.requests.in_model)[0])
    conflicts = record.counts["conflicts"].copy()
    conflicts[place] += 1
    changed = Record(record.about, record.requests, record.cycles, record.counts | {"conflicts": conflicts})
    assert changed.counter_disagreements().tolist() == [place]
    assert INSTRUCTION_NAMES[record.requests.instruction[place]] in changed.report()


def test_the_pipe_counter_reads_one_more(record):
    plain = ~record.requests.is_async
    assert set((record.counts["pipe"] - record.wavefronts)[plain]) == {1}


def test_the_instruction_counter_is_wrong_about_wide_loads_only(record):
    differs = np.flatnonzero((record.counts["instructions"] != record.wavefronts) & ~record.requests.is_async)
    assert len(differs) > 10
    assert {INSTRUCTION_NAMES[which] for which in record.requests.instruction[differs]} == {"LDS.64", "LDS.128"}
    # The clock sides with the pipe's counter.
    least = np.maximum(record.wavefronts[differs], record.requests[differs].least_cycles())
    np.testing.assert_allclose(record.cycles[differs], least, atol=0.5)


def test_bypassing_copies_never_count_a_conflict(record):
    bypassing = record.requests.instruction == INSTRUCTION_NAMES.index("cp.async.cg.16")
    assert bypassing.sum() > 100
    assert record.counts["conflicts"][bypassing].max() == 0
    assert record.requests[bypassing].model().conflicts.max() > 20


def test_cycles_follow_the_wavefronts(record):
    timing = compare_cycles(record.survey, record.survey_cycles)
    assert timing.timed >= 100_000
    assert timing.within >= 0.97
    # What the registers do not explain: stores of 32 wavefronts that drift by two percent.
    assert len(timing.open) <= 5
    wavefronts = record.survey[timing.open].model().wavefronts
    assert (np.abs(record.survey_cycles[timing.open] - wavefronts) < 0.03 * wavefronts).all()


def test_every_question_was_measured_and_answered(record):
    cases = [case for case in json.loads(QUESTIONS.read_text()) if case["vector_stays_contiguous"]]
    requests = question_requests(QUESTIONS)
    assert len(cases) == len(requests) == 56
    for index, case in enumerate(cases):
        place = record.find(requests[[index]])
        assert place is not None, case["id"]
        assert record.wavefronts[place] == case["answer"]["wavefronts"], case["id"]
        assert record.counts["conflicts"][place] == case["answer"]["conflicts"], case["id"]


def test_what_the_notebooks_showed_was_measured(record):
    # A snapshot of the notebooks' requests: tests/support/notebook_requests.py makes it anew.
    requests = Requests.load(DATA / "notebook_requests.npz")
    assert len(requests) > 3000
    assert all(record.find(requests[[index]]) is not None for index in range(len(requests)))


def test_an_access_is_found_in_the_record(record):
    tile = Tile(32, 32, "f32")
    place = record.find(Access.column(tile, 0))
    assert record.wavefronts[place] == 32
    assert record.cycles[place] == pytest.approx(32, abs=0.5)
    place = record.find(Access.column(tile.with_swizzle(Swizzle(5, 2, 5), "byte"), 0))
    assert record.wavefronts[place] == 1
    assert record.find(Access.column(Tile(31, 33, "f32", base_address=4), 0)) is None


def test_the_kernels_did_what_the_model_says():
    found = recorded("price")
    counted = dict(zip(price.COUNTED, found["counted_transpose"].T))
    tiles = (price.SIDES[0] // 32) ** 2
    expected = [price.transpose_wavefronts(variant) for variant in price.VARIANTS]
    assert counted["load instructions"].tolist() == [tiles * each.loads for each in expected]
    assert counted["store instructions"].tolist() == [tiles * each.stores for each in expected]
    counted = dict(zip(price.COUNTED, found["counted_stream"].T))
    expected = [price.stream_wavefronts(variant) for variant in price.VARIANTS]
    assert counted["ldmatrix instructions"].tolist() == [price.STREAM_TILES * each.loads for each in expected]
    right = price.VARIANTS.index("right")
    assert counted["cp.async instructions"][right] == price.STREAM_TILES * expected[right].stores


# Requests.


def test_a_survey_is_the_same_everywhere():
    assert survey(2, 5).digest() == survey(2, 5).digest() != survey(2, 6).digest()
    assert survey(2, 5).digest() == "3dd5cabd59d23d400b7f8173eb04e34341e2d635c8e6c0f857f0db6ad70d932d"


@pytest.mark.parametrize(
    "made",
    [
        lambda: [survey(10, 1)],
        lambda: copy_requests().values(),
        # Making them takes seconds.
        pytest.param(lambda: [tile_requests()], marks=pytest.mark.release),
    ],
)
def test_generated_requests_are_legal(made):
    for requests in made():
        for instruction, where in requests.by_instruction():
            part = requests[where]
            Requests.of(instruction.name, part.addresses, part.active, part.sources)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("LDS.12", LANES), "LDS.12"),
        (("LDS.32", LANES * 4, LANES < 0), "no active lane"),
        (("LDS.32", LANES * 4 + 2), "not a multiple"),
        (("LDS.32", LANES * 4 + 48 * 1024), "beyond"),
        (("ldmatrix.x1", LANES * 16, LANES < 16), "8 row addresses"),
    ],
)
def test_bad_requests_are_refused(arguments, text):
    with pytest.raises(ValueError, match=text):
        Requests.of(*arguments)


def test_lanes_of_a_copy_share_no_words():
    same = Requests.joined([Requests.of(name, LANES * 0) for name in ("STS.32", "cp.async.ca.4")])
    assert same.model().wavefronts.tolist() == [1, 32]


def test_registers_set_the_least_cycles():
    one = LANES < 1
    cases = [("STS.128", one), ("STS.64", one), ("STS.32", one), ("LDS.128", one), ("LDS.64", LANES < 2)]
    requests = Requests.joined([Requests.of(name, LANES * 16, active) for name, active in cases])
    # A single lane agrees with its absent partner, so LDS.128 merges; lanes 0 and 1 do as pairs of two.
    assert requests.least_cycles().tolist() == [4, 2, 1, 2, 1]


def test_a_record_survives_its_file(tmp_path):
    requests = survey(1, 3)
    model = requests.model()
    counts = dict.fromkeys(counters.COUNTERS, model.wavefronts)
    cycles = np.where(requests.is_async, np.nan, model.wavefronts + 0.25)
    Record({"device": "d"}, requests, cycles, counts).save(tmp_path / "r.npz")
    again = Record.load(tmp_path / "r.npz")
    assert again.requests.digest() == requests.digest()
    np.testing.assert_allclose(again.cycles, cycles, atol=0.01)
    np.testing.assert_array_equal(again.counts["pipe"], model.wavefronts)
    requests.save(tmp_path / "q.npz")
    assert Requests.load(tmp_path / "q.npz").digest() == requests.digest()


# What it says where something is missing.


def test_importing_the_package_needs_no_cupy():
    code = "import sys; sys.modules['cupy'] = None; from swizzle_widgets import measured; measured.recorded('price')"
    subprocess.run([sys.executable, "-c", code], check=True)


def _fake_cupy(monkeypatch, get_device_count):
    class CUDARuntimeError(RuntimeError):
        pass

    runtime = types.SimpleNamespace(
        CUDARuntimeError=CUDARuntimeError, getDeviceCount=get_device_count(CUDARuntimeError)
    )
    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(runtime=runtime)
    monkeypatch.setitem(sys.modules, "cupy", cupy)


def _no_driver(error):
    def count():
        raise error("cudaErrorInsufficientDriver")

    return count


def test_without_cupy_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ProbeUnavailable, match=r"pip install .*cupy-cuda13x"):
        connect()
    assert main([]) == 1
    assert "CuPy, which is not installed" in capsys.readouterr().err


def test_without_a_driver_or_gpu_it_says_so(monkeypatch):
    _fake_cupy(monkeypatch, _no_driver)
    with pytest.raises(ProbeUnavailable, match=r"no working NVIDIA driver .*cudaErrorInsufficientDriver"):
        connect()
    _fake_cupy(monkeypatch, lambda error: lambda: 0)
    with pytest.raises(ProbeUnavailable, match="no NVIDIA GPU here"):
        connect()


def _fake_ncu(monkeypatch, folder: Path, body: str):
    """A program called ncu that runs `body` with `options`, the list of its arguments."""
    path = folder / "ncu"
    path.write_text(f"#!{sys.executable}\nimport sys\noptions = sys.argv[1:]\n{body}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(counters, "connect", lambda: None)


def test_without_nsight_compute_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(counters, "connect", lambda: None)
    monkeypatch.setattr(counters, "glob", lambda pattern: [])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProbeUnavailable, match="no ncu on the PATH"):
        counters.count(survey(1, 1))


def test_without_permission_it_says_what_to_change(monkeypatch, tmp_path):
    _fake_ncu(monkeypatch, tmp_path, "print('==ERROR== ERR_NVGPUCTRPERM - no permission'); sys.exit(1)")
    with pytest.raises(ProbeUnavailable, match="NVreg_RestrictProfilingToAdminUsers=0"):
        counters.count(survey(1, 1), quiet=True)


def test_another_failure_of_nsight_compute_is_shown(monkeypatch, tmp_path):
    _fake_ncu(monkeypatch, tmp_path, "print('==ERROR== something else'); sys.exit(9)")
    with pytest.raises(ProbeUnavailable, match="something else"):
        counters.count(survey(1, 1), quiet=True)


def test_an_unknown_experiment_is_named(monkeypatch, capsys):
    _fake_cupy(monkeypatch, lambda error: lambda: 1)
    for arguments, text in ((["banks"], "'banks' is not known"), (["--counted", "0"], "nothing to count")):
        with pytest.raises(SystemExit):
            main(arguments)
        assert text in capsys.readouterr().err


def test_counts_go_back_to_their_requests(monkeypatch, tmp_path):
    # The program is to launch instruction by instruction; this one reports the launch's number as every counter.
    body = """
import csv
metrics = options[options.index("--metrics") + 1].split(",")
with open(options[options.index("--log-file") + 1], "w", newline="") as log:
    log.write("==PROF== noise\\n")
    table = csv.writer(log, quoting=csv.QUOTE_ALL)
    table.writerow(["ID", "Kernel Name", *metrics])
    table.writerow(["", "", *["" for _ in metrics]])
    for launch in range(1500):
        table.writerow([launch, "once", *[f"{launch:,}" for _ in metrics]])
"""
    _fake_ncu(monkeypatch, tmp_path, body)
    requests = survey(11, 1)
    mixed = requests[np.random.RandomState(1).permutation(len(requests))[:1500]]
    counts = counters.count(mixed, quiet=True)
    assert set(counts) == set(counters.COUNTERS.values())
    launches = counts[counters.COUNTERS["loads"]]
    assert sorted(launches) == list(range(1500))
    np.testing.assert_array_equal(mixed.instruction[np.argsort(launches)], np.sort(mixed.instruction))


# The CUDA sources.


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("probe.cu", "75"),
        ("probe.cu", "80"),
        ("probe.cu", "90"),
        ("price.cu", "80"),
        ("tma.cu", "90"),
        ("wgmma.cu", "90a"),
    ],
)
def test_the_sources_compile(name, target):
    source = (Path(counters.__file__).parent / name).read_text(encoding="utf-8")
    architecture = f"-gencode=arch=compute_{target},code=sm_{target}"
    built = compiled.built(f"{Path(name).stem}_{target}", source, architecture, "-std=c++17", "-cubin")
    assert built.status == 0, built.messages
    if name == "probe.cu":
        has = [i.name for i in INSTRUCTIONS if f"timed_{i.symbol}" in built.kernels]
        assert has == [i.name for i in INSTRUCTIONS if i.capability <= int(target)]
