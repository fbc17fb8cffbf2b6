// An atom, repeated. What a larger tile looks like depends on the atom's width.
#pragma once
#include "compose.hpp"

namespace steps {
// CUTLASS's own atom says bytes: Sw<3,4,3> on the pointer, 8 rows of 128 bytes.
using Atom = GMMA::Layout_K_SW128_Atom<half_t>;

// 64 columns: one atom wide, the very map of InBytes.
using Narrow = decltype(tile_to_shape(Atom{}, Shape<_128, _64>{}));

// 128 columns: two atoms side by side, each a page of 64 columns.
using Pages = decltype(tile_to_shape(Atom{}, Shape<_128, _128>{}));

// 128 columns in one row of 256 bytes is another layout, and takes another shift.
using WideRows = decltype(composition(Swizzle<3, 3, 4>{}, Layout<Shape<_128, _128>, Stride<_128, _1>>{}));
using WideRowsWrong =
    decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_128, _128>, Stride<_128, _1>>{}));
}  // namespace steps
