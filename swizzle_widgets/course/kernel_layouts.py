"""Shared-memory layouts of real kernels: what their sources print, and the accesses that they are made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..model.access import Access
from ..model.atoms import tile_to_shape
from ..model.tile import Tile

CUTLASS = "https://github.com/NVIDIA/cutlass/blob/main/"
SM80 = CUTLASS + "test/unit/gemm/device/default_gemm_configuration.hpp"
GMMA = CUTLASS + "include/cute/atom/mma_traits_sm90_gmma.hpp"
FLASH = "https://github.com/Dao-AILab/flash-attention/blob/main/csrc/flash_attn/src/kernel_traits.h"
TRANSPOSE = "https://developer.nvidia.com/blog/efficient-matrix-transpose-cuda-cc/"

LANES = range(32)
COPY: dict[str, Any] = {"pattern": "cp_async"}
LDMATRIX: dict[str, Any] = {"pattern": "ldmatrix"}
TRANSPOSED: dict[str, Any] = {"pattern": "ldmatrix", "trans": True}


def _at(rows, cols, name: str, width: int | None = None, kind: str = "load") -> dict[str, Any]:
    return {"pattern": "at", "rows": list(rows), "cols": list(cols), "width": width, "kind": kind, "name": name}


# mma.m16n8k8 takes A in registers: lane l holds row l / 4 and column l % 4 (PTX).
FRAGMENT = _at((lane // 4 for lane in LANES), (lane % 4 for lane in LANES), "A fragment of mma.m16n8k8")


@dataclass(frozen=True)
class KernelLayout:
    """A layout from a kernel's source.

    Attributes
    ----------
    name : str
    source, url : str
        The name in the source, and where it stands.
    atom : str
        What CuTe prints for the repeated part.
    dtype : str
    rows, cols : int
        The tile that the atom is repeated over.
    patterns : tuple of dict
        What the kernel does with it, as `Access.from_spec` takes it.
    """

    name: str
    source: str
    url: str
    atom: str
    dtype: str
    rows: int
    cols: int
    patterns: tuple[dict[str, Any], ...]

    @property
    def tile(self) -> Tile:
        """The atom repeated over rows x cols."""
        atom = Tile.from_cute(self.atom, self.dtype)
        whole = (atom.rows, atom.cols) == (self.rows, self.cols)
        return atom if whole else tile_to_shape(atom, self.rows, self.cols)

    @property
    def accesses(self) -> tuple[Access, ...]:
        """The patterns on the tile."""
        return tuple(Access.from_spec(self.tile, pattern) for pattern in self.patterns)


KERNEL_LAYOUTS = (
    KernelLayout(
        "SM80 half, K-major, K = 64", "DefaultGemm_TensorOpSm80_OperandA<half_t, RowMajor, 8, 64>", SM80,
        "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "f16", 128, 64, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM80 half, K-major, K = 32", "DefaultGemm_TensorOpSm80_OperandA<half_t, RowMajor, 8, 32>", SM80,
        "Sw<2,3,3> o _0 o (_8,_32):(_32,_1)", "f16", 128, 32, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM80 half, M-major", "DefaultGemm_TensorOpSm80_OperandA<half_t, ColumnMajor, 8, 64>", SM80,
        "Sw<3,3,3> o _0 o (_64,_8):(_1,_64)", "f16", 128, 64, (COPY, TRANSPOSED),
    ),
    KernelLayout(
        "SM80 tf32, K-major, K = 32", "DefaultGemm_TensorOpSm80_OperandA<tfloat32_t, RowMajor, 4, 32>", SM80,
        "Sw<3,2,3> o _0 o (_8,_32):(_32,_1)", "tf32", 128, 32, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM80 tf32, K-major, K = 16", "DefaultGemm_TensorOpSm80_OperandA<tfloat32_t, RowMajor, 4, 16>", SM80,
        "Sw<2,2,3> o _0 o (_8,_16):(_16,_1)", "tf32", 128, 16, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM80 tf32, M-major", "DefaultGemm_TensorOpSm80_OperandA<tfloat32_t, ColumnMajor, 4, 32>", SM80,
        "Sw<3,2,3> o _0 o (_32,_8):(_1,_32)", "tf32", 128, 32, (COPY, FRAGMENT),
    ),
    KernelLayout(
        "SM80 int8, K-major", "DefaultGemmConfigurationToCutlass3Types<Sm80, int8_t>::SmemLayoutAtomA", SM80,
        "Sw<2,4,3> o _0 o (_16,_64):(_64,_1)", "s8", 128, 64, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SIMT float, padded", "DefaultGemm_Simt_OperandA<float, RowMajor, 256, 128, 8>", SM80,
        "(_128,_8):(_1,_132)", "f32", 128, 8,
        (_at((lane // 8 for lane in LANES), (lane % 8 for lane in LANES), "rows of 8 from global memory", kind="store"),
         _at((lane % 16 for lane in LANES), (0 for _ in LANES), "16 rows of one k")),
    ),
    KernelLayout(
        "SM90 half, K-major", "GMMA::Layout_K_SW128_Atom<half_t>", GMMA,
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "f16", 128, 64, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM90 bf16, MN-major", "GMMA::Layout_MN_SW128_Atom<bfloat16_t>", GMMA,
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_8):(_1,_64)", "bf16", 128, 64, (COPY, TRANSPOSED),
    ),
    KernelLayout(
        "SM90 tf32, K-major", "GMMA::Layout_K_SW128_Atom<tfloat32_t>", GMMA,
        "Sw<3,4,3> o smem_ptr[32b](unset) o (_8,_32):(_32,_1)", "tf32", 128, 64, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM90 fp8, K-major", "GMMA::Layout_K_SW128_Atom<float_e4m3_t>", GMMA,
        "Sw<3,4,3> o smem_ptr[8b](unset) o (_8,_128):(_128,_1)", "e4m3", 128, 128, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "SM90 half without a swizzle", "GMMA::Layout_K_INTER_Atom<half_t>", GMMA,
        "Sw<0,4,3> o smem_ptr[16b](unset) o (_8,_8):(_8,_1)", "f16", 64, 64, (COPY, LDMATRIX),
    ),
    KernelLayout(
        "FlashAttention-2, head dimension 128", "Flash_fwd_kernel_traits<128, ...>::SmemLayoutKV", FLASH,
        "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "f16", 64, 128,
        (_at((lane // 8 for lane in LANES), (lane % 8 * 8 for lane in LANES), "8 lanes a row", 16, "store"),
         LDMATRIX, TRANSPOSED),
    ),
    KernelLayout(
        "FlashAttention-2, head dimension 96", "Flash_fwd_kernel_traits<96, ...>::SmemLayoutKV", FLASH,
        "Sw<2,3,3> o _0 o (_8,_32):(_32,_1)", "f16", 64, 96,
        (_at((lane // 4 for lane in LANES), (lane % 4 * 8 for lane in LANES), "4 lanes a row", 16, "store"),
         LDMATRIX, TRANSPOSED),
    ),
    KernelLayout(
        "Matrix transpose, padded", "transposeNoBankConflicts: float tile[32][33]", TRANSPOSE,
        "(_32,_32):(_33,_1)", "f32", 32, 32, ({"pattern": "row", "kind": "store"}, {"pattern": "column"}),
    ),
)  # fmt: skip
