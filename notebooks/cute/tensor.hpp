// A tensor on shared memory. The layout does the arithmetic; no index of ours contains an XOR.
#pragma once
#include "compose.hpp"

namespace steps {
template <class Layout>
CUTE_HOST_DEVICE auto make_tile(half_t* memory, Layout layout) {
  // A swizzle of the pointer sees the address, so the memory must start at a multiple of the period: 1024 bytes.
  return make_tensor(make_smem_ptr(memory), layout);
}

template <class Tile>
CUTE_HOST_DEVICE void number_elements(Tile tile) {
  for (int row = 0; row < size<0>(tile); ++row) {
    for (int col = 0; col < size<1>(tile); ++col) {
      tile(row, col) = half_t((row * size<1>(tile) + col) % 2048);
    }
  }
}
}  // namespace steps
