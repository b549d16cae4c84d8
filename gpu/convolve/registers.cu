/* registers.cu: dense masks at the rate of the arithmetic units. Each thread computes 8 rows of 4 values and keeps their
 * sums in registers: a 16-byte load from shared memory feeds up to 128 multiply-adds, since the four values that it
 * brings count for several places of the mask in x and for up to 8 output rows in y. Pixels are converted to f32 once,
 * when the block fetches them, into one plane per channel. The weights are parameters of the kernel, which lie in
 * constant memory, are the same for the whole warp, and need no copy before the launch.
 * Large masks come in chunks, so that the tile stays small; each chunk is summed by itself, which keeps rounding small. */
#include "gpu/kernel.cuh"

enum { ROWS = 8, ACROSS = 4, TILE_ROWS = 32, CHUNK_ROWS = 8, CHUNK_COLUMNS = 32 };

/* Row after row, each padded with zeros to a multiple of 4. */
template <int N> struct Weights {
    float4 quads[N / 4];
};

/* Tiles are as wide as makes three or four warps of all channels together. */
template <int C> struct Tile {
    enum { WIDTH = C == 1 ? 128 : C == 2 ? 64 : 32, THREADS = WIDTH / ACROSS * C * (TILE_ROWS / ROWS) };
};

/* Rows top.. and columns left.. of the picture into planes of f32, border filled in. */
template <typename In, int C>
static __device__ __forceinline__ void fetch_tile(const Plane &in, const Sum &job, int left, int top, int columns, int rows,
                                           float *tile, int pitch) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool inside = left >= 0 && top >= 0 && left + columns <= in.width && top + rows <= in.height;
    for (int x = lane; x < columns; x += 32) {
        const int sx = inside ? left + x : inside_index(job.border, left + x, in.width);
#pragma unroll 4
        for (int y = warp; y < rows; y += Tile<C>::THREADS / 32) {
            const int sy = inside ? top + y : inside_index(job.border, top + y, in.height);
            const In *pixel = row_of<In>(in, sy < 0 ? 0 : sy) + (sx < 0 ? 0 : sx) * C;
            In values[C];
            if (C == 4 && sizeof(In) == 1)
                *(uint32_t *)values = *(const uint32_t *)pixel;
            else
                for (int c = 0; c < C; c++)
                    values[c] = pixel[c];
            for (int c = 0; c < C; c++)
                tile[(c * rows + y) * pitch + x] = sx < 0 || sy < 0 ? job.outside : (float)values[c];
        }
    }
}

/* N weights of each mask row that input row t meets: output row r takes mask row t - r. */
template <int N, typename Acc>
static __device__ __forceinline__ void add_taps(const float4 *quads, int quad_pitch, int t, int mask_rows, const float (&window)[8],
                                         Acc (&sums)[ROWS][ACROSS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if ((unsigned)(t - r) < (unsigned)mask_rows) {
            const float4 quad = quads[(t - r) * quad_pitch];
            const float weights[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
            for (int k = 0; k < N; k++)
#pragma unroll
                for (int v = 0; v < ACROSS; v++)
                    sums[r][v] += (Acc)weights[k] * (Acc)window[v + k];
        }
}

template <typename In, typename Out, int C, int N>
__global__ void __launch_bounds__(Tile<C>::THREADS)
    convolve_registers(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                       const __grid_constant__ Weights<N> weights, int pitch) {
    typedef typename Accumulator<In>::Type Acc;
    enum { WIDTH = Tile<C>::WIDTH, GROUPS = WIDTH / ACROSS };
    extern __shared__ __align__(16) float tile[];
    const int group = threadIdx.x % GROUPS, c = threadIdx.x / GROUPS % C, band = threadIdx.x / (GROUPS * C);
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * TILE_ROWS, quad_pitch = (job.width + 3) / 4;
    Acc totals[ROWS][ACROSS] = {};
    for (int j0 = 0; j0 < job.height; j0 += CHUNK_ROWS)
        for (int i0 = 0; i0 < job.width; i0 += CHUNK_COLUMNS) {
            const int mask_rows = min(CHUNK_ROWS, job.height - j0), mask_columns = min(CHUNK_COLUMNS, job.width - i0);
            const int rows = TILE_ROWS + mask_rows - 1;
            if (j0 + i0 > 0)
                __syncthreads();
            fetch_tile<In, C>(in, job, left - job.width / 2 + i0, top - job.height / 2 + j0, WIDTH + mask_columns - 1, rows,
                        tile, pitch);
            __syncthreads();
            Acc sums[ROWS][ACROSS] = {};
            const float *base = tile + (c * rows + band * ROWS) * pitch + group * ACROSS;
            for (int t = 0; t < mask_rows + ROWS - 1; t++) {
                float window[8];
                *(float4 *)&window[0] = *(const float4 *)&base[t * pitch];
                for (int i = 0; i < mask_columns; i += 4) {
                    const float4 *quads = &weights.quads[j0 * quad_pitch + (i0 + i) / 4];
                    *(float4 *)&window[4] = *(const float4 *)&base[t * pitch + i + 4];
                    const int left_over = mask_columns - i;
                    if (left_over > 3)
                        add_taps<4>(quads, quad_pitch, t, mask_rows, window, sums);
                    else if (left_over == 3)
                        add_taps<3>(quads, quad_pitch, t, mask_rows, window, sums);
                    else if (left_over == 2)
                        add_taps<2>(quads, quad_pitch, t, mask_rows, window, sums);
                    else
                        add_taps<1>(quads, quad_pitch, t, mask_rows, window, sums);
                    *(float4 *)&window[0] = *(float4 *)&window[4];
                }
            }
            for (int r = 0; r < ROWS; r++)
                for (int v = 0; v < ACROSS; v++)
                    totals[r][v] += sums[r][v];
        }
    /* The planes become pixels again on their way out. */
    Out *staged = (Out *)tile;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int v = 0; v < ACROSS; v++)
            staged[((band * ROWS + r) * WIDTH + group * ACROSS + v) * C + c] = Stored<Out>::from(finish(job, totals[r][v]));
    __syncthreads();
    const int rows = min(TILE_ROWS, out.height - top), values = min(WIDTH, out.width - left) * C;
    for (int y = threadIdx.x / 32; y < rows; y += Tile<C>::THREADS / 32) {
        Out *to = row_to<Out>(out, top + y) + left * C;
        const Out *from = staged + y * WIDTH * C;
        if (values == WIDTH * C)
            for (int i = threadIdx.x % 32; i < WIDTH * C * (int)sizeof(Out) / 4; i += 32)
                ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        else
            for (int i = threadIdx.x % 32; i < values; i += 32)
                to[i] = from[i];
    }
}

template <typename In, typename Out, int C> struct Registers {
    template <int N> static Status launch_with(Device *device, const Stage *stage) {
        const Mask *mask = stage->convolve.mask;
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Sum job = sum_of(stage);
        Weights<N> weights = {};
        const int quads = (mask->width + 3) / 4;
        for (int j = 0; j < mask->height; j++)
            for (int i = 0; i < mask->width; i++)
                ((float *)weights.quads)[j * quads * 4 + i] = mask->weights[j * mask->width + i];
        const int columns = Tile<C>::WIDTH + (mask->width < CHUNK_COLUMNS ? (mask->width + 3) / 4 * 4 : CHUNK_COLUMNS);
        const int rows = TILE_ROWS + (mask->height < CHUNK_ROWS ? mask->height : CHUNK_ROWS) - 1;
        int pitch = columns;
        const Launch launch = {dim3(blocks_for(out.width, Tile<C>::WIDTH), blocks_for(out.height, TILE_ROWS)),
                               dim3(Tile<C>::THREADS), (size_t)pitch * (size_t)rows * C * sizeof(float)};
        void *arguments[] = {&in, &out, &job, &weights, &pitch};
        return gpu_launch(device, "convolve registers", (const void *)convolve_registers<In, Out, C, N>, launch,
                          arguments);
    }

    static Status run(Device *device, const Stage *stage) {
        const Mask *mask = stage->convolve.mask;
        return (mask->width + 3) / 4 * 4 * mask->height <= 256 ? launch_with<256>(device, stage)
                                                               : launch_with<PARAMETER_WEIGHTS>(device, stage);
    }
};

extern "C" Status cuda_convolve_registers(Device *device, const Stage *stage) {
    return for_types<Registers>(device, stage);
}
