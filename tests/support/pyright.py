"""Pyright on this checkout, as its users' editors run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def pyright(*arguments: str) -> dict:
    """What pyright says, as its JSON has it."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson", *arguments]
    # This checkout, and no other that is installed.
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    try:
        return json.loads(done.stdout)
    except ValueError:
        pytest.skip(f"pyright cannot run here: {(done.stdout + done.stderr)[-300:]}")
