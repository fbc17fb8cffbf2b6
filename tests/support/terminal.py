"""What is typed into a terminal, and what it says, without its line ends."""

from __future__ import annotations

PLAIN = "(_128,_64):(_64,_1)"
TRITON = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
SWIZZLED = "Sw<3,4,3> o smem_ptr[16b](unset) o (_128,_64):(_64,_1)"


def unfolded(text: str) -> str:
    """The text with each run of spaces and line ends as one space."""
    return " ".join(text.split())
