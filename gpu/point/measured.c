/* measured.c: how long the levels of point programs take, by measurements.
 * An H200, 3840 x 2160 pixels, in ms of a chain with fused stages and without:
 *     glint bench chain --backend cuda --size 3840x2160 --type u8x3,f32x3,u8x4,u16x3 --filter invert --filter gamma=1.2
 *         --filter saturation=1.2 --filter hue=30,hue=20 --filter temperature=7600 --filter unsharp,invert ...
 * u8x3: two hues take 0.056 as one table, 0.067 as two. The three steps of temperature take 0.167 together, 0.173
 * apart. unsharp and invert take 0.20 together and 0.11 apart. f32x3: two hues take 0.240 together, 0.105 apart. */
#include "gpu/point/measured.h"

#include "core/ops/point.h"
#include "core/stage/op.h"
#include "gpu/point/around.h"

#include <math.h>
#include <string.h>

#define LAUNCH_MS 0.003
#define BYTE_NS   0.000285 /* of a frame that is written, or read */

/* The next ones are of a value. */
#define MATRIX_NS   0.0008 /* between two tables in shared memory */
#define SHORTCUT_NS 0.001  /* a table in memory, stairs, products with alpha in f32 */
#define EXACT_NS    0.004  /* another step among shortcuts, in double */
#define SINGLE_NS   0.0018 /* a step of several inputs, or by alpha, by its own kernel */
#define GENERAL_NS  0.0048 /* a step of several that one kernel looks up */
#define SLOW_NS     0.009  /* more in a step that calls a function of the mathematical library */
#define NAIVE_NS    0.03

static bool is_slow(PointFunction function) {
    static const PointFunction slow[] = {POINT_power,     POINT_levels,    POINT_curve,
                                         POINT_reinhard,  POINT_to_linear, POINT_from_linear,
                                         POINT_light_log, POINT_filmic,    POINT_tone};
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++)
        if (slow[i] == function)
            return true;
    return false;
}

static double slow_ns(const PointStep *step) {
    return is_slow(step->function) ? SLOW_NS : 0;
}

static double table_ns(const PointJob *job) {
    double ns = 0;
    for (int i = 0; i < job->count; i++)
        ns += points[job->steps[i].function].reach != POINT_VALUE ? MATRIX_NS : 0;
    return ns;
}

static double shortcuts_ns(const PointJob *job, Shape from) {
    PointsPart parts[POINT_STEPS];
    const int count = gpu_points_parts(job, from, parts);
    double ns = 0;
    for (int i = 0; i < count; i++)
        ns += parts[i].way != POINTS_STEP ? SHORTCUT_NS : EXACT_NS + slow_ns(&job->steps[parts[i].first]);
    return ns;
}

static double vectors_ns(const PointJob *job) {
    const PointInfo *first = &points[job->steps[0].function];
    if (job->count == 1)
        return slow_ns(&job->steps[0]) + (first->inputs > 1 || first->reach == POINT_PIXEL ? SINGLE_NS : 0);
    double ns = 0;
    for (int i = 0; i < job->count; i++)
        ns += GENERAL_NS + slow_ns(&job->steps[i]);
    return ns;
}

static double predict(const Level *level, const Stage *stage) {
    const PointJob *job = point_job(stage);
    const Shape from = stage->in[0].shape;
    const double values = (double)from.width * (double)from.height * from.channels;
    const double ns = strcmp(level->name, "table") == 0       ? table_ns(job)
                      : strcmp(level->name, "shortcuts") == 0 ? shortcuts_ns(job, from)
                      : strcmp(level->name, "vectors") == 0   ? vectors_ns(job)
                                                              : NAIVE_NS;
    return LAUNCH_MS + (ns * values + BYTE_NS * stage_cost(stage).bytes) * 1e-6;
}

const Predictor point_measured = {"NVIDIA H200", predict};
