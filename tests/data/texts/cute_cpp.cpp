// Prints what CuTe C++ prints for tensors and layouts of shared memory, and where it puts their elements.
// Made cute_cpp.txt: nvcc -std=c++17 --expt-relaxed-constexpr -x c++ -I<cutlass>/include cute_cpp.cpp, then run.
// A line: text, bits of an element, rows, columns, checksum (the sum of (k + 1) times the k-th byte address, rows
// first, modulo 2^31 - 1), separated by tabs. Pointers are made from numbers and never followed.
#include <cstdint>
#include <cstdio>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/tensor.hpp>

using namespace cute;

template <class Address>
void checksum(int bits, int rows, int cols, Address address) {
  uint64_t sum = 0, k = 0;
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) sum = (sum + ++k % 2147483647 * (address(row, col) % 2147483647)) % 2147483647;
  printf("\t%d\t%d\t%d\t%llu\n", bits, rows, cols, (unsigned long long)sum);
}

// A layout whose swizzle, if any, counts elements.
template <int Bits, class Layout_>
void show_layout(Layout_ const& l) {
  print(l);
  checksum(Bits, size<0>(l), size<1>(l), [&](int r, int c) { return uint64_t(int64_t(l(r, c))) * Bits / 8; });
}

// An atom on an unset pointer: the swizzle takes byte addresses, the pointer's being 0.
template <int Bits, class Swizzle_, class Layout_>
void show_atom(ComposedLayout<Swizzle_, smem_ptr_flag_bits<Bits>, Layout_> const& l) {
  print(l);
  checksum(Bits, size<0>(l), size<1>(l), [&](int r, int c) {
    return uint64_t(Swizzle_::apply(int64_t(l.layout_b()(r, c)) * Bits / 8));
  });
}

// A tensor: where its pointer says that the element lies.
template <int Bits, class Tensor_>
void show_tensor(Tensor_ const& t) {
  print(t);
  checksum(Bits, size<0>(t), size<1>(t), [&](int r, int c) { return uint64_t(raw_pointer_cast(&t(r, c))); });
}

template <class T>
auto at(uint64_t address) { return make_smem_ptr(reinterpret_cast<T*>(address)); }

template <class T, class Swizzle_>
auto swizzled_at(uint64_t address) { return make_smem_ptr(make_swizzle_ptr(reinterpret_cast<T*>(address), Swizzle_{})); }

template <int Bits, class T>
void of_type() {
  auto plain = make_layout(make_shape(_32{}, _32{}), LayoutRight{});
  show_tensor<Bits>(make_tensor(at<T>(0x400), plain));
  show_tensor<Bits>(make_tensor(reinterpret_cast<T*>(0x400), plain));
  show_tensor<Bits>(make_tensor(swizzled_at<T, Swizzle<3, 4, 3>>(0x480), plain));
  show_tensor<Bits>(make_tensor(at<T>(0x400), composition(Swizzle<2, 3, 3>{}, plain)));
  auto cut = make_tensor(at<T>(0), composition(Swizzle<2, 3, 3>{}, plain));
  show_tensor<Bits>(local_tile(cut, make_shape(_8{}, _8{}), make_coord(1, 2)));
  show_tensor<Bits>(local_tile(cut, make_shape(_8{}, _8{}), make_coord(_3{}, _1{})));
  show_tensor<Bits>(local_tile(make_tensor(swizzled_at<T, Swizzle<3, 4, 3>>(0), plain), make_shape(_8{}, _8{}), make_coord(1, 2)));
  show_tensor<Bits>(make_tensor(at<T>(0x1f80), make_layout(make_shape(_16{}, _32{}), make_stride(Int<-32>{}, _1{}))));
  show_tensor<Bits>(make_tensor(at<T>(0x2000), make_layout(make_shape(16, 32), make_stride(40, 1))));
}

int main() {
  show_layout<16>(make_layout(make_shape(_8{}, _64{}), make_stride(_64{}, _1{})));
  show_layout<16>(make_layout(make_shape(8, 64), make_stride(64, 1)));
  show_layout<16>(make_layout(make_shape(8, _64{}), make_stride(_64{}, 1)));
  show_layout<32>(make_layout(make_shape(make_shape(_2{}, _4{}), make_shape(_2{}, make_shape(_2{}, _8{}))), LayoutLeft{}));
  show_layout<16>(make_layout(make_shape(_8{}, _1{}), make_stride(_1{}, _0{})));
  show_layout<16>(composition(Swizzle<3, 3, 3>{}, make_layout(make_shape(_8{}, _64{}), LayoutRight{})));
  show_layout<32>(composition(Swizzle<3, 2, 3>{}, make_layout(make_shape(_32{}, _32{}), LayoutRight{})));
  show_layout<16>(composition(Swizzle<3, 3, -3>{}, make_layout(make_shape(_64{}, _64{}), LayoutLeft{})));
  show_layout<16>(composition(Swizzle<3, 3, 3>{}, Int<72>{}, make_layout(make_shape(_8{}, _64{}), LayoutRight{})));
  show_layout<16>(composition(Swizzle<3, 3, 3>{}, 72, make_layout(make_shape(8, 64), make_stride(64, 1))));
  show_layout<128>(composition(Swizzle<3, 0, 3>{}, make_layout(make_shape(_32{}, _8{}), LayoutRight{})));
  show_atom(GMMA::Layout_K_SW128_Atom<half_t>{});
  show_atom(GMMA::Layout_K_SW64_Atom<half_t>{});
  show_atom(GMMA::Layout_K_SW32_Atom<half_t>{});
  show_atom(GMMA::Layout_K_INTER_Atom<half_t>{});
  show_atom(GMMA::Layout_MN_SW128_Atom<half_t>{});
  show_atom(GMMA::Layout_MN_SW64_Atom<half_t>{});
  show_atom(GMMA::Layout_MN_INTER_Atom<half_t>{});
  show_atom(GMMA::Layout_K_SW128_Atom<int8_t>{});
  show_atom(GMMA::Layout_K_SW128_Atom<tfloat32_t>{});
  show_atom(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_128{}, _64{})));
  show_atom(tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, make_shape(_128{}, _128{})));
  show_atom(tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, make_shape(_128{}, _128{}), Step<_2, _1>{}));
  of_type<8, uint8_t>();
  of_type<16, half_t>();
  of_type<32, float>();
  of_type<64, double>();
}
