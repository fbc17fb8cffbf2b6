// TMA. Its descriptor knows three swizzles, all of them in bytes of the address.
#pragma once
#include "tensor.hpp"
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cutlass/arch/barrier.h>

namespace steps {
// The host builds the descriptor from the layout of shared memory: Swizzle<3,4,3> becomes the 128B mode.
// A layout in bytes means that. Swizzle<3,3,3> in elements is refused by the compiler, although it is the
// same map; Swizzle<3,4,3> in elements is taken for bytes, although it is another one.
template <class T, class Layout>
auto make_load(T const* global, Layout layout) {
  auto tensor = make_tensor(make_gmem_ptr(global), Plain{});
  // The last argument says how many blocks of a cluster receive the copy: one.
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, layout, Shape<_128, _64>{}, Int<1>{});
}

// One thread starts the copy; all wait on a barrier that counts bytes.
template <class Load, class Tile>
__device__ void load_tile(Load const& load, Tile tile, uint64_t& barrier) {
  auto part = load.get_slice(0);
  auto from = part.partition_S(load.get_tma_tensor(shape(Plain{})));
  copy(load.with(barrier), from, part.partition_D(tile));
}
}  // namespace steps
