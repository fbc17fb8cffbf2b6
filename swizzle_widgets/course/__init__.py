"""Questions and exercises that are judged where they stand: they say what an answer would cost on the machine.

In a notebook::

    from swizzle_widgets.course import check, progress, question

    question("01.2")                # a small widget: a number, a pair, a choice or a swizzle

    answer = Tile(32, 32, "f32")    # what is built stays a cell
    check("02.5", answer)

    progress()                      # what this kernel has seen and answered

A wrong answer gets its cost, then a hint; the reason comes with the right answer, or on request.
"""

from __future__ import annotations

from ..widgets.question import Question
from .forms import fields
from .progress import note_answer, note_seen, progress
from .registry import Feedback, exercise, known
from .tables import table

__all__ = ["Feedback", "check", "exercise", "progress", "question", "table"]


def check(number: str, answer: object, solution: bool = False) -> None:
    """Print what `answer` to exercise `number` would cost, and a hint; the reason if it is right.

    Parameters
    ----------
    number : str
        The exercise, such as "01.3".
    answer
        Whatever the exercise asks for; None says that it is not answered yet.
    solution : bool
        Whether to print the reason for the right answer, too.

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    asked = known(number)
    note_seen(number)
    if answer is None:
        print(f"{number}: not answered yet. Replace None by your answer and run the cell again.")
        return
    try:
        feedback = asked.feedback(answer)
    except (TypeError, ValueError) as error:
        print(f"{number}: this is not an answer yet. {error}")
        return
    print(f"{number}: {'right' if feedback.right else 'not yet'}. {feedback.cost}")
    begun = asked.is_start(answer)
    if not begun:
        note_answer(number, feedback.right)
    if feedback.right or solution:
        print(f"Why: {feedback.why}")
    elif begun:
        print("Change the answer and run the cell again.")
    else:
        print(f"Hint: {feedback.hint}")
        print(f'The solution, when you want it: check("{number}", answer, solution=True)')


def question(number: str) -> Question:
    """Return a widget that takes an answer to `number` and judges it, also without a kernel.

    Parameters
    ----------
    number : str
        A question or an exercise whose answer is a number, a pair, a choice or a swizzle, such as "01.2".

    Returns
    -------
    Question
        Its traits `answer` and `state` follow the browser.

    Raises
    ------
    ValueError
        If there is no such question, or its answer has to be built: `check` judges that.
    """
    asked = known(number)
    if asked.form is None:
        raise ValueError(f'{number} asks for something to be built: check("{number}", answer) judges it')
    note_seen(number)
    verdicts = {
        key: (feedback.right, feedback.cost, feedback.hint, feedback.why) for key, feedback in asked.verdicts.items()
    }
    report = next(iter(asked.verdicts.values())).report
    widget = Question(number, asked.asks, fields(asked.form), verdicts, report)
    widget.observe(lambda change: note_answer(number, widget.right), ["answered", "right"])
    return widget
