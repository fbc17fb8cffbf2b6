"""The layout on the command line: its text, and what the text does not say."""

from __future__ import annotations

import argparse
import re
import sys

from ..model.access_names import sizes
from ..model.texts.tiles import cute_stages
from ..model.texts.triton import triton_stages
from ..model.tile import ANCHORS, Tile

MAKERS = ("cute", "triton")
_TRITON = re.compile(r"#?ttg\.|swizzled_shared|padded_shared|nvmma_shared|#shared")


def add_text_arguments(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Add the text of a layout and the options that complete it; not required, the text is an option."""
    if required:
        parser.add_argument(
            "text", nargs="?", metavar="LAYOUT", help="what was printed; left out, it is read from a pipe"
        )
    else:
        parser.add_argument("--layout", dest="text", metavar="TEXT", help="a layout, for what the model says beside it")
    parser.add_argument("--dtype", help="f16, tf32, e4m3 ...; may be left out where the text says it")
    parser.add_argument("--from", dest="maker", choices=MAKERS, help="who printed it, if the text does not show")
    parser.add_argument("--shape", help="rows x columns of the tensor, for Triton: 64x64, or 4x64x64 with stages")
    parser.add_argument("--unit", help="what the swizzle counts: element, byte, or a size in bits")
    parser.add_argument("--anchor", choices=ANCHORS, help="whether the swizzle permutes offsets or addresses")
    parser.add_argument("--stage", type=int, help="which stage of a pipeline")
    parser.add_argument("--partition", help="what the modes are: mma for (MMA, MMA_M, MMA_K)")
    parser.add_argument("--base-address", type=int, help="the tile's byte address in shared memory")


def tile_of(given: argparse.Namespace) -> Tile:
    """Return the tile that the arguments describe; a text from a pipe is kept in `given`.

    Raises
    ------
    ValueError
        If there is no text, or it was not understood.
    """
    if given.text is None:
        given.text = _piped()
    text = given.text
    if (given.maker or _maker(text)) == "triton":
        _refuse(given, ("unit", "anchor", "partition", "base_address"), "a Triton layout says it itself")
        shape = _shape(given)
        return Tile.from_triton(text, shape, given.dtype, stage=given.stage or 0)
    _refuse(given, ("shape",), "a CuTe layout has its shape")
    names = ("stage", "partition", "anchor", "base_address")
    options = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    if given.unit is not None:
        options["unit"] = int(given.unit) if given.unit.isdecimal() else given.unit
    return Tile.from_cute(text, given.dtype, **options)


def stage_of(given: argparse.Namespace) -> tuple[int, int] | None:
    """Return which stage `tile_of` took and how many there are; None where there is one."""
    if (given.maker or _maker(given.text)) == "triton":
        count = triton_stages(given.text, _shape(given))
    else:
        count = cute_stages(given.text, given.partition)
    return (given.stage or 0, count) if count > 1 else None


def _shape(given: argparse.Namespace) -> tuple[int, ...] | None:
    return sizes("shape", given.shape, 3) if given.shape else None


def _piped() -> str:
    if sys.stdin.isatty():
        raise ValueError("give a layout, such as '(_8,_64):(_64,_1)' --dtype f16, or pipe one in")
    text = sys.stdin.read().strip()
    if not text:
        raise ValueError("standard input was empty: pipe in what CuTe or Triton printed")
    return text


def _maker(text: str) -> str:
    return "triton" if _TRITON.search(text) else "cute"


def _refuse(given: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    for name in names:
        if getattr(given, name) is not None:
            raise ValueError(f"--{name.replace('_', '-')} {getattr(given, name)}: {why}")
