// One shared-memory instruction at 32 byte addresses, alone or many times over.
//
// once_X issues it one time in one warp, so that what a profiler counts is this instruction alone.
// timed_X issues it back to back in many warps: the slope of cycles over repetitions is its cost.
//
// Compiled at run time for the GPU at hand, so nothing is included.

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

extern __shared__ char memory[];

struct Lane {
    u32 address;         // in shared memory
    const char* source;  // in global memory; only cp.async reads it
    u32 sink;            // takes what is loaded, so that no load is dead
    u32 step;            // 0 at run time, which the compiler does not know: it would merge equal ldmatrix
};

// A collective instruction is executed by every lane, whichever of them give addresses.
struct PerLane { static constexpr bool collective = false; };
struct Collective { static constexpr bool collective = true; };

struct LDS_U8 : PerLane {
    __device__ static void issue(Lane& lane) {
        u16 a;
        asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=h"(a) : "r"(lane.address) : "memory");
        lane.sink ^= a;
    }
};

struct LDS_U16 : PerLane {
    __device__ static void issue(Lane& lane) {
        u16 a;
        asm volatile("ld.volatile.shared.u16 %0, [%1];" : "=h"(a) : "r"(lane.address) : "memory");
        lane.sink ^= a;
    }
};

struct LDS_32 : PerLane {
    __device__ static void issue(Lane& lane) {
        u32 a;
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(a) : "r"(lane.address) : "memory");
        lane.sink ^= a;
    }
};

struct LDS_64 : PerLane {
    __device__ static void issue(Lane& lane) {
        u32 a, b;
        asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(lane.address) : "memory");
        lane.sink ^= a ^ b;
    }
};

struct LDS_128 : PerLane {
    __device__ static void issue(Lane& lane) {
        u32 a, b, c, d;
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(lane.address) : "memory");
        lane.sink ^= a ^ b;
        lane.sink ^= c ^ d;
    }
};

struct STS_U8 : PerLane {
    __device__ static void issue(Lane& lane) {
        asm volatile("st.volatile.shared.u8 [%0], %1;" :: "r"(lane.address), "h"(u16(1)) : "memory");
    }
};

struct STS_U16 : PerLane {
    __device__ static void issue(Lane& lane) {
        asm volatile("st.volatile.shared.u16 [%0], %1;" :: "r"(lane.address), "h"(u16(1)) : "memory");
    }
};

struct STS_32 : PerLane {
    __device__ static void issue(Lane& lane) {
        asm volatile("st.volatile.shared.u32 [%0], %1;" :: "r"(lane.address), "r"(lane.address) : "memory");
    }
};

struct STS_64 : PerLane {
    __device__ static void issue(Lane& lane) {
        asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %1};" :: "r"(lane.address), "r"(lane.address) : "memory");
    }
};

struct STS_128 : PerLane {
    __device__ static void issue(Lane& lane) {
        asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" :: "r"(lane.address), "r"(lane.address)
                     : "memory");
    }
};

#define LDMATRIX(SUFFIX, TRANS)                                                                             \
    struct ldmatrix_x1##SUFFIX : Collective {                                                               \
        __device__ static void issue(Lane& lane) {                                                          \
            u32 a;                                                                                          \
            asm volatile("ldmatrix.sync.aligned.m8n8.x1" TRANS ".shared.b16 {%0}, [%1];"                    \
                         : "=r"(a) : "r"(lane.address) : "memory");                                         \
            lane.sink ^= a;                                                                                 \
            lane.address += lane.step;                                                                      \
        }                                                                                                   \
    };                                                                                                      \
    struct ldmatrix_x2##SUFFIX : Collective {                                                               \
        __device__ static void issue(Lane& lane) {                                                          \
            u32 a, b;                                                                                       \
            asm volatile("ldmatrix.sync.aligned.m8n8.x2" TRANS ".shared.b16 {%0, %1}, [%2];"                \
                         : "=r"(a), "=r"(b) : "r"(lane.address) : "memory");                                \
            lane.sink ^= a ^ b;                                                                             \
            lane.address += lane.step;                                                                      \
        }                                                                                                   \
    };                                                                                                      \
    struct ldmatrix_x4##SUFFIX : Collective {                                                               \
        __device__ static void issue(Lane& lane) {                                                          \
            u32 a, b, c, d;                                                                                 \
            asm volatile("ldmatrix.sync.aligned.m8n8.x4" TRANS ".shared.b16 {%0, %1, %2, %3}, [%4];"        \
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(lane.address) : "memory");              \
            lane.sink ^= a ^ b;                                                                             \
            lane.sink ^= c ^ d;                                                                             \
            lane.address += lane.step;                                                                      \
        }                                                                                                   \
    };

#define STMATRIX(SUFFIX, TRANS)                                                                             \
    struct stmatrix_x1##SUFFIX : Collective {                                                               \
        __device__ static void issue(Lane& lane) {                                                          \
            asm volatile("stmatrix.sync.aligned.m8n8.x1" TRANS ".shared.b16 [%0], {%0};"                    \
                         :: "r"(lane.address) : "memory");                                                  \
        }                                                                                                   \
    };                                                                                                      \
    struct stmatrix_x2##SUFFIX : Collective {                                                               \
        __device__ static void issue(Lane& lane) {                                                          \
            asm volatile("stmatrix.sync.aligned.m8n8.x2" TRANS ".shared.b16 [%0], {%0, %0};"                \
                         :: "r"(lane.address) : "memory");                                                  \
        }                                                                                                   \
    };                                                                                                      \
    struct stmatrix_x4##SUFFIX : Collective {                                                               \
        __device__ static void issue(Lane& lane) {                                                          \
            asm volatile("stmatrix.sync.aligned.m8n8.x4" TRANS ".shared.b16 [%0], {%0, %0, %0, %0};"        \
                         :: "r"(lane.address) : "memory");                                                  \
        }                                                                                                   \
    };

#define CP_ASYNC(CACHE, WIDTH)                                                                              \
    struct cp_async_##CACHE##_##WIDTH : PerLane {                                                           \
        __device__ static void issue(Lane& lane) {                                                          \
            asm volatile("cp.async." #CACHE ".shared.global [%0], [%1], " #WIDTH ";"                        \
                         :: "r"(lane.address), "l"(lane.source) : "memory");                                \
        }                                                                                                   \
    };

__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// No address and no datum has this value, so the store that keeps the loads alive never happens.
__device__ __forceinline__ void keep(const Lane& lane, u32* out) {
    if (lane.sink == 0xdeadbeef) *out = 1;
}

struct Request {
    Lane lane;
    bool takes_part;
};

// Arrays of n requests: 32 addresses in shared memory, 32 offsets in `global`, and a bit mask of active lanes each.
struct Requests {
    const int* addresses;
    const int* sources;
    const u32* active;
    const char* global;
};

template <class I>
__device__ __forceinline__ Request request_at(int index, Requests all, int source_of_block, u32 step) {
    u32 base = static_cast<u32>(__cvta_generic_to_shared(memory));
    int lane = threadIdx.x % 32, place = 32 * index + lane;
    return {{base + all.addresses[place], all.global + source_of_block + all.sources[place], 0, step},
            I::collective || (all.active[index] >> lane & 1)};
}

template <class I>
__device__ __forceinline__ void once(int index, Requests all, u32* out) {
    Request request = request_at<I>(index, all, 0, 0);
    if (request.takes_part) I::issue(request.lane);
    wait_for_copies();
    keep(request.lane, out);
}

constexpr int UNROLL = 16;

template <class I>
__device__ __forceinline__ u32 cycles_of(Request& request, int repetitions) {
    __syncthreads();
    u64 start = clock64();
    if (request.takes_part) {
#pragma unroll 1
        for (int i = 0; i < repetitions; i += UNROLL) {
#pragma unroll
            for (int j = 0; j < UNROLL; ++j) I::issue(request.lane);
        }
    }
    wait_for_copies();
    __syncthreads();
    return static_cast<u32>(clock64() - start);
}

// One request a block, each with a source of its own. The first run warms the caches; `cycles` gets the other two.
template <class I>
__device__ __forceinline__ void timed(Requests all, int few, int many, u32 step, u32* cycles, u32* out) {
    int index = blockIdx.x;
    Request request = request_at<I>(index, all, blockIdx.x % 128 * 4096, step);
    cycles_of<I>(request, few);
    u32 short_run = cycles_of<I>(request, few);
    u32 long_run = cycles_of<I>(request, many);
    if (threadIdx.x == 0) {
        cycles[2 * index] = short_run;
        cycles[2 * index + 1] = long_run;
    }
    keep(request.lane, out);
}

#define KERNELS(I)                                                                                          \
    extern "C" __global__ void once_##I(int index, const int* addresses, const int* sources,                \
                                        const u32* active, const char* global, u32* out) {                  \
        once<I>(index, {addresses, sources, active, global}, out);                                          \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(1024)                                                      \
    timed_##I(const int* addresses, const int* sources,                                                     \
              const u32* active, const char* global, int few, int many,                                     \
              u32 step, u32* cycles, u32* out) {                                                            \
        timed<I>({addresses, sources, active, global}, few, many, step, cycles, out);                       \
    }

KERNELS(LDS_U8) KERNELS(LDS_U16) KERNELS(LDS_32) KERNELS(LDS_64) KERNELS(LDS_128)
KERNELS(STS_U8) KERNELS(STS_U16) KERNELS(STS_32) KERNELS(STS_64) KERNELS(STS_128)

#if __CUDA_ARCH__ >= 750
LDMATRIX(, "")
LDMATRIX(_trans, ".trans")
KERNELS(ldmatrix_x1) KERNELS(ldmatrix_x2) KERNELS(ldmatrix_x4)
KERNELS(ldmatrix_x1_trans) KERNELS(ldmatrix_x2_trans) KERNELS(ldmatrix_x4_trans)
#endif

#if __CUDA_ARCH__ >= 800
CP_ASYNC(ca, 4)
CP_ASYNC(ca, 8)
CP_ASYNC(ca, 16)
CP_ASYNC(cg, 16)
KERNELS(cp_async_ca_4) KERNELS(cp_async_ca_8) KERNELS(cp_async_ca_16) KERNELS(cp_async_cg_16)
#endif

#if __CUDA_ARCH__ >= 900
STMATRIX(, "")
STMATRIX(_trans, ".trans")
KERNELS(stmatrix_x1) KERNELS(stmatrix_x2) KERNELS(stmatrix_x4)
KERNELS(stmatrix_x1_trans) KERNELS(stmatrix_x2_trans) KERNELS(stmatrix_x4_trans)
#endif
