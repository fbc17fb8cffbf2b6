"""Which test runs which line of the model, recorded once, so that a mutant meets the tests that run its line alone."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest


class Reached(NamedTuple):
    """What one run of the tests shows: how long each takes, and who runs a line; who knows nothing is everybody."""

    seconds: dict[str, float]
    tests: dict[str, dict[int, set[str]]]

    def of(self, path: Path, line: int) -> list[str]:
        """Return the tests that run the statement on a line, the fast ones first."""
        span = _span(path.read_text(encoding="utf-8"), line) if path.suffix == ".py" else None
        who = set(self.seconds) if span is None else self._who(str(path), span)
        return sorted(who, key=self.seconds.__getitem__)

    def _who(self, path: str, span: range) -> set[str]:
        found = set().union(*(self.tests.get(path, {}).get(line, ()) for line in span))
        # What runs on import, or for a fixture that many share, is anybody's.
        return set(self.seconds) if "" in found else found & set(self.seconds)


def _span(source: str, line: int) -> range | None:
    """The lines of the statement there, without its body; a function for its defaults; None on import."""
    holds = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno
    ]
    if not any(isinstance(node, ast.FunctionDef) for node in holds):
        return None
    statement = max(holds, key=lambda node: (node.lineno, -node.end_lineno))
    if isinstance(statement, ast.FunctionDef):
        return range(statement.body[0].lineno, statement.end_lineno + 1)
    body = getattr(statement, "body", None)
    last = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno
    return range(statement.lineno, last + 1)


class Recorder:
    """A plugin of pytest that notes which test runs which line of some files, and how long each test takes."""

    def __init__(self, folder: Path):
        import coverage

        self.seconds: dict[str, float] = {}
        self._coverage = coverage.Coverage(data_file=None, config_file=False, include=[f"{folder}/*"])
        self._coverage.start()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self._coverage.switch_context(item.nodeid)
        began = time.process_time()
        yield
        self.seconds[item.nodeid] = time.process_time() - began
        self._coverage.switch_context("")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        shared = fixturedef.scope != "function"
        if shared:
            self._coverage.switch_context("")
        yield
        if shared:
            self._coverage.switch_context(request._pyfuncitem.nodeid)

    def reached(self) -> Reached:
        self._coverage.stop()
        data = self._coverage.get_data()
        tests = {
            path: {line: set(who) for line, who in data.contexts_by_lineno(path).items()}
            for path in data.measured_files()
        }
        return Reached(self.seconds, tests)


class Chosen:
    """A plugin of pytest that runs some tests alone, in the order given, and says which one failed."""

    def __init__(self, tests: Iterable[str], known: Iterable[str]):
        self._order = {test: at for at, test in enumerate(tests)}
        self._functions = {test.partition("[")[0]: at for at, test in enumerate(tests)}
        self._known = set(known)
        self.failed = ""

    def pytest_collection_modifyitems(self, items):
        # A mutant may change the name of a case: a name that nobody knows runs with its function's others.
        def place(item):
            unknown = self._functions.get(item.nodeid.partition("[")[0]) if item.nodeid not in self._known else None
            return self._order.get(item.nodeid, unknown)

        items[:] = sorted((item for item in items if place(item) is not None), key=place)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed = self.failed or report.nodeid
