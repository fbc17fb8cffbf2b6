"""See GPU shared memory: banks, bank conflicts and CuTe's Swizzle<B,M,S>."""

from .access import Access
from .banks import BankReport, BankReports, bank_of, bank_report, bank_reports
from .layout import Layout
from .swizzle import Swizzle
from .tile import Tile

__all__ = [
    "Access",
    "BankReport",
    "BankReports",
    "Layout",
    "Swizzle",
    "Tile",
    "bank_of",
    "bank_report",
    "bank_reports",
]
