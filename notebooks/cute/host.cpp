// Prints every layout of the steps with all its offsets, and what a tensor on it does to memory.
#include <cstdio>
#include "tensor.hpp"
#include "verify.hpp"

using namespace cute;

template <class Tile>
void number_elements(Tile tile) {
  for (int row = 0; row < size<0>(tile); ++row) {
    for (int col = 0; col < size<1>(tile); ++col) {
      tile(row, col) = half_t((row * size<1>(tile) + col) % 2048);
    }
  }
}

template <class Layout>
void show(char const* name, Layout layout) {
  printf("%s\n", name);
  print(layout);
  printf("\n");
  // Written through the tensor, read in the order of memory.
  alignas(1024) static half_t memory[cosize_v<Layout>];
  number_elements(steps::make_tile(memory, layout));
  for (half_t value : memory) printf("%d ", int(float(value)));
  printf("\n");
}

int main() {
  show("Plain", steps::Plain{});
  show("InElements", steps::InElements{});
  show("InBytes", steps::InBytes{});
  show("Mixed", steps::Mixed{});
  show("Narrow", steps::Narrow{});
  show("Pages", steps::Pages{});
  show("WideRows", steps::WideRows{});
  show("WideRowsWrong", steps::WideRowsWrong{});
}
