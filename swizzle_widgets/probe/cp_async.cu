// cp.async as kernels use it: its source streams from L2, and its destinations lie where a list says. sm_80.

typedef unsigned int u32;
typedef unsigned long long u64;

extern __shared__ char memory[];

#define CP_ASYNC(CACHE, WIDTH)                                                                              \
    struct CACHE##_##WIDTH {                                                                                \
        static constexpr u32 width = WIDTH;                                                                 \
        __device__ static void issue(u32 to, const char* from) {                                            \
            asm volatile("cp.async." #CACHE ".shared.global [%0], [%1], " #WIDTH ";"                        \
                         :: "r"(to), "l"(from) : "memory");                                                 \
        }                                                                                                   \
    };

CP_ASYNC(ca, 4) CP_ASYNC(ca, 8) CP_ASYNC(ca, 16) CP_ASYNC(cg, 16)

// Copies that a warp has under way. Each goes to a place of its own: of several .cg copies to one place that are under
// way at once, most are dropped, and L2 never sees them.
constexpr int RING = 7;

// Every warp copies the next 32 vectors of the block's source, into its next place.
template <class I>
__device__ __forceinline__ u32 cycles_of(u32 to, u32 span, const char* source, u32 bytes, u32& at, int repetitions) {
    u32 step = blockDim.x * I::width;
    __syncthreads();
    u64 start = clock64();
#pragma unroll 1
    for (int i = 0; i < repetitions; i += RING) {
#pragma unroll
        for (int slot = 0; slot < RING; ++slot) {
            asm volatile("cp.async.wait_group %0;" :: "n"(RING - 1) : "memory");
            I::issue(to + slot * span, source + at);
            asm volatile("cp.async.commit_group;" ::: "memory");
            at = (at + step) & (bytes - 1);
        }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    return static_cast<u32>(clock64() - start);
}

// A block reads `bytes` of its own, a power of two, over and over: more than L1 holds beside the shared memory, little
// enough that all blocks fit L2. The first run brings them there; `cycles` gets the other two of each block.
template <class I>
__device__ __forceinline__ void streamed(const int* addresses, u32 span, const char* source, u32 bytes, int few,
                                         int many, u32* cycles) {
    u32 to = static_cast<u32>(__cvta_generic_to_shared(memory)) + threadIdx.x / 32 * RING * span;
    to += addresses[threadIdx.x % 32];
    source += u64(blockIdx.x) * bytes;
    u32 at = threadIdx.x * I::width;
    cycles_of<I>(to, span, source, bytes, at, bytes / (blockDim.x * I::width));
    u32 short_run = cycles_of<I>(to, span, source, bytes, at, few);
    u32 long_run = cycles_of<I>(to, span, source, bytes, at, many);
    if (threadIdx.x == 0) {
        cycles[2 * blockIdx.x] = short_run;
        cycles[2 * blockIdx.x + 1] = long_run;
    }
}

#define KERNEL(I)                                                                                           \
    extern "C" __global__ void __launch_bounds__(256)                                                       \
    streamed_##I(const int* addresses, u32 span, const char* source, u32 bytes, int few, int many, u32* cycles) { \
        streamed<I>(addresses, span, source, bytes, few, many, cycles);                                     \
    }

KERNEL(ca_4) KERNEL(ca_8) KERNEL(ca_16) KERNEL(cg_16)
