// TMA. Its descriptor knows three swizzles, all of them in bytes of the address.
#pragma once
#include "tensor.hpp"
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cutlass/arch/barrier.h>

namespace steps {
// The host builds the descriptor from the layout of shared memory: Swizzle<3,4,3> in it becomes the 128B mode.
// A layout in bytes means that. Swizzle<3,3,3> in elements is refused by the compiler, although it is the same map;
// Swizzle<3,4,3> in elements is taken for bytes, although it is another one.
template <class T, class Layout>
auto make_load(T const* global, Layout layout) {
  auto tensor = make_tensor(make_gmem_ptr(global), Plain{});
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, layout, Shape<_128, _64>{}, Int<1>{});
}

// One thread starts the copy; all wait on a barrier that counts bytes. A cp.async fence would wait for nothing.
template <class Load, class Tile>
__device__ void load_tile(Load const& load, Tile tile, uint64_t& barrier) {
  auto part = load.get_slice(0);
  auto from = part.partition_S(load.get_tma_tensor(shape(Plain{})));
  copy(load.with(barrier), from, part.partition_D(tile));
}

// Copies a tile by TMA, then reads it element by element through `layout`.
template <class Load, class Layout>
__global__ void through_tma(CUTE_GRID_CONSTANT Load const load, half_t* out, Layout layout) {
  alignas(1024) __shared__ half_t memory[cosize_v<Layout>];
  alignas(8) __shared__ uint64_t barrier;
  auto tile = make_tile(memory, layout);
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cutlass::arch::fence_barrier_init();
    set_barrier_transaction_bytes(barrier, sizeof(memory));
    load_tile(load, tile, barrier);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (int element = threadIdx.x; element < size(layout); element += blockDim.x) {
    out[element] = tile(element / 64, element % 64);
  }
}
}  // namespace steps
