"""Writing layouts as CuTe prints them, and the C++ and DSL code that makes them."""

from __future__ import annotations

from typing import Any

from ..swizzle import Swizzle

DSL_DTYPES = {
    "f64": "Float64", "f32": "Float32", "tf32": "TFloat32", "f16": "Float16", "bf16": "BFloat16",
    "e4m3": "Float8E4M3FN", "e5m2": "Float8E5M2", "e8m0": "Float8E8M0FNU", "e2m1": "Float4E2M1FN", "b1": "Boolean",
    "s64": "Int64", "s32": "Int32", "s16": "Int16", "s8": "Int8", "s4": "Int4", "u128": "Int128",
    "u64": "Uint64", "u32": "Uint32", "u16": "Uint16", "u8": "Uint8", "u4": "Int4",
}  # fmt: skip


def layout_text(shape: Any, stride: Any, static: bool = True) -> str:
    """Return shape:stride as C++ prints static numbers, `(_8,_64):(_64,_1)`, or with plain ones."""
    return f"{_spelled(shape, static)}:{_spelled(stride, static)}"


def _spelled(value, static: bool) -> str:
    if isinstance(value, int):
        return f"_{value}" if static else str(value)
    return f"({','.join(_spelled(item, static) for item in value)})"


def cpp_code(shape: Any, stride: Any, swizzle: Swizzle | None = None, pointer_bits: int | None = None) -> str:
    """Return the C++ expression of a static layout under a swizzle.

    Parameters
    ----------
    shape, stride : int or nested tuple of int
    swizzle : Swizzle, optional
        Counted in elements, or in bytes with `pointer_bits`.
    pointer_bits : int, optional
        The size of an element in bits, for a swizzle of the pointer's address: TMA and WGMMA take no other.
    """
    layout = f"Layout<{_template('Shape', shape)}, {_template('Stride', stride)}>"
    if swizzle is None:
        return layout + "{}"
    spelled = f"Swizzle<{swizzle.bits}, {swizzle.base}, {swizzle.shift}>"
    if pointer_bits is None:
        return f"composition({spelled}{{}}, {layout}{{}})"
    return f"ComposedLayout<{spelled}, smem_ptr_flag_bits<{pointer_bits}>, {layout}>{{}}"


def _template(name: str, value) -> str:
    if isinstance(value, int):
        return f"Int<{value}>"
    return f"{name}<{', '.join(_template(name, item) for item in value)}>"


def dsl_code(shape: Any, stride: Any, swizzle: Swizzle | None = None, pointer_dtype: str | None = None) -> str:
    """Return the CuTe DSL expression of a layout under a swizzle.

    Parameters
    ----------
    shape, stride : int or nested tuple of int
    swizzle : Swizzle, optional
        Counted in elements, or in bytes with `pointer_dtype`.
    pointer_dtype : str, optional
        The dtype of a tensor whose pointer carries the swizzle.
    """
    layout = f"cute.make_layout({shape!r}, stride={stride!r})"
    if swizzle is None:
        return layout
    made = f"cute.make_swizzle({swizzle.bits}, {swizzle.base}, {swizzle.shift})"
    if pointer_dtype is None:
        return f"cute.make_composed_layout({made}, 0, {layout})"
    element = f"cutlass.{DSL_DTYPES[pointer_dtype]}"
    return f"smem.allocate_tensor({element}, {layout}, byte_alignment={swizzle.period}, swizzle={made})"
