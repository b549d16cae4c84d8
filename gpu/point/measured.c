/* measured.c: how long the levels of point programs take, by measurements.
 * An H200, pictures of 640 x 480 to 3840 x 2160 pixels, each stage of the chains that tools/chains lists, at its best:
 *     glint bench chain --backend cuda --check-best --size ... --type u8x1,u8x3,u8x4,u16x3,f32x3 --filter ...
 * u8x3, 3840 x 2160: two matrices between tables take 0.054 ms together, 0.129 apart. f32x3, 1920 x 1080: two steps
 * take 0.061 together, 0.033 apart. */
#include "gpu/point/measured.h"

#include "core/ops/point.h"
#include "core/stage/op.h"
#include "gpu/point/around.h"

#include <math.h>
#include <string.h>

#define LAUNCH_MS 0.0055

/* A byte that is written, or read: in frames that stay in the second cache, and in larger ones. */
#define NEAR_NS    0.000175
#define FAR_NS     0.000235
#define NEAR_BYTES 60e6

/* Tables in shared memory: each is filled again; a matrix between two, for a value. A sum that is halfway between two
 * bytes is made again in double, and holds up its warp. */
#define TABLE_MS  0.0035
#define FULL_MS   0.003 /* more where every multiprocessor has its blocks */
#define FULL_FROM 2e6   /* values */
#define MATRIX_NS 0.00078
#define HALVES_MS 0.0065
#define HALVES_NS 0.0016
#define WARP      32
#define PARTS_MAX 1000

/* Programs with shortcuts: a part by itself, and each of its values. */
#define PART_MS     0.001
#define SHORTCUT_NS 0.001  /* a table in memory, stairs, products with alpha in f32 */
#define EXACT_NS    0.0039 /* another step among shortcuts, in double */
#define INPUT_NS    0.002  /* more where it reads another picture */

#define GENERAL_NS 0.004 /* a step of several that one kernel looks up */
#define NAIVE_NS   0.006

/* A value takes `alone` in a step by its own kernel, and `among` more in a kernel that looks steps up. */
typedef struct Function {
    double alone, among;
} Function;

static Function function_of(PointFunction function) {
    static const PointFunction slow[] = {POINT_power,     POINT_levels,      POINT_curve,     POINT_reinhard,
                                         POINT_to_linear, POINT_from_linear, POINT_light_log, POINT_filmic,
                                         POINT_roll,      POINT_tone};
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++)
        if (slow[i] == function)
            return (Function){0.0085, 0.017};
    return function == POINT_posterize              ? (Function){0.002, 0.009}
           : function == POINT_mix                  ? (Function){0.002, 0.001} /* a division in double */
           : points[function].inputs > 1            ? (Function){0.0024, INPUT_NS}
           : points[function].reach == POINT_PIXEL  ? (Function){0.001, 0}
           : points[function].reach == POINT_COLOUR ? (Function){0.0007, 0}
                                                    : (Function){0.0003, 0};
}

/* The share of sums of whole numbers, each times a factor, that lie halfway between two whole numbers. */
static double halves_of(const double factors[4], double white) {
    const double numbers[] = {factors[0], factors[1], factors[2], factors[3] * white};
    for (int parts = 1; parts <= PARTS_MAX; parts++) {
        int whole = 0;
        while (whole < 4 && fabs(numbers[whole] * parts - rint(numbers[whole] * parts)) < 1e-6)
            whole++;
        if (whole == 4)
            return parts % 2 ? 0 : 1.0 / parts;
    }
    return 0;
}

static double halves_ms(const PointJob *job, const PointStep *step, double values) {
    double halves = 0;
    for (int c = 0; c < 3 && step->function == POINT_matrix; c++)
        halves += halves_of(job->pool + step->parameters + 4 * (size_t)c, step->white);
    return (1 - exp(-WARP * halves)) * (HALVES_MS + HALVES_NS * 1e-6 * values);
}

static double table_ms(const PointJob *job, double values, double memory_ms) {
    double ms = values > FULL_FROM ? FULL_MS : 0;
    int matrices = 0;
    for (int i = 0; i < job->count; i++)
        if (points[job->steps[i].function].reach != POINT_VALUE) {
            matrices++;
            ms += halves_ms(job, &job->steps[i], values);
        }
    return ms + TABLE_MS * matrices + fmax(memory_ms, MATRIX_NS * 1e-6 * matrices * values);
}

static double shortcuts_ms(const PointJob *job, Shape from, double values) {
    PointsPart parts[POINT_STEPS];
    const int count = gpu_points_parts(job, from, parts);
    double ns = 0;
    for (int i = 0; i < count; i++) {
        const PointFunction function = job->steps[parts[i].first].function;
        ns += parts[i].way != POINTS_STEP ? SHORTCUT_NS : EXACT_NS + function_of(function).among;
    }
    return PART_MS * count + ns * values * 1e-6;
}

static double steps_ns(const PointJob *job, double each) {
    double ns = 0;
    for (int i = 0; i < job->count; i++)
        ns += each + function_of(job->steps[i].function).among;
    return ns;
}

static double predict(const Level *level, const Stage *stage) {
    const PointJob *job = point_job(stage);
    const Shape from = stage->in[0].shape;
    const double values = (double)from.width * (double)from.height * from.channels, bytes = stage_cost(stage).bytes;
    const double memory_ms = bytes * (bytes < NEAR_BYTES ? NEAR_NS : FAR_NS) * 1e-6;
    if (strcmp(level->name, "table") == 0)
        return LAUNCH_MS + table_ms(job, values, memory_ms);
    if (strcmp(level->name, "shortcuts") == 0)
        return LAUNCH_MS + memory_ms + shortcuts_ms(job, from, values);
    const double ns = strcmp(level->name, "vectors") != 0 ? steps_ns(job, NAIVE_NS)
                      : job->count > 1                    ? steps_ns(job, GENERAL_NS)
                                                          : function_of(job->steps[0].function).alone;
    return LAUNCH_MS + memory_ms + ns * values * 1e-6;
}

const Predictor point_measured = {"NVIDIA H200", predict};
