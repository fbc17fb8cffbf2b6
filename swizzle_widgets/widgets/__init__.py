"""The widgets: traits in Python, arithmetic and pictures in the browser."""

from .bank_heatmap import BankHeatmap

__all__ = ["BankHeatmap"]
