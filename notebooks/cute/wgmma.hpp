// TMA into shared memory, WGMMA out of it. The descriptors of both come from one layout, so they agree.
#pragma once
#include "tile_to_shape.hpp"
#include "tma_copy.hpp"

namespace steps {
// C = A * transposed(B), all of one block: A and B are 128x64, C is 128x128. One warpgroup of 128 threads.
template <class LoadA, class LoadB>
__global__ void multiply(CUTE_GRID_CONSTANT LoadA const load_a, CUTE_GRID_CONSTANT LoadB const load_b,
                         float* c) {
  using Smem = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>{}, Shape<_128, _64>{}));
  alignas(1024) __shared__ bfloat16_t memory_a[cosize_v<Smem>], memory_b[cosize_v<Smem>];
  alignas(8) __shared__ uint64_t barrier;
  auto a = make_tensor(make_smem_ptr(memory_a), Smem{});
  auto b = make_tensor(make_smem_ptr(memory_b), Smem{});

  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cutlass::arch::fence_barrier_init();
    set_barrier_transaction_bytes(barrier, sizeof(memory_a) + sizeof(memory_b));
    load_tile(load_a, a, barrier);
    load_tile(load_b, b, barrier);
  }
  __syncthreads();
  wait_barrier(barrier, 0);

  // Both operands are K-major, and the instruction is told so twice.
  auto mma = make_tiled_mma(SM90_64x128x16_F32BF16BF16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto thread = mma.get_thread_slice(threadIdx.x);
  auto fragment_a = thread.make_fragment_A(thread.partition_A(a));
  auto fragment_b = thread.make_fragment_B(thread.partition_B(b));
  auto result = make_tensor(make_gmem_ptr(c), Layout<Shape<_128, _128>, Stride<_128, _1>>{});
  auto out = thread.partition_C(result);
  auto accumulator = thread.make_fragment_C(out);
  clear(accumulator);

  // The fences keep the accumulator in its registers while the tensor cores write them.
  warpgroup_fence_operand(accumulator);
  warpgroup_arrive();
  gemm(mma, fragment_a, fragment_b, accumulator);
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  warpgroup_fence_operand(accumulator);
  copy(accumulator, out);
}
}  // namespace steps
