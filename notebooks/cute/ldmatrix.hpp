// cp.async into a swizzled tile and ldmatrix out of it: the layout says where a granule of 16 bytes lies.
#pragma once
#include "tensor.hpp"
#include <cute/arch/copy_sm75.hpp>
#include <cute/arch/copy_sm80.hpp>

namespace steps {
// One warp. registers[k][lane]: the 8 halves that ldmatrix.x4 gives the lane for the k-th 16x16 block.
template <class Layout>
__global__ void through_ldmatrix(half_t const* global, uint32_t (*registers)[32][4], Layout layout) {
  alignas(1024) __shared__ half_t memory[cosize_v<Layout>];
  auto tile = make_tile(memory, layout);
  int const lane = threadIdx.x;

  for (int granule = lane; granule < size(layout) / 8; granule += 32) {
    auto const& from = reinterpret_cast<uint128_t const*>(global)[granule];
    auto& to = reinterpret_cast<uint128_t&>(tile(granule / 8, granule % 8 * 8));
    SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>::copy(from, to);
  }
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();

  // Lanes 0-15 name the rows of the left two 8x8 matrices, lanes 16-31 those of the right two.
  for (int k = 0; k < 4; ++k) {
    auto const& line = reinterpret_cast<uint128_t const&>(tile(lane % 16, 16 * k + lane / 16 * 8));
    auto& out = registers[k][lane];
    SM75_U32x4_LDSM_N::copy(line, out[0], out[1], out[2], out[3]);
  }
}
}  // namespace steps
