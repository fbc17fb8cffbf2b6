"""The rules and numbers of the hardware, all of them, and where each was measured or is stated.

The rules were read off an NVIDIA H200 with Nsight Compute and fit every one of several
thousand launches (notebook 10 shows how):

1. A request is served in phases: 32 lanes at once for accesses of 1, 2 and 4 bytes, 16 lanes
   for 8 bytes, 8 lanes for 16 bytes. ldmatrix and stmatrix are 16-byte accesses by their row
   addresses. A phase without an active lane costs nothing.
2. In a phase, each bank delivers one 4-byte word per wavefront. Lanes that want the same word
   share it. So a phase takes as many wavefronts as one bank has distinct words to deliver.
3. Loads of 8 and 16 bytes: if all pairs of lanes (i, i xor 1), or all pairs (i, i xor 2), have
   equal addresses over the whole warp, two neighboring phases are served as one. A lane whose
   partner is inactive counts as agreeing. Stores, ldmatrix and stmatrix never merge.
4. The ideal is one wavefront a phase; conflicts are the wavefronts beyond it.
"""

from __future__ import annotations

BANKS = 32
WORD_BYTES = 4
LINE_BYTES = BANKS * WORD_BYTES
WARP_LANES = 32
# The most shared memory one block can have on sm_90 (CUDA's programming guide).
SHARED_BYTES = 227 * 1024

KINDS = ("load", "store", "ldmatrix", "stmatrix")
PHASE_LANES = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}
MATRIX_WIDTH = 16
# ldmatrix.x1, .x2 and .x4 take their row addresses from the first 8, 16 and 32 lanes.
MATRIX_LANES = (8, 16, 32)
MERGE_PARTNERS = (1, 2)

# cp.async copies 4, 8 or 16 bytes a lane (PTX: cp.async).
CP_ASYNC_WIDTHS = (4, 8, 16)

# What TMA and WGMMA permute, and the limits of a box (CUDA driver API: cuTensorMapEncodeTiled).
GRANULE_BYTES = 16
BOX_LIMIT = 256
TMA_ALIGNMENT = 128
