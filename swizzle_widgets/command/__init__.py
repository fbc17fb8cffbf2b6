"""The command line: a printed layout and its accesses, the course's notebooks, a profile.

Exit status: 0 if all is clean, 1 if there are conflicts or an instruction that cannot do an access, 2 if
something was not understood.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from . import check, course, profile
from .flags import in_flags
from .lines import wrapped_message

COMMANDS = {"course": course.run, "profile": profile.run}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; `arguments` are those of the process, if left out."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS.get(arguments[0]) if arguments else None
    run, rest = (command, arguments[1:]) if command else (check.run, arguments)
    try:
        status = run(rest)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is left must not be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, TypeError, ValueError) as problem:
        message = f"swizzle-widgets: {in_flags(str(problem))}"
        # Paths and commands, which the others name, stay on one line to be copied.
        print(message if command else wrapped_message(message), file=sys.stderr)
        return 2
