// cp.async as kernels use it: its source streams from L2, and its destinations lie where a list says. sm_80.

typedef unsigned int u32;
typedef unsigned long long u64;

extern __shared__ char memory[];

// What one block reads, over and over: more than L1 holds beside the shared memory, little enough that all blocks fit L2.
constexpr u32 REGION = 1 << 17;

#define CP_ASYNC(CACHE, WIDTH)                                                                              \
    struct CACHE##_##WIDTH {                                                                                \
        static constexpr u32 width = WIDTH;                                                                 \
        __device__ static void issue(u32 to, const char* from) {                                            \
            asm volatile("cp.async." #CACHE ".shared.global [%0], [%1], " #WIDTH ";"                        \
                         :: "r"(to), "l"(from) : "memory");                                                 \
        }                                                                                                   \
    };

CP_ASYNC(ca, 4) CP_ASYNC(ca, 8) CP_ASYNC(ca, 16) CP_ASYNC(cg, 16)

constexpr int UNROLL = 8;

// Every warp copies the next 32 vectors of the region; all to the same 32 destinations.
template <class I>
__device__ __forceinline__ u32 cycles_of(u32 to, const char* region, u32& at, int repetitions) {
    u32 step = blockDim.x * I::width;
    __syncthreads();
    u64 start = clock64();
#pragma unroll 1
    for (int i = 0; i < repetitions; i += UNROLL) {
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) {
            I::issue(to, region + at);
            at = (at + step) % REGION;
        }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    return static_cast<u32>(clock64() - start);
}

// The first run brings the region to L2; `cycles` gets the other two of each block.
template <class I>
__device__ __forceinline__ void streamed(const int* addresses, const char* source, int few, int many, u32* cycles) {
    u32 to = static_cast<u32>(__cvta_generic_to_shared(memory)) + addresses[threadIdx.x % 32];
    const char* region = source + u64(blockIdx.x) * REGION;
    u32 at = threadIdx.x * I::width;
    cycles_of<I>(to, region, at, REGION / (blockDim.x * I::width));
    u32 short_run = cycles_of<I>(to, region, at, few);
    u32 long_run = cycles_of<I>(to, region, at, many);
    if (threadIdx.x == 0) {
        cycles[2 * blockIdx.x] = short_run;
        cycles[2 * blockIdx.x + 1] = long_run;
    }
}

#define KERNEL(I)                                                                                           \
    extern "C" __global__ void __launch_bounds__(1024)                                                      \
    streamed_##I(const int* addresses, const char* source, int few, int many, u32* cycles) {                \
        streamed<I>(addresses, source, few, many, cycles);                                                  \
    }

KERNEL(ca_4) KERNEL(ca_8) KERNEL(ca_16) KERNEL(cg_16)
