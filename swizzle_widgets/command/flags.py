"""Errors as a terminal has them: the model names Python's arguments, the command line has flags."""

from __future__ import annotations

import re

_NAMES = "dtype|unit|anchor|stage|partition|shape|base_address"
_VALUE = r"""'[^'\n]*'|"[^"\n]*"|\([^()\n]*\)|-?\w+"""
_GIVEN = re.compile(rf"\b({_NAMES})\s?=\s?({_VALUE})?")
# Places where a message names an argument without a value.
_NAMED = re.compile(rf"(?<=leave )({_NAMES})(?= out)|(?<=pointer or )({_NAMES})\b")


def in_flags(message: str) -> str:
    """Return the message of an error with the flags of the command line in place of Python's arguments.

    Lines that show a text, which are indented, stay as they are.

    Examples
    --------
    >>> in_flags('give a dtype, such as dtype="f16"')
    'give a dtype, such as --dtype f16'
    >>> in_flags("shape = (64, 48): both must be powers of two")
    '--shape 64x48: both must be powers of two'
    """
    return "\n".join(line if line.startswith("    ") else _line(line) for line in message.split("\n"))


def _line(line: str) -> str:
    line = line.replace("predicate=True", "/predicate behind its name")
    line = _GIVEN.sub(lambda found: _flag(found[1], found[2]), line)
    line = _NAMED.sub(lambda found: _flag(found[0], None), line)
    # Flags that go together stand without a comma.
    return re.sub(r"(--unit \S+), (?=--anchor)", r"\1 ", line)


def _flag(name: str, value: str | None) -> str:
    flag = f"--{name.replace('_', '-')}"
    if not value:
        return flag
    if value[0] != "(":
        return f"{flag} {value.strip(chr(34) + chr(39))}"
    sizes = "x".join(part.strip() for part in value[1:-1].split(",") if part.strip())
    return f"{flag} {sizes.upper().replace('X', 'x') if sizes.startswith('rows') else sizes}"
