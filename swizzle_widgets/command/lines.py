"""Lines that fit a terminal."""

from __future__ import annotations

import textwrap

# The columns of a terminal. Tables may be wider, where a name is long.
WIDTH = 80


def wrapped(text: str) -> list[str]:
    """Return the lines of a text; names and code are never cut."""
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def wrapped_message(message: str) -> str:
    """Return a message whose lines fit; those that are indented (a text, a caret, a grammar) stay as they are."""
    lines = message.split("\n")
    return "\n".join("\n".join(wrapped(line)) if line and line[0] != " " else line for line in lines)
