"""Whole sentences and refusals, to the letter: what a text says and where its caret stands, what a limit allows."""

from __future__ import annotations

import pytest

from tests.support.sentences import said, sentences


@pytest.mark.parametrize(("expression", "expected"), sentences())
def test_a_sentence_is_said_to_the_letter(expression, expected):
    assert said(expression).strip("\n") == expected
