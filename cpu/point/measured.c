/* measured.c: how long point programs take, part by part, in ns of one thread.
 * An Intel Xeon (Sapphire Rapids) with AVX-512, 1920 x 1080 pixels, two threads:
 *     glint bench point --backend cpu --size 1920x1080 --type u8x3,f32x3,... --filter invert, gamma, saturation, ...
 * Points that go along with another operation were timed by `glint bench chain --check-best`, which tests them, too. */
#include "cpu/point/measured.h"

#include "core/ops/point.h"
#include "core/stage/op.h"
#include "cpu/point/program.h"

#include <string.h>

/* A byte that is written, or read: in frames that stay in the caches, and in larger ones. */
#define NEAR_NS 0.03
#define FAR_NS  0.07
enum { NEAR_BYTES = 16 << 20 };

/* A value in the part. */
static const double part_ns[POINT_PART_KINDS] = {
    [POINT_PART_PLANES] = 0.25,        [POINT_PART_TABLE] = 0.22,      [POINT_PART_STAIRS] = 1.6,
    [POINT_PART_PREMULTIPLY] = 0.2,    [POINT_PART_BY_ALPHA] = 0.2,    [POINT_PART_DIFFERENCE] = 0.25,
    [POINT_PART_UNPREMULTIPLY] = 0.25, [POINT_PART_TIMES_ALPHA] = 0.15};
#define WIDE_NS  0.35 /* more in a table for u16 */
#define PLAIN_NS 0.25 /* in a step of sums and products */

/* A value in programs of bytes: in a table, in another step. */
#define BYTES_TABLE_NS 0.05
#define BYTES_STEP_NS  0.18

/* More in steps on several colours, with branches, or with a function of the mathematical library. */
static const double slow_ns[POINT_FUNCTIONS] = {
    [POINT_matrix] = 0.15, [POINT_grayscale] = 0.15, [POINT_posterize] = 1.7, [POINT_reinhard] = 5,
    [POINT_filmic] = 5,    [POINT_roll] = 7,         [POINT_curve] = 10,      [POINT_light_log] = 12,
    [POINT_power] = 15,    [POINT_levels] = 15,      [POINT_to_linear] = 18,  [POINT_from_linear] = 18,
    [POINT_tone] = 20};

/* More for a value that another operation reads, or makes: rows of their own, in the short runs of a tile. Planes gain
 * less from those, and tables for u16 take the cache away from the tile that is read. */
#define BEFORE_NS        0.15
#define AFTER_NS         0.08
#define BESIDE_NS        0.13 /* more for another picture's value, which rows of their own read apart */
#define PLANES_AROUND_NS 0.15
#define WIDE_BEFORE_NS   0.3

static double values_of(Shape shape) {
    return (double)shape.width * (double)shape.height * shape.channels;
}

static bool is_wide(const Stage *stage, const PointPart *part) {
    return part->kind == POINT_PART_TABLE && point_part_reads(stage, part) == PIXEL_U16;
}

static double steps_ns(const Stage *stage, const PointPart *part) {
    double ns = 0;
    for (int i = part->first; i < part->first + part->steps; i++)
        ns += PLAIN_NS + slow_ns[point_job(stage)->steps[i].function];
    return ns;
}

static double bytes_ns(const PointProgram *program) {
    double ns = 0;
    for (int i = 0; i < program->count; i++)
        ns += program->parts[i].kind == POINT_PART_TABLE ? BYTES_TABLE_NS : BYTES_STEP_NS * program->parts[i].steps;
    return ns;
}

/* Without the way to memory. */
static double program_ms(const Stage *stage, const PointProgram *program) {
    double ns = program->is_of_bytes ? bytes_ns(program) : 0;
    for (int i = 0; !program->is_of_bytes && i < program->count; i++) {
        const PointPart *part = &program->parts[i];
        ns += part_ns[part->kind] + (is_wide(stage, part) ? WIDE_NS : 0);
        ns += part->kind == POINT_PART_PLANES ? steps_ns(stage, part) : 0;
    }
    return ns * values_of(stage->in[0].shape) * 1e-6;
}

static double memory_ms(const Stage *stage) {
    const bool is_near = shape_bytes(stage->in[0].shape) < NEAR_BYTES && shape_bytes(stage->out.shape) < NEAR_BYTES;
    return stage_cost(stage).bytes * (is_near ? NEAR_NS : FAR_NS) * 1e-6;
}

static double predict(const Level *level, const Stage *stage) {
    const PointProgram program = point_program_divide(stage, strcmp(level->name, "table") == 0);
    return strcmp(level->name, "steps") == 0 ? part_ns[POINT_PART_STAIRS] * values_of(stage->in[0].shape) * 1e-6
                                             : program_ms(stage, &program) + memory_ms(stage);
}

const Predictor cpu_point_measured = {"Intel Xeon (Sapphire Rapids), 2 threads, AVX-512", predict};

/* A program on rows of a tile; `more` and `wide` are of each value, and of one in a table for u16. */
static double rows_ms(const Stage *stage, double more, double wide) {
    const PointProgram program = point_program_divide(stage, true);
    for (int i = 0; i < program.count; i++) {
        more += is_wide(stage, &program.parts[i]) ? wide : 0;
        more += program.parts[i].kind == POINT_PART_PLANES && !program.is_of_bytes ? PLANES_AROUND_NS : 0;
    }
    return program_ms(stage, &program) + more * values_of(stage->in[0].shape) * 1e-6;
}

double points_around_ms(const Stage *stage, double reads) {
    const StagePoints *with = stage->points;
    double ms = 0;
    if (with->before) {
        const Stage before = {.op = &op_point, .job = with->before, .in = {stage->in[0]}, .out.shape = with->in};
        ms += reads * rows_ms(&before, BEFORE_NS, WIDE_BEFORE_NS);
    }
    if (with->after) {
        Stage after = {.op = &op_point, .job = with->after, .out = stage->out};
        for (int k = 0; k < op_inputs(&op_point, with->after); k++)
            after.in[k].shape = with->reads[k] == STAGE_MADE ? with->out : stage->in[with->reads[k]].shape;
        ms += rows_ms(&after, AFTER_NS + BESIDE_NS * (op_inputs(&op_point, with->after) - 1), 0);
    }
    return ms;
}
