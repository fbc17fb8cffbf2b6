// What the copy engine (cp.async.bulk.tensor) does to a tile, and how fast it writes one. sm_90.

typedef unsigned int u32;
typedef unsigned long long u64;

struct alignas(64) TensorMap { u64 opaque[16]; };
__constant__ TensorMap tensor_map;

extern __shared__ char memory[];

__device__ __forceinline__ u32 shared(const void* pointer) {
    return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

// The first byte of shared memory whose address is a multiple of 1024, the longest repeat of a mode.
__device__ __forceinline__ char* aligned_memory() {
    return memory + (1024 - shared(memory) % 1024) % 1024;
}

__device__ __forceinline__ void barrier_init(u64* barrier) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(shared(barrier)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ __forceinline__ void load(int col, int row, char* to, u64* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(shared(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(shared(to)), "l"(&tensor_map), "r"(col), "r"(row), "r"(shared(barrier)) : "memory");
}

__device__ __forceinline__ void wait(u64* barrier, int parity) {
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra again;\n}"
                 :: "r"(shared(barrier)), "r"(parity) : "memory");
}

// One box goes to `base` bytes behind a multiple of 1024; everything from that multiple on comes back.
extern "C" __global__ void tma_dump(int base, int bytes, int words, u32* out) {
    __shared__ u64 barrier;
    u32* image = reinterpret_cast<u32*>(aligned_memory());
    for (int i = threadIdx.x; i < words; i += blockDim.x) image[i] = 0xffffffff;
    asm volatile("fence.proxy.async;" ::: "memory");
    if (threadIdx.x == 0) barrier_init(&barrier);
    __syncthreads();
    if (threadIdx.x == 0) load(0, 0, aligned_memory() + base, &barrier, bytes);
    wait(&barrier, 0);
    for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = image[i];
}

constexpr int STAGES = 8;

// One thread a block keeps STAGES boxes under way. A block walks over `rows` rows that begin at blockIdx.x * apart:
// boxes lie side by side, then below one another; no division, which would take one thread longer than the engine
// takes for a box.
extern "C" __global__ void tma_speed(int box_cols, int box_rows, int cols, int rows, int apart, int bytes, int loads,
                                     u64* cycles) {
    __shared__ u64 barriers[STAGES];
    if (threadIdx.x != 0) return;
    for (int i = 0; i < STAGES; ++i) barrier_init(barriers + i);
    char* stages = aligned_memory();
    int first = blockIdx.x * apart, col = 0, row = first;
    u64 start = clock64();
    for (int i = 0; i < loads + STAGES; ++i) {
        int stage = i % STAGES;
        if (i >= STAGES) wait(barriers + stage, (i / STAGES - 1) % 2);
        if (i < loads) {
            load(col, row, stages + stage * bytes, barriers + stage, bytes);
            if ((col += box_cols) == cols) {
                col = 0;
                if ((row += box_rows) == first + rows) row = first;
            }
        }
    }
    cycles[blockIdx.x] = clock64() - start;
}
