/* tensor.cu: products of small matrices by the tensor cores, each by a warp (PTX ISA, mma). Matrices have 16 x 16 and
 * 16 x 8 values of bf16, or 16 x 8 and 8 x 8 of tf32. Products are added as f32. The tiles of a step hold as many bytes
 * for both, and arrive as in pipelined.cu. */
#include "gpu/copy.cuh"
#include "gpu/course/multiply/rounded.cuh"

enum {
    ROWS = 128,
    COLUMNS = 128,
    ROW_BYTES = 64, /* of A's tile */
    A_PITCH = ROW_BYTES + 16,
    STEPS = 4,
    THREADS = 256,
    WARPS_ACROSS = 4,
    DOWN = 4,  /* products of a warp: 64 rows */
    ACROSS = 4 /* and 32 columns */
};

/* How the tiles of B lie, and how a warp reads and multiplies. */
template <typename T> struct Kind;

template <> struct Kind<Bf16> {
    enum { TERMS = ROW_BYTES / 2, DEEP = 16, B_PITCH = COLUMNS * 2 + 16 };
    /* Reads B for all products across: DEEP terms by eight columns each, the first at `from`. */
    static __device__ __forceinline__ void read_b(uint32_t from, int lane, uint32_t (&b)[ACROSS][2]) {
#if __CUDA_ARCH__ >= 800
#    pragma unroll
        for (int x = 0; x < ACROSS; x += 2)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(b[x][0]), "=r"(b[x][1]), "=r"(b[x + 1][0]), "=r"(b[x + 1][1])
                         : "r"(from + lane % 16 * B_PITCH + (lane / 16 + x) * 16));
#endif
    }
    static __device__ __forceinline__ void multiply(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
                     "%9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
    }
};

template <> struct Kind<float> {
    enum { TERMS = ROW_BYTES / 4, DEEP = 8, B_PITCH = COLUMNS * 4 + 32 };
    static __device__ __forceinline__ void read_b(uint32_t from, int lane, uint32_t (&b)[ACROSS][2]) {
#if __CUDA_ARCH__ >= 800
#    pragma unroll
        for (int x = 0; x < ACROSS; x++)
#    pragma unroll
            for (int i = 0; i < 2; i++)
                asm volatile("ld.shared.u32 %0, [%1];"
                             : "=r"(b[x][i])
                             : "r"(from + (lane % 4 + 4 * i) * B_PITCH + (lane / 4 + 8 * x) * 4));
#endif
    }
    static __device__ __forceinline__ void multiply(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                     "{%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
    }
};

/* Sixteen rows of A by 32 bytes, as both kinds take them. */
static __device__ __forceinline__ void read_a(uint32_t from, int lane, uint32_t (&a)[4]) {
#if __CUDA_ARCH__ >= 800
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from + lane % 16 * A_PITCH + lane / 16 * 16));
#endif
}

/* Whole pieces of 16 bytes: rows end with zeros up to the next one. Rows and columns beyond the matrix are read as its
 * last ones; terms are 0. */
template <typename T>
static __device__ __forceinline__ void copy_step(const Rounded &from, const Matrices &m, int top, int left, int k,
                                                 uint32_t to) {
    enum { PER = 16 / sizeof(T), A_ACROSS = ROW_BYTES / 16, B_ACROSS = COLUMNS / PER, TERMS = Kind<T>::TERMS };
#pragma unroll
    for (int i = threadIdx.x; i < ROWS * A_ACROSS; i += THREADS) {
        const int y = i / A_ACROSS, x = k + i % A_ACROSS * PER;
        copy_async<16>(to + y * A_PITCH + i % A_ACROSS * 16,
                       (const T *)from.a + min(top + y, m.rows - 1) * from.a_pitch + x, x < m.terms ? 16 : 0);
    }
#pragma unroll
    for (int i = threadIdx.x; i < TERMS * B_ACROSS; i += THREADS) {
        const int y = i / B_ACROSS, x = left + i % B_ACROSS * PER;
        copy_async<16>(to + ROWS * A_PITCH + y * Kind<T>::B_PITCH + i % B_ACROSS * 16,
                       (const T *)from.b + (size_t)(k + y) * from.b_pitch + min(x, (m.columns - 1) / PER * PER),
                       k + y < m.terms ? 16 : 0);
    }
    copies_end();
}

template <typename T>
__global__ void __launch_bounds__(THREADS, 2)
    multiply_tensor(const __grid_constant__ Matrices m, const __grid_constant__ Rounded from, bool wide) {
    extern __shared__ __align__(16) unsigned char memory[];
    enum { TERMS = Kind<T>::TERMS, B_PITCH = Kind<T>::B_PITCH, STEP_BYTES = ROWS * A_PITCH + TERMS * B_PITCH };
    const uint32_t shared = shared_address(memory);
    const int top = blockIdx.y * ROWS, left = blockIdx.x * COLUMNS;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / WARPS_ACROSS * 64, column = warp % WARPS_ACROSS * 32;
    float sums[DOWN][ACROSS][4] = {};
#pragma unroll
    for (int step = 0; step < STEPS - 1; step++)
        copy_step<T>(from, m, top, left, step * TERMS, shared + step * STEP_BYTES);
    for (int k = 0, step = 0; k < m.terms; k += TERMS, step++) {
        copies_wait<STEPS - 2>();
        __syncthreads();
        copy_step<T>(from, m, top, left, k + (STEPS - 1) * TERMS, shared + (step + STEPS - 1) % STEPS * STEP_BYTES);
        const uint32_t a_from = shared + step % STEPS * STEP_BYTES + row * A_PITCH;
        const uint32_t b_from = shared + step % STEPS * STEP_BYTES + ROWS * A_PITCH + column * (int)sizeof(T);
#pragma unroll
        for (int i = 0; i < TERMS / Kind<T>::DEEP; i++) {
            uint32_t a[DOWN][4], b[ACROSS][2];
            Kind<T>::read_b(b_from + i * Kind<T>::DEEP * B_PITCH, lane, b);
#pragma unroll
            for (int y = 0; y < DOWN; y++)
                read_a(a_from + y * 16 * A_PITCH + i * 32, lane, a[y]);
#pragma unroll
            for (int y = 0; y < DOWN; y++)
#pragma unroll
                for (int x = 0; x < ACROSS; x++)
                    Kind<T>::multiply(sums[y][x], a[y], b[x]);
        }
    }
#pragma unroll
    for (int y = 0; y < 2 * DOWN; y++)
#pragma unroll
        for (int x = 0; x < ACROSS; x++) {
            const int at_y = top + row + 8 * y + lane / 4, at_x = left + column + 8 * x + lane % 4 * 2;
            const float first = sums[y / 2][x][y % 2 * 2], second = sums[y / 2][x][y % 2 * 2 + 1];
            put_two(m, at_y, at_x, first, second, wide);
        }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const GpuDevice *gpu = (const GpuDevice *)device;
    *why_not = "tensor cores multiply no f32: take tf32 or bf16";
    if (multiply_job(stage)->precision == PRECISION_F32)
        return false;
    *why_not = "tf32 and bf16 came with compute capability 8.0";
    return gpu->limits.major >= 8;
}

template <typename T> static Status launch(Queue *queue, const Stage *stage) {
    Matrices m = matrices_of(stage);
    bool wide = is_paired(stage->out);
    Rounded rounded;
    TRY(round_matrices(queue, stage, &rounded));
    const Launch launch = {dim3(blocks_for(m.columns, COLUMNS), blocks_for(m.rows, ROWS)), dim3(THREADS),
                           STEPS * (ROWS * A_PITCH + Kind<T>::TERMS * Kind<T>::B_PITCH)};
    void *arguments[] = {&m, &rounded, &wide};
    return gpu_launch(queue, "multiply tensor", (const void *)multiply_tensor<T>, launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    return multiply_job(stage)->precision == PRECISION_BF16 ? launch<Bf16>(queue, stage) : launch<float>(queue, stage);
}

extern "C" const Level cuda_multiply_tensor = {
    .op = &op_multiply,
    .name = "tensor",
    .idea = "values rounded to tf32 or bf16, and the tensor cores, of which one instruction of a warp multiplies small "
            "matrices",
    .accepts = accepts,
    .workspace = rounded_workspace,
    .run = run,
};
