// Prints every layout of the steps with all its offsets, and what a tensor on it does to memory.
#include <cstdio>
#include "tensor.hpp"
#include "verify.hpp"

using namespace cute;

template <class Layout>
void show(char const* name, Layout layout) {
  printf("%s\n", name);
  print(layout);
  printf("\n");
  // Written through the tensor, read in the order of memory.
  alignas(1024) static half_t memory[cosize_v<Layout>];
  steps::number_elements(steps::make_tile(memory, layout));
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
