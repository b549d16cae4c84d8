/* row_simd.c: lines up a frame's spheres and shares its bands out among the cores. */
#include "cpu/trace/row_simd.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

extern const RowTable trace_lanes_portable, trace_lanes_avx2, trace_lanes_avx512;

static const RowTable *const tables[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &trace_lanes_portable,
    [ISA_LEVEL_AVX2] = &trace_lanes_avx2,
    [ISA_LEVEL_AVX512] = &trace_lanes_avx512,
};

typedef struct Ranked {
    uint32_t key, index;
} Ranked;

/* The z that no point of the sphere passes, rounding included. */
static float nearest_z(const Sphere *sphere) {
    return sphere->z + sphere->radius + sphere_slack(sphere);
}

/* Unsigned keys that ascend as floats descend. */
static uint32_t descending_key(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? bits : ~(bits | 1u << 31);
}

/* Least significant byte first; four passes end where they began. `scratch` holds as many. */
static void radix_sort(Ranked *ranked, Ranked *scratch, size_t count) {
    for (int shift = 0; shift < 32; shift += 8) {
        size_t starts[256] = {0}, next = 0;
        for (size_t i = 0; i < count; i++)
            starts[ranked[i].key >> shift & 255]++;
        for (size_t digit = 0; digit < 256; digit++) {
            const size_t here = starts[digit];
            starts[digit] = next;
            next += here;
        }
        for (size_t i = 0; i < count; i++)
            scratch[starts[ranked[i].key >> shift & 255]++] = ranked[i];
        Ranked *swap = ranked;
        ranked = scratch;
        scratch = swap;
    }
}

static void line_up(const Sphere *spheres, const Ranked *ranked, Lineup *lineup) {
    for (size_t i = 0; i < lineup->count; i++) {
        const uint32_t index = ranked ? ranked[i].index : (uint32_t)i;
        const Sphere *s = &spheres[index];
        const float reach_x = s->radius + 0x1p-20f * (fabsf(s->x) + s->radius);
        const float reach_y = s->radius + 0x1p-20f * (fabsf(s->y) + s->radius);
        lineup->lined[i] = (Lined){s->x, s->y, s->z, s->radius * s->radius, sphere_slack(s), index};
        lineup->left[i] = s->x - reach_x;
        lineup->right[i] = s->x + reach_x;
        lineup->bottom[i] = s->y - reach_y;
        lineup->top[i] = s->y + reach_y;
        lineup->nearest[i] = ranked ? nearest_z(s) : INFINITY;
    }
}

static void line_up_front_to_back(const Sphere *spheres, Ranked *ranked, Lineup *lineup) {
    for (size_t i = 0; i < lineup->count; i++)
        ranked[i] = (Ranked){descending_key(nearest_z(&spheres[i])), (uint32_t)i};
    radix_sort(ranked, ranked + lineup->count, lineup->count);
    line_up(spheres, ranked, lineup);
}

static void *carve(char **memory, size_t bytes) {
    void *piece = *memory;
    *memory = (char *)((uintptr_t)*memory + (bytes + 63) / 64 * 64); /* from NULL on, too */
    return piece;
}

/* Lists of a thread: positions in the band and in the tile, the row. */
static size_t lists_bytes(size_t count) {
    return ((2 * count + 1) * sizeof(uint32_t) + 63) / 64 * 64 + ((count + 1) * sizeof(Across) + 63) / 64 * 64;
}

/* A run's further memory. */
typedef struct Memory {
    Ranked *ranked;
    void *lists; /* lists_bytes for each thread */
} Memory;

/* Divides `at` among the job's arrays and the rest; with room NULL only adds up the bytes that they take. Untouched
 * pages are never committed. */
static size_t lay_out(char *at, int threads, RowJob *job, Memory *memory) {
    const char *begin = at;
    const size_t count = job->lineup.count, width = job->stage->out.shape.width;
    const size_t floats = (count + LANES_MAX) * sizeof(float); /* vectors are read whole */
    job->xs = carve(&at, (width + LANES_MAX) * sizeof(float));
    job->lineup.lined = carve(&at, count * sizeof(Lined));
    job->lineup.left = carve(&at, floats);
    job->lineup.right = carve(&at, floats);
    job->lineup.bottom = carve(&at, floats);
    job->lineup.top = carve(&at, floats);
    job->lineup.nearest = carve(&at, floats);
    memory->ranked = carve(&at, 2 * count * sizeof(Ranked));
    memory->lists = carve(&at, (size_t)threads * lists_bytes(count));
    return (size_t)(at - begin);
}

static void trace_band(const void *shared, size_t left, size_t top, void *scratch) {
    const RowJob *job = shared;
    const size_t count = job->lineup.count;
    char *at = scratch;
    uint32_t *positions = carve(&at, (2 * count + 1) * sizeof *positions);
    (void)left;
    tables[isa_detect()]->trace_band(job, job->part.top + top,
                                     (RowScratch){positions, positions + count, (Across *)(void *)at});
}

size_t row_simd_workspace(const Device *device, const Stage *stage) {
    RowJob job = {.stage = stage, .lineup.count = trace_job(stage)->scene->count};
    Memory memory;
    return lay_out(NULL, device->threads, &job, &memory);
}

Status row_simd_trace(Queue *queue, const Stage *stage, bool front_to_back) {
    const Scene *scene = trace_job(stage)->scene;
    const size_t width = stage->out.shape.width;
    RowJob job = {.stage = stage, .part = trace_part(stage), .lineup.count = scene->count};
    Memory memory;
    void *scratch;
    TRY(cpu_scratch(queue, row_simd_workspace(queue->device, stage), &scratch));
    lay_out(scratch, queue->device->threads, &job, &memory);
    for (size_t px = 0; px < width + LANES_MAX; px++)
        job.xs[px] = camera_x(trace_job(stage)->camera, px, width);
    if (front_to_back)
        line_up_front_to_back(scene->spheres, memory.ranked, &job.lineup);
    else
        line_up(scene->spheres, NULL, &job.lineup);
    cpu_share_tiles(queue,
                    &(TeamTiles){job.part.width, job.part.height, job.part.width, BAND_HEIGHT, memory.lists,
                                 lists_bytes(scene->count)},
                    trace_band, &job);
    return STATUS_OK;
}
