"""BitDiagram's picture: the bits of one address before and after the swizzle, with the wires between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model.banks import bank_of
from ..model.checks import whole
from ..model.hardware import BANKS, LINE_BYTES, SHARED_BYTES, WORD_BYTES
from ..model.swizzle import Swizzle
from ..model.tile import Tile
from . import measures as m
from .page import DPI, MARGIN, PAGE, to_figure
from .scene import Scene, frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Bits are numbered as in a bit address: bit 3 is byte bit 0.
BYTE = 3
WORD = BYTE + WORD_BYTES.bit_length() - 1
LINE = WORD + BANKS.bit_length() - 1


def bit_diagram(tile: Tile, offset: int, ax: Axes | None = None, dpi: float = DPI, title: str | None = None) -> Figure:
    """Return the bits of one element's address before and after the swizzle, in the swizzle's own unit.

    Above stand the bits that the row and the column make, below what the hardware reads. Bits inside an element
    and inside a word stand apart.

    Parameters
    ----------
    tile : Tile
    offset : int
        The element's offset before the swizzle, in elements; it need not lie in the tile's layout.
    ax, dpi, title
        Somebody's axes to draw in, the resolution of a figure of its own, and a line above the picture.

    Raises
    ------
    TypeError, ValueError
        If `offset` is no whole number, negative, or beyond shared memory.
    """
    offset = whole("offset", offset, 0, 8 * SHARED_BYTES // tile.element_bits - 1)
    return to_figure(bits_scene(tile, offset, PAGE - 2 * MARGIN), ax, dpi, title)


@dataclass(frozen=True)
class Bits:
    """What the picture shows, in bits of a bit address.

    Attributes
    ----------
    tile : Tile
    offset : int
    """

    tile: Tile
    offset: int

    @property
    def swizzle(self) -> Swizzle:
        return self.tile.swizzle or Swizzle(0, 0, 0)

    @property
    def unit(self) -> int:
        """The first bit of what the swizzle counts: 3 for bytes."""
        return (self.tile.unit_bits or 8).bit_length() - 1

    @property
    def element(self) -> int:
        """The first bit that is not inside an element."""
        return self.tile.element_bits.bit_length() - 1

    @property
    def added(self) -> int:
        """The bytes that come to the address behind the swizzle."""
        return self.tile.base_address if self.tile.anchor == "offset" else 0

    @property
    def addresses(self) -> tuple[int, int]:
        """The address in bits, before and after."""
        return tuple(int(tile.bit_addresses(self.offset)) for tile in (self.tile.with_swizzle(None), self.tile))

    @property
    def inputs(self) -> tuple[int, int]:
        """What the swizzle takes and gives, in bits."""
        return tuple(address - 8 * self.added for address in self.addresses)

    @property
    def low(self) -> int:
        """The lowest bit drawn."""
        return min(self.unit, self.element)

    @property
    def top(self) -> int:
        """The bit above the highest one drawn: the tile, the fields and the address fit."""
        last = int(self.tile.with_swizzle(None).bit_addresses(self.tile.layout.cosize - 1))
        fields = (low + self.swizzle.bits for low in self.field_lows) if self.swizzle.bits else ()
        return max(m.LEAST_BITS + BYTE, last.bit_length(), *(a.bit_length() for a in self.addresses), *fields)

    @property
    def field_lows(self) -> tuple[int, int]:
        """The lowest bits of source and target."""
        return self.swizzle.source_base + self.unit, self.swizzle.target_base + self.unit

    def mode_bits(self, mode: int) -> list[tuple[int, int]]:
        """The bits (low, count) that the row (0) or column (1) index makes; empty unless all are powers of two."""
        modes = getattr(self.tile.layout, "modes", None)
        parts = [(extent, stride) for extent, stride in modes[mode].flat if extent > 1] if modes else []
        if any(value < 1 or value & (value - 1) for part in parts for value in part):
            return []
        spans = [(stride.bit_length() - 1 + self.element, extent.bit_length() - 1) for extent, stride in parts]
        return _joined(spans)

    @property
    def place(self) -> tuple[int, int] | None:
        """The row and column of the element, or None."""
        rows, cols = (self.tile.layout.offsets == self.offset).nonzero()
        return (int(rows[0]), int(cols[0])) if len(rows) else None


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for low, count in sorted(spans):
        if joined and sum(joined[-1]) == low:
            joined[-1] = (joined[-1][0], joined[-1][1] + count)
        else:
            joined.append((low, count))
    return joined


@dataclass(frozen=True)
class Columns:
    """Where each bit stands: the highest on the left, gaps where elements and words begin."""

    low: int
    top: int
    element: int
    wide: int = m.BIT_WIDE

    def left(self, bit: int) -> int:
        """The left edge of a bit's column."""
        gaps = sum(bit < point and self.low < point for point in {WORD, max(self.element, self.low)})
        return m.BIT_LEFT + (self.top - 1 - bit) * self.wide + m.BIT_GAP * gaps

    def middle(self, bit: int) -> float:
        return self.left(bit) + self.wide / 2

    def span(self, low: int, count: int) -> tuple[int, int]:
        """Left edge and width of some bits."""
        x = self.left(low + count - 1)
        return x, self.left(low) + self.wide - x


def bits_scene(tile: Tile, offset: int, width: int) -> Scene:
    """Return the picture as a scene: the bits, and their values beside them or below."""
    bits = Bits(tile, offset)
    rows, columns = rows_scene(bits, width)
    scene = Scene(width, rows.height)
    scene.put(rows, 0, 0)
    right = columns.left(bits.low) + columns.wide + m.BETWEEN
    if width - right >= m.BIT_VALUES:
        scene.put(values_scene(bits, width - right), right, 0)
    else:
        values = values_scene(bits, width - m.BIT_LEFT)
        scene.put(values, m.BIT_LEFT, scene.height)
        scene.height += values.height
    return scene


def rows_scene(bits: Bits, width: int) -> tuple[Scene, Columns]:
    """Return the two rows of bits with all that belongs to them, and where each bit stands."""
    wide = max(m.BIT_NARROW, min(m.BIT_WIDE, (width - m.BIT_LEFT - 3 * m.BIT_GAP) // (bits.top - bits.low)))
    columns = Columns(bits.low, bits.top, bits.element, wide)
    before = m.BIT_FIELDS + m.BIT_RULER + m.BIT_NAMES
    after = before + m.BIT_TALL + m.BIT_WIRES
    scene = Scene(width, after + m.BIT_TALL + m.BIT_FOOT)
    _layout_fields(scene, bits, columns)
    _ruler(scene, bits, columns)
    _names(scene, bits, columns, before - m.BIT_NAMES)
    _wires(scene, bits, columns, before + m.BIT_TALL, after)
    _row(scene, bits, columns, before, 0)
    _row(scene, bits, columns, after, 1)
    _fields(scene, bits, columns, before, after)
    _hardware_fields(scene, bits, columns, after + m.BIT_TALL)
    return scene, columns


def _layout_fields(scene: Scene, bits: Bits, columns: Columns) -> None:
    """The bits that row and column make, with their values."""
    place = bits.place
    for index, name in enumerate(("row", "column")):
        for low, count in bits.mode_bits(index):
            x, width = columns.span(low, count)
            scene.rects("line", [(x + 1, m.BIT_FIELDS - 3, width - 2, 2)])
            whole_field = len(bits.mode_bits(index)) == 1 and place
            text = f"{name} {place[index]}" if whole_field else name
            scene.text(x + width / 2, 6, text if width >= 7 * len(text) else name[:3], m.TEXT, "soft", "middle")


def _ruler(scene: Scene, bits: Bits, columns: Columns) -> None:
    y = m.BIT_FIELDS + 6
    scene.text(0, y, "bit", m.TEXT, "quiet")
    for bit in range(max(bits.low, bits.unit), bits.top):
        scene.text(columns.middle(bit), y, str(bit - bits.unit), m.TEXT, "quiet", "middle", narrow=True)


def _row(scene: Scene, bits: Bits, columns: Columns, y: int, side: int) -> None:
    """A row of bits; those that the swizzle changed are dark, those inside an element pale."""
    scene.text(0, y + m.BIT_TALL / 2, ("before", "after")[side], m.TEXT, "quiet")
    changed = bits.inputs[0] ^ bits.inputs[1] if side else 0
    edges = []
    for bit in range(bits.low, bits.top):
        x, dark, inside = columns.left(bit) + 1, changed >> bit & 1, bit < bits.element
        wide = columns.wide - 2
        if dark or inside:
            scene.rects("ink" if dark else "idle", [(x, y, wide, m.BIT_TALL)])
        edges.append(frame(x + 0.5, y + 0.5, wide - 1, m.BIT_TALL - 1))
        fill = "paper" if dark else "quiet" if inside else "ink"
        value = str(bits.inputs[side] >> bit & 1)
        scene.text(columns.middle(bit), y + m.BIT_TALL / 2, value, m.BIT_TEXT, fill, "middle", bold=bool(dark))
    scene.lines(edges, "line")


def _wires(scene: Scene, bits: Bits, columns: Columns, top: int, bottom: int) -> None:
    """From each source bit to its target; below, straight, what stays. One that is set flips its target."""
    source, target = bits.field_lows
    count = bits.swizzle.bits
    kept = bits.swizzle.base + bits.unit if count else bits.low
    stay = [bit for bit in range(kept, bits.top) if not target <= bit < target + count]
    scene.lines([[(columns.middle(bit), top + 1), (columns.middle(bit), bottom - 1)] for bit in stay], "line")
    for index in range(count):
        # The farthest pair lies lowest, so that no wire crosses another one's way down.
        level = index if source > target else count - 1 - index
        y = top + 7 + (m.BIT_WIRES - 18) * (level + 0.5) / count
        x, goal = columns.middle(source + index), columns.middle(target + index)
        on = bits.inputs[0] >> (source + index) & 1
        fill, wide = ("source", 2) if on else ("quiet", 1)
        scene.lines([[(goal, top + 1), (goal, bottom - 1)]], "target", 1.2)
        scene.lines([[(x, top + 1), (x, y), (goal, y), (goal, bottom - 8)]], fill, wide, not on)
        scene.text(goal, bottom - 6, "⊕", m.TITLE, fill, "middle", bold=bool(on))


def _names(scene: Scene, bits: Bits, columns: Columns, y: int) -> None:
    """B above the bits that are read, S above those that are flipped, M above exactly those that are kept."""
    swizzle = bits.swizzle
    if not swizzle.bits:
        return
    source, target = bits.field_lows
    way = "lower" if swizzle.shift > 0 else "higher"
    read = (f"B = {swizzle.bits} bits read", f"B = {swizzle.bits} read", f"B = {swizzle.bits}", "B")
    flipped = (f"S = {swizzle.shift} {way}", f"S = {swizzle.shift}", "S")
    _name(scene, columns.span(source, swizzle.bits), y, read, "source")
    _name(scene, columns.span(target, swizzle.bits), y, flipped, "target")
    first = max(bits.low, bits.unit)
    if (count := swizzle.base + bits.unit - first) > 0:
        x, width = columns.span(first, count)
        scene.rects("raised", [(x + 1, y, width - 2, m.BIT_NAMES - 1)])
        _name(scene, (x, width), y, (f"M = {swizzle.base} kept", f"M = {swizzle.base}", "M"), "quiet")


def _name(scene: Scene, span: tuple[int, int], y: int, texts: tuple[str, ...], fill: str) -> None:
    """The longest of the texts that fits."""
    x, width = span
    text = next((text for text in texts if 6.5 * len(text) <= width), texts[-1])
    scene.text(x + width / 2, y + 7, text, m.TEXT, fill, "middle", bold=fill != "quiet")


def _fields(scene: Scene, bits: Bits, columns: Columns, before: int, after: int) -> None:
    """Frames around the bits that are read (source) and those that are changed (target)."""
    if not bits.swizzle.bits:
        return
    source, target = (columns.span(low, bits.swizzle.bits) for low in bits.field_lows)
    for (x, width), y, fill in ((source, before, "source"), (target, before, "target"), (target, after, "target")):
        scene.lines([frame(x, y - 1, width, m.BIT_TALL + 2)], fill, 2)


def _hardware_fields(scene: Scene, bits: Bits, columns: Columns, y: int) -> None:
    """What the hardware reads from the address after the swizzle; not where a base comes to it and moves the banks."""
    if bits.added % LINE_BYTES:
        return
    address = bits.inputs[1]
    for name, low, high in (("line", LINE, bits.top), ("bank", WORD, LINE), ("in word", bits.low, WORD)):
        if high <= low:
            continue
        x, width = columns.span(low, high - low)
        value = (address >> low) % 2 ** (high - low)
        if name == "bank":
            scene.rects(f"bank.{value}", [(x + 1, y + 3, width - 2, m.BIT_FOOT - 3)])
        else:
            scene.rects("line", [(x + 1, y + 3, width - 2, 2)])
        text = name if name == "in word" else f"{name} {value}"
        fill = f"ink.{value}" if name == "bank" else "soft"
        if width >= 6 * len(text):
            scene.text(x + width / 2, y + 10, text, m.TEXT, fill, "middle", bold=name == "bank")


def values_scene(bits: Bits, width: float) -> Scene:
    """Return the element, its address before and after in the picture's unit, its bank, and the key of the wires."""
    tile, place = bits.tile, bits.place
    beside = width >= m.BIT_VALUES + m.BIT_KEY_WIDE
    scene = Scene(width, m.BIT_VALUES_LOW if beside else m.BIT_VALUES_TALL)
    element = f"row {place[0]}, column {place[1]}" if place else f"offset {bits.offset}, no element"
    scene.text(0, 8, element, m.TITLE, bold=True)
    first, second = (f"0x{value >> bits.unit:x}" for value in bits.inputs)
    unit = tile.unit_name or "bytes"
    scene.text(0, 27, f"{first} → {second}, in {unit}", m.TITLE, "ink")
    if bits.added:
        scene.text(0, 43, f"and the base, byte 0x{bits.added:x}, comes to it", m.TEXT, "quiet")
    banks = [int(bank_of(address >> 3)) for address in bits.addresses]
    top = 50 if bits.added else 38
    for at, bank in enumerate(banks):
        scene.rects(f"bank.{bank}", [(86 * at, top, 62, 20)])
        scene.text(86 * at + 31, top + 10, f"bank {bank}", m.TITLE, f"ink.{bank}", "middle", bold=True)
    scene.text(74, top + 10, "→", m.TITLE, "quiet", "middle")
    scene.text(0, top + 30, tile.swizzle_name, m.TEXT, "quiet")
    if bits.swizzle.bits:
        _key(scene, *((m.BIT_VALUES, 8) if beside else (0, top + 46)))
    return scene


def _key(scene: Scene, x: float, y: float) -> None:
    """What wires and dark bits mean."""
    scene.lines([[(x, y), (x + 18, y)]], "source", 2)
    scene.lines([[(x, y + m.BIT_KEY), (x + 18, y + m.BIT_KEY)]], "quiet", 1, dash=True)
    scene.rects("ink", [(x + 3, y + 2 * m.BIT_KEY - 5, 11, 11)])
    for line, text in enumerate(("a 1: flips the bit below", "a 0: flips nothing", "a bit that was flipped")):
        scene.text(x + 26, y + line * m.BIT_KEY, text, m.TEXT, "quiet")
