// A check that can fail. Rows are conflict-free with and without a swizzle; columns are what it is for.
#pragma once
#include "tile_to_shape.hpp"

namespace steps {
// Of the eight lanes that read 16 bytes each from eight rows below each other, how many meet in one group of
// banks. 0 if the swizzle cuts one of the 16-byte vectors.
template <class T, class Layout>
constexpr int column_ways(Layout layout) {
  constexpr int vector = 128 / sizeof_bits_v<T>;
  int worst = 0;
  for (int row = 0; row < size<0>(layout); row += 8) {
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

// A swizzle of the pointer, rewritten in elements, so that layout(row, col) is the swizzled offset.
template <class Layout>
using Elements = decltype(as_position_independent_swizzle_layout(Layout{}));

// The compiler decides: change a swizzle, and the build stops here.
static_assert(column_ways<half_t>(Plain{}) == 8);
static_assert(column_ways<half_t>(InElements{}) == 1);
static_assert(column_ways<half_t>(Mixed{}) == 2);
static_assert(column_ways<half_t>(Elements<InBytes>{}) == 1);
static_assert(column_ways<half_t>(Elements<Pages>{}) == 1);
static_assert(column_ways<half_t>(WideRows{}) == 1);
static_assert(column_ways<half_t>(WideRowsWrong{}) == 2);
}  // namespace steps
