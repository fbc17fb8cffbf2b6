// A tensor on shared memory. The layout does the arithmetic; no index of ours contains an XOR.
#pragma once
#include "compose.hpp"

namespace steps {
template <class Layout>
CUTE_HOST_DEVICE auto make_tile(half_t* memory, Layout layout) {
  // A swizzle of the pointer sees the address: the memory must start at a multiple of the period, 1024 bytes.
  return make_tensor(make_smem_ptr(memory), layout);
}
}  // namespace steps
