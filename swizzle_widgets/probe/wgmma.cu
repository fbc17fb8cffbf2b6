// Tensor cores that read both operands from shared memory (wgmma), under any descriptor. sm_90a.

typedef unsigned int u32;
typedef unsigned long long u64;

extern __shared__ char memory[];

__device__ __forceinline__ u32 shared(const void* pointer) {
    return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ char* aligned_memory() {
    return memory + (1024 - shared(memory) % 1024) % 1024;
}

// PTX's matrix descriptor: address, the two byte offsets between core matrices, and the swizzle mode, all but
// the mode in units of 16 bytes.
__device__ __forceinline__ u64 descriptor(u32 address, int leading, int stride, int mode) {
    return u64(address >> 4 & 0x3fff) | u64(leading >> 4) << 16 | u64(stride >> 4) << 32 | u64(mode) << 62;
}

// d (64 x 64, float) += a (64 x 16) * b (64 x 16) transposed, both half and K-major.
__device__ __forceinline__ void multiply(float (&d)[32], u64 a, u64 b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14"
        ", %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "%32, %33, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b));
}

// d (64 x 8) += a (64 x 16) * b (8 x 16) transposed.
__device__ __forceinline__ void multiply(float (&d)[4], u64 a, u64 b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}

__device__ __forceinline__ void begin() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void finish() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Shared memory becomes `image`: a at 0, b at 8192.
__device__ __forceinline__ u32 take(const u32* image) {
    u32* words = reinterpret_cast<u32*>(aligned_memory());
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = image[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    return shared(words);
}

// `steps` products, `advance` bytes apart along K; out is the 64 x N result.
template <int N>
__device__ __forceinline__ void product(const u32* image, int mode, int leading, int stride, int steps, int advance,
                                        float* out) {
    u32 base = take(image);
    float d[N / 2] = {};
    begin();
#pragma unroll 1
    for (int k = 0; k < steps; ++k) {
        multiply(d, descriptor(base + k * advance, leading, stride, mode),
                 descriptor(base + 8192 + k * advance, leading, stride, mode));
    }
    finish();
    int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
    for (int i = 0; i < N / 2; ++i) out[(row + i / 2 % 2 * 8) * N + col + i / 4 * 8 + i % 2] = d[i];
}

#define PRODUCT(N)                                                                                              \
    extern "C" __global__ void wgmma_product_##N(const u32* image, int mode, int leading, int stride, int steps, \
                                                 int advance, float* out) {                                     \
        product<N>(image, mode, leading, stride, steps, advance, out);                                          \
    }
PRODUCT(64)
PRODUCT(8)

// The same product `few`, then `many` times over: the slope is the cost of one.
extern "C" __global__ void wgmma_speed(const u32* image, int mode, int leading, int stride, int few, int many,
                                       u32* cycles, float* out) {
    u32 base = take(image);
    float d[32] = {};
    u64 a = descriptor(base, leading, stride, mode), b = descriptor(base + 8192, leading, stride, mode);
#pragma unroll 1
    for (int run = 0; run < 3; ++run) {
        int repetitions = run == 2 ? many : few;
        __syncthreads();
        u64 start = clock64();
        begin();
#pragma unroll 1
        for (int i = 0; i < repetitions; ++i) multiply(d, a, b);
        finish();
        __syncthreads();
        if (threadIdx.x == 0) cycles[run] = u32(clock64() - start);
    }
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += d[i];
    out[threadIdx.x] = sum;
}
