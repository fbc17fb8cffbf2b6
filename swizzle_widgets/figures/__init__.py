"""Pictures of the model as matplotlib figures, and one animation; each is drawn as the widget of its name draws it."""

from .bank_heatmap import bank_heatmap
from .bit_diagram import bit_diagram
from .column_read import column_read, column_read_gif
from .lab import swizzle_lab
from .page import png
from .swizzle_ranking import swizzle_ranking

__all__ = ["bank_heatmap", "bit_diagram", "column_read", "column_read_gif", "png", "swizzle_lab", "swizzle_ranking"]
