"""The browser's model against Python's: the same cases, and equal answers and refusals, to the letter."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from swizzle_widgets import Access, Swizzle, Tile, bank_report, bank_reports
from swizzle_widgets.model.hardware import KIND_WIDTHS, KINDS, SHARED_BYTES
from swizzle_widgets.widgets.element import opening_offset
from swizzle_widgets.widgets.wire import tile_spec
from tests.support.random_cases import random_spec, random_swizzle, random_tile
from tests.support.strategies import LEGAL, MEMORY

LANES = np.arange(32)


def attempt(make) -> dict:
    try:
        return make()
    except ValueError as error:
        return {"error": str(error)}


def agree(cases, ours, theirs) -> None:
    """Compare case by case, so that a difference shows its case and not a hundred thousand others."""
    assert len(cases) == len(ours) == len(theirs)
    for case, our, their in zip(cases, ours, theirs):
        assert their == our, f"JavaScript (left) and Python (right) differ on {case}"


# --- Swizzle -----------------------------------------------------------------------------------


def test_every_legal_swizzle(engine):
    anywhere = np.random.default_rng(1).integers(0, 1 << 31, 1 << 12)
    offsets = np.concatenate([np.arange(1 << 12), anywhere])
    maps = engine.answer(
        "({ legal, offsets }) => legal.map((fields) => offsets.map(new Swizzle(...fields).map()))",
        {"legal": LEGAL, "offsets": offsets.tolist()},
    )
    assert len(maps) == 354
    for fields, swizzled in zip(LEGAL, maps):
        assert np.array_equal(swizzled, Swizzle(*fields)(offsets)), fields


def test_fields_of_every_legal_swizzle(engine):
    def described(fields):
        swizzle = Swizzle(*fields)
        return [str(swizzle), swizzle.source_base, swizzle.target_base, swizzle.period]

    theirs = engine.answer(
        """(legal) => legal.map((fields) => {
          const swizzle = new Swizzle(...fields);
          return [`${swizzle}`, swizzle.sourceBase, swizzle.targetBase, swizzle.period];
        })""",
        LEGAL,
    )
    agree(LEGAL, [described(fields) for fields in LEGAL], theirs)


def test_illegal_swizzles_are_refused_in_the_same_words(engine):
    cases = [[b, m, s] for b in range(-2, 12) for m in (-3, 0, 4, 15, 26, 31) for s in range(-17, 18)]
    ours = [attempt(lambda case=case: str(Swizzle(*case))) for case in cases]
    assert sum("error" in our for our in ours if isinstance(our, dict)) > 1000
    theirs = engine.answer("(cases) => cases.map((item) => attempt(() => `${new Swizzle(...item)}`))", cases)
    agree(cases, ours, theirs)


def test_recast(engine):
    units = [1, 4, 8, 16, 32, 64, 128]
    cases = [[fields, old, new] for fields in LEGAL for old in units for new in units]
    ours = [attempt(lambda case=case: str(Swizzle(*case[0]).recast(*case[1:]))) for case in cases]
    theirs = engine.answer(
        """(cases) => cases.map(([fields, from, to]) =>
          attempt(() => `${new Swizzle(...fields).recast(from, to)}`))""",
        cases,
    )
    agree(cases, ours, theirs)


# --- Tiles and accesses ------------------------------------------------------------------------


def swizzled(tile: Tile, fields, unit) -> Tile:
    return tile if fields is None else tile.with_swizzle(Swizzle(*fields), unit)


def phases_of(report) -> list:
    return [
        {
            "lanes": list(phase.lanes),
            "words": [
                [bank, [[word, list(who)] for word, who in words.items()]] for bank, words in phase.words.items()
            ],
        }
        for phase in report.phases
    ]


def described(tile: Tile, spec: dict) -> dict:
    access = Access.from_spec(tile, spec)
    report = access.report(allow_torn=True)
    cell_of = {
        offset: list(divmod(cell, tile.cols)) for cell, offset in enumerate(tile.layout.offsets.ravel().tolist())
    }
    run = 8 * access.width // tile.element_bits
    cells = [
        [cell_of[start + i] for i in range(run) if start + i in cell_of] if start >= 0 else []
        for start in access.starts
    ]
    return {
        "text": str(access), "instruction": access.instruction, "name": access.name, "kind": access.kind,
        "width": access.width, "starts": list(access.starts), "addresses": access.addresses.tolist(),
        "vectors": access.vectors, "torn": list(access.torn_lanes), "reordered": list(access.reordered_lanes),
        "refusal": access.refusal, "cost": [report.cost, report.least, report.excess, report.lines, report.unit],
        "cells": cells, "report": str(report),
        "merged": report.merged, "phases": phases_of(report),
        "served": [sorted([bank, word, list(who)] for bank, (word, who) in turn.items()) for turn in report.served],
        "perBank": report.words_per_bank.sum(axis=0).tolist(),
    }  # fmt: skip


def test_tiles(engine):
    rng = random.Random(2)
    cases = [(random_tile(rng), *random_swizzle(rng)) for _ in range(1500)]

    def ours(tile, fields, unit):
        tile = swizzled(tile, fields, unit)
        return [tile.swizzle_name, tile.order, tile.unit_bits, tile.banks.ravel().tolist(), tile.addresses[-1].tolist()]

    theirs = engine.answer(
        """(cases) => cases.map((item) => attempt(() => {
          const tile = tileOf(item);
          const last = Array.from({ length: tile.cols }, (_, col) => tile.address(tile.rows - 1, col));
          return [tile.swizzleName, tile.order, tile.swizzle ? tile.unitBits : null, [...tile.banks()], last];
        }))""",
        [{"geometry": tile_spec(tile), "swizzle": fields, "unit": unit} for tile, fields, unit in cases],
    )
    answers = [attempt(lambda case=case: ours(*case)) for case in cases]
    assert 100 < sum(isinstance(answer, dict) for answer in answers) < 1000
    agree(cases, answers, theirs)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("rows", 8 * SHARED_BYTES),
        pytest.param("cols", 8 * SHARED_BYTES, marks=pytest.mark.release),
        ("rows", 8 * SHARED_BYTES + 1),
        ("cols", 8 * SHARED_BYTES + 1),
    ],
)
def test_a_tile_of_bits_fills_shared_memory_and_no_more(engine, name, size):
    told = {"rows": 1, "cols": 1, name: size}
    modes = {"rowMode": [[told["rows"], 1]], "colMode": [[told["cols"], 1]]}
    asked = {"geometry": {**tile_spec(Tile(8, 8, "b1")), **told, **modes}, "swizzle": None, "unit": None}
    ours = attempt(lambda: Tile(**told, dtype="b1").rows)
    assert engine.answer("(item) => attempt(() => tileOf(item).rows)", asked) == ours


@pytest.mark.parametrize("count", [1500, pytest.param(20_000, marks=pytest.mark.release)])
def test_accesses(engine, count):
    rng = random.Random(3)
    cases = []
    for _ in range(count):
        tile = random_tile(rng)
        cases.append((tile, *random_swizzle(rng), random_spec(rng, tile)))
    answers = [attempt(lambda case=case: described(swizzled(*case[:3]), case[3])) for case in cases]
    legal = [answer for answer in answers if "error" not in answer]
    # Enough of each sort, or the comparison is empty.
    assert len(legal) > count / 4
    for vectors in ("torn", "reordered"):
        assert sum(answer["vectors"] == vectors for answer in legal) > count / 100, vectors
    assert sum(answer["cost"][4] == "line" for answer in legal) > count / 120
    assert sum(answer["kind"] == "atomic" for answer in legal) > count / 600
    assert sum(answer["merged"] for answer in legal) > count / 300
    assert len({re.sub("[0-9]+", "", answer["error"])[:40] for answer in answers if "error" in answer}) > 15
    theirs = engine.answer(
        "(cases) => cases.map((item) => attempt(() => accessOf(tileOf(item), item.spec)))",
        [
            {"geometry": tile_spec(tile), "swizzle": fields, "unit": unit, "spec": spec}
            for tile, fields, unit, spec in cases
        ],
    )
    agree(cases, answers, theirs)


ASKED_KINDS = {"LDS": "load", "STS": "store", "ldmatrix": "ldmatrix"}
DTYPES = {1: "b1", 8: "u8", 16: "f16", 32: "f32", 64: "f64"}


def test_questions(engine, questions):
    cases, ours = [], []
    for question in questions:
        offsets, bits, swizzle = (question[key] for key in ("element_offset_before_swizzle", "element_bits", "swizzle"))
        width, kind = question["width_bytes"], ASKED_KINDS[question["instruction"].split(".")[0]]
        # The questions give offsets, so any tile that holds them will do.
        tile = Tile(1, max(offsets) + 8 * width // bits, DTYPES[bits])
        fields, unit = ([swizzle["b"], swizzle["m"], swizzle["s"]], swizzle["unit_bits"]) if swizzle else (None, None)
        spec = {"pattern": "offsets", "offsets": offsets, "width": width, "kind": kind, "name": question["id"]}
        cases.append({"geometry": tile_spec(tile), "swizzle": fields, "unit": unit, "spec": spec})
        ours.append(described(swizzled(tile, fields, unit), spec))
    assert len(cases) == 58
    theirs = engine.answer("(cases) => cases.map((item) => accessOf(tileOf(item), item.spec))", cases)
    agree([question["id"] for question in questions], ours, theirs)
    for question, their in zip(questions, theirs):
        wavefronts = sum(max(len(words) for _, words in phase["words"]) for phase in their["phases"])
        assert [wavefronts, len(their["phases"])] == [question["answer"][key] for key in ("wavefronts", "ideal")]
        assert question["vector_stays_contiguous"] == (their["vectors"] == "whole")


# --- Requests ----------------------------------------------------------------------------------


def random_requests(generator: np.random.Generator, count: int, width: int, kind: str):
    """Addresses (count, 32) and active: scattered, crowded, strided; pairs that share; some lanes absent."""
    span = generator.choice([1, 2, 8, 40, 300, MEMORY // width], (count, 1))
    vectors = (generator.random((count, 32)) * span).astype(np.int64)
    strided = generator.random(count) < 0.2
    vectors[strided] = LANES * generator.integers(0, MEMORY // width // 32, (strided.sum(), 1))
    # Pairs (i, i xor 1), (i, i xor 2), both, another pairing in each half, and pairs broken in one lane.
    sharing = generator.integers(0, 7, count)
    for way, (low, high) in enumerate([(1, 1), (2, 2), (3, 3), (1, 2), (2, 2)]):
        rows = sharing == way
        vectors[rows] = vectors[rows][:, np.where(LANES < 16, LANES & ~low, LANES & ~high)]
    broken = np.flatnonzero(sharing == 4)
    vectors[broken, generator.integers(0, 32, len(broken))] = generator.integers(0, MEMORY // width, len(broken))
    active = generator.random((count, 32)) < generator.choice([0.1, 0.5, 0.9, 1, 1], (count, 1))
    if kind.endswith("matrix"):
        active = generator.choice([8, 16, 32], (count, 1)) > LANES
    return vectors * width, active


@pytest.mark.parametrize("requests", [8_000, pytest.param(100_000, marks=pytest.mark.release)])
def test_requests(engine, requests):
    generator = np.random.default_rng(4)
    groups = [(width, kind) for kind in KINDS for width in KIND_WIDTHS[kind]] + [(8, "load"), (16, "load")]
    count, every = -(-requests // len(groups)), 25
    merged = 0
    for width, kind in groups:
        addresses, active = random_requests(generator, count, width, kind)
        masks = (active << LANES).sum(axis=1)
        numbers = np.column_stack([addresses // width, masks]).ravel()
        text = ",".join(map(str, numbers.tolist()))
        theirs = engine.answer("requestsOf", {"width": width, "kind": kind, "every": every, "text": text})
        ours = bank_reports(addresses, width, kind, active)
        expected = np.stack([ours.wavefronts, ours.ideal, ours.conflicts, ours.cost], axis=1)
        costs = np.array(theirs["costs"])
        assert costs.shape == (count, 4)
        differ = np.flatnonzero((costs != expected).any(axis=1))
        assert not len(differ), (width, kind, addresses[differ[0]].tolist(), active[differ[0]].tolist())
        some = range(0, count, every)
        singles = [bank_report(addresses[i], width, kind, active[i]) for i in some]
        answers = [{"text": str(one), "merged": one.merged, "phases": phases_of(one)} for one in singles]
        agree([(addresses[i].tolist(), active[i].tolist()) for i in some], answers, theirs["reports"])
        merged += sum(one.merged for one in singles)
    assert count * len(groups) >= requests
    assert merged > requests / 1000, "rule 3 was hardly exercised"


def test_the_opening_element_of_the_lab(engine):
    rng = random.Random(5)
    cases, ours, moved = [], [], 0
    while len(cases) < 600:
        tile = random_tile(rng)
        fields, unit = random_swizzle(rng)
        spec = random_spec(rng, tile)
        try:
            access = Access.from_spec(swizzled(tile, fields, unit), spec)
        except ValueError:
            continue
        cases.append({"geometry": tile_spec(tile), "swizzle": fields, "unit": unit, "spec": spec})
        ours.append(opening_offset(access) if max(access.starts) >= 0 else None)
        moved += ours[-1] != next((start for start in access.starts if start >= 0), None)
    assert moved > 50, "hardly any case opens beyond the first lane"
    agree(cases, ours, engine.answer("(cases) => cases.map(openingOf)", cases))
