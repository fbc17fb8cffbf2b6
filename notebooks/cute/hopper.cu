// C = A * transposed(B) for one block on SM90: two ways into a 128B-swizzled tile, WGMMA out of it.
// nvcc -std=c++17 --expt-relaxed-constexpr -arch=sm_90a -I<cutlass>/include hopper.cu -o hopper && ./hopper
#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cutlass/arch/barrier.h>
using namespace cute;

using Rows = Layout<Shape<_128, _64>, Stride<_64, _1>>;  // A and B in global memory: 128 rows of 64 halves

// One layout for all that touch the tile: its swizzle counts bytes, as TMA's descriptor and WGMMA's do.
using Smem = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64>{}));

// A swizzle of the address: the tile must start at a multiple of its period, 1024 bytes.
struct Memory {
  alignas(1024) half_t a[cosize_v<Smem>];
  alignas(1024) half_t b[cosize_v<Smem>];
  alignas(8) uint64_t barrier;
};

// The 128 threads of a warpgroup multiply what lies in shared memory.
__device__ void multiply(Memory& memory, float* c) {
  Tensor sA = make_tensor(make_smem_ptr(memory.a), Smem{});
  Tensor sB = make_tensor(make_smem_ptr(memory.b), Smem{});
  Tensor gC = make_tensor(make_gmem_ptr(c), Layout<Shape<_128, _128>, Stride<_128, _1>>{});
  auto mma = make_tiled_mma(SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto thread = mma.get_thread_slice(threadIdx.x);
  Tensor rA = thread.partition_fragment_A(sA);  // no registers: descriptors of the tile
  Tensor rB = thread.partition_fragment_B(sB);
  Tensor rC = thread.partition_fragment_C(gC);
  clear(rC);
  warpgroup_fence_operand(rC);
  warpgroup_arrive();
  gemm(mma, rA, rB, rC);
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  warpgroup_fence_operand(rC);
  copy(rC, thread.partition_C(gC));
}

// The threads write, 16 bytes each, as in ampere.cu. Such a write goes through the generic proxy.
__global__ void from_threads(half_t const* a, half_t const* b, float* c) {
  __shared__ Memory memory;
  auto fill = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},
                              Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto writer = fill.get_thread_slice(threadIdx.x);
  auto write = [&](half_t const* from, half_t* to) {
    copy(fill, writer.partition_S(make_tensor(make_gmem_ptr(from), Rows{})),
         writer.partition_D(make_tensor(make_smem_ptr(to), Smem{})));
  };
  write(a, memory.a);
  write(b, memory.b);
  cp_async_fence();
  cp_async_wait<0>();
  cutlass::arch::fence_view_async_shared();  // fence.proxy.async: WGMMA reads through the async proxy
  __syncthreads();
  multiply(memory, c);
}

// TMA writes. It belongs to the async proxy itself; a barrier counts the bytes that have arrived.
template <class Load>
__global__ void from_tma(CUTE_GRID_CONSTANT Load const load_a, CUTE_GRID_CONSTANT Load const load_b, float* c) {
  __shared__ Memory memory;
  if (threadIdx.x == 0) {
    initialize_barrier(memory.barrier, 1);
    cutlass::arch::fence_barrier_init();
    set_barrier_transaction_bytes(memory.barrier, sizeof(memory.a) + sizeof(memory.b));
    auto write = [&](Load const& load, half_t* to) {
      auto part = load.get_slice(0);
      copy(load.with(memory.barrier), part.partition_S(load.get_tma_tensor(shape(Rows{}))),
           part.partition_D(make_tensor(make_smem_ptr(to), Smem{})));
    };
    write(load_a, memory.a);
    write(load_b, memory.b);
  }
  __syncthreads();
  wait_barrier(memory.barrier, 0);
  multiply(memory, c);
}

int main() {
  half_t *a, *b;
  float* c;
  cudaMallocManaged(&a, 128 * 64 * sizeof(half_t));
  cudaMallocManaged(&b, 128 * 64 * sizeof(half_t));
  cudaMallocManaged(&c, 128 * 128 * sizeof(float));
  for (int i = 0; i < 128 * 64; ++i) {
    a[i] = half_t(float(i * 7 % 13 - 6));
    b[i] = half_t(float(i * 5 % 11 - 5));
  }
  auto count = [&](char const* name, auto launch) {
    for (int i = 0; i < 128 * 128; ++i) c[i] = -1e9f;
    launch();
    if (cudaDeviceSynchronize() != cudaSuccess) return printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    int wrong = 0;
    for (int row = 0; row < 128; ++row) {
      for (int col = 0; col < 128; ++col) {
        float exact = 0;
        for (int k = 0; k < 64; ++k) exact += float(a[row * 64 + k]) * float(b[col * 64 + k]);
        wrong += c[row * 128 + col] != exact;
      }
    }
    return printf("%s: %d of 16384 results wrong\n", name, wrong);
  };
  // The last argument says how many blocks of a cluster receive each copy: one.
  auto load = [](half_t const* from) {
    Tensor whole = make_tensor(make_gmem_ptr(from), Rows{});
    return make_tma_copy(SM90_TMA_LOAD{}, whole, Smem{}, Shape<_128, _64>{}, Int<1>{});
  };
  count("written by threads", [&] { from_threads<<<1, 128>>>(a, b, c); });
  count("written by TMA", [&] { from_tma<<<1, 128>>>(load(a), load(b), c); });
}
