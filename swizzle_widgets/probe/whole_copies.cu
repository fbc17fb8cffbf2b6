// Whole tiles, copied between registers and shared memory by CuTe's TiledCopy: each kernel one copy by all threads.
// once_NAME performs it; places_NAME tells where each thread's vectors lie. Needs CuTe's headers. sm_90.

#include <cute/tensor.hpp>

using namespace cute;

extern __shared__ char memory[];

// The layouts of a tile: rows one behind another, the same under a swizzle counted in elements, or padded.
template <int Rows, int Cols>
using Plain = Layout<Shape<Int<Rows>, Int<Cols>>, Stride<Int<Cols>, _1>>;
template <int Rows, int Cols, int Padding>
using Padded = Layout<Shape<Int<Rows>, Int<Cols>>, Stride<Int<Cols + Padding>, _1>>;
template <int Rows, int Cols, int B, int M, int S>
using Swizzled = decltype(composition(Swizzle<B, M, S>{}, Plain<Rows, Cols>{}));

template <class Element, class Word>
using Atom = Copy_Atom<UniversalCopy<Word>, Element>;

// Threads side by side down a column of vectors, `Across` columns of them; or along rows.
template <int Down, int Across, int Vector, class A>
__device__ auto by_columns() {
    return make_tiled_copy(A{}, Layout<Shape<Int<Down>, Int<Across>>, Stride<_1, Int<Down>>>{},
                           Layout<Shape<_1, Int<Vector>>>{});
}
template <int Down, int Across, int Vector, class A>
__device__ auto by_rows() {
    return make_tiled_copy(A{}, Layout<Shape<Int<Down>, Int<Across>>, Stride<Int<Across>, _1>>{},
                           Layout<Shape<_1, Int<Vector>>>{});
}

using Mma16816 = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;
// Four warps below one another, and two by two; either takes 16 columns at a time.
using Four = decltype(make_tiled_mma(Mma16816{}, Layout<Shape<_4, _1, _1>>{}, Tile<_64, _16, _16>{}));
using Square = decltype(make_tiled_mma(Mma16816{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{}));

template <class Element, class Layout, class Copy, int Vector, bool Load>
struct Whole {
    static constexpr int vector = Vector;

    template <class C>
    __device__ static auto in_shared(C const& copy) {
        auto tile = make_tensor(make_smem_ptr(reinterpret_cast<Element*>(memory)), Layout{});
        auto thread = copy.get_slice(threadIdx.x);
        if constexpr (Load) return thread.partition_S(tile);
        else return thread.partition_D(tile);
    }

    template <class C>
    __device__ static void perform(C const& copy, unsigned* out) {
        auto tile = make_tensor(make_smem_ptr(reinterpret_cast<Element*>(memory)), Layout{});
        auto thread = copy.get_slice(threadIdx.x);
        if constexpr (Load) {
            auto to = make_tensor<Element>(shape(thread.partition_D(tile)));
            cute::copy(copy, thread.partition_S(tile), to);
            auto words = recast<unsigned>(to);
            unsigned sink = 0;
            for (int i = 0; i < size(words); ++i) sink ^= words(i);
            if (sink == 0xdeadbeef) *out = sink;
        } else {
            auto from = make_tensor<Element>(shape(thread.partition_S(tile)));
            for (int i = 0; i < size(from); ++i) from(i) = Element(float(threadIdx.x + i));
            cute::copy(copy, from, thread.partition_D(tile));
            asm volatile("" ::: "memory");
        }
    }

    // places[i * threads + thread]: the byte at which the thread's i-th vector begins.
    template <class C>
    __device__ static void tell(C const& copy, int* places) {
        auto mine = in_shared(copy);
        for (int i = 0; i < int(size(mine)) / Vector; ++i) {
            auto at = reinterpret_cast<char const*>(raw_pointer_cast(&mine(i * Vector)));
            places[i * blockDim.x + threadIdx.x] = int(at - memory);
        }
    }
};

#define WHOLE(NAME, ELEMENT, VECTOR, LOAD, COPY, ...)                                                       \
    extern "C" __global__ void once_##NAME(unsigned* out) {                                                 \
        auto copy = COPY;                                                                                   \
        Whole<ELEMENT, __VA_ARGS__, decltype(copy), VECTOR, LOAD>::perform(copy, out);                      \
    }                                                                                                       \
    extern "C" __global__ void places_##NAME(int* places) {                                                 \
        auto copy = COPY;                                                                                   \
        Whole<ELEMENT, __VA_ARGS__, decltype(copy), VECTOR, LOAD>::tell(copy, places);                      \
    }

using H16 = Atom<half_t, uint128_t>;
using H4 = Atom<half_t, uint32_t>;
using F4 = Atom<float, uint32_t>;
using F8 = Atom<float, uint64_t>;
using LoadMatrix = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;
using LoadTurned = Copy_Atom<SM75_U16x8_LDSM_T, half_t>;
using StoreMatrix = Copy_Atom<SM90_U32x4_STSM_N, half_t>;

// 128 x 64 halves, 16 bytes a thread.
#define ROWS_16 (by_rows<16, 8, 8, H16>())
#define COLUMNS_16 (by_columns<64, 4, 8, H16>())
WHOLE(store16_rows_plain, half_t, 8, false, ROWS_16, Plain<128, 64>)
WHOLE(store16_columns_plain, half_t, 8, false, COLUMNS_16, Plain<128, 64>)
WHOLE(store16_columns_swizzled, half_t, 8, false, COLUMNS_16, Swizzled<128, 64, 3, 3, 3>)
WHOLE(store16_columns_padded, half_t, 8, false, COLUMNS_16, Padded<128, 64, 8>)
WHOLE(load16_columns_plain, half_t, 8, true, COLUMNS_16, Plain<128, 64>)
WHOLE(load16_columns_swizzled, half_t, 8, true, COLUMNS_16, Swizzled<128, 64, 3, 3, 3>)

// 64 x 32 floats, 4 and 8 bytes a thread.
#define COLUMNS_4 (by_columns<32, 8, 1, F4>())
#define COLUMNS_8 (by_columns<32, 4, 2, F8>())
WHOLE(store4_columns_plain, float, 1, false, COLUMNS_4, Plain<64, 32>)
WHOLE(store4_columns_swizzled, float, 1, false, COLUMNS_4, Swizzled<64, 32, 5, 0, 5>)
WHOLE(load4_columns_padded, float, 1, true, COLUMNS_4, Padded<64, 32, 1>)
WHOLE(load8_columns_plain, float, 2, true, COLUMNS_8, Plain<64, 32>)
WHOLE(load8_columns_swizzled, float, 2, true, COLUMNS_8, Swizzled<64, 32, 4, 1, 4>)
WHOLE(load8_columns_padded, float, 2, true, COLUMNS_8, Padded<64, 32, 2>)

// ldmatrix of A fragments; and, turned, of B fragments of a tile whose rows run along N.
#define A_OF(MMA) (make_tiled_copy_A(LoadMatrix{}, MMA{}))
#define B_OF(MMA) (make_tiled_copy_B(LoadTurned{}, MMA{}))
using Turned = Layout<Shape<_64, _64>, Stride<_1, _64>>;
WHOLE(ldmatrix_a_plain, half_t, 8, true, A_OF(Square), Plain<64, 64>)
WHOLE(ldmatrix_a_swizzled, half_t, 8, true, A_OF(Square), Swizzled<64, 64, 3, 3, 3>)
WHOLE(ldmatrix_a_padded, half_t, 8, true, A_OF(Four), Padded<64, 64, 8>)
WHOLE(ldmatrix_b_turned_plain, half_t, 8, true, B_OF(Four), Turned)
WHOLE(ldmatrix_b_turned_swizzled, half_t, 8, true, B_OF(Four), decltype(composition(Swizzle<3, 3, 3>{}, Turned{})))

// Epilogues: fragments of C, halves by 4 bytes and floats by 8; stmatrix, and 16 bytes a thread behind it.
#define C_BY(ATOM, MMA) (make_tiled_copy_C(ATOM{}, MMA{}))
WHOLE(epilogue4_plain, half_t, 2, false, C_BY(H4, Four), Plain<64, 64>)
WHOLE(epilogue4_swizzled, half_t, 2, false, C_BY(H4, Four), Swizzled<64, 64, 3, 3, 3>)
WHOLE(epilogue4_padded, half_t, 2, false, C_BY(H4, Square), Padded<64, 64, 8>)
WHOLE(epilogue8_plain, float, 2, false, C_BY(F8, Four), Plain<64, 32>)
WHOLE(epilogue8_swizzled, float, 2, false, C_BY(F8, Four), Swizzled<64, 32, 2, 3, 2>)
WHOLE(epilogue8_padded, float, 2, false, C_BY(F8, Four), Padded<64, 32, 8>)
WHOLE(stmatrix_plain, half_t, 8, false, C_BY(StoreMatrix, Four), Plain<64, 64>)
WHOLE(stmatrix_swizzled, half_t, 8, false, C_BY(StoreMatrix, Four), Swizzled<64, 64, 3, 3, 3>)
WHOLE(after_stmatrix_plain, half_t, 8, true, ROWS_16, Plain<64, 64>)
WHOLE(after_stmatrix_swizzled, half_t, 8, true, ROWS_16, Swizzled<64, 64, 3, 3, 3>)
