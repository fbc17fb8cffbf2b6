"""`python -m swizzle_widgets`, also installed as `swizzle-widgets`: see `swizzle_widgets.command`."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
