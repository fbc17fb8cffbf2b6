"""What nvcc made of a source, recorded: a test run compiles what is not on record, a release compiles everything again.

A record holds for one source with the files it includes from its folders, one list of options and one CUTLASS.
`SWIZZLE_NVCC=record` writes what was compiled; with `SWIZZLE_NVCC=all` it must be what the record says.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import lzma
import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

cutlass_library = pytest.importorskip("cutlass_library", reason="CuTe C++ comes with the wheel nvidia-cutlass")

RECORDS = Path(__file__).parents[1] / "data" / "compiled"
HOST = ("-std=c++17", "--expt-relaxed-constexpr", "-x", "c++", "-O0")


class Built(NamedTuple):
    """nvcc's exit status and messages, what the program printed if it ran, and the kernels in a cubin."""

    status: int
    messages: str
    printed: str
    kernels: list[str]

    def checked(self) -> str:
        """What the program printed, of a source that compiles."""
        assert self.status == 0, self.messages
        return self.printed


def built(name: str, source: str, *options: str, folders: tuple[Path, ...] = (), run: bool = False) -> Built:
    """A source compiled with CuTe's headers at hand, and run if it is a program of the host.

    Parameters
    ----------
    name : str
        Its record's, one for each pair of source and options.
    source : str
        The text.
    options : str
        nvcc's, without paths.
    folders : tuple of Path
        Where the files are that the source includes in quotes.
    run : bool
        Whether the program is run, too.
    """
    key = key_of(source, options, folders)
    wanted = os.environ.get("SWIZZLE_NVCC", "changed")
    recorded = None if wanted == "record" else _recorded(name, key)
    if wanted == "changed" and recorded:
        return recorded
    found = _compile(source, options, folders, run)
    if wanted == "record":
        _write(name, key, found)
    elif wanted == "all":
        assert recorded, f"{name} is not on record: run this test with SWIZZLE_NVCC=record"
        # Messages differ between two nvcc; what the tests need of them they ask of these.
        assert found._replace(messages="") == recorded._replace(messages="")
    return found


def key_of(source: str, options: tuple[str, ...], folders: tuple[Path, ...]) -> str:
    asked = [options, importlib.metadata.version("nvidia-cutlass"), *_texts(source, folders)]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _texts(source: str, folders: tuple[Path, ...]):
    """The source and all that it includes in quotes, in order."""
    yield source
    for included in re.findall(r'^#include "(.+)"', source, re.MULTILINE):
        path = next(folder / included for folder in folders if (folder / included).exists())
        yield from _texts(path.read_text(encoding="utf-8"), folders)


def _recorded(name: str, key: str) -> Built | None:
    path = RECORDS / f"{name}.json.xz"
    if not path.exists():
        return None
    record = json.loads(lzma.decompress(path.read_bytes()))
    return Built(**record["built"]) if record["key"] == key else None


def _write(name: str, key: str, result: Built) -> None:
    RECORDS.mkdir(exist_ok=True)
    text = json.dumps({"key": key, "built": result._asdict()})
    (RECORDS / f"{name}.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))


def _compile(source: str, options: tuple[str, ...], folders: tuple[Path, ...], run: bool) -> Built:
    nvcc = shutil.which("nvcc") or pytest.skip("not on record, and no nvcc on the PATH")
    headers = Path(cutlass_library.__file__).parent / "source" / "include"
    with TemporaryDirectory() as folder:
        text, out = Path(folder, "source.cu"), Path(folder, "out")
        text.write_text(source, encoding="utf-8")
        command = [nvcc, *options, *(f"-I{path}" for path in (headers, *folders)), str(text), "-o", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        # A record names no path of the machine that made it.
        messages = done.stderr.replace(str(headers), "<cutlass>/include")
        for path in (folder, *folders):
            messages = messages.replace(f"{path}/", "")
        succeeded = done.returncode == 0
        printed = subprocess.check_output([out], text=True) if run and succeeded else ""
        code = out.read_bytes() if "-cubin" in options and succeeded else b""
    kernels = sorted({name.decode() for name in re.findall(rb"\.text\.(\w+)\0", code)})
    return Built(done.returncode, messages, printed, kernels)
