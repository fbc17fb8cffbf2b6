"""Requests to measure: an instruction, 32 byte addresses and who takes part, in arrays of many."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..model.access import Access
from ..model.banks import bank_reports
from ..model.hardware import LINE_BYTES, MATRIX_LANES, MERGE_PARTNERS, WARP_LANES
from ..model.reports import BankReports

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
    def of(
        cls, instruction: str, addresses: Any, active: Any = None, sources: Any = None, family: str = "own"
    ) -> Requests:
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
    def joined(cls, parts: Iterable[Requests]) -> Requests:
        """Return all requests of several sets, in order."""
        parts = list(parts)
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.instruction)

    def __getitem__(self, chosen: Any) -> Requests:
        """Return the requests that a slice, a mask or an index array chooses."""
        return Requests(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def by_instruction(self) -> Iterator[tuple[Instruction, np.ndarray]]:
        """Yield (Instruction, indices of its requests) for every instruction present."""
        for which in np.unique(self.instruction):
            yield INSTRUCTIONS[which], np.flatnonzero(self.instruction == which)

    def where(self, instruction: str, families: Iterable[str] = FAMILIES) -> np.ndarray:
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
