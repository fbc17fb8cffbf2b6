// One atomic instruction on shared memory at 32 byte addresses, alone or many times over. sm_70.

typedef unsigned int u32;
typedef unsigned long long u64;

extern __shared__ char memory[];

// `value` differs from lane to lane, so that the compiler counts no lanes instead of adding.
struct Lane {
    u32 address;
    u32 value;
    u32 sink;
};

#define RED(NAME, OPERATION)                                                                                \
    struct NAME {                                                                                           \
        __device__ static void issue(Lane& lane) {                                                          \
            asm volatile("red.shared." OPERATION " [%0], %1;" :: "r"(lane.address), "r"(lane.value) : "memory"); \
        }                                                                                                   \
    };

#define ATOM(NAME, OPERATION)                                                                               \
    struct NAME {                                                                                           \
        __device__ static void issue(Lane& lane) {                                                          \
            u32 old;                                                                                        \
            asm volatile("atom.shared." OPERATION " %0, [%1], %2;"                                          \
                         : "=r"(old) : "r"(lane.address), "r"(lane.value) : "memory");                      \
            lane.sink ^= old;                                                                               \
        }                                                                                                   \
    };

RED(red_add_u32, "add.u32")
RED(red_max_u32, "max.u32")
ATOM(atom_add_u32, "add.u32")
ATOM(atom_exch_b32, "exch.b32")

struct atom_cas_b32 {
    __device__ static void issue(Lane& lane) {
        u32 old;
        asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;"
                     : "=r"(old) : "r"(lane.address), "r"(0), "r"(lane.value) : "memory");
        lane.sink ^= old;
    }
};

struct red_add_f32 {
    __device__ static void issue(Lane& lane) {
        asm volatile("red.shared.add.f32 [%0], %1;" :: "r"(lane.address), "f"(float(lane.value)) : "memory");
    }
};

struct atom_add_f32 {
    __device__ static void issue(Lane& lane) {
        float old;
        asm volatile("atom.shared.add.f32 %0, [%1], %2;"
                     : "=f"(old) : "r"(lane.address), "f"(float(lane.value)) : "memory");
        lane.sink ^= __float_as_uint(old);
    }
};

// What one warp has to itself: no two warps meet in a word.
constexpr u32 SPAN = 4096;

__device__ __forceinline__ Lane lane_at(const int* addresses, u32 seed) {
    for (int i = threadIdx.x; i < blockDim.x / 32 * SPAN / 4; i += blockDim.x) reinterpret_cast<u32*>(memory)[i] = 0;
    __syncthreads();
    u32 base = static_cast<u32>(__cvta_generic_to_shared(memory)) + threadIdx.x / 32 * SPAN;
    return {base + addresses[threadIdx.x % 32], seed + threadIdx.x % 32, 0};
}

// No run makes this sum, so the store that keeps what was loaded alive never happens.
__device__ __forceinline__ void keep(const Lane& lane, u32* out) {
    if (lane.sink == 0xdeadbeef) *out = 1;
}

template <class I>
__device__ __forceinline__ void once(const int* addresses, u32 active, u32 seed, u32* out) {
    Lane lane = lane_at(addresses, seed);
    if (active >> threadIdx.x & 1) I::issue(lane);
    keep(lane, out);
}

constexpr int UNROLL = 8;

template <class I>
__device__ __forceinline__ u32 cycles_of(Lane& lane, bool active, int repetitions) {
    __syncthreads();
    u64 start = clock64();
    if (active) {
#pragma unroll 1
        for (int i = 0; i < repetitions; i += UNROLL) {
#pragma unroll
            for (int j = 0; j < UNROLL; ++j) I::issue(lane);
        }
    }
    __syncthreads();
    return static_cast<u32>(clock64() - start);
}

template <class I>
__device__ __forceinline__ void timed(const int* addresses, const u32* active, u32 seed, int few, int many,
                                      u32* cycles, u32* out) {
    Lane lane = lane_at(addresses + 32 * blockIdx.x, seed);
    bool takes_part = active[blockIdx.x] >> threadIdx.x % 32 & 1;
    cycles_of<I>(lane, takes_part, few);
    u32 short_run = cycles_of<I>(lane, takes_part, few);
    u32 long_run = cycles_of<I>(lane, takes_part, many);
    if (threadIdx.x == 0) {
        cycles[2 * blockIdx.x] = short_run;
        cycles[2 * blockIdx.x + 1] = long_run;
    }
    keep(lane, out);
}

#define KERNELS(I)                                                                                          \
    extern "C" __global__ void once_##I(const int* addresses, u32 active, u32 seed, u32* out) {             \
        once<I>(addresses, active, seed, out);                                                              \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(1024)                                                      \
    timed_##I(const int* addresses, const u32* active, u32 seed, int few, int many, u32* cycles, u32* out) { \
        timed<I>(addresses, active, seed, few, many, cycles, out);                                          \
    }

KERNELS(red_add_u32) KERNELS(red_max_u32) KERNELS(red_add_f32)
KERNELS(atom_add_u32) KERNELS(atom_exch_b32) KERNELS(atom_cas_b32) KERNELS(atom_add_f32)
