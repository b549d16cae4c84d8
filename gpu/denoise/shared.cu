/* shared.cu: each block takes pixels that are a step apart. With two more on each side these are all the neighbours:
 * they are read once into shared memory. The first kernel makes irradiance of light as it reads, the last one puts
 * albedo back as it writes. */
#include "gpu/denoise/denoise.cuh"

enum { SIDE = 16, AROUND = 2, TILE = SIDE + 2 * AROUND, THREADS = SIDE * SIDE };

/* The pixels that a block reads: one that is not there is absent, with no light. */
typedef struct Tile {
    DenoiseLight light[TILE][TILE];
    DenoiseGuide guides[TILE][TILE];
} Tile;

/* A thread's pixel. Blocks with the same remainder are tiles of the picture of every `step`th column and row. */
typedef struct Place {
    int left, top; /* of the tile's first pixel */
    int column, row;
    int x, y;
} Place;

static __device__ __forceinline__ Place place_of(int step) {
    Place place;
    place.left = (int)(blockIdx.x / step) * SIDE * step + (int)(blockIdx.x % step) - AROUND * step;
    place.top = (int)(blockIdx.y / step) * SIDE * step + (int)(blockIdx.y % step) - AROUND * step;
    place.column = AROUND + threadIdx.x;
    place.row = AROUND + threadIdx.y;
    place.x = place.left + place.column * step;
    place.y = place.top + place.row * step;
    return place;
}

static __device__ __forceinline__ void clear(DenoiseLight *light, DenoiseGuide *guide) {
    const DenoiseLight none = {0, 0, 0, 0};
    const DenoiseGuide absent = {0, 0, 0, DENOISE_ABSENT};
    *light = none;
    *guide = absent;
}

__global__ void __launch_bounds__(THREADS)
    denoise_shared_begin(const __grid_constant__ DenoiseStage stage, const __grid_constant__ DenoiseRule rule,
                         DenoiseLight *light, DenoiseLight *guess, DenoiseGuide *guides) {
    __shared__ Tile tile;
    const Place place = place_of(1);
    for (int i = threadIdx.y * SIDE + threadIdx.x; i < TILE * TILE; i += THREADS) {
        const int x = place.left + i % TILE, y = place.top + i / TILE;
        DenoiseLight *own = &tile.light[i / TILE][i % TILE];
        DenoiseGuide *guide = &tile.guides[i / TILE][i % TILE];
        if (x < 0 || y < 0 || x >= stage.width || y >= stage.height) {
            clear(own, guide);
        } else {
            const DenoisePixel pixel = denoise_read(stage, x, y);
            denoise_begin(&pixel, own, guide);
        }
    }
    __syncthreads();
    if (place.x >= stage.width || place.y >= stage.height)
        return;
    const DenoiseField field = {&tile.guides[0][0], TILE, TILE, rule};
    const size_t at = (size_t)place.y * stage.width + place.x;
    DenoiseLight own = tile.light[place.row][place.column];
    DenoiseLight guessed = own;
    guides[at] = tile.guides[place.row][place.column];
    if (guides[at].near != DENOISE_ABSENT)
        own.variance = denoise_estimate(&field, &tile.light[0][0], place.column, place.row,
                                        denoise_scattered_at(stage, place.x, place.y), &guessed);
    light[at] = own;
    guess[at] = guessed;
}

/* Writes light, or where `to` is NULL the result. The first iteration compares by the guess, the others by light. */
template <bool FIRST>
__global__ void __launch_bounds__(THREADS)
    denoise_shared_step(const __grid_constant__ DenoiseStage stage, const __grid_constant__ DenoiseField field,
                        const DenoiseLight *from, const DenoiseLight *guess, DenoiseLight *to, int step) {
    __shared__ Tile tile;
    __shared__ DenoiseLight guesses[FIRST ? TILE : 1][TILE];
    const Place place = place_of(step);
    for (int i = threadIdx.y * SIDE + threadIdx.x; i < TILE * TILE; i += THREADS) {
        const int x = place.left + i % TILE * step, y = place.top + i / TILE * step;
        DenoiseLight *own = &tile.light[i / TILE][i % TILE];
        DenoiseGuide *guide = &tile.guides[i / TILE][i % TILE];
        if (x < 0 || y < 0 || x >= field.width || y >= field.height) {
            clear(own, guide);
            if (FIRST)
                guesses[i / TILE][i % TILE] = *own;
        } else {
            if (FIRST)
                guesses[i / TILE][i % TILE] = guess[(size_t)y * field.width + x];
            *own = from[(size_t)y * field.width + x];
            *guide = field.guides[(size_t)y * field.width + x];
        }
    }
    __syncthreads();
    if (place.x >= field.width || place.y >= field.height)
        return;
    DenoiseLight own = tile.light[place.row][place.column];
    const bool absent = tile.guides[place.row][place.column].near == DENOISE_ABSENT;
    if (!absent) {
        const DenoiseLight compared = FIRST ? guesses[place.row][place.column] : own;
        DenoiseMean mean = denoise_mean_begin(&field, compared, place.x, place.y);
#pragma unroll
        for (int j = -2; j <= 2; j++)
#pragma unroll
            for (int i = -2; i <= 2; i++) {
                const DenoiseLight light = tile.light[place.row + j][place.column + i];
                denoise_mean_add(&mean, tile.guides[place.row + j][place.column + i], light,
                                 FIRST ? guesses[place.row + j][place.column + i] : light, i, j, step);
            }
        own = denoise_mean_end(&mean);
    }
    if (to)
        to[(size_t)place.y * field.width + place.x] = own;
    else
        denoise_store(stage, place.x, place.y, own, absent);
}

static Launch launch_for(int width, int height, int step) {
    const Launch launch = {
        dim3(blocks_for(width, SIDE * step) * (unsigned)step, blocks_for(height, SIDE * step) * (unsigned)step),
        dim3(SIDE, SIDE), 0};
    return launch;
}

static Status run(Queue *queue, const Stage *stage) {
    DenoiseStage seen = denoise_stage(stage);
    DenoiseScratch scratch;
    TRY(denoise_scratch(queue, stage, &scratch));
    DenoiseField field = denoise_field(stage, &scratch);
    DenoiseLight *from = scratch.light[0], *other = scratch.light[1];
    void *beginning[] = {&seen, &field.rule, &from, &scratch.guess, &scratch.guides};
    TRY(gpu_launch(queue, "denoise shared, begin", (const void *)denoise_shared_begin,
                   launch_for(seen.width, seen.height, 1), beginning));
    for (int i = 0, step = 1; i < denoise_job(stage)->iterations; i++, step *= 2) {
        DenoiseLight *to = i + 1 < denoise_job(stage)->iterations ? other : NULL;
        void *stepping[] = {&seen, &field, &from, &scratch.guess, &to, &step};
        TRY(gpu_launch(queue, "denoise shared",
                       step == 1 ? (const void *)denoise_shared_step<true> : (const void *)denoise_shared_step<false>,
                       launch_for(seen.width, seen.height, step), stepping));
        other = from;
        from = to;
    }
    return STATUS_OK;
}

extern "C" const Level cuda_denoise_shared = {
    .op = &op_denoise,
    .name = "shared",
    .idea = "blocks of pixels that are a step apart read their neighbours once into shared memory; the first kernel "
            "removes albedo, and the last restores it",
    .workspace = denoise_workspace,
    .run = run,
};
