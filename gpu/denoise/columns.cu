/* columns.cu: pictures without guides, whose weights follow light alone. A block has pixels side by side, in rows that
 * are a step apart, and reads their neighbours into shared memory. A thread has four pixels of a column: a neighbour
 * that it reads serves all of them, up to four times. Sums are of differences from a pixel's own light, which weights
 * need anyway: even places stay exactly as they are. */
#include "gpu/denoise/denoise.cuh"

enum {
    COLUMNS = 64,
    EACH = 4,
    PARTS = 4,
    ROWS = EACH * PARTS,
    THREADS = COLUMNS * PARTS,
    AROUND = 2,
    TILE_ROWS = ROWS + 2 * AROUND
};

/* Light of a pixel that takes no part: so far from all other that its weight is 0. */
#define NO_LIGHT 3e38f

/* Channels in scratch memory are times the roots of their weights in denoise_square: then a distance is a sum of
 * squares. */
static __device__ __forceinline__ float root_of_weight(int c) {
    return c == 0 ? 0.46108568f : c == 1 ? 0.84569498f : 0.26870058f;
}
static __device__ __forceinline__ float scaled(int c, float value) {
    return __fmul_rn(root_of_weight(c), value); /* the same wherever it is made */
}
static __device__ __forceinline__ float square_of(float red, float green, float blue) {
    return fmaf(red, red, fmaf(green, green, blue * blue));
}

static __device__ __forceinline__ float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* Where a block's tile begins, without the neighbours, and its thread's column and first row within. */
typedef struct Place {
    int left, top, column, row;
} Place;

static __device__ __forceinline__ Place place_of(int step) {
    const Place place = {(int)blockIdx.x * COLUMNS, (int)(blockIdx.y / step) * ROWS * step + (int)(blockIdx.y % step),
                         (int)threadIdx.x % COLUMNS, (int)threadIdx.x / COLUMNS * EACH};
    return place;
}

/* The tile's pixels by read(x, y), or none of the picture's. */
template <typename Read>
static __device__ __forceinline__ void load_tile(const Place &place, int width, int height, int step,
                                                 DenoiseLight *tile, Read read) {
    const int pitch = COLUMNS + 2 * AROUND * step;
    const DenoiseLight none = {NO_LIGHT, NO_LIGHT, NO_LIGHT, 0};
    for (int row = threadIdx.x / 32; row < TILE_ROWS; row += THREADS / 32) {
        const int y = place.top + (row - AROUND) * step;
        for (int column = threadIdx.x % 32; column < pitch; column += 32) {
            const int x = place.left - AROUND * step + column;
            tile[row * pitch + column] = x < 0 || y < 0 || x >= width || y >= height ? none : read(x, y);
        }
    }
}

static __device__ __forceinline__ DenoiseLight light_at(const DenoiseLight *tile, int at) {
    const float4 four = ((const float4 *)tile)[at];
    const DenoiseLight light = {four.x, four.y, four.z, four.w};
    return light;
}
static __device__ __forceinline__ void store_light(DenoiseLight *to, DenoiseLight light) {
    *(float4 *)to = make_float4(light.red, light.green, light.blue, light.variance);
}

/* ---- the first estimate: denoise_estimate of pictures without guides ---- */

typedef struct Differences {
    float count, red, green, blue, squares;
} Differences;

/* `part`: 1, or 0 of a pixel that takes none. */
static __device__ __forceinline__ void add_difference(Differences *sums, DenoiseLight own, DenoiseLight other,
                                                      float part) {
    const float red = other.red - own.red, green = other.green - own.green, blue = other.blue - own.blue;
    sums->count += part;
    sums->red = fmaf(part, red, sums->red);
    sums->green = fmaf(part, green, sums->green);
    sums->blue = fmaf(part, blue, sums->blue);
    sums->squares = fmaf(part, square_of(red, green, blue), sums->squares);
}

__global__ void __launch_bounds__(THREADS, 3)
    denoise_columns_begin(const __grid_constant__ DenoiseStage stage, DenoiseLight *light, DenoiseLight *guess) {
    __shared__ DenoiseLight tile[TILE_ROWS * (COLUMNS + 2 * AROUND)];
    const Place place = place_of(1);
    load_tile(place, stage.width, stage.height, 1, tile, [&](int x, int y) {
        const float *from = row_of<float>(stage.light, y) + (size_t)x * stage.channels;
        const DenoiseLight none = {NO_LIGHT, NO_LIGHT, NO_LIGHT, 0};
        const DenoiseLight read = {scaled(0, from[0]), scaled(1, from[stage.channels < 3 ? 0 : 1]),
                                   scaled(2, from[stage.channels < 3 ? 0 : 2]), 0};
        return isfinite(0 * read.red + 0 * read.green + 0 * read.blue) ? read : none;
    });
    __syncthreads();
    enum { PITCH = COLUMNS + 2 * AROUND };
    const int at = place.row * PITCH + place.column;
    DenoiseLight own[EACH];
    Differences sums[EACH] = {};
#pragma unroll
    for (int n = 0; n < EACH; n++)
        own[n] = light_at(tile, at + (n + AROUND) * PITCH + AROUND);
#pragma unroll
    for (int row = 0; row < EACH + 2 * AROUND; row++)
#pragma unroll
        for (int i = 0; i <= 2 * AROUND; i++) {
            DenoiseLight other = light_at(tile, at + row * PITCH + i);
            const float part = other.red < NO_LIGHT ? 1 : 0;
            if (part == 0)
                other.red = other.green = other.blue = 0;
#pragma unroll
            for (int n = 0; n < EACH; n++)
                if (row >= n && row <= n + 2 * AROUND)
                    add_difference(&sums[n], own[n], other, part);
        }
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int x = place.left + place.column, y = place.top + place.row + n;
        if (x >= stage.width || y >= stage.height)
            continue;
        DenoiseLight guessed = own[n];
        if (own[n].red < NO_LIGHT) {
            const float share = 1.0f / sums[n].count;
            const float red = sums[n].red * share, green = sums[n].green * share, blue = sums[n].blue * share;
            const float variance = fmaxf(sums[n].squares * share - square_of(red, green, blue), 0);
            const float noise = variance / (variance + DENOISE_NOTHING), rest = (1 - noise) * (1 - noise);
            own[n].variance = variance;
            guessed.red += noise * red;
            guessed.green += noise * green;
            guessed.blue += noise * blue;
            guessed.variance = variance * (rest + 2 * (1 - rest) * share);
        }
        store_light(light + (size_t)y * stage.width + x, own[n]);
        store_light(guess + (size_t)y * stage.width + x, guessed);
    }
}

/* ---- iterations: denoise_smooth of pictures without guides ---- */

/* The logarithm to base 2 of the spline's weight. */
static __device__ __forceinline__ float spline_power(int i) {
    return i == 0 ? -1.4150374992788437f : i == 1 || i == -1 ? -2.0f : -4.0f;
}

/* A pixel, and what it gains. */
typedef struct Mean {
    DenoiseLight own, compared; /* light, and what it is compared by */
    float steep;                /* less than 0 */
    float red, green, blue, variance, weights;
} Mean;

static __device__ __forceinline__ Mean mean_begin(const DenoiseRule &rule, DenoiseLight own, DenoiseLight compared) {
    const float equal = rule.equal * square_of(compared.red, compared.green, compared.blue);
    const float centre = 0.375f * 0.375f;
    const Mean mean = {own,
                       compared,
                       -1.0f / (rule.light * compared.variance + equal + DENOISE_NOTHING),
                       0,
                       0,
                       0,
                       centre * centre * own.variance,
                       centre};
    return mean;
}

template <bool FIRST>
static __device__ __forceinline__ void mean_add(Mean *mean, DenoiseLight light, DenoiseLight compared, int i, int j) {
    float red = compared.red - mean->compared.red, green = compared.green - mean->compared.green;
    float blue = compared.blue - mean->compared.blue;
    const float weight =
        power_of_two(fmaf(mean->steep, square_of(red, green, blue), spline_power(i) + spline_power(j)));
    if (FIRST) {
        red = light.red - mean->own.red;
        green = light.green - mean->own.green;
        blue = light.blue - mean->own.blue;
    }
    mean->weights += weight;
    mean->red = fmaf(weight, red, mean->red);
    mean->green = fmaf(weight, green, mean->green);
    mean->blue = fmaf(weight, blue, mean->blue);
    mean->variance = fmaf(weight * weight, light.variance, mean->variance);
}

static __device__ __forceinline__ DenoiseLight mean_end(const Mean &mean) {
    const float share = 1.0f / mean.weights;
    const DenoiseLight light = {fmaf(mean.red, share, mean.own.red), fmaf(mean.green, share, mean.own.green),
                                fmaf(mean.blue, share, mean.own.blue), mean.variance * share * share};
    return light;
}

static __device__ __forceinline__ void store_result(const DenoiseStage &stage, int x, int y, DenoiseLight light) {
    const float *from = row_of<float>(stage.light, y) + (size_t)x * stage.channels;
    float *to = row_to<float>(stage.out, y) + (size_t)x * stage.channels;
    const float made[3] = {light.red, light.green, light.blue};
    const int colours = light.red == NO_LIGHT ? 0 : stage.channels < 3 ? 1 : 3;
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < stage.channels) {
            const float change = c < 3 ? made[c % 3] - scaled(c, from[c]) : 0;
            to[c] = c < colours ? fmaf(change, 1 / root_of_weight(c), from[c]) : from[c];
        }
}

/* Writes light, or where `to` is NULL the result. The first iteration compares by the guess, the others by light. */
template <bool FIRST>
__global__ void __launch_bounds__(THREADS, FIRST ? 3 : 4)
    denoise_columns_step(const __grid_constant__ DenoiseStage stage, const __grid_constant__ DenoiseRule rule,
                         const DenoiseLight *from, const DenoiseLight *guess, DenoiseLight *to, int step) {
    extern __shared__ uint4 shared[];
    DenoiseLight *tile = (DenoiseLight *)shared;
    const Place place = place_of(step);
    const int width = stage.width, height = stage.height, pitch = COLUMNS + 2 * AROUND * step;
    DenoiseLight *guesses = FIRST ? tile + TILE_ROWS * pitch : tile;
    load_tile(place, width, height, step, tile,
              [&](int x, int y) { return light_at(from, (int)((size_t)y * width + x)); });
    if (FIRST)
        load_tile(place, width, height, step, guesses,
                  [&](int x, int y) { return light_at(guess, (int)((size_t)y * width + x)); });
    __syncthreads();
    const int at = place.row * pitch + place.column;
    Mean means[EACH];
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int centre = at + (n + AROUND) * pitch + AROUND * step;
        means[n] = mean_begin(rule, light_at(tile, centre), light_at(guesses, centre));
    }
#pragma unroll
    for (int row = 0; row < EACH + 2 * AROUND; row++)
#pragma unroll
        for (int i = -AROUND; i <= AROUND; i++) {
            const DenoiseLight light = light_at(tile, at + row * pitch + (i + AROUND) * step);
            const DenoiseLight compared = FIRST ? light_at(guesses, at + row * pitch + (i + AROUND) * step) : light;
#pragma unroll
            for (int n = 0; n < EACH; n++) {
                const int j = row - n - AROUND;
                if (j >= -AROUND && j <= AROUND && (i != 0 || j != 0))
                    mean_add<FIRST>(&means[n], light, compared, i, j);
            }
        }
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        const int x = place.left + place.column, y = place.top + (place.row + n) * step;
        if (x >= width || y >= height)
            continue;
        const DenoiseLight made = means[n].own.red < NO_LIGHT ? mean_end(means[n]) : means[n].own;
        if (to)
            store_light(to + (size_t)y * width + x, made);
        else
            store_result(stage, x, y, made);
    }
}

static size_t step_bytes(int step) {
    return (size_t)TILE_ROWS * (COLUMNS + 2 * AROUND * step) * sizeof(DenoiseLight) * (step == 1 ? 2 : 1);
}

static size_t pixels_of(const Stage *stage) {
    return stage->out.shape.width * stage->out.shape.height;
}

/* Light by turns, and the guess. */
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return 3 * pixels_of(stage) * sizeof(DenoiseLight);
}

static Launch launch_for(const DenoiseStage &seen, int step, size_t shared) {
    const Launch launch = {dim3(blocks_for(seen.width, COLUMNS), blocks_for(seen.height, ROWS * step) * (unsigned)step),
                           dim3(THREADS), shared};
    return launch;
}

static Status run(Queue *queue, const Stage *stage) {
    DenoiseStage seen = denoise_stage(stage);
    DenoiseRule rule = denoise_rule(denoise_job(stage));
    DenoiseLight *from;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), (void **)&from));
    DenoiseLight *other = from + pixels_of(stage), *guess = other + pixels_of(stage);
    void *beginning[] = {&seen, &from, &guess};
    TRY(gpu_launch(queue, "denoise columns, begin", (const void *)denoise_columns_begin, launch_for(seen, 1, 0),
                   beginning));
    for (int i = 0, step = 1; i < denoise_job(stage)->iterations; i++, step *= 2) {
        DenoiseLight *to = i + 1 < denoise_job(stage)->iterations ? other : NULL;
        void *stepping[] = {&seen, &rule, &from, &guess, &to, &step};
        TRY(gpu_launch(queue, "denoise columns",
                       step == 1 ? (const void *)denoise_columns_step<true> : (const void *)denoise_columns_step<false>,
                       launch_for(seen, step, step_bytes(step)), stepping));
        other = from;
        from = to;
    }
    return STATUS_OK;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const DenoiseJob *job = denoise_job(stage);
    *why_not = "it follows light alone, without guides, pixel by pixel";
    if (job->film || job->guides > 0 || job->coarseness > 1)
        return false;
    *why_not = "it counts pixels in 31 bits";
    if (pixels_of(stage) > INT32_MAX)
        return false;
    *why_not = "neighbours of the last iteration do not fit into this GPU's shared memory";
    return step_bytes(1 << (job->iterations - 1)) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

extern "C" const Level cuda_denoise_columns = {
    .op = &op_denoise,
    .name = "columns",
    .idea =
        "pictures without guides: a thread has four pixels of a column, and a neighbour that it reads serves all of "
        "them",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
