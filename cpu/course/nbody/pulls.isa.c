/* pulls.isa.c: all pairs of some targets, which stay in registers, and some sources, which are spread over lanes. */
#include "cpu/course/nbody/pulls.h"
#include "cpu/isa.h"
#include "cpu/vector.h"

/* SOURCES: added up before they go to the sum of all, so that the sum loses less. */
enum { VECTORS = 2, TARGETS = VECTORS * LANES, SOURCES = 1024 };

typedef struct Targets {
    Floats x[VECTORS], y[VECTORS], z[VECTORS];
} Targets;
typedef struct Sums {
    Floats x[VECTORS], y[VECTORS], z[VECTORS], depth[VECTORS];
} Sums;

/* 1 / sqrt(a), off by up to 2^-11.5 of it (2^-14 with AVX-512). */
static inline Floats rough_inverse_root(Floats a) {
#if defined(ISA_avx512)
    return (Floats)_mm512_rsqrt14_ps((__m512)a);
#elif defined(ISA_avx2)
    return (Floats)_mm256_rsqrt_ps((__m256)a);
#elif defined(__x86_64__)
    return (Floats)_mm_rsqrt_ps((__m128)a);
#else
    return 1 / square_root(a);
#endif
}

/* Let y (1 + e / 2) be the inverse root, to the first order. Its third power is y^3 (1 + 3/2 e + 15/8 e^2), which is as
 * good as a Newton step and one operation less. */
static inline Floats third_power(Floats error) {
#if defined(ISA_avx512)
    return error * 1.5f + 1;
#else
    return error * (error * 1.875f + 1.5f) + 1;
#endif
}
static inline Floats first_power(Floats error) {
#if defined(ISA_avx512)
    return error * 0.5f + 1;
#else
    return error * (error * 0.375f + 0.5f) + 1;
#endif
}

/* One source; `counts` the lanes of whose targets it counts for the depth: all but its own. */
static inline void add_source(const Targets *targets, Body from, float softening2, bool depth, ptrdiff_t own,
                              Sums *sums) {
    const Floats x = spread(from.x), y = spread(from.y), z = spread(from.z), mass = spread(from.w);
#pragma GCC unroll 2
    for (int v = 0; v < VECTORS; v++) {
        const Floats dx = x - targets->x[v], dy = y - targets->y[v], dz = z - targets->z[v];
        const Floats square = dx * dx + (dy * dy + (dz * dz + softening2));
        const Floats rough = rough_inverse_root(square), rough2 = rough * rough;
        const Floats error = 1 - square * rough2, weighed = mass * rough;
        const Floats factor = weighed * rough2 * third_power(error);
        sums->x[v] += factor * dx;
        sums->y[v] += factor * dy;
        sums->z[v] += factor * dz;
        if (depth) {
            Floats more = weighed * first_power(error);
            if (own / LANES == v && own >= 0)
                more[own % LANES] = 0;
            sums->depth[v] += more;
        }
    }
}

static inline void add_sources(const PullsJob *job, const Targets *targets, size_t first, size_t end, bool depth,
                               ptrdiff_t self, Sums *sums) {
    Sums part = {0};
    for (size_t j = first; j < end; j++)
        add_source(targets, job->sources[j], job->softening2, depth, (ptrdiff_t)j - self, &part);
    for (int v = 0; v < VECTORS; v++) {
        sums->x[v] += part.x[v];
        sums->y[v] += part.y[v];
        sums->z[v] += part.z[v];
        sums->depth[v] += part.depth[v];
    }
}

/* With `depth`, of which the sources among the targets take their own out. */
static void add_all(const PullsJob *job, const Targets *targets, ptrdiff_t self, Sums *sums) {
    for (size_t first = 0; first < job->source_count; first += SOURCES) {
        const size_t end = job->source_count - first < SOURCES ? job->source_count : first + SOURCES;
        if (!job->depth)
            add_sources(job, targets, first, end, false, 0, sums);
        else if (self + TARGETS <= (ptrdiff_t)first || self >= (ptrdiff_t)end)
            add_sources(job, targets, first, end, true, PULLS_NOT_AMONG, sums);
        else
            add_sources(job, targets, first, end, true, self, sums);
    }
}

static void take_targets(const Body *from, size_t count, Targets *targets) {
    float x[TARGETS], y[TARGETS], z[TARGETS];
    for (size_t i = 0; i < TARGETS; i++) {
        const Body *target = &from[i < count ? i : 0];
        x[i] = target->x;
        y[i] = target->y;
        z[i] = target->z;
    }
    for (size_t v = 0; v < VECTORS; v++) {
        targets->x[v] = load(x + v * LANES);
        targets->y[v] = load(y + v * LANES);
        targets->z[v] = load(z + v * LANES);
    }
}

static void run(const PullsJob *job, Pull *to) {
    for (size_t first = 0; first < job->target_count; first += TARGETS) {
        const size_t count = job->target_count - first < TARGETS ? job->target_count - first : TARGETS;
        Targets targets;
        Sums sums = {0};
        take_targets(job->targets + first, count, &targets);
        add_all(job, &targets, job->self + (ptrdiff_t)first, &sums);
        for (size_t i = 0; i < count; i++) {
            to[first + i].x += sums.x[i / LANES][i % LANES];
            to[first + i].y += sums.y[i / LANES][i % LANES];
            to[first + i].z += sums.z[i / LANES][i % LANES];
            to[first + i].depth += sums.depth[i / LANES][i % LANES];
        }
    }
}

PullsRun *const ISA_NAME(pulls) = run;
