"""`python -m swizzle_widgets.site [notebooks] [out]`: write the course as static pages."""

import argparse
from pathlib import Path

from . import build

parser = argparse.ArgumentParser(prog="python -m swizzle_widgets.site", description="Write the course as static pages.")
parser.add_argument("notebooks", nargs="?", type=Path, default=Path("notebooks"), help="folder of notebooks")
parser.add_argument("out", nargs="?", type=Path, default=Path("site"), help="folder to write")
parser.add_argument(
    "--binder", metavar="ORGANIZATION/REPOSITORY/TAG", help="where Binder finds the notebooks; pages then link to it"
)
arguments = parser.parse_args()
for page in build(arguments.notebooks, arguments.out, arguments.binder):
    print(f"{page.name}.html: {page.title}, {len(page.widgets)} live widgets")
