// A tile of 128 x 64 halves, swizzled. Its rows are 128 bytes.
#pragma once
#include <cute/tensor.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>

namespace steps {
using namespace cute;

using Plain = Layout<Shape<_128, _64>, Stride<_64, _1>>;

// A composition counts elements: granules of 2^3 halves, 16 bytes.
using InElements = decltype(composition(Swizzle<3, 3, 3>{}, Plain{}));

// The same map counted in bytes of the pointer: granules of 2^4 bytes.
using InBytes = ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, Plain>;

// The handbook's line, and another map: 2^4 halves are granules of 32 bytes.
using Mixed = decltype(composition(Swizzle<3, 4, 3>{}, Plain{}));

// Written with functions, a layout has the same type.
static_assert(is_same_v<Plain, decltype(make_layout(make_shape(_128{}, _64{}), make_stride(_64{}, _1{})))>);
}  // namespace steps
