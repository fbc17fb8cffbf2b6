// Prints a layout as CuTe does, then the offset of every (row, col), a row on a line.
#pragma once
#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>

template <class Layout>
auto plain_offsets(Layout const& layout) {
  return layout;
}

// A layout on a smem_ptr has no plain offsets until CuTe has counted its swizzle in elements.
template <class Swizzle, int Bits, class Layout>
auto plain_offsets(cute::ComposedLayout<Swizzle, cute::smem_ptr_flag_bits<Bits>, Layout> const& layout) {
  return cute::as_position_independent_swizzle_layout(layout);
}

template <class Layout>
void show(Layout const& layout) {
  cute::print(layout);
  printf("\n");
  auto offsets = plain_offsets(layout);
  for (int row = 0; row < cute::size<0>(layout); ++row) {
    for (int col = 0; col < cute::size<1>(layout); ++col) {
      printf("%d ", static_cast<int>(offsets(row, col)));
    }
  }
  printf("\n");
}
