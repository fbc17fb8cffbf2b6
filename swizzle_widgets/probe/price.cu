// What a bank conflict costs in a kernel that does something: a transpose, and tiles read by ldmatrix.

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __forceinline__ u32 swizzled(u32 offset, u32 bits, u32 base, u32 shift) {
    return offset ^ (offset >> (base + shift) & ((1 << bits) - 1)) << base;
}

// Where the byte lies that a row-major tile has at (row, byte of the row); PITCH is the row's length in memory.
template <int ROW>
struct Plain {
    static constexpr u32 pitch = ROW;
    __device__ static u32 at(u32 row, u32 byte) { return row * ROW + byte; }
};
template <int ROW, int PADDING>
struct Padded {
    static constexpr u32 pitch = ROW + PADDING;
    __device__ static u32 at(u32 row, u32 byte) { return row * (ROW + PADDING) + byte; }
};
template <int ROW, int BITS, int BASE, int SHIFT>
struct Swizzled {
    static constexpr u32 pitch = ROW;
    __device__ static u32 at(u32 row, u32 byte) { return swizzled(row * ROW + byte, BITS, BASE, SHIFT); }
};

// A 32 x 32 tile of floats: 256 threads write it row by row and read it column by column.
template <class Place>
__device__ __forceinline__ void transpose(const float* in, float* out, int n) {
    __shared__ alignas(1024) char tile[32 * Place::pitch];
    int x = threadIdx.x, y = threadIdx.y;
#pragma unroll
    for (int i = 0; i < 32; i += 8) {
        *reinterpret_cast<float*>(tile + Place::at(y + i, 4 * x)) = in[u64(blockIdx.y * 32 + y + i) * n + blockIdx.x * 32 + x];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i += 8) {
        out[u64(blockIdx.x * 32 + y + i) * n + blockIdx.y * 32 + x] = *reinterpret_cast<float*>(tile + Place::at(x, 4 * (y + i)));
    }
}

#define TRANSPOSE(NAME, ...)                                                                       \
    extern "C" __global__ void transpose_##NAME(const float* in, float* out, int n) {              \
        transpose<__VA_ARGS__>(in, out, n);                                                        \
    }

TRANSPOSE(plain, Plain<128>)
TRANSPOSE(padded, Padded<128, 4>)
TRANSPOSE(wrong, Swizzled<128, 3, 4, 3>)
TRANSPOSE(right, Swizzled<128, 5, 2, 5>)

// The limit of a transpose: the same loads and stores without the turn.
extern "C" __global__ void copy(const float* in, float* out, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    float kept[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) kept[i] = in[u64(blockIdx.y * 32 + y + 8 * i) * n + blockIdx.x * 32 + x];
#pragma unroll
    for (int i = 0; i < 4; ++i) out[u64(blockIdx.y * 32 + y + 8 * i) * n + blockIdx.x * 32 + x] = kept[i];
}

constexpr int STAGES = 4;
constexpr int TILE = 64;           // rows, and halves a row: 128 bytes
constexpr int CHUNKS = TILE * 8;   // of 16 bytes
constexpr int THREADS = 128;

template <class Place>
__device__ __forceinline__ void fetch(char* stage, const char* in, int tile, int tiles_across) {
    const char* corner = in + u64(tile / tiles_across) * TILE * (tiles_across * 128) + tile % tiles_across * 128;
#pragma unroll
    for (int i = 0; i < CHUNKS; i += THREADS) {
        int chunk = i + threadIdx.x, row = chunk / 8, byte = chunk % 8 * 16;
        u32 to = static_cast<u32>(__cvta_generic_to_shared(stage + Place::at(row, byte)));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :: "r"(to), "l"(corner + u64(row) * (tiles_across * 128) + byte) : "memory");
    }
}

// Every warp reads 16 x 16 blocks of the tile; together the block's warps read the tile `reads` times. `step` is 0,
// which the compiler does not know: it would read a block once and count it often.
template <class Place>
__device__ __forceinline__ u32 consume(const char* stage, int reads, u32 step) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 sink = 0;
    for (int read = 0; read < reads; ++read) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            u32 from = static_cast<u32>(__cvta_generic_to_shared(
                stage + Place::at((warp + read) % 4 * 16 + lane % 16, k * 32 + lane / 16 * 16))) + read * step;
            u32 a, b, c, d;
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(from) : "memory");
            sink ^= a ^ b;
            sink ^= c ^ d;
        }
    }
    return sink;
}

// Tiles of 64 x 64 halves stream through STAGES buffers: cp.async in, ldmatrix out.
template <class Place>
__device__ __forceinline__ void stream(const char* in, int tiles, int tiles_across, int reads, u32 step, u32* out) {
    __shared__ alignas(1024) char stages[STAGES][TILE * Place::pitch];
    u32 sink = 0;
    int next = blockIdx.x;
    for (int i = 0; i < STAGES - 1; ++i, next += gridDim.x) {
        if (next < tiles) fetch<Place>(stages[i], in, next, tiles_across);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (int tile = blockIdx.x, i = 0; tile < tiles; tile += gridDim.x, ++i, next += gridDim.x) {
        asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2) : "memory");
        __syncthreads();
        if (next < tiles) fetch<Place>(stages[(i + STAGES - 1) % STAGES], in, next, tiles_across);
        asm volatile("cp.async.commit_group;" ::: "memory");
        sink ^= consume<Place>(stages[i % STAGES], reads, step);
    }
    if (sink == 0xdeadbeef) *out = sink;
}

#define STREAM(NAME, ...)                                                                          \
    extern "C" __global__ void stream_##NAME(const char* in, int tiles, int tiles_across, int reads, u32 step, u32* out) { \
        stream<__VA_ARGS__>(in, tiles, tiles_across, reads, step, out);                            \
    }

STREAM(plain, Plain<128>)
STREAM(padded, Padded<128, 16>)
STREAM(wrong, Swizzled<128, 3, 5, 3>)
STREAM(right, Swizzled<128, 3, 4, 3>)

// The limit of the pipeline: the same bytes, read and dropped; every thread has eight loads under way.
extern "C" __global__ void read(const uint4* in, u64 count, u32* out) {
    constexpr int LOADS = 8;
    u64 stride = u64(gridDim.x) * blockDim.x;
    u32 sink = 0;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += LOADS * stride) {
        uint4 kept[LOADS];
#pragma unroll
        for (int j = 0; j < LOADS; ++j) kept[j] = i + j * stride < count ? in[i + j * stride] : uint4{};
#pragma unroll
        for (int j = 0; j < LOADS; ++j) sink ^= kept[j].x ^ kept[j].y ^ kept[j].z ^ kept[j].w;
    }
    if (sink == 0xdeadbeef) *out = sink;
}

// Cycles and nanoseconds of the same stretch of time: the clock's rate.
extern "C" __global__ void clock_rate(u64 least_cycles, u64* out) {
    u64 nanoseconds, end, start = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    u64 now = start;
    while (now - start < least_cycles) now = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    out[0] = now - start;
    out[1] = end - nanoseconds;
}
