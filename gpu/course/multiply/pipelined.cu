/* pipelined.cu: while a step of the product is computed, the next ones are on their way to shared memory. There are
 * three steps in all, and none goes through registers. The next values of both tiles are on their way from shared
 * memory to registers. A lies there as in device memory, along its rows. A thread reads four terms of a row at once.
 * The row's place in the registers is filled again as soon as its last term is used. */
#include "gpu/copy.cuh"
#include "gpu/course/multiply/matrix.cuh"

enum { TERMS = 16, A_PITCH = TERMS + 4 /* rows in different banks */ };

/* A block's tile, the warps that share it, the values of a thread, the steps in shared memory. */
template <int ROWS_, int COLUMNS_, int DOWN_, int ACROSS_, int STEPS_> struct Tiling {
    enum {
        ROWS = ROWS_,
        COLUMNS = COLUMNS_,
        DOWN = DOWN_,
        ACROSS = ACROSS_,
        STEPS = STEPS_,
        LANES_DOWN = 64 / DOWN,
        LANES_ACROSS = 64 / ACROSS, /* the tile of a warp is 64 by 64 */
        WARPS_ACROSS = COLUMNS / 64,
        THREADS = ROWS / 64 * WARPS_ACROSS * 32,
        A_VALUES = ROWS * A_PITCH,
        STEP_VALUES = A_VALUES + TERMS * COLUMNS,
        SHARED = STEPS * STEP_VALUES * (int)sizeof(float),
        BLOCKS = 256 / THREADS, /* on a multiprocessor, by their registers */
    };
};

/* How a thread copies its part of a step. Rows and columns beyond the matrix are read as its last ones: their products
 * are stored nowhere. Terms beyond it are 0. */
template <typename T, bool WIDE> struct Copier {
    enum {
        EACH = WIDE ? 4 : 1,
        A_ACROSS = TERMS / EACH,
        A_DOWN = T::THREADS / A_ACROSS,
        A_COPIES = T::ROWS / A_DOWN,
        B_ACROSS = T::COLUMNS / EACH,
        B_DOWN = T::THREADS / B_ACROSS,
        B_COPIES = TERMS / B_DOWN,
    };
    static_assert(T::THREADS % A_ACROSS == 0 && T::THREADS % B_ACROSS == 0, "threads fill rows");
    const float *a, *b;
    unsigned rows[A_COPIES]; /* of A, in bytes from the first */
    size_t b_pitch;
    uint32_t a_to, b_to;
    int left, a_term, b_term; /* terms that are left; of this thread's first copies */

    __device__ __forceinline__ Copier(const Matrices &m, int top, int left_column, uint32_t shared) {
        const int t = threadIdx.x, last = (m.columns - 1) / EACH * EACH;
        const int column = left_column + t % B_ACROSS * EACH;
        left = m.terms;
        a_term = t % A_ACROSS * EACH;
        b_term = t / B_ACROSS;
        b_pitch = m.b_pitch;
        a = m.a + (size_t)top * m.a_pitch + a_term;
#pragma unroll
        for (int i = 0; i < A_COPIES; i++)
            rows[i] = (unsigned)(min(t / A_ACROSS + i * A_DOWN, m.rows - 1 - top) * m.a_pitch * sizeof(float));
        b = m.b + (size_t)b_term * b_pitch + min(column, last);
        a_to = shared + (t / A_ACROSS * A_PITCH + a_term) * sizeof(float);
        b_to = shared + (T::A_VALUES + b_term * T::COLUMNS + t % B_ACROSS * EACH) * sizeof(float);
    }
    /* Part i of the copies of a step. */
    __device__ __forceinline__ void part(int i, uint32_t step) {
        if (i < A_COPIES) {
            const int there = min(max(left - a_term, 0), EACH) * (int)sizeof(float);
            copy_async<EACH * 4>(a_to + step + i * A_DOWN * A_PITCH * (int)sizeof(float), (const char *)a + rows[i],
                                 there);
        }
        if (i < B_COPIES) {
            copy_async<EACH * 4>(b_to + step + i * B_DOWN * T::COLUMNS * (int)sizeof(float), b,
                                 b_term + i * B_DOWN < left ? EACH * 4 : 0);
            b += B_DOWN * b_pitch;
        }
    }
    __device__ __forceinline__ void next() {
        a += TERMS;
        left -= TERMS;
    }
};

template <typename T, bool WIDE>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_pipelined(const __grid_constant__ Matrices m, bool wide_out) {
    extern __shared__ __align__(16) float shared[];
    typedef Copier<T, WIDE> Copies;
    enum {
        PARTS = Copies::A_COPIES > Copies::B_COPIES ? Copies::A_COPIES : Copies::B_COPIES,
        PARTS_EACH = (PARTS + TERMS - 2) / (TERMS - 1),
        STEP_BYTES = T::STEP_VALUES * (int)sizeof(float)
    };
    const int top = blockIdx.y * T::ROWS, left = blockIdx.x * T::COLUMNS;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = warp / T::WARPS_ACROSS * 64 + lane / T::LANES_ACROSS;
    const int column = warp % T::WARPS_ACROSS * 64 + lane % T::LANES_ACROSS * 4;
    const int steps = (m.terms + TERMS - 1) / TERMS;
    Copies copies(m, top, left, shared_address(shared));
    for (int step = 0; step < T::STEPS - 1; step++) {
#pragma unroll
        for (int i = 0; i < PARTS; i++)
            copies.part(i, step * STEP_BYTES);
        copies.next();
        copies_end();
    }
    float sums[T::DOWN][T::ACROSS] = {};
    float4 a[T::DOWN];
    float4 b[2][T::ACROSS / 4];
    int read = 0, write = T::STEPS - 1;
    const float *a_from = shared + row * A_PITCH, *b_from = shared + T::A_VALUES + column;
    copies_wait<T::STEPS - 2>();
    __syncthreads();
#pragma unroll
    for (int y = 0; y < T::DOWN; y++)
        a[y] = *(const float4 *)(a_from + y * T::LANES_DOWN * A_PITCH);
#pragma unroll
    for (int x = 0; x < T::ACROSS / 4; x++)
        b[0][x] = *(const float4 *)(b_from + x * T::LANES_ACROSS * 4);
    for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int k = 0; k < TERMS; k++) {
            if (k == TERMS - 1) { /* the next step is there for all, and all have read this one */
                copies.next();
                copies_end();
                copies_wait<T::STEPS - 2>();
                __syncthreads();
                write = read;
                read = read + 1 == T::STEPS ? 0 : read + 1;
                a_from = shared + read * T::STEP_VALUES + row * A_PITCH;
                b_from = shared + read * T::STEP_VALUES + T::A_VALUES + column;
            }
            const int next = (k + 1) % TERMS;
#pragma unroll
            for (int x = 0; x < T::ACROSS / 4; x++)
                b[(k + 1) % 2][x] = *(const float4 *)(b_from + next * T::COLUMNS + x * T::LANES_ACROSS * 4);
            if (k < TERMS - 1) {
#pragma unroll
                for (int i = 0; i < PARTS_EACH; i++)
                    if (k * PARTS_EACH + i < PARTS)
                        copies.part(k * PARTS_EACH + i, write * STEP_BYTES);
            }
#pragma unroll
            for (int y = 0; y < T::DOWN; y++) {
                const float factor = k % 4 == 0 ? a[y].x : k % 4 == 1 ? a[y].y : k % 4 == 2 ? a[y].z : a[y].w;
#pragma unroll
                for (int x = 0; x < T::ACROSS / 4; x++) {
                    sums[y][4 * x] += factor * b[k % 2][x].x;
                    sums[y][4 * x + 1] += factor * b[k % 2][x].y;
                    sums[y][4 * x + 2] += factor * b[k % 2][x].z;
                    sums[y][4 * x + 3] += factor * b[k % 2][x].w;
                }
                if (k % 4 == 3)
                    a[y] = *(const float4 *)(a_from + y * T::LANES_DOWN * A_PITCH + next);
            }
        }
    }
#pragma unroll
    for (int y = 0; y < T::DOWN; y++)
#pragma unroll
        for (int x = 0; x < T::ACROSS / 4; x++)
            put_four(m, top + row + y * T::LANES_DOWN, left + column + x * T::LANES_ACROSS * 4, &sums[y][4 * x],
                     wide_out);
}

template <typename T> static Status launch(Queue *queue, const Stage *stage) {
    static const void *const kernels[2] = {(const void *)multiply_pipelined<T, false>,
                                           (const void *)multiply_pipelined<T, true>};
    Matrices m = matrices_of(stage);
    bool wide = is_wide(stage->in[0]) && is_wide(stage->in[1]), wide_out = is_wide(stage->out);
    const Launch launch = {dim3(blocks_for(m.columns, T::COLUMNS), blocks_for(m.rows, T::ROWS)), dim3(T::THREADS),
                           T::SHARED};
    void *arguments[] = {&m, &wide_out};
    return gpu_launch(queue, "multiply pipelined", kernels[wide], launch, arguments);
}

enum { TERMS_MAX = 1 << 22 /* a tile's rows lie within 4 GiB */ };

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const GpuDevice *gpu = (const GpuDevice *)device;
    if (!multiply_accepts_f32(device, stage, why_not))
        return false;
    *why_not = "rows of A are longer than it counts";
    if (multiply_size(stage).terms > TERMS_MAX)
        return false;
    *why_not = "copies that go on in the background came with compute capability 8.0";
    return gpu->limits.major >= 8;
}

static Status run(Queue *queue, const Stage *stage) {
    return launch<Tiling<128, 128, 16, 8, 3>>(queue, stage);
}

extern "C" const Level cuda_multiply_pipelined = {
    .op = &op_multiply,
    .name = "pipelined",
    .idea = "the next steps are copied to shared memory, and the next values to registers, while this step is computed",
    .accepts = accepts,
    .run = run,
};
