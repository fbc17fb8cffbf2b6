"""The element types: their names, aliases and sizes."""

from __future__ import annotations

import numpy as np

DTYPE_BITS = {
    "f64": 64, "s64": 64, "u64": 64,
    "f32": 32, "tf32": 32, "s32": 32, "u32": 32,
    "f16": 16, "bf16": 16, "s16": 16, "u16": 16,
    "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8,
    "e2m1": 4, "s4": 4, "u4": 4,
    "b1": 1,
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
    "int4": "s4", "i4": "s4", "uint4": "u4",
    # CUTLASS's own: float_e4m3_t, int4b_t ...
    "floate4m3": "e4m3", "floate5m2": "e5m2", "floate2m1": "e2m1", "int4b": "s4", "uint4b": "u4", "uint1b": "b1",
}  # fmt: skip

# CuTe's smem_ptr[16b] says the size and not the type.
SIZE_DTYPES = {1: "b1", 4: "u4", 8: "u8", 16: "u16", 32: "u32", 64: "u64"}


def dtype_name(dtype) -> str:
    """Return the short name of a dtype ("f16" for "half", "float16", numpy.float16 ...).

    Raises
    ------
    ValueError
        If the dtype is unknown.
    """
    # Python's own int and float mean 64 bits, as in numpy; as words they are C's.
    dtype = np.dtype(dtype) if dtype in (int, float) else dtype
    text = dtype if isinstance(dtype, str) else getattr(dtype, "__name__", None) or str(dtype)
    plain = text.lower().replace("_t", "").replace("_", "").replace("-", "").strip()
    name = DTYPE_ALIASES.get(plain, plain)
    if name not in DTYPE_BITS:
        raise ValueError(f"dtype {text!r} is not known: it must be one of {', '.join(DTYPE_BITS)}, or an alias of one")
    return name
