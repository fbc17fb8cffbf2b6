"""The counters of Nsight Compute that are recorded, and what each is called here."""

from __future__ import annotations

_PIPE = "l1tex__data_pipe_lsu_wavefronts_mem_shared"

# What each counter is called here. "pipe" reads one more for every load or store; "instructions" counts cp.async
# too, but does not know that loads share phases.
COUNTERS = {
    "loads": f"{_PIPE}_op_ld.sum",
    "stores": f"{_PIPE}_op_st.sum",
    "pipe": f"{_PIPE}.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "instructions": "sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
}

GMMA_COUNTERS = {
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum",
}

# One warp and one atomic a launch. f32 additions are loops of ordinary loads and compare-and-swap: "loads" and
# "instructions" show it.
ATOMIC_COUNTERS = {
    "wavefronts": f"{_PIPE}_op_atom.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "sass": "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "loads": f"{_PIPE}_op_ld.sum",
    "instructions": "sm__sass_inst_executed_op_shared_atom.sum",
}
