"""See GPU shared memory: banks, bank conflicts and CuTe's Swizzle<B,M,S>."""

from typing import TYPE_CHECKING, Any

from .model.access import Access
from .model.atoms import gmma_atom, tile_to_shape
from .model.banks import bank_of, bank_report, bank_reports
from .model.candidates import Candidate
from .model.copy import TiledCopy
from .model.copy_report import CopyReport
from .model.layout import Layout
from .model.ranking import Ranking
from .model.reports import BankReport, BankReports
from .model.search import best_swizzles
from .model.swizzle import Swizzle
from .model.table import Table
from .model.tile import Tile
from .testing import assert_clean
from .version import __version__

if TYPE_CHECKING:
    from .widgets import BankHeatmap, BitDiagram, ColumnRead, SwizzleLab, SwizzleRanking

# Each brings the whole widget machinery, so that the model alone stays light: imported when first asked for.
_WIDGETS = ("BankHeatmap", "BitDiagram", "ColumnRead", "SwizzleLab", "SwizzleRanking")

__all__ = [
    "Access",
    "BankHeatmap",
    "BankReport",
    "BankReports",
    "BitDiagram",
    "Candidate",
    "ColumnRead",
    "CopyReport",
    "Layout",
    "Ranking",
    "Swizzle",
    "SwizzleLab",
    "SwizzleRanking",
    "Table",
    "Tile",
    "TiledCopy",
    "__version__",
    "assert_clean",
    "bank_of",
    "bank_report",
    "bank_reports",
    "best_swizzles",
    "gmma_atom",
    "tile_to_shape",
]


def __getattr__(name: str) -> Any:
    if name not in _WIDGETS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import widgets

    return getattr(widgets, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
