// Runs the data paths of the steps on a Hopper GPU and counts what is misplaced or wrong.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "ldmatrix.hpp"
#include "wgmma.hpp"

using namespace cute;

// Copies a tile by TMA, then reads it element by element through `layout`.
template <class Load, class Layout>
__global__ void through_tma(CUTE_GRID_CONSTANT Load const load, half_t* out, Layout layout) {
  alignas(1024) __shared__ half_t memory[cosize_v<Layout>];
  alignas(8) __shared__ uint64_t barrier;
  auto tile = steps::make_tile(memory, layout);
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cutlass::arch::fence_barrier_init();
    set_barrier_transaction_bytes(barrier, sizeof(memory));
    steps::load_tile(load, tile, barrier);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (int element = threadIdx.x; element < size(layout); element += blockDim.x) {
    out[element] = tile(element / 64, element % 64);
  }
}

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
  }
}

// Memory that both sides see, freed with the process.
template <class T>
T* shared_with_device(size_t count) {
  T* memory;
  check(cudaMallocHost(&memory, count * sizeof(T)));
  return memory;
}

void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

// Element (row, col) holds its own number: up to 2048 a half is exact.
half_t* numbered(int count) {
  auto* memory = shared_with_device<half_t>(count);
  for (int element = 0; element < count; ++element) memory[element] = half_t(element % 2048);
  return memory;
}

template <class Layout>
void ldmatrix(char const* name, Layout layout) {
  auto* global = numbered(16 * 64);
  auto* registers = shared_with_device<uint32_t[32][4]>(4);
  steps::through_ldmatrix<<<1, 32>>>(global, registers, layout);
  finish();
  int wrong = 0;
  for (int k = 0; k < 4; ++k) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int half = 0; half < 8; ++half) {
        // PTX: a lane gets two neighbors of row lane / 4 from each 8x8 matrix; the matrices go down, then across.
        int const matrix = half / 2, row = matrix % 2 * 8 + lane / 4;
        int const col = 16 * k + matrix / 2 * 8 + lane % 4 * 2 + half % 2;
        auto const* found = reinterpret_cast<half_t const*>(registers[k][lane]);
        wrong += float(found[half]) != float(global[row * 64 + col]);
      }
    }
  }
  printf("cp.async and ldmatrix, %s: %d of 1024 elements misplaced\n", name, wrong);
}

template <class Layout>
void tma(char const* name, Layout layout) {
  auto* global = numbered(128 * 64);
  auto* out = shared_with_device<half_t>(128 * 64);
  through_tma<<<1, 128>>>(steps::make_load(global, layout), out, layout);
  finish();
  int wrong = 0;
  for (int element = 0; element < 128 * 64; ++element) wrong += float(out[element]) != float(global[element]);
  printf("TMA, %s: %d of 8192 elements misplaced\n", name, wrong);
}

void wgmma() {
  auto* a = shared_with_device<bfloat16_t>(128 * 64);
  auto* b = shared_with_device<bfloat16_t>(128 * 64);
  auto* c = shared_with_device<float>(128 * 128);
  for (int element = 0; element < 128 * 64; ++element) {
    a[element] = bfloat16_t(float(element * 7 % 13 - 6));
    b[element] = bfloat16_t(float(element * 5 % 11 - 5));
  }
  using Smem = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>{}, Shape<_128, _64>{}));
  steps::multiply<<<1, 128>>>(steps::make_load(a, Smem{}), steps::make_load(b, Smem{}), c);
  finish();
  int wrong = 0;
  for (int row = 0; row < 128; ++row) {
    for (int col = 0; col < 128; ++col) {
      float exact = 0;
      for (int k = 0; k < 64; ++k) exact += float(a[row * 64 + k]) * float(b[col * 64 + k]);
      wrong += c[row * 128 + col] != exact;
    }
  }
  printf("TMA and WGMMA, K_SW128 atoms: %d of 16384 results wrong\n", wrong);
}

int main() {
  using Rows16 = Layout<Shape<_16, _64>, Stride<_64, _1>>;
  ldmatrix("Swizzle<3,3,3> in elements", composition(Swizzle<3, 3, 3>{}, Rows16{}));
  ldmatrix("Swizzle<3,4,3> in bytes", ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, Rows16>{});
  tma("Swizzle<3,4,3> in bytes", steps::InBytes{});
  tma("Swizzle<3,4,3> in elements", steps::Mixed{});
  wgmma();
}
