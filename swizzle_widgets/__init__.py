"""See GPU shared memory: banks, bank conflicts and CuTe's Swizzle<B,M,S>."""

from .access import Access
from .atoms import gmma_atom, tile_to_shape
from .banks import BankReport, BankReports, bank_of, bank_report, bank_reports
from .layout import Layout
from .search import Candidate, Ranking, best_swizzles
from .swizzle import Swizzle
from .table import Table
from .tile import Tile

__all__ = [
    "Access",
    "BankReport",
    "BankReports",
    "Candidate",
    "Layout",
    "Ranking",
    "Swizzle",
    "Table",
    "Tile",
    "bank_of",
    "bank_report",
    "bank_reports",
    "best_swizzles",
    "gmma_atom",
    "tile_to_shape",
]
