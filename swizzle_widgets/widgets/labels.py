"""What the tracks of a comparison are called."""

from __future__ import annotations

from ..model.access import Access
from ..model.checks import plural
from ..model.hardware import WORD_BYTES
from ..model.layout import Layout
from ..model.tile import Tile


def label(other: Tile, tile: Tile) -> str:
    """What makes a variant another one than `tile` without its swizzle."""
    words = [] if other.layout == tile.layout else _layout_words(other, tile)
    if other.swizzle is not None or not words:
        words.append(other.swizzle_name)
    if other.base_address != tile.base_address:
        words.append(f"at byte {other.base_address}")
    return ", ".join(words)


def _layout_words(other: Tile, tile: Tile) -> list[str]:
    lines, length = (other.lines, other.line_length)
    padding = (other.layout.cosize - length) // (lines - 1) - length if lines > 1 else 0
    if padding < 0 or not _is_padded(other, padding):
        return [f"layout {other.layout}"]
    turned = [] if other.order == tile.order else [f"{other.order} order"]
    if not padding:
        return turned or ["no padding"]
    bits = padding * other.element_bits
    size = f"{bits} bits" if bits % 8 else plural(bits // 8, "byte")
    return [*turned, f"padding of {plural(padding, f'{other.dtype} element')} ({size})"]


def _is_padded(tile: Tile, padding: int) -> bool:
    pitch = tile.line_length + padding
    stride = (pitch, 1) if tile.order == "row" else (1, pitch)
    return tile.order is not None and tile.layout == Layout((tile.rows, tile.cols), stride)


def usual(tile: Tile, access: Access) -> list[Tile]:
    """Return what is compared if nothing is said: no swizzle, and a padding for a swizzled tile that can have it."""
    plain = tile.with_swizzle(None)
    if tile.swizzle is None:
        return [plain]
    try:
        padded = plain.padded(8 * max(access.width, WORD_BYTES) // tile.element_bits)
    except ValueError:
        return [plain]
    return [plain] if padded == plain else [plain, padded]
