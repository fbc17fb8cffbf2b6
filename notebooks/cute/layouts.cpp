// Tiles of halves as CuTe types, a check that the compiler makes, and what `print` says of each. Needs no GPU:
// nvcc -std=c++17 --expt-relaxed-constexpr -I<cutlass>/include -x c++ layouts.cpp -o layouts && ./layouts
#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
using namespace cute;

using Plain = Layout<Shape<_128, _64>, Stride<_64, _1>>;

// A composition counts elements: granules of 2^3 halves, 16 bytes.
using InElements = decltype(composition(Swizzle<3, 3, 3>{}, Plain{}));

// The same map, counted in bytes of the pointer: granules of 2^4 bytes.
using InBytes = ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, Plain>;

// Another map: 2^4 halves are granules of 32 bytes.
using Mixed = decltype(composition(Swizzle<3, 4, 3>{}, Plain{}));

// CUTLASS's atom, repeated: 64 columns are one atom wide, 128 columns are two pages.
using Atom = GMMA::Layout_K_SW128_Atom<half_t>;
using Narrow = decltype(tile_to_shape(Atom{}, Shape<_128, _64>{}));
using Pages = decltype(tile_to_shape(Atom{}, Shape<_128, _128>{}));

// 128 columns in one row of 256 bytes are another layout, and take another shift.
using WideRows = decltype(composition(Swizzle<3, 3, 4>{}, Layout<Shape<_128, _128>, Stride<_128, _1>>{}));
using WideRowsWrong = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_128, _128>, Stride<_128, _1>>{}));

// Written with functions, a layout has the same type.
static_assert(is_same_v<Plain, decltype(make_layout(make_shape(_128{}, _64{}), make_stride(_64{}, _1{})))>);

// Of eight lanes that read 16 bytes each, one from each of eight rows, how many meet in one group of banks.
// Rows 0 to 7 are tried as the first one, so the layout needs 15; beyond, these layouts repeat. 0 if a vector is cut.
template <class T, class Layout>
constexpr int column_ways(Layout layout) {
  constexpr int vector = 128 / sizeof_bits_v<T>;
  int worst = 0;
  for (int row = 0; row < 8; ++row) {
    for (int col = 0; col < size<1>(layout); col += vector) {
      int lanes[8] = {};
      for (int lane = 0; lane < 8; ++lane) {
        int const offset = layout(row + lane, col);
        if (offset % vector != 0 || layout(row + lane, col + vector - 1) != offset + vector - 1) return 0;
        int const ways = ++lanes[offset / vector % 8];
        worst = ways > worst ? ways : worst;
      }
    }
  }
  return worst;
}

// Called as it is, a layout for a smem_ptr swizzles element numbers by its byte swizzle, which is Mixed.
template <class Layout>
using Elements = decltype(as_position_independent_swizzle_layout(Layout{}));

// Change a swizzle, and the build stops here.
static_assert(column_ways<half_t>(Plain{}) == 8);
static_assert(column_ways<half_t>(InElements{}) == 1);
static_assert(column_ways<half_t>(Mixed{}) == 2);
static_assert(column_ways<half_t>(Elements<InBytes>{}) == 1);
static_assert(column_ways<half_t>(Elements<Pages>{}) == 1);
static_assert(column_ways<half_t>(WideRows{}) == 1);
static_assert(column_ways<half_t>(WideRowsWrong{}) == 2);

// The trap: without Elements<> the check of the right layout tests the wrong one.
static_assert(column_ways<half_t>(InBytes{}) == 2 && InBytes{}(2, 0) == Mixed{}(2, 0));

template <class Layout>
void show(char const* name, Layout layout) {
  printf("%s\n", name);
  print(layout);
  printf("\n");
  // Written through a tensor, read in the order of memory.
  alignas(1024) static half_t memory[cosize_v<Layout>];
  Tensor tile = make_tensor(make_smem_ptr(memory), layout);
  for (int row = 0; row < size<0>(tile); ++row) {
    for (int col = 0; col < size<1>(tile); ++col) tile(row, col) = half_t(float((row * size<1>(tile) + col) % 2048));
  }
  for (half_t value : memory) printf("%d ", int(float(value)));
  printf("\n");
}

int main() {
  show("Plain", Plain{});
  show("InElements", InElements{});
  show("InBytes", InBytes{});
  show("Mixed", Mixed{});
  show("Narrow", Narrow{});
  show("Pages", Pages{});
  show("WideRows", WideRows{});
  show("WideRowsWrong", WideRowsWrong{});
}
