"""Requests to measure: an instruction, 32 byte addresses and who takes part, in arrays of many."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..model.access import Access
from ..model.banks import BankReports, bank_reports
from ..model.checks import whole
from ..model.hardware import LINE_BYTES, MATRIX_LANES, MERGE_PARTNERS, WARP_LANES
from ..model.swizzle import Swizzle
from ..model.tile import Tile

LANES = np.arange(WARP_LANES)
# Every GPU since sm_70 lets a block have this much, and the requests stay within it.
SPAN_BYTES = 48 * 1024
# What a request of cp.async may read, in global memory.
SOURCE_BYTES = 4096


@dataclass(frozen=True)
class Instruction:
    """An instruction that the probe can issue.

    Attributes
    ----------
    name : str
        Such as "LDS.128", "ldmatrix.x4.trans" or "cp.async.cg.16".
    kind : str
        What the bank model calls it: "load", "store", "ldmatrix" or "stmatrix". cp.async is a store.
    width : int
        Bytes a lane.
    lanes : int
        How many lanes give an address.
    capability : int
        The first GPU architecture that has it, 75 for sm_75.
    """

    name: str
    kind: str
    width: int
    lanes: int
    capability: int

    @property
    def symbol(self) -> str:
        """The name of its kernels in probe.cu, behind once_ and timed_."""
        return self.name.replace(".", "_")

    @property
    def is_async(self) -> bool:
        """Whether it is cp.async, which copies from global memory."""
        return self.name.startswith("cp.async")

    @property
    def is_matrix(self) -> bool:
        """Whether its addresses are those of matrix rows, given by the first lanes."""
        return self.kind.endswith("matrix")


def _instructions():
    for name, kind in (("LDS", "load"), ("STS", "store")):
        for width, suffix in ((1, "U8"), (2, "U16"), (4, "32"), (8, "64"), (16, "128")):
            yield Instruction(f"{name}.{suffix}", kind, width, WARP_LANES, 70)
    for kind, capability in (("ldmatrix", 75), ("stmatrix", 90)):
        for suffix in ("", ".trans"):
            for lanes in MATRIX_LANES:
                yield Instruction(f"{kind}.x{lanes // 8}{suffix}", kind, 16, lanes, capability)
    for cache, width in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        yield Instruction(f"cp.async.{cache}.{width}", "store", width, WARP_LANES, 80)


INSTRUCTIONS = tuple(_instructions())
INSTRUCTION_NAMES = tuple(instruction.name for instruction in INSTRUCTIONS)
FAMILIES = (
    "random", "strided", "swizzled", "broadcast", "pairs", "partial", "source", "tile", "question", "notebook",
    "own",
)  # fmt: skip


@dataclass(frozen=True)
class Requests:
    """Many requests of one warp each.

    Attributes
    ----------
    instruction : uint8 array (n,)
        Indices into INSTRUCTIONS.
    family : uint8 array (n,)
        Indices into FAMILIES: where the request comes from.
    addresses : int32 array (n, 32)
        Byte addresses in shared memory; 0 for lanes that give none.
    active : bool array (n, 32)
        Which lanes take part; for ldmatrix and stmatrix, which give a row address.
    sources : int32 array (n, 32)
        cp.async: where each lane reads in global memory, in bytes behind a multiple of 4096; 0 for
        the others.
    """

    instruction: np.ndarray
    family: np.ndarray
    addresses: np.ndarray
    active: np.ndarray
    sources: np.ndarray

    @classmethod
    def of(cls, instruction: str, addresses, active=None, sources=None, family: str = "own") -> Requests:
        """Return requests of one instruction.

        Parameters
        ----------
        instruction : str
            One of INSTRUCTION_NAMES.
        addresses : int array (n, 32), or (32,) for one request
            Byte addresses; those of lanes without a part are ignored.
        active : bool array (n, 32) or (32,), optional
            All lanes, or the first 8 or 16 for ldmatrix and stmatrix .x1 and .x2, if left out.
        sources : int array (n, 32) or (32,), optional
            cp.async only, below 4096; one lane behind the other, if left out.
        family : str
            One of FAMILIES.

        Raises
        ------
        ValueError
            If the instruction is unknown, no lane takes part, an address lies beyond 48 KiB or is
            not a multiple of the width, or an x1, x2 or x4 has other lanes than its own.
        """
        if instruction not in INSTRUCTION_NAMES:
            raise ValueError(
                f"instruction {instruction!r} is not known: it must be one of {', '.join(INSTRUCTION_NAMES)}"
            )
        which = INSTRUCTION_NAMES.index(instruction)
        addresses = np.atleast_2d(np.asarray(addresses))
        if active is None:
            active = np.arange(WARP_LANES) < INSTRUCTIONS[which].lanes
        active = np.broadcast_to(active, addresses.shape)
        if not active.any(axis=1).all():
            raise ValueError(
                f"request {int(np.argmin(active.any(axis=1)))} has no active lane: nothing would be measured"
            )
        if INSTRUCTIONS[which].is_matrix and (active.sum(axis=1) != INSTRUCTIONS[which].lanes).any():
            raise ValueError(f"{instruction} takes {INSTRUCTIONS[which].lanes} row addresses")
        beyond = (addresses * active).max()
        if beyond + INSTRUCTIONS[which].width > SPAN_BYTES:
            raise ValueError(f"address {beyond} is beyond the {SPAN_BYTES} bytes that the probe's blocks have")
        bank_reports(addresses, INSTRUCTIONS[which].width, INSTRUCTIONS[which].kind, active)
        return cls._filled(which, FAMILIES.index(family), addresses, active, sources)

    @classmethod
    def _filled(cls, instruction: int, family: int, addresses, active, sources=None) -> Requests:
        count, which = len(addresses), INSTRUCTIONS[instruction]
        if sources is None:
            sources = LANES * which.width if which.is_async else 0
        return cls(
            np.full(count, instruction, np.uint8),
            np.full(count, family, np.uint8),
            np.where(active, addresses, 0).astype(np.int32),
            np.array(active),
            np.array(np.broadcast_to(sources, addresses.shape), np.int32),
        )

    @classmethod
    def of_access(cls, access: Access, family: str = "own") -> Requests:
        """Return the request that an access of a tile makes."""
        name = access.instruction + (".trans" if access.spec.get("trans") else "")
        return cls.of(name, access.addresses, np.asarray(access.starts) >= 0, family=family)

    @classmethod
    def joined(cls, parts) -> Requests:
        """Return all requests of several sets, in order."""
        parts = list(parts)
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.instruction)

    def __getitem__(self, chosen) -> Requests:
        """Return the requests that a slice, a mask or an index array chooses."""
        return Requests(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def by_instruction(self):
        """Yield (Instruction, indices of its requests) for every instruction present."""
        for which in np.unique(self.instruction):
            yield INSTRUCTIONS[which], np.flatnonzero(self.instruction == which)

    def where(self, instruction: str, families=FAMILIES) -> np.ndarray:
        """Return which requests are of an instruction, and of one of some families, bool (n,)."""
        chosen = [FAMILIES.index(family) for family in families]
        return (self.instruction == INSTRUCTION_NAMES.index(instruction)) & np.isin(self.family, chosen)

    def distinct(self) -> Requests:
        """Return the requests without repetitions, each at its first place."""
        rows = np.column_stack([self.instruction, self.masks, self.addresses, self.sources])
        _, first = np.unique(rows, axis=0, return_index=True)
        return self[np.sort(first)]

    @property
    def masks(self) -> np.ndarray:
        """`active` as one uint32 a request, bit l for lane l."""
        return (self.active.astype(np.uint32) << np.arange(WARP_LANES, dtype=np.uint32)).sum(axis=1, dtype=np.uint32)

    def model(self) -> BankReports:
        """Return what the bank model says each costs.

        cp.async counts as a store whose lanes share no words: two lanes that copy to one word take
        two wavefronts. `in_model` says where this is known to hold.
        """
        wavefronts, ideal = np.zeros(len(self), np.int64), np.zeros(len(self), np.int64)
        for instruction, where in self.by_instruction():
            addresses = self.addresses[where]
            if instruction.is_async:
                # A line for each lane: the banks stay, and no two lanes want one word.
                addresses = addresses % LINE_BYTES + LINE_BYTES * LANES
            reports = bank_reports(addresses, instruction.width, instruction.kind, self.active[where])
            wavefronts[where], ideal[where] = reports.wavefronts, reports.ideal
        return BankReports(wavefronts, ideal)

    @property
    def in_model(self) -> np.ndarray:
        """Which requests the model speaks of, bool (n,): all but cp.async.cg and copies from scattered sources.

        .cg bypasses L1 and writes whole lines: its cost is not one of banks. Sources that are not
        neighbors cost .ca wavefronts of their own.
        """
        known = np.ones(len(self), bool)
        for instruction, where in self.by_instruction():
            if instruction.is_async:
                dense = (self.sources[where] == LANES * instruction.width).all(axis=1)
                known[where] = dense & (not instruction.name.startswith("cp.async.cg"))
        return known

    @property
    def is_async(self) -> np.ndarray:
        """Which requests are of cp.async, bool (n,)."""
        return np.array([instruction.is_async for instruction in INSTRUCTIONS])[self.instruction]

    def least_cycles(self) -> np.ndarray:
        """Return the cycles below which no request goes, however few its wavefronts, int64 (n,).

        Registers move 128 bytes a cycle, those of sleeping lanes too: a phase without an active
        lane takes no wavefront but still its cycle. Phases that merge share one.
        """
        cycles = np.ones(len(self), np.int64)
        for instruction, where in self.by_instruction():
            if instruction.is_matrix:
                cycles[where] = instruction.lanes // MATRIX_LANES[0]
                continue
            awake = self._with_sleepers_at_their_partners(where)
            ideals = [bank_reports(lanes, instruction.width, instruction.kind).ideal for lanes in awake]
            cycles[where] = np.min(ideals, axis=0)
        return cycles

    def _with_sleepers_at_their_partners(self, where):
        """Yield addresses of whole warps that merge where these requests do, by either kind of pair."""
        addresses, active = self.addresses[where], self.active[where]
        for step in MERGE_PARTNERS:
            partner = np.where(active[:, LANES ^ step], addresses[:, LANES ^ step], 0)
            yield np.where(active, addresses, partner)

    def save(self, path: Path) -> None:
        """Write the requests as a compressed .npz."""
        np.savez_compressed(path, **vars(self))

    @classmethod
    def load(cls, path: Path) -> Requests:
        """Read what `save` wrote."""
        with np.load(path) as data:
            return cls(*(data[name] for name in cls.__dataclass_fields__))

    def digest(self) -> str:
        """A fingerprint of all of it, by which a record knows the requests it does not store."""
        words = (self.addresses.astype("<i4"), self.sources.astype("<i4"), self.masks.astype("<u4"))
        blocks = (self.instruction, self.family, *words)
        return hashlib.sha256(b"".join(block.tobytes() for block in blocks)).hexdigest()


def survey(per_family: int, seed: int) -> Requests:
    """Return random requests of every instruction and of the families random ... source.

    Parameters
    ----------
    per_family : int
        How many of each instruction and family; there are 148 such pairs.
    seed : int
        The same seed gives the same requests on every machine and NumPy.
    """
    whole("per_family", per_family, 1)
    draw = _Draw(whole("seed", seed, 0))
    parts = []
    for which, instruction in enumerate(INSTRUCTIONS):
        for family, make in _FAMILIES.items():
            if (family == "partial" and instruction.is_matrix) or (family == "source" and not instruction.is_async):
                continue
            addresses = make(draw, per_family, instruction.width)
            active = np.broadcast_to(instruction.lanes > LANES, addresses.shape)
            if family == "partial":
                active = _some_lanes(draw, per_family)
            sources = _mixed(draw, per_family, instruction.width) % SOURCE_BYTES if family == "source" else None
            parts.append(Requests._filled(which, FAMILIES.index(family), addresses, active, sources))
    return Requests.joined(parts)


class _Draw:
    """Random integers whose stream NumPy promises not to change: the raw output of PCG64."""

    def __init__(self, seed: int):
        self._raw = np.random.PCG64(seed).random_raw

    def below(self, limit, shape) -> np.ndarray:
        """Integers from 0 to limit - 1; limit may be an array that broadcasts to the shape."""
        raw = self._raw(int(np.prod(shape))) >> np.uint64(11)
        return (raw.reshape(shape) % np.asarray(limit, np.uint64)).astype(np.int64)


def _random(draw: _Draw, count: int, width: int) -> np.ndarray:
    lines = 1 << draw.below(7, (count, 1))
    return draw.below(lines * (128 // width), (count, WARP_LANES)) * width


def _strided(draw: _Draw, count: int, width: int) -> np.ndarray:
    stride = draw.below(1024 // width + 1, (count, 1))
    start = draw.below(64, (count, 1))
    return (start + LANES * stride) * width


def _swizzled(draw: _Draw, count: int, width: int) -> np.ndarray:
    """Lanes on a block of a row-major tile, under a random swizzle that leaves vectors whole."""
    pitch = 16 << draw.below(6, (count, 1))
    across = np.minimum(1 << draw.below(6, (count, 1)), pitch // width)
    by_rows = draw.below(2, (count, 1)) == 1
    row, col = np.where(by_rows, LANES // across, LANES % (32 // across.clip(max=32))), 0
    col = np.where(by_rows, LANES % across, LANES // (32 // across.clip(max=32)))
    first = draw.below(pitch // width, (count, 1))
    plain = row * pitch + (first + col) * width % pitch
    bits, base, extra = draw.below(6, count), draw.below(3, count) + width.bit_length() - 1, draw.below(4, count)
    swizzles = map(Swizzle, bits.tolist(), base.tolist(), (bits + extra).tolist())
    return np.stack([swizzle(addresses) for swizzle, addresses in zip(swizzles, plain)])


def _broadcast(draw: _Draw, count: int, width: int) -> np.ndarray:
    """Few addresses, each wanted by many lanes: in runs, in turns, or at random."""
    groups = 1 << draw.below(5, (count, 1))
    shared = draw.below(4096 // width, (count, 16)) * width
    pattern = draw.below(3, (count, 1))
    chosen = np.where(pattern == 0, LANES * groups // 32, LANES % groups)
    chosen = np.where(pattern == 2, draw.below(groups, (count, WARP_LANES)), chosen)
    return np.take_along_axis(shared, chosen, axis=1)


def _pairs(draw: _Draw, count: int, width: int) -> np.ndarray:
    """Lanes l and l xor step on one address; the step may be another in the upper half, and one lane astray."""
    steps = np.array([1, 2, 1, 2, 3, 4, 8, 16])
    lower = steps[draw.below(len(steps), (count, 1))]
    upper = np.where(draw.below(3, (count, 1)) > 0, lower, steps[draw.below(4, (count, 1))])
    step = np.where(LANES < 16, lower, upper)
    free = _random(draw, count, width)
    paired = np.take_along_axis(free, np.minimum(LANES, LANES ^ step), axis=1)
    astray = (draw.below(4, (count, 1)) == 0) & (draw.below(WARP_LANES, (count, 1)) == LANES)
    return np.where(astray, draw.below(128 // width, (count, 1)) * width, paired)


def _mixed(draw: _Draw, count: int, width: int) -> np.ndarray:
    kinds = [make(draw, count, width) for make in (_random, _strided, _swizzled, _broadcast, _pairs)]
    return np.stack(kinds)[draw.below(len(kinds), count), np.arange(count)]


_FAMILIES = {
    "random": _random, "strided": _strided, "swizzled": _swizzled, "broadcast": _broadcast, "pairs": _pairs,
    "partial": _mixed, "source": _mixed,
}  # fmt: skip


def _some_lanes(draw: _Draw, count: int) -> np.ndarray:
    """Masks: the first lanes, every so-manieth lane, whole groups of eight, or lanes at random; never none."""
    style = draw.below(4, (count, 1))
    first = draw.below(31, (count, 1)) >= LANES
    every = LANES % (draw.below(4, (count, 1)) + 2) == 0
    eights = np.repeat(draw.below(2, (count, 4)) == 1, 8, axis=1)
    some = draw.below(8, (count, WARP_LANES)) < draw.below(8, (count, 1)) + 1
    active = np.select([style == 0, style == 1, style == 2], [first, every, eights], some)
    active[~active.any(axis=1), 0] = True
    return active


# Those that the texts on swizzles name, in bytes, and what none, one granule more and one less do.
_SWIZZLES = ((1, 4, 3), (2, 4, 3), (3, 4, 3), (3, 4, 4), (3, 3, 3), (3, 5, 3), (4, 3, 4), (5, 2, 5))


def tile_requests() -> Requests:
    """Return the rows, columns and matrices of common tiles: plain, padded and under known swizzles."""
    parts = []
    for tile in _tiles():
        for access in _accesses(tile):
            if not access.refusal:
                parts.append(Requests.of_access(access, "tile"))
    return Requests.joined(parts).distinct()


def _tiles():
    for dtype, bytes_each in (("f16", 2), ("f32", 4)):
        for rows in (8, 32):
            for row_bytes in (32, 64, 128, 256):
                plain = Tile(rows, row_bytes // bytes_each, dtype)
                yield plain
                yield plain.padded(4 // bytes_each)
                yield plain.padded(16 // bytes_each)
                for fields in _SWIZZLES:
                    yield plain.with_swizzle(Swizzle(*fields), "byte")


def _accesses(tile: Tile):
    element = tile.element_bits // 8
    middle = tile.cols // 2
    yield Access.row(tile, 1)
    for col in (0, middle):
        for width in {element, 4, 8, 16}:
            for kind in ("load", "store"):
                yield from _legal(Access.column, tile, col, width=width, kind=kind)
        for make in (Access.ldmatrix, Access.stmatrix):
            for num in (1, 2, 4):
                yield from _legal(make, tile, 0, col, num=num)
    yield from _legal(Access.ldmatrix, tile, 0, middle, num=4, trans=True)
    yield from _legal(Access.cp_async, tile)


def _legal(make, *arguments, **options):
    """The access, unless the tile is too small for it or the padding misaligns it."""
    try:
        yield make(*arguments, **options)
    except ValueError:
        return


def copy_requests() -> dict:
    """Return named requests of cp.async that show what its cost depends on, one each."""
    row, chunk = LANES // 8, LANES % 8 * 16
    sixteen = {
        "16 B: one dense row": LANES * 16,
        "16 B: 128-byte rows, Sw<3,4,3>": Swizzle(3, 4, 3)(row * 128 + chunk),
        "16 B: 128-byte rows padded to 144": row * 144 + chunk,
        "16 B: a column of 128-byte rows": LANES * 128,
        "16 B: a column of 144-byte rows": LANES * 144,
    }
    four = {
        "4 B: dense to dense": LANES * 4,
        "4 B: every fourth word to dense": LANES * 16,
        "4 B: one word for all": LANES * 0,
    }
    found = {
        f"{cache}, {name}": Requests.of(f"cp.async.{cache}.16", addresses, family="notebook")
        for name, addresses in sixteen.items()
        for cache in ("ca", "cg")
    }
    return found | {
        f"ca, {name}": Requests.of("cp.async.ca.4", LANES * 4, sources=sources, family="notebook")
        for name, sources in four.items()
    }


def question_requests(path: Path) -> Requests:
    """Return the requests of the public questions in a JSON file, one each, without those whose vectors are cut.

    Parameters
    ----------
    path : path
        tests/data/questions.json of the repository.
    """
    parts = []
    for case in json.loads(Path(path).read_text(encoding="utf-8")):
        if not case["vector_stays_contiguous"]:
            continue
        offsets = np.array(case["element_offset_before_swizzle"], np.int64) * case["element_bits"]
        if case["swizzle"]:
            fields, unit = (case["swizzle"][name] for name in "bms"), case["swizzle"]["unit_bits"]
            offsets = Swizzle(*fields)(offsets // unit) * unit + offsets % unit
        addresses = np.zeros(WARP_LANES, np.int64)
        addresses[: len(offsets)] = offsets // 8
        name = case["instruction"].split(" ")[0]
        parts.append(Requests.of(name, addresses, len(offsets) > LANES, family="question"))
    return Requests.joined(parts)
