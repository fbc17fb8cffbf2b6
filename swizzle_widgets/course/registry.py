"""The registry of exercises and questions: what each asks for, and the one judge of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from ..model.checks import one_of
from ..model.reports import BankReport
from ..model.swizzle import Swizzle
from .forms import Form, SwizzleNumbers
from .goals import Goal

# One module a notebook holds its exercises, named by the notebook's number.
MODULES = {
    "01": "banks",
    "02": "columns",
    "03": "xor",
    "04": "bit_by_bit",
    "05": "units",
    "06": "choosing",
    "07": "two_swizzles",
    "08": "cute",
    "09": "claims",
    "10": "hardware",
    "11": "public",
}
_exercises: dict[str, Exercise] = {}
_SWIZZLE_RULE = (
    "abs(S) must be at least B, and S counts from the lowest bit that is changed (Z) to the lowest that is read (Y), "
    "not the gap between the two fields."
)


@dataclass(frozen=True)
class Feedback:
    """What an exercise says of one answer.

    Attributes
    ----------
    right : bool
    cost : str
        What the answer would cost on the machine, beside what is possible: "yours: 8 wavefronts, possible: 1".
    hint : str
        Where to look next.
    why : str
        The reason for the right answer, in a sentence or two.
    report : BankReport, optional
        The request whose wavefronts were predicted, to be played against the answer.
    """

    right: bool
    cost: str
    hint: str
    why: str
    report: BankReport | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Exercise:
    """One exercise or question.

    Attributes
    ----------
    number : str
        The notebook's number and its own, such as "01.3".
    asks : str
        What it asks for, in a line.
    form : Form or None
        The form of an answer that has finitely many; None where the reader builds a Tile, an Access or a layout.
    judge : callable
        Takes an answer as the form reads it (as it is, without a form) and returns Feedback; without a form it may
        raise TypeError or ValueError for what is no answer.
    start : object or None
        What the notebook's cell comes with, to be improved.
    goal : Goal or None
        What a reader without a kernel sets in place of building an answer; None where there is a form.
    """

    number: str
    asks: str
    form: Form | None
    judge: Callable[[Any], Feedback]
    start: object | None = None
    goal: Goal | None = None

    def feedback(self, answer: object) -> Feedback:
        """Judge what a reader wrote.

        Raises
        ------
        TypeError, ValueError
            If it is no answer; the text says how one looks.
        """
        return self.judge(answer) if self.form is None else self.judged(self.form.read(answer))

    def judged(self, value: Any) -> Feedback:
        """Judge an answer as the form reads it."""
        if not isinstance(self.form, SwizzleNumbers):
            return self.judge(value)
        bits, base, shift = value
        wrong = f"There is no Sw<{bits},{base},{shift}>: {_SWIZZLE_RULE}"
        if abs(shift) >= bits:
            try:
                return self.judge(Swizzle(bits, base, shift))
            except ValueError as error:
                # A swizzle that no tile of such elements can have.
                wrong = f"{error}."
        return replace(self.judge(Swizzle(0, 0, 0)), right=False, cost=wrong)

    @cached_property
    def verdicts(self) -> dict[str, Feedback]:
        """The judge's verdicts on all answers of the form, or on all states of the goal, by their keys."""
        if self.form is None:
            return self.on_states(self.goal.states() if self.goal else ())
        return {self.form.key(value): self.judged(value) for value in self.form.values()}

    def on_states(self, states: Iterable[tuple[str, object]]) -> dict[str, Feedback]:
        """Return the verdicts on states of the goal, by their keys; what is no answer yet is told why not."""
        found: dict[str, Feedback] = {}
        refused: dict[str, str] = {}
        for key, answer in states:
            try:
                found[key] = self.judge(answer)
            except (TypeError, ValueError) as error:
                refused[key] = str(error)
        known_words = next(iter(found.values()), None)
        for key, cost in refused.items():
            found[key] = replace(known_words, right=False, cost=cost) if known_words else Feedback(False, cost, "", "")
        return found

    def is_start(self, answer: object) -> bool:
        """Whether the answer is the one that the cell came with."""
        if self.start is None or type(answer) is not type(self.start):
            return False
        return bool(np.array_equal(answer, self.start) if isinstance(answer, np.ndarray) else answer == self.start)


def exercise(
    number: str, form: Form | None = None, start: object | None = None, goal: Goal | None = None
) -> Callable[[Callable], Callable]:
    """Register the decorated judge as exercise `number`; its docstring says what is asked for."""

    def register(judge: Callable[[Any], Feedback]) -> Callable[[Any], Feedback]:
        _exercises[number] = Exercise(number, judge.__doc__, form, judge, start, goal)
        return judge

    return register


def known(number: str) -> Exercise:
    """Return an exercise by its number.

    Raises
    ------
    ValueError
        If there is none.
    """
    module = MODULES[one_of("notebook", str(number)[:2], MODULES)]
    import_module(f".exercises.{module}", __package__)
    return _exercises[one_of("exercise", number, _exercises)]


def everything() -> dict[str, Exercise]:
    """Return all exercises of the course by their numbers, in order."""
    for module in MODULES.values():
        import_module(f".exercises.{module}", __package__)
    return dict(sorted(_exercises.items(), key=lambda item: [int(part) for part in item[0].split(".")]))
