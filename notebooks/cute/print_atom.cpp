// What `print` and `print_layout` say of one atom, the 32B mode's for halves. Needs no GPU:
// nvcc -std=c++17 --expt-relaxed-constexpr -I<cutlass>/include -x c++ print_atom.cpp -o print_atom && ./print_atom
#include <cute/tensor.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
using namespace cute;

int main() {
  GMMA::Layout_K_SW32_Atom<half_t> atom;
  print(atom);
  print("\n");
  print_layout(atom);
}
