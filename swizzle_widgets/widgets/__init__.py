"""The widgets: traits in Python, arithmetic and pictures in the browser."""

from .bank_heatmap import BankHeatmap
from .swizzle_ranking import SwizzleRanking

__all__ = ["BankHeatmap", "SwizzleRanking"]
