"""Exercises of notebook 01, thirty-two banks."""

from __future__ import annotations

from .._checks import whole
from ..banks import bank_of
from . import Feedback, exercise


@exercise("01.1")
def bank_of_a_byte(answer) -> Feedback:
    """The bank of byte 200."""
    bank = whole("the bank", answer, 0, 31)
    right = bank_of(200)
    return Feedback(
        bank == right,
        f"Your bank {bank} holds bytes {4 * bank} to {4 * bank + 3} of each 128-byte line; "
        f"byte 200 is byte {200 % 128} of its line.",
        "Divide by 4 bytes a word, then count words modulo 32.",
        f"200 // 4 = {200 // 4}, and {200 // 4} modulo 32 = {right}.",
    )
