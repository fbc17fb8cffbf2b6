// C = A * transposed(B) for one block on SM80 and later: cp.async into a swizzled tile, ldmatrix out of it.
// nvcc -std=c++17 --expt-relaxed-constexpr -arch=sm_80 -I<cutlass>/include ampere.cu -o ampere && ./ampere
#include <cstdio>
#include <cute/tensor.hpp>
using namespace cute;

using Rows = Layout<Shape<_128, _64>, Stride<_64, _1>>;  // A and B in global memory: 128 rows of 64 halves

// Swizzle<3,3,3> in elements, on eight rows of 128 bytes, repeated over the tile.
using Atom = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
using Swizzled = decltype(tile_to_shape(Atom{}, Shape<_128, _64>{}));

// Four warps. `Smem` is the layout of both tiles; nothing below depends on it.
template <class Smem>
__global__ void multiply(half_t const* a, half_t const* b, float* c) {
  alignas(128) __shared__ half_t memory_a[cosize_v<Smem>], memory_b[cosize_v<Smem>];
  Tensor gA = make_tensor(make_gmem_ptr(a), Rows{});
  Tensor gB = make_tensor(make_gmem_ptr(b), Rows{});
  Tensor gC = make_tensor(make_gmem_ptr(c), Layout<Shape<_128, _128>, Stride<_128, _1>>{});
  Tensor sA = make_tensor(make_smem_ptr(memory_a), Smem{});
  Tensor sB = make_tensor(make_smem_ptr(memory_b), Smem{});

  // The write: 16 bytes a thread, 8 threads a row, 16 rows a step.
  auto fill = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},
                              Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto writer = fill.get_thread_slice(threadIdx.x);
  copy(fill, writer.partition_S(gA), writer.partition_D(sA));
  copy(fill, writer.partition_S(gB), writer.partition_D(sB));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();

  // The registers are laid out for the tensor cores: 2 x 2 warps, 32 x 32 x 16 at a time.
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  auto thread = mma.get_thread_slice(threadIdx.x);
  Tensor rA = thread.partition_fragment_A(sA);
  Tensor rB = thread.partition_fragment_B(sB);
  Tensor rC = thread.partition_fragment_C(gC);
  clear(rC);

  // The read: ldmatrix.x4 on the tile; retile_D shows it the same registers in its own order.
  auto read_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto read_b = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto reader_a = read_a.get_thread_slice(threadIdx.x);
  auto reader_b = read_b.get_thread_slice(threadIdx.x);
  copy(read_a, reader_a.partition_S(sA), reader_a.retile_D(rA));
  copy(read_b, reader_b.partition_S(sB), reader_b.retile_D(rB));

  gemm(mma, rA, rB, rC);
  copy(rC, thread.partition_C(gC));
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
  auto count = [&](char const* name, auto smem) {
    for (int i = 0; i < 128 * 128; ++i) c[i] = -1e9f;
    multiply<decltype(smem)><<<1, 128>>>(a, b, c);
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
  count("Swizzle<3,3,3> in elements", Swizzled{});
  count("no swizzle", Rows{});
}
