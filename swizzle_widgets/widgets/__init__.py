"""The widgets: traits in Python, arithmetic and pictures in the browser."""

from .bank_heatmap import BankHeatmap
from .bit_diagram import BitDiagram
from .column_read import ColumnRead
from .swizzle_lab import SwizzleLab
from .swizzle_ranking import SwizzleRanking

__all__ = ["BankHeatmap", "BitDiagram", "ColumnRead", "SwizzleLab", "SwizzleRanking"]
