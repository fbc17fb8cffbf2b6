"""The colors of the 32 banks, the same in every widget and figure.

The hue says which 16-byte group of four banks, the shade which of the four, so that a 16-byte
granule reads as one block. The eight hues were chosen so that any shades of two groups stay apart
in OKLab, for full color vision and under simulated protanopia, deuteranopia and tritanopia.
"""

from __future__ import annotations

GROUP_SHADES = (
    ("#6067c8", "#565cbc", "#4c51b0", "#4346a4"),
    ("#df9941", "#d28e33", "#c68324", "#ba7711"),
    ("#c9fec4", "#bdf2b8", "#b1e6ad", "#a5d9a1"),
    ("#926896", "#865d8a", "#7c5380", "#714975"),
    ("#f9f06f", "#ede362", "#e1d755", "#d5cb48"),
    ("#b0a3fd", "#a497f1", "#998ce5", "#8e81d8"),
    ("#bc494e", "#b03e43", "#a4323a", "#972630"),
    ("#71faff", "#63eef2", "#55e2e6", "#46d5da"),
)

# How much color a cell keeps that no lane touches: enough to tell its group, and its number is still read in black.
TINT = 0.45
DARK_TINT = 0.36

BLACK, WHITE = "#111111", "#ffffff"


def luminance(color: str) -> float:
    """Return the relative luminance of a #rrggbb color, 0 to 1 (WCAG 2)."""
    channels = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21 (WCAG 2)."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _mixed(color: str, paper: str, share: float) -> str:
    """Return a color on paper, `share` of it."""
    parts = ((int(color[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * ours + (1 - share) * theirs):02x}" for ours, theirs in parts)


BANK_COLORS = tuple(shade for group in GROUP_SHADES for shade in group)
# The text color that reads better on each.
BANK_INKS = tuple(max((BLACK, WHITE), key=lambda ink: contrast(ink, color)) for color in BANK_COLORS)
BANK_TINTS = tuple(_mixed(color, "#ffffff", TINT) for color in BANK_COLORS)
BANK_DARK_TINTS = tuple(_mixed(color, "#0d1117", DARK_TINT) for color in BANK_COLORS)

# What is not a bank: ink, three quieter shades, lines, paper, what is idle, verdicts and accents.
PAGE_COLORS = {
    "ink": "#1f2328", "soft": "#3d444d", "quiet": "#57606a", "line": "#d0d7de", "paper": "#ffffff", "raised": "#f6f8fa",
    "idle": "#f4f6f8", "hatch": "#dde3e9", "bad": "#b42318", "good": "#1a7f37", "accent": "#0969da",
    "source": "#3f6ea5", "target": "#9a6a2f", "on-tint": "#111111",
}  # fmt: skip
DARK_PAGE_COLORS = {
    "ink": "#e6edf3", "soft": "#c4ccd4", "quiet": "#9aa4af", "line": "#3d444d", "paper": "#0d1117", "raised": "#161b22",
    "idle": "#151a21", "hatch": "#2a313a", "bad": "#ff7b72", "good": "#56d364", "accent": "#4493f8",
    "source": "#79b0f0", "target": "#d9a566", "on-tint": "#f2f5f8",
}  # fmt: skip

# Costs of a search, each with its ink: the ideal stands out by hue; few conflicts are light, many dark.
IDEAL_COLORS = ("#0b5fa5", "#ffffff")
CONFLICT_COLORS = (
    ("#fdeed9", "#1f2328"), ("#fcd9ad", "#1f2328"), ("#f9b871", "#1f2328"), ("#ec8f42", "#1f2328"),
    ("#c2501c", "#ffffff"), ("#9c360b", "#ffffff"), ("#6a1f03", "#ffffff"),
)  # fmt: skip
