// Prints a thread-value layout as CuTe does, its sizes, then the index of every (thread, value), a thread on a line.
#pragma once
#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_atom.hpp>

template <class Layout>
void show_threads(Layout const& layout) {
  cute::print(layout);
  printf("\n%d %d\n", static_cast<int>(cute::size<0>(layout)), static_cast<int>(cute::size<1>(layout)));
  for (int thread = 0; thread < cute::size<0>(layout); ++thread) {
    for (int value = 0; value < cute::size<1>(layout); ++value) {
      printf("%d ", static_cast<int>(layout(thread, value)));
    }
  }
  printf("\n");
}

// The rows and columns that a TiledCopy moves at once.
template <class Copy>
void show_tiler(Copy const&) {
  auto shape = cute::product_each(cute::shape(typename Copy::Tiler_MN{}));
  printf("%d %d\n", static_cast<int>(cute::get<0>(shape)), static_cast<int>(cute::get<1>(shape)));
}
