/* program.c: the parts of a point program, their tables and matrices. */
#include "cpu/point/program.h"

#include "core/device/cache.h"
#include "cpu/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORTHWHILE = 2 * 65536, /* values of a picture, for a table of as many */
    SOME = 256,             /* made at a time */
    PROGRAMS = 16           /* that the device keeps: tables of u16 take 512 KiB at most */
};

/* Steps with a loop of their own on pixels with alpha. */
static const struct {
    PointFunction function;
    PixelType from, to;
    PointPartKind kind;
} on_alpha[] = {
    {POINT_premultiply, PIXEL_U8, PIXEL_F32, POINT_PART_PREMULTIPLY},
    {POINT_unpremultiply, PIXEL_F32, PIXEL_U8, POINT_PART_UNPREMULTIPLY},
    {POINT_times_alpha, PIXEL_U8, PIXEL_U16, POINT_PART_TIMES_ALPHA},
    {POINT_by_alpha, PIXEL_U16, PIXEL_U8, POINT_PART_BY_ALPHA},
};

static bool equals(double a, double b) {
    return !(a < b) && !(a > b);
}

/* The values that step `index` reads. */
typedef struct Before {
    PixelType type;
    int channels;
} Before;

static bool is_difference_by_alpha(const Stage *stage, int index, Before before) {
    const PointJob *job = point_job(stage);
    const PointStep *first = &job->steps[index], *second = first + 1;
    return before.channels % 2 == 0 && before.type == PIXEL_U16 && index + 1 < job->count &&
           first->function == POINT_difference && first->type == PIXEL_U16 && equals(first->scale[1], 1) &&
           stage->in[first->reads[1]].shape.type == PIXEL_U16 && second->function == POINT_by_alpha &&
           second->type == PIXEL_U8;
}

/* Without a loop of its own: in planes. */
static PointPart alpha_part(const Stage *stage, int index, Before before) {
    const PointStep *step = &point_job(stage)->steps[index];
    PointPart part = {.kind = POINT_PART_PLANES, .first = index, .steps = 1};
    if (before.channels % 2 || step->channels > 0 || !equals(step->white, 255))
        return part;
    for (size_t i = 0; i < sizeof on_alpha / sizeof on_alpha[0]; i++)
        if (on_alpha[i].function == step->function && on_alpha[i].from == before.type && on_alpha[i].to == step->type)
            part.kind = on_alpha[i].kind;
    return part;
}

static bool is_large(const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    return shape.width * shape.height * (size_t)shape.channels >= WORTHWHILE;
}

static PointPart part_at(const Stage *stage, int index, Before before, bool looks_up) {
    const PointJob *job = point_job(stage);
    if (looks_up && (before.type == PIXEL_U8 || (before.type == PIXEL_U16 && is_large(stage)))) {
        const int steps = point_value_steps(job, index, before.channels);
        if (steps > 0)
            return (PointPart){.kind = POINT_PART_TABLE, .first = index, .steps = steps};
    }
    if (looks_up && is_large(stage) && point_rises(job, index, before.type))
        return (PointPart){.kind = POINT_PART_STAIRS, .first = index, .steps = 1};
    if (is_difference_by_alpha(stage, index, before))
        return (PointPart){.kind = POINT_PART_DIFFERENCE, .first = index, .steps = 2};
    return alpha_part(stage, index, before);
}

static bool mixes(const PointStep *step) {
    return step->function == POINT_mix || step->function == POINT_matrix || step->function == POINT_grayscale;
}

/* Whether rows of bytes have a loop for this step (cpu/point/bytes.h). */
static bool has_bytes_loop(const Stage *stage, const PointStep *step) {
    const PixelType other = stage->in[step->reads[1]].shape.type;
    if (step->type != PIXEL_U8 || step->channels > 0)
        return false;
    if (mixes(step))
        return stage->in[0].shape.channels > 2;
    return ((step->function == POINT_difference && other == PIXEL_U8) ||
            (step->function == POINT_unsharp && other == PIXEL_F32)) &&
           equals(step->scale[1], 1);
}

bool point_parts_are_light(const Stage *stage, const PointProgram *program, int index) {
    const PointPart *part = &program->parts[index];
    if (index + 2 >= program->count || part[0].kind != POINT_PART_TABLE || part[1].kind != POINT_PART_PLANES ||
        part[1].steps > 1 || part[2].kind != POINT_PART_STAIRS)
        return false;
    const PointStep *matrix = &point_job(stage)->steps[part[1].first];
    return matrix[-1].type == PIXEL_F32 && matrix->type == PIXEL_F32 && matrix->function == POINT_matrix &&
           matrix->channels == 0 && stage->out.shape.channels > 2;
}

static bool is_of_bytes(const Stage *stage, const PointProgram *program) {
    const PointStep *steps = point_job(stage)->steps;
    bool bytes = stage->in[0].shape.type == PIXEL_U8;
    for (int i = 0; i < program->count; i++) {
        const PointPart *part = &program->parts[i];
        const int end = part->first + part->steps;
        if (point_parts_are_light(stage, program, i)) {
            i += 2;
            continue;
        }
        bytes &= part->kind == POINT_PART_TABLE ? steps[end - 1].type == PIXEL_U8 : part->kind == POINT_PART_PLANES;
        for (int k = part->first; part->kind == POINT_PART_PLANES && k < end; k++)
            bytes &= has_bytes_loop(stage, &steps[k]);
    }
    return bytes;
}

PointProgram point_program_divide(const Stage *stage, bool looks_up) {
    const PointJob *job = point_job(stage);
    Before before = {stage->in[0].shape.type, stage->in[0].shape.channels};
    PointProgram program = {.count = 0};
    bool planes = false; /* the part before is of planes */
    for (int i = 0; i < job->count;) {
        const PointPart part = part_at(stage, i, before, looks_up);
        if (planes && part.kind == POINT_PART_PLANES)
            program.parts[program.count - 1].steps++;
        else
            program.parts[program.count++] = part;
        planes = part.kind == POINT_PART_PLANES;
        i += part.steps;
        before.type = job->steps[i - 1].type;
        before.channels = job->steps[i - 1].channels > 0 ? job->steps[i - 1].channels : before.channels;
    }
    program.is_of_bytes = is_of_bytes(stage, &program);
    return program;
}

PixelType point_part_reads(const Stage *stage, const PointPart *part) {
    return part->first == 0 ? stage->in[0].shape.type : point_job(stage)->steps[part->first - 1].type;
}

static size_t table_values(const Stage *stage, const PointPart *part) {
    return point_part_reads(stage, part) == PIXEL_U8 ? 256 : 65536;
}

static PixelType type_after(const Stage *stage, const PointPart *part) {
    return point_job(stage)->steps[part->first + part->steps - 1].type;
}

/* The bytes of its tables, or its stairs. */
static size_t part_bytes(const Stage *stage, const PointPart *part) {
    return part->kind == POINT_PART_TABLE    ? 2 * table_values(stage, part) * pixel_type_size(type_after(stage, part))
           : part->kind == POINT_PART_STAIRS ? sizeof(Stairs)
                                             : 0;
}

/* A pixel for every value that is stored; as colours are, or as alpha is. */
typedef double Result(const PointJob *job, int first, int count, double v);
typedef struct Making {
    const PointJob *job;
    const PointPart *part;
    Result *result;
    ImageView table;
} Making;

static void make_some(const void *work, size_t piece, size_t thread) {
    const Making *making = work;
    (void)thread;
    for (size_t v = piece * SOME; v < (piece + 1) * SOME; v++)
        view_set_value(making->table, v, 0, 0,
                       making->result(making->job, making->part->first, making->part->steps, (double)v));
}

static const void *make_table(Queue *queue, const Stage *stage, const PointPart *part, Result *result, void *memory) {
    const Shape shape = {table_values(stage, part), 1, 1, type_after(stage, part)};
    const ImageView table = {shape, shape_row_bytes(shape), memory};
    cpu_share(queue, shape.width / SOME, make_some, &(Making){point_job(stage), part, result, table});
    return memory;
}

static Status make_part(Queue *queue, const Stage *stage, PointPart *part, unsigned char *memory) {
    if (part->kind == POINT_PART_TABLE) {
        part->colours = make_table(queue, stage, part, point_value, memory);
        if (shape_has_alpha(stage->in[0].shape))
            part->alphas = make_table(queue, stage, part, point_alpha, memory + part_bytes(stage, part) / 2);
    }
    if (part->kind != POINT_PART_STAIRS)
        return STATUS_OK;
    part->stairs = (const Stairs *)(const void *)memory;
    return point_stairs(point_job(stage), part->first, (Stairs *)(void *)memory);
}

/* Each lane's factors on its neighbours, and its addend. */
static void make_lanes(int channels, PointMatrix *matrix) {
    const double by = matrix->is_whole ? 1 : matrix->divisor;
    for (int lane = 0, c = 0; lane < POINT_LANES; lane++, c = c + 1 < channels ? c + 1 : 0) {
        matrix->addends[lane] = c < 3 ? (float)(matrix->rows[4 * c + 3] / by) : 0;
        for (int tap = 0; tap < POINT_TAPS; tap++) {
            const int other = c + tap - 2;
            matrix->factors[tap][lane] = c == 3                   ? other == 3
                                         : other < 0 || other > 2 ? 0
                                                                  : (float)(matrix->rows[4 * c + other] / by);
        }
    }
}

static void make_matrix(const PointJob *job, const PointStep *step, int channels, PointMatrix *matrix) {
    static const double luma[12] = {0.2126, 0.7152, 0.0722, 0, 0.2126, 0.7152, 0.0722, 0, 0.2126, 0.7152, 0.0722, 0};
    const double *p = step->function == POINT_grayscale ? luma : job->pool + step->parameters;
    double most = 1;
    matrix->divisor = step->function == POINT_mix ? p[12] : 1;
    matrix->is_whole = matrix->divisor >= 1 && equals(rint(matrix->divisor), matrix->divisor);
    for (int i = 0; i < 12; i++) {
        matrix->rows[i] = i % 4 == 3 ? p[i] * step->white : p[i];
        matrix->is_whole &= equals(rint(matrix->rows[i]), matrix->rows[i]);
    }
    for (int c = 0; c < 3; c++) {
        const double *row = matrix->rows + (ptrdiff_t)4 * c;
        most = fmax(most, (fabs(row[0]) + fabs(row[1]) + fabs(row[2])) * 255 + fabs(row[3]));
    }
    matrix->is_whole &= most <= 0x1p24;
    most = fmax(1, most / fabs(matrix->divisor));
    matrix->sure = (float)(0.5 - most * 0x1p-20); /* roundings of eight, of 2^-24 each, and some room */
    make_lanes(channels, matrix);
}

/* The steps whose matrices a program of bytes needs. */
static bool wants_matrix(const Stage *stage, const PointProgram *program, int step) {
    return program->is_of_bytes && mixes(&point_job(stage)->steps[step]) && stage->in[0].shape.channels > 2;
}

static Status make_program(Queue *queue, const Stage *stage, bool looks_up, PointProgram *program) {
    const PointJob *job = point_job(stage);
    size_t bytes = 1;
    *program = point_program_divide(stage, looks_up);
    for (int k = 0; k < job->count; k++)
        bytes += wants_matrix(stage, program, k) ? sizeof(PointMatrix) : 0;
    for (int i = 0; i < program->count; i++)
        bytes += part_bytes(stage, &program->parts[i]);
    unsigned char *memory = program->memory = malloc(bytes);
    if (!memory)
        return fail(STATUS_DEVICE, "no memory for a table");
    for (int k = 0; k < job->count; k++)
        if (wants_matrix(stage, program, k)) {
            make_matrix(job, &job->steps[k], stage->in[0].shape.channels, (PointMatrix *)(void *)memory);
            program->matrices[k] = (const PointMatrix *)(const void *)memory;
            memory += sizeof(PointMatrix);
        }
    for (int i = 0; i < program->count; i++) {
        TRY(make_part(queue, stage, &program->parts[i], memory));
        memory += part_bytes(stage, &program->parts[i]);
    }
    return STATUS_OK;
}

/* ---- programs that are kept: a table takes longer than a small picture ---- */

/* All that a program depends on besides the bytes of its job. */
typedef struct Kind {
    PixelType types[STAGE_INPUTS + 1]; /* of the inputs, and of the result */
    int channels, channels_out;
    int is_large, looks_up;
} Kind;

typedef struct Wish {
    const Stage *stage;
    bool looks_up;
} Wish;

typedef struct Kept {
    Kind kind;
    PointJob job;
    PointProgram program;
} Kept;

static Kind kind_of(const Wish *wish) {
    const Stage *stage = wish->stage;
    Kind kind; /* of numbers alone, without padding, as it is compared by bytes */
    for (int k = 0; k < STAGE_INPUTS; k++)
        kind.types[k] = stage->in[k].shape.type;
    kind.types[STAGE_INPUTS] = stage->out.shape.type;
    kind.channels = stage->in[0].shape.channels;
    kind.channels_out = stage->out.shape.channels;
    kind.is_large = is_large(stage);
    kind.looks_up = wish->looks_up;
    return kind;
}

static void drop(Device *device, void *entry) {
    (void)device;
    free(((Kept *)entry)->program.memory);
    ((Kept *)entry)->program = (PointProgram){.memory = NULL};
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Wish *wish = from;
    Kept *kept = entry;
    drop(queue->device, entry);
    kept->kind = kind_of(wish);
    memcpy(&kept->job, wish->stage->job, sizeof kept->job);
    return make_program(queue, wish->stage, wish->looks_up, &kept->program);
}

static bool same(const void *entry, const void *from) {
    const Kept *kept = entry;
    const Wish *wish = from;
    const Kind kind = kind_of(wish);
    return memcmp(&kept->kind, &kind, sizeof kind) == 0 &&
           memcmp((const void *)&kept->job, wish->stage->job, sizeof kept->job) == 0;
}

static const CacheKind kept_programs = {
    .bytes = sizeof(Kept), .max = PROGRAMS, .make = make, .same = same, .drop = drop};

Status point_program(Queue *queue, const Stage *stage, bool looks_up, const PointProgram **program) {
    void *kept;
    TRY(cache_get(queue, &kept_programs, 0, &(Wish){stage, looks_up}, &kept));
    *program = &((const Kept *)kept)->program;
    return STATUS_OK;
}
