"""Texts that are layouts, and what they mean: as asked, as printed, as a corpus."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from swizzle_widgets import Layout, Swizzle, Tile, gmma_atom, tile_to_shape

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "texts.json").read_text())


def checksum(addresses) -> int:
    """The sum of (k + 1) times the k-th address, rows first, modulo 2^31 - 1."""
    flat, prime = np.asarray(addresses).ravel(), 2**31 - 1
    # Each product has fewer than 63 bits, and so has the sum of what is left of them.
    assert flat.size * int(flat.max(initial=1)) < 2**63
    return int(np.sum(np.arange(1, flat.size + 1) * flat % prime) % prime)


ATOM = Tile(8, 64, "f16", swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
AT_1152 = Tile(8, 64, "f16", base_address=0x480, swizzle=Swizzle(3, 4, 3), unit="byte", anchor="address")
TILED = tile_to_shape(gmma_atom("f16"), 128, 64)
COMPOSED = Tile(8, 64, "f16", swizzle=Swizzle(3, 3, 3), unit="element")

# What CuTe C++ 4.2 and CuTe DSL 4.8 print, and the tile that it is.
PRINTED = [
    ("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", ATOM),
    ("Sw<3,4,3>_smem_ptr[16b](0x7fff21c07400) o (_8,_64):(_64,_1)", ATOM),
    ("tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>", ATOM),
    ("Sw<3,4,3>_smem_ptr[16b](0x480) o (_8,_64):(_64,_1)", AT_1152),
    ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", COMPOSED),
    ("Sw<3,3,3> o _0 o (8,64):(64,1)", COMPOSED),
    ("smem_ptr[16b](0x7fff21c07400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", COMPOSED),
    ("tensor<ptr<f16, smem, align<1024>> o S<3,3,3> o 0 o (8,64):(64,1)>", COMPOSED),
    ("(_128,_64):(_64,_1)", Tile(128, 64, "f16")),
    ("smem_ptr[16b](0x400) o (_128,_64):(_64,_1)", Tile(128, 64, "f16", base_address=0x400)),
    ("((2,_4),8):((_1,16),2)", Tile.of_layout(Layout(((2, 4), 8), ((1, 16), 2)), "f16")),
    ("Sw<0,4,3> o smem_ptr[16b](unset) o (_8,_8):(_8,_1)", gmma_atom("f16", "K", "none")),
    ("Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))", TILED),
]  # fmt: skip


# (text, bits of an element, rows, columns, checksum) as CuTe C++ prints and places them.
CPP = [line.split("\t") for line in (DATA / "texts" / "cute_cpp.txt").read_text().splitlines()]

CORPUS = [case[0] for case in CPP] + [
    "S<3,4,3> o 0 o (64,64):(64,1)",
    "tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>",
    "tensor<ptr<f16, smem, align<1024>> o S<3,3,3> o 0 o (8,64):(64,1)>",
    '!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64):(64,1)">',
    '!cute.layout<"((8,16),64):((64,512),1)">',
    "smem_ptr[16b](0x0) o Sw<3,3,3> o M_0|(16&48)=16 o (_16,_16):(_64,_1)",
    "smem_ptr[16b](0x1f80) o (_64,_64):(_-64,_1)",
    "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1),(_1,_3)):((_64,_512),(_1,_0),(_0,_8192))",
    "((_8,_1),_4,_2):((_1,_0),_2048,_16)",
]

SW128 = "Sw<3,4,3> o smem_ptr[16b](unset) o "
# What partition_A and partition_B of CuTe C++ 4.2 print for a 128x64 f16 tile.
PARTITIONS = [
    "((_64,_16),_2,_4,(_1,_3)):((_64,_1),_4096,_16,(_0,_8192))",
    "((_128,_16),_1,_4,(_1,_3)):((_64,_1),_0,_16,(_0,_8192))",
    "((_128,_16),_1,_4):((_64,_1),_0,_16)",
]
MN_PARTITIONS = [
    "((_64,(_8,_2)),_2,_4,(_1,_3)):((_1,(_64,_1024)),_512,_2048,(_0,_8192))",
    "(((_64,_2),(_8,_2)),_1,_4,(_1,_3)):(((_1,_512),(_64,_1024)),_0,_2048,(_0,_8192))",
]
