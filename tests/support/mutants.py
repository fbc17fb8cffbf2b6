"""Mutants of the model: changes of one place that some test should notice. `python -m tests.support.mutants`.

Each mutant runs in a fork of one warm process, without touching a file of the package: Python's through the import
system, JavaScript's in a copy. Its own room's tests run first, then those of the others; the survivors are listed.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.support.mutations import (
    Mutation,
    javascript_mutations,
    mutate_javascript,
    mutate_python,
    python_mutations,
)

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
OTHERS = [
    "tests/model",
    "tests/widgets/test_javascript.py",
    "tests/command/test_check.py",
    "tests/course/test_exercises.py",
]
PARITY = [
    "tests/widgets/test_javascript.py",
    "tests/model/texts/test_javascript_texts.py",
    "tests/widgets/test_scenes.py",
]
OPTIONS = [
    "-x", "-q", "-p", "no:nbval", "-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-profile=mutants",
    "-m", "not release and not browser", "-o", "addopts=--import-mode=importlib --benchmark-skip",
]  # fmt: skip
SECONDS = 150


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

    def stages(self) -> list[list[str]]:
        if not self.is_python:
            return [PARITY[::-1] if self.module == "texts.js" else PARITY]
        own = OWN.get(self.module, TEXTS if self.module.startswith("texts") else "")
        return [[f"tests/model/{name}.py" for name in own.split()], OTHERS]


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


def judged(mutant: Mutant) -> str:
    """Return "own" or "others" (whose tests notice it), "timeout" or "survived"."""
    mutation = mutant.made()
    for stage, targets in zip(("own", "others"), mutant.stages()):
        answer = _forked(mutant, mutation.source, targets)
        if answer is None:
            return "timeout"
        if answer:
            return stage
    return "survived"


def _forked(mutant: Mutant, source: str, targets: list[str]) -> int | None:
    """The exit status of pytest in a fork where the mutant is the truth; None after too long."""
    child = os.fork()
    if not child:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        try:
            os._exit(_child(mutant, source, targets))
        except BaseException:
            os._exit(9)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _child(mutant: Mutant, source: str, targets: list[str]) -> int:
    import pytest

    if mutant.is_python:
        name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts)
        sys.meta_path.insert(0, Changed(name, source))
        return int(pytest.main([*OPTIONS, *targets]))
    with tempfile.TemporaryDirectory() as folder:
        for part in ("swizzle_widgets/widgets/js", "tests/javascript"):
            shutil.copytree(ROOT / part, Path(folder) / part)
        (Path(folder) / mutant.path.relative_to(ROOT)).write_text(source, encoding="utf-8")
        from swizzle_widgets.widgets.generated import generated_text
        from tests.support import engine

        (Path(folder) / "swizzle_widgets/widgets/js/generated.js").write_text(generated_text(), encoding="utf-8")
        engine.MODULES = Path(folder) / "tests" / "javascript"
        return int(pytest.main([*OPTIONS, *targets]))


def warm() -> None:
    """Import what every mutant's tests import beside the package itself."""
    import hypothesis
    import numpy  # noqa: F401
    import pytest  # noqa: F401
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
    with ThreadPoolExecutor(chosen.jobs) as pool:
        for mutant, answer in zip(mutants, pool.map(judged, mutants)):
            found.setdefault(mutant.module, Counter())[answer] += 1
            if answer in ("survived", "timeout"):
                print(f"{answer} {mutant.module}:{mutant.made()}", flush=True)
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
