"""What this kernel has seen and answered of the course."""

from __future__ import annotations

from dataclasses import dataclass

from .registry import everything

# By exercise number: whether it was answered right. An exercise that was only shown has no entry here.
_answered: dict[str, bool] = {}
_seen: set[str] = set()


def note_seen(number: str) -> None:
    """Remember that an exercise was shown."""
    _seen.add(number)


def note_answer(number: str, right: bool) -> None:
    """Remember an answer; what was right once stays right."""
    _seen.add(number)
    _answered[number] = right or _answered.get(number, False)


def forget() -> None:
    """Forget what was seen and answered."""
    _answered.clear()
    _seen.clear()


@dataclass(frozen=True)
class Line:
    """A notebook's line.

    Attributes
    ----------
    notebook : str
        Its number, such as "01".
    seen, answered, right, questions : int
        How many of its questions and exercises were shown, answered, and answered right, of how many.
    """

    notebook: str
    seen: int
    answered: int
    right: int
    questions: int


@dataclass(frozen=True)
class Progress:
    """A table of the notebooks; in Jupyter it draws itself."""

    lines: tuple[Line, ...]

    def __repr__(self) -> str:
        rows = [f"{line.notebook:8}  {line.seen:4}  {line.answered:8}  {line.right:5}  of {line.questions}"
                for line in self.lines]  # fmt: skip
        return "\n".join(["notebook  seen  answered  right", *rows])

    def _repr_html_(self) -> str:
        # No colors of its own: the table looks as its host's tables do, in both themes.
        head = "".join(f"<th>{name}</th>" for name in ("notebook", "seen", "answered", "right", "questions"))
        body = "".join(
            f"<tr><th>{line.notebook}</th><td>{line.seen}</td><td>{line.answered}</td><td>{line.right}</td>"
            f"<td>{line.questions}</td></tr>"
            for line in self.lines
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def progress() -> Progress:
    """Return what this kernel has seen and answered, notebook by notebook.

    A new kernel has seen nothing, and nothing is written anywhere.

    Returns
    -------
    Progress
        A small table; `lines` has its numbers.
    """
    numbers = list(everything())
    lines = []
    for notebook in dict.fromkeys(number[:2] for number in numbers):
        own = [number for number in numbers if number[:2] == notebook]
        seen, answered = (sum(number in group for number in own) for group in (_seen, _answered))
        lines.append(Line(notebook, seen, answered, sum(_answered.get(number, False) for number in own), len(own)))
    return Progress(tuple(lines))
