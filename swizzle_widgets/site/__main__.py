"""`python -m swizzle_widgets.site [notebooks] [out]`: write the course as static pages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import build


def main(arguments: list[str] | None = None) -> int:
    """Write the site that the command line asks for; return the process's exit code."""
    options = _parser().parse_args(arguments)
    try:
        pages = build(options.notebooks, options.out, options.binder)
    except (ValueError, ModuleNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    for page in pages:
        print(f"{page.name}.html: {page.title}, {len(page.widgets)} live widgets, {len(page.questions)} questions")
    return 0


def _parser() -> argparse.ArgumentParser:
    about = "Write the course as static pages."
    parser = argparse.ArgumentParser(prog="python -m swizzle_widgets.site", description=about)
    parser.add_argument("notebooks", nargs="?", type=Path, default=Path("notebooks"), help="folder of notebooks")
    parser.add_argument("out", nargs="?", type=Path, default=Path("site"), help="folder to write")
    parser.add_argument(
        "--binder",
        metavar="ORGANIZATION/REPOSITORY/TAG",
        help="where Binder finds the notebooks; pages then link to it",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
