"""The element types: their names, aliases and sizes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

DTYPE_BITS = {
    "f64": 64, "s64": 64, "u64": 64,
    "f32": 32, "tf32": 32, "s32": 32, "u32": 32,
    "f16": 16, "bf16": 16, "s16": 16, "u16": 16,
    "e4m3": 8, "e5m2": 8, "e8m0": 8, "s8": 8, "u8": 8,
    "e2m1": 4, "s4": 4, "u4": 4,
    "b1": 1, "u128": 128,
}  # fmt: skip

DTYPE_ALIASES = {
    "float64": "f64", "fp64": "f64", "double": "f64", "int64": "s64", "i64": "s64", "uint64": "u64",
    "float32": "f32", "fp32": "f32", "float": "f32", "int32": "s32", "i32": "s32", "int": "s32", "uint32": "u32",
    "tfloat32": "tf32", "float16": "f16", "fp16": "f16", "half": "f16", "bfloat16": "bf16",
    "int16": "s16", "i16": "s16", "uint16": "u16", "int8": "s8", "i8": "s8", "uint8": "u8",
    "f8e4m3": "e4m3", "fp8e4m3": "e4m3", "float8e4m3": "e4m3", "float8e4m3fn": "e4m3", "f8e4m3fn": "e4m3",
    "f8": "e4m3", "fp8": "e4m3", "float8": "e4m3",
    "f8e5m2": "e5m2", "fp8e5m2": "e5m2", "float8e5m2": "e5m2",
    "f4": "e2m1", "fp4": "e2m1", "float4e2m1": "e2m1", "float4e2m1fn": "e2m1", "f4e2m1": "e2m1", "fp4e2m1": "e2m1",
    "i4": "s4", "si4": "s4", "ui4": "u4", "si8": "s8", "ui8": "u8", "si16": "s16", "ui16": "u16", "si32": "s32",
    "ui32": "u32", "ui64": "u64", "si64": "s64", "i1": "b1", "boolean": "b1", "uint1": "b1",
    "uint128": "u128", "int128": "u128", "i128": "u128", "float4": "u128", "float8e8m0fnu": "e8m0", "f8e8m0fnu": "e8m0",
    "ue8m0": "e8m0", "floatue8m0": "e8m0", "float8e8m0": "e8m0",
    # CUDA's and CUTLASS's own: __half, nv_bfloat16, float_e4m3_t, int4b_t ...
    "nvbfloat16": "bf16", "bfloat": "bf16", "nvfp8e4m3": "e4m3", "nvfp8e5m2": "e5m2", "nvfp4e2m1": "e2m1",
    "floate4m3": "e4m3", "floate5m2": "e5m2", "floate2m1": "e2m1", "int4b": "s4", "uint4b": "u4", "uint1b": "b1",
    "bin1": "b1", "fp8e4nv": "e4m3", "fp8e5": "e5m2",
}  # fmt: skip

# Element types that no power of two bits hold, as they are named without their decoration.
ODD_DTYPES = {"e3m2": 6, "e2m3": 6}

# CuTe's smem_ptr[16b] says the size and not the type.
SIZE_DTYPES = {1: "b1", 4: "u4", 8: "u8", 16: "u16", 32: "u32", 64: "u64", 128: "u128"}


def dtype_name(dtype: Any) -> str:
    """Return the short name of a dtype: "f16" for "half", "cute::half_t", torch.float16, cutlass.Float16 ...

    Parameters
    ----------
    dtype : str or object
        A name, or a dtype of numpy, torch, CUTLASS or another library: anything that names itself.

    Raises
    ------
    ValueError
        If the dtype is unknown, its name means two types, or no power of two bits hold it.
    """
    if isinstance(dtype, str) and dtype in DTYPE_BITS:
        return dtype
    # Python's own int and float mean 64 bits, as in numpy; as words they are C's.
    is_text = isinstance(dtype, str)
    dtype = np.dtype(dtype) if not is_text and dtype in (int, float) else dtype
    text = str(dtype) if is_text else _named(dtype)
    plain = _plain(text)
    if plain in ("int4", "uint4"):
        # A library's own int4 has four bits, and so has CuTe's int4_t; the word alone is CUDA's vector as well.
        if is_text and re.fullmatch(r"u?int4", text.strip()):
            four = "s4" if plain == "int4" else "u4"
            raise ValueError(
                f'dtype {text!r} means two types: say "{four}" (4 bits) or "u128" (CUDA\'s vector of four ints)'
            )
        plain = "s4" if plain == "int4" else "u4"
    name = DTYPE_ALIASES.get(plain, plain)
    if name in DTYPE_BITS:
        return name
    odd = next((bits for odd, bits in ODD_DTYPES.items() if odd in plain), None)
    if odd:
        raise ValueError(
            f"dtype {text!r} has {odd} bits, no power of two: its elements straddle words, so that an element has no "
            "single bank; take the unit that is moved, such as u8 where each lies in a byte of its own"
        )
    raise ValueError(f"dtype {text!r} is not known: it must be one of {', '.join(DTYPE_BITS)}, or an alias of one")


def _named(dtype) -> str:
    name = getattr(dtype, "__name__", None) or getattr(dtype, "name", None)
    return name if isinstance(name, str) else str(dtype)


def _plain(text: str) -> str:
    """A name in lower case without its library and its decoration: "half" for "cute::half_t"."""
    name = re.sub(r"(?:_t|_unpacksmem)+$", "", text.strip().replace("::", ".").rpartition(".")[2].lower())
    return name.replace("_", "").replace("-", "")
