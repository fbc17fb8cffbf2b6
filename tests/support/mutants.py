"""Mutants of the model: changes of one place that some test should notice. `python -m tests.support.mutants`.

Each mutant runs in a fork of one warm process, without touching a file of the package. The tests that run its line meet
it, its own room's first, then those of the others, the fast ones first; the survivors are listed.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import json
import os
import random
import resource
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.mutations import (
    Mutation,
    javascript_mutations,
    mutate_javascript,
    mutate_python,
    python_mutations,
)
from tests.support.reached import Chosen, Reached, Recorder

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "swizzle_widgets" / "model"
SCRIPTS = ROOT / "swizzle_widgets" / "widgets" / "js" / "model"

# Where a module's own tests are, the fast ones first. What survives them meets everything in OTHERS.
OWN = {
    "access": "test_access", "access_names": "test_access", "atoms": "test_swizzle test_search",
    "banks": "test_banks test_cp_async",
    "reports": "test_banks test_cp_async", "units": "test_units test_tile",
    "better": "test_better", "candidates": "test_search test_ranking", "checks": "test_limits test_swizzle test_layout",
    "copy": "test_copy", "copy_report": "test_copy", "dtypes": "test_tile texts/test_readings",
    "explain": "test_explain", "fragments": "test_fragments test_copy", "hardware": "test_banks test_access",
    "layout": "test_limits test_layout test_tile", "modes": "test_modes test_swizzle",
    "patterns": "test_patterns test_access", "placement": "test_limits test_tile",
    "ranking": "test_search test_ranking",
    "requests_under": "test_search test_ranking", "search": "test_search test_ranking", "swizzle": "test_swizzle",
    "table": "test_limits test_tile texts/test_cute", "thread_values": "test_copy", "tile": "test_limits test_tile",
    "tiling": "test_copy", "vectors": "test_access test_search",
    "texts/triton": "texts/test_readings texts/test_damage texts/test_corpus",
}  # fmt: skip
TEXTS = "texts/test_readings texts/test_cute texts/test_damage texts/test_asked texts/test_corpus"
OTHERS = ["tests/model", "tests/command/test_check.py", "tests/course/test_exercises.py"]
# JavaScript's are those that ask a JavaScript engine.
ENGINES = ("(engine", "tests.support.engine", "tests.support.scenes")
OPTIONS = [
    "-x", "-q", "-p", "no:nbval", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-profile=mutants",
    "-m", "not release and not browser", "-o", "addopts=--import-mode=importlib --benchmark-skip",
]  # fmt: skip
# A mutant that needs more than so many times what its tests take, and some seconds, runs for ever.
PATIENCE, SECONDS = 2, 20
MEMORY = 8 << 30


class Mutant(NamedTuple):
    path: Path
    place: int
    way: int

    @property
    def module(self) -> str:
        folder = MODEL if self.is_python else SCRIPTS
        return str(self.path.relative_to(folder).with_suffix("" if self.is_python else ".js"))

    @property
    def is_python(self) -> bool:
        return self.path.suffix == ".py"

    def made(self) -> Mutation:
        mutate = mutate_python if self.is_python else mutate_javascript
        return mutate(self.path.read_text(encoding="utf-8"), self.place, self.way)

    def is_own(self, test: str) -> bool:
        """Whether a test stands in the room that mirrors the mutant's."""
        if not self.is_python:
            return True
        own = OWN.get(self.module, TEXTS if self.module.startswith("texts") else "").split()
        return test.partition("::")[0] in [f"tests/model/{name}.py" for name in own]


class Changed(importlib.abc.MetaPathFinder):
    """Imports one module from a changed source."""

    def __init__(self, name: str, source: str):
        self._name, self._source = name, source

    def find_spec(self, fullname, path, target=None):
        if fullname != self._name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        code = compile(self._source, spec.origin, "exec")
        spec.loader.get_code = lambda _name: code
        return spec


def sampled(paths: list[Path], listed, count: int, rng: random.Random) -> list[Mutant]:
    """Some of all mutants of some files, each as likely as any other."""
    every = [Mutant(path, *change) for path in paths for change in listed(path.read_text(encoding="utf-8"))]
    return rng.sample(every, min(count, len(every)))


def judged(mutant: Mutant, reached: Reached) -> tuple[str, str]:
    """Return "own" or "others" (whose tests notice it) and the test, or "timeout" or "survived"."""
    mutation = mutant.made()
    tests = reached.of(mutant.path, mutation.line)
    own = [test for test in tests if mutant.is_own(test)]
    for stage, chosen in (("own", own), ("others", [test for test in tests if test not in set(own)])):
        if chosen:
            status, failed = forked(lambda chosen=chosen: _tested(mutant, mutation.source, chosen, reached))
            if status < 0:
                return "timeout", ""
            if status:
                return stage, failed
    return "survived", "" if tests else "(no test runs it)"


def forked(run) -> tuple[int, str]:
    """What `run` returns, a status and a text, in a fork of this process; a negative status if it was ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            status, text = run()
            with os.fdopen(writing, "w") as pipe:
                pipe.write(text)
            os._exit(status)
        except BaseException:
            os._exit(9)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), text


def _tested(mutant: Mutant, source: str, tests: list[str], reached: Reached) -> tuple[int, str]:
    """The exit status of pytest where the mutant is the truth, and the test that fails."""
    seconds = SECONDS + PATIENCE * sum(reached.seconds[test] for test in tests)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    if mutant.is_python:
        name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts)
        sys.meta_path.insert(0, Changed(name, source))
    else:
        read = Path.read_text
        Path.read_text = lambda path, *a, **k: source if path == mutant.path else read(path, *a, **k)
    chosen = Chosen(tests, reached.seconds)
    files = sorted({test.partition("::")[0] for test in tests})
    status = pytest.main([*OPTIONS, *files], plugins=[chosen])
    return int(status), chosen.failed


def recorded(targets: list[str]) -> Reached:
    """Who runs what, of a run without a mutant; it must pass."""

    def run():
        recorder = Recorder(MODEL)
        status = pytest.main([*OPTIONS, *targets], plugins=[recorder])
        reached = recorder.reached()
        tests = {path: {line: sorted(who) for line, who in lines.items()} for path, lines in reached.tests.items()}
        return int(status), json.dumps([reached.seconds, tests])

    status, text = forked(run)
    if status:
        raise SystemExit(f"the tests do not pass without a mutant: {status}")
    seconds, tests = json.loads(text)
    return Reached(seconds, {p: {int(line): set(who) for line, who in lines.items()} for p, lines in tests.items()})


def engine_tests() -> list[str]:
    """The files of tests that ask a JavaScript engine."""
    files = sorted(path for folder in ("model", "widgets") for path in (ROOT / "tests" / folder).rglob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in files if any(name in path.read_text() for name in ENGINES)]


def warm() -> None:
    """Import what every mutant's tests import beside the package itself."""
    import anywidget  # noqa: F401
    import hypothesis
    import matplotlib.pyplot  # noqa: F401
    import numpy  # noqa: F401
    import py_mini_racer  # noqa: F401
    from hypothesis import strategies  # noqa: F401

    settings = hypothesis.settings
    settings.register_profile("mutants", deadline=None, derandomize=True, database=None, max_examples=30)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=300, help="mutants of the Python model")
    parser.add_argument("--javascript", type=int, default=60, help="mutants of its JavaScript")
    parser.add_argument("--seed", type=int, default=None, help="repeats a sample")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once")
    parser.add_argument("--only", default="", help="modules whose name holds this text")
    parser.add_argument("--verbose", action="store_true", help="list the noticed ones, too, with who noticed")
    chosen = parser.parse_args()
    seed = random.randrange(10_000) if chosen.seed is None else chosen.seed
    rng = random.Random(seed)
    os.chdir(ROOT)
    warm()
    print(f"seed {seed}", flush=True)
    paths = [path for path in sorted(MODEL.rglob("*.py")) if chosen.only in str(path.relative_to(MODEL))]
    scripts = [path for path in sorted(SCRIPTS.glob("*.js")) if chosen.only in path.name]
    mutants = sampled(paths, python_mutations, chosen.count, rng)
    mutants += sampled(scripts, javascript_mutations, chosen.javascript, rng)
    found: dict[str, Counter] = {}
    for some, targets in (
        ([each for each in mutants if each.is_python], OTHERS),
        ([each for each in mutants if not each.is_python], engine_tests()),
    ):
        if not some:
            continue
        reached = recorded(targets)
        print(f"{len(some)} mutants, {len(reached.seconds)} tests of {sum(reached.seconds.values()):.0f} s", flush=True)
        with ThreadPoolExecutor(chosen.jobs) as pool:
            asked = {pool.submit(judged, mutant, reached): mutant for mutant in some}
            for done in as_completed(asked):
                mutant, (answer, test) = asked[done], done.result()
                found.setdefault(mutant.module, Counter())[answer] += 1
                if chosen.verbose or answer in ("survived", "timeout"):
                    print(f"{answer} {mutant.module}:{mutant.made()}  {test}", flush=True)
    _summarize(found)


def _summarize(found: dict[str, Counter]) -> None:
    for language, ours in (("Python", False), ("JavaScript", True)):
        parts = {module: counts for module, counts in found.items() if module.endswith(".js") == ours}
        for module, counts in sorted(parts.items()):
            _line(module, counts)
        if parts:
            _line(f"{language}, all", sum(parts.values(), Counter()))


def _line(name: str, counts: Counter) -> None:
    total, alive = counts.total(), counts["survived"]
    each = ", ".join(f"{kind} {count}" for kind, count in counts.most_common())
    print(f"{name:24} {total - alive} of {total} noticed ({100 * (total - alive) / total:.1f} %): {each}")


if __name__ == "__main__":
    main()
