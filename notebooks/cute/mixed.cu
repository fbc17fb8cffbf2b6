// TMA writes a tile by Swizzle<3,4,3>, and a kernel reads it through the same layout: in bytes, and in elements.
// nvcc -std=c++17 --expt-relaxed-constexpr -arch=sm_90a -I<cutlass>/include mixed.cu -o mixed && ./mixed
#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cutlass/arch/barrier.h>
using namespace cute;

using Rows = Layout<Shape<_128, _64>, Stride<_64, _1>>;
using InElements = decltype(composition(Swizzle<3, 3, 3>{}, Rows{}));
using InBytes = ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, Rows>;
using Mixed = decltype(composition(Swizzle<3, 4, 3>{}, Rows{}));

template <class Layout>
auto make_load(half_t const* from, Layout smem) {
  return make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(from), Rows{}), smem, Shape<_128, _64>{}, Int<1>{});
}

template <class Load, class Layout>
__global__ void through_tma(CUTE_GRID_CONSTANT Load const load, half_t* out, Layout smem) {
  alignas(1024) __shared__ half_t memory[cosize_v<Layout>];
  alignas(8) __shared__ uint64_t barrier;
  Tensor tile = make_tensor(make_smem_ptr(memory), smem);
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cutlass::arch::fence_barrier_init();
    set_barrier_transaction_bytes(barrier, sizeof(memory));
    auto part = load.get_slice(0);
    copy(load.with(barrier), part.partition_S(load.get_tma_tensor(shape(Rows{}))), part.partition_D(tile));
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (int i = threadIdx.x; i < 128 * 64; i += blockDim.x) out[i] = tile(i / 64, i % 64);
}

int main() {
  half_t *in, *out;
  cudaMallocManaged(&in, 128 * 64 * sizeof(half_t));
  cudaMallocManaged(&out, 128 * 64 * sizeof(half_t));
  for (int i = 0; i < 128 * 64; ++i) in[i] = half_t(float(i % 2048));  // up to 2048 a half is exact
  auto count = [&](char const* name, auto smem) {
    through_tma<<<1, 128>>>(make_load(in, smem), out, smem);
    if (cudaDeviceSynchronize() != cudaSuccess) return printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    int wrong = 0;
    for (int i = 0; i < 128 * 64; ++i) wrong += float(out[i]) != float(in[i]);
    return printf("%s: %d of 8192 elements misplaced\n", name, wrong);
  };
  count("Swizzle<3,4,3> in bytes", InBytes{});
  count("Swizzle<3,4,3> in elements", Mixed{});
}
