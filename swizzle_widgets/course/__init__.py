"""Exercises that check themselves: they say what an answer would cost on the machine, not only whether it is right.

In a notebook::

    from swizzle_widgets.course import check

    answer = None
    check("01.1", answer)

A first wrong answer gets its cost and a hint, a second one the reason too. Where the cell comes with an
answer to improve, that one gets its cost alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from ..model.checks import one_of

# One module a notebook holds its exercises, named by the notebook's number.
_MODULES = {
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
_exercises: dict[str, Callable[[object], Feedback]] = {}
_attempts: dict[str, int] = {}
_begun: set[str] = set()


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
    """

    right: bool
    cost: str
    hint: str
    why: str


def exercise(number: str, begun: bool = False):
    """Register a function that takes an answer and returns Feedback as exercise `number`, such as "01.3".

    `begun` says that the notebook's cell comes with an answer to improve, which is nobody's attempt.

    The function may raise TypeError or ValueError for an answer of the wrong form; the text is shown.
    """

    def register(judge):
        _exercises[number] = judge
        if begun:
            _begun.add(number)
        return judge

    return register


def check(number: str, answer) -> None:
    """Print what `answer` to exercise `number` would cost, and a hint or the reason.

    Parameters
    ----------
    number : str
        The exercise, such as "01.3".
    answer
        Whatever the exercise asks for; None says that it is not answered yet.

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    import_module(f".{_MODULES[one_of('notebook', str(number)[:2], _MODULES)]}", __name__)
    judge = _exercises[one_of("exercise", number, _exercises)]
    if answer is None:
        print(f"{number}: not answered yet. Replace None by your answer and run the cell again.")
        return
    try:
        feedback = judge(answer)
    except (TypeError, ValueError) as error:
        print(f"{number}: this is not an answer yet. {error}")
        return
    _attempts[number] = _attempts.get(number, -1 if number in _begun else 0) + 1
    print(f"{number}: {'right' if feedback.right else 'not yet'}. {feedback.cost}")
    if feedback.right:
        print(f"Why: {feedback.why}")
    elif _attempts[number] == 0:
        print("Change the answer and run the cell again.")
    else:
        print(f"Hint: {feedback.hint}")
        if _attempts[number] > 1:
            print(f"Why: {feedback.why}")
