"""The rules and numbers of the hardware, all of them, and where each was measured or is stated.

Measured means: read off an NVIDIA H200 with Nsight Compute, without an exception in several thousand
launches (`swizzle_widgets.measured` holds the record, notebook 10 shows how).

1. A request is served in phases: 32 lanes at once for accesses of 1, 2 and 4 bytes, 16 lanes
   for 8 bytes, 8 lanes for 16 bytes. ldmatrix and stmatrix are 16-byte accesses by their row
   addresses. A phase without an active lane costs nothing. (Measured.)
2. In a phase, each bank delivers one 4-byte word per wavefront. Lanes that want the same word
   share it. So a phase takes as many wavefronts as one bank has distinct words to deliver. (Measured.)
3. Loads of 8 and 16 bytes: if all pairs of lanes (i, i xor 1), or all pairs (i, i xor 2), have
   equal addresses over the whole warp, two neighboring phases are served as one. A lane whose
   partner is inactive counts as agreeing. Stores, copies, ldmatrix and stmatrix never merge. (Measured.)
4. The ideal is one wavefront a phase; conflicts are the wavefronts beyond it. (Measured: the counter
   of bank conflicts reads the same.)
5. cp.async.ca costs as a store of its width whose lanes share no words: two lanes on one word take two
   wavefronts. (Measured, from sources without gaps; other sources cost more, by a rule that is open.)
6. cp.async.cg counts no bank conflict, whatever the destination. Its time grows with the 128-byte lines
   of shared memory that each eight lanes touch. (Measured: conflicts always; the growth with lines, alone on
   the GPU, where lanes of one line are neighbors. When all multiprocessors copy, what counts is whether each pair
   of lanes stays in one aligned run of 32 bytes: L2 delivers a split pair twice. So it orders layouts and
   predicts no cycles.)
7. Atomics of 32 bits (red and atom; add, max and exch were measured): lanes on one word do not share it, so a
   request takes as many wavefronts as one bank has lanes. Compare-and-swap takes twice that, and an addition of
   f32 is a loop around it: neither is modelled. (Measured.)
8. Registers take REGISTER_BYTES a cycle, those of inactive lanes too: no load or store goes faster. (Measured.)
"""

from __future__ import annotations

BANKS = 32
WORD_BYTES = 4
LINE_BYTES = BANKS * WORD_BYTES
WARP_LANES = 32
REGISTER_BYTES = 128
# The most shared memory one block can have on sm_90 (CUDA's programming guide).
SHARED_BYTES = 227 * 1024

PHASE_LANES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}
MATRIX_WIDTH = 16
# The bytes a lane that each instruction takes (PTX: ld, st, ldmatrix, stmatrix, cp.async, red, atom).
KIND_WIDTHS: dict[str, tuple[int, ...]] = {
    "load": (1, 2, 4, 8, 16),
    "store": (1, 2, 4, 8, 16),
    "ldmatrix": (MATRIX_WIDTH,),
    "stmatrix": (MATRIX_WIDTH,),
    "cp.async.ca": (4, 8, 16),
    "cp.async.cg": (16,),
    "atomic": (4,),
}
KINDS = tuple(KIND_WIDTHS)
MATRIX_KINDS = ("ldmatrix", "stmatrix")
# Two lanes on one word take two wavefronts (rules 5 and 7).
UNSHARED_KINDS = ("cp.async.ca", "atomic")
CACHES = ("cg", "ca")
CP_ASYNC_WIDTHS = KIND_WIDTHS["cp.async.ca"]
# A load or store may move the bytes of a vector in any order that the registers can have; these take or give
# them in the order of another place, of global memory or of a matrix's row.
ORDERED_KINDS = (*MATRIX_KINDS, "cp.async.ca", "cp.async.cg")
# ldmatrix and stmatrix move elements of this size; wider and narrower ones come in halves or groups (PTX).
MATRIX_ELEMENT_BITS = 16
# ldmatrix.x1, .x2 and .x4 take their row addresses from the first 8, 16 and 32 lanes (PTX).
MATRIX_LANES = (8, 16, 32)
MERGE_PARTNERS = (1, 2)

# What TMA and WGMMA permute, and the limits of a box (CUDA driver API: cuTensorMapEncodeTiled).
GRANULE_BYTES = 16
BOX_LIMIT = 256
TMA_ALIGNMENT = 128
# The element types of WGMMA's operands in shared memory, and which dimension may be contiguous there: MN-major
# needs a transposition, which only 16-bit types have (PTX: wgmma.mma_async, matrix descriptor).
WGMMA_MAJORS: dict[str, tuple[str, ...]] = {
    "f16": ("K", "MN"), "bf16": ("K", "MN"), "tf32": ("K",), "e4m3": ("K",), "e5m2": ("K",), "s8": ("K",), "u8": ("K",),
    "b1": ("K",),
}  # fmt: skip
# The operands whose products were compared with exact ones, at bases whose descriptor has offset 0 (notebook 10).
WGMMA_MEASURED = {"f16": ("K",)}
# An MMA takes 32 bytes of K at once (64 of a sparse operand), and 8 to 256 rows (PTX: wgmma.mma_async).
MMA_COLUMN_BITS, MMA_ROWS = (256, 512), (8, 256)
# WGMMA reads an operand in groups of eight lines (PTX: core matrices).
WGMMA_LINES = 8
# The descriptor's base offset is bits 7 to 9 of the address where a pattern does not begin at a multiple of its
# repeat (PTX: matrix descriptor; not measured).
BASE_OFFSET_BYTES, BASE_OFFSETS = 128, 8
