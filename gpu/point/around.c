/* around.c: programs of points as kernels read them. */
#include "gpu/point/around.h"

#include "core/device/cache.h"
#include "gpu/point/weighed.h"

#include <stdlib.h>
#include <string.h>

/* The input of a program; equal ones are known by their bytes. */
typedef union Recipe {
    struct {
        PointJob job;
        Shape from; /* its first input's, without a size */
    };
    unsigned char bytes[sizeof(PointJob) + sizeof(Shape)];
} Recipe;

typedef struct KeptPoints {
    bool made;
    Recipe recipe;
    GpuScratch memory; /* a PointsProgram */
} KeptPoints;

/* How one step is carried out, which reads values of type `from`. */
static PointsWay way_of(const PointStep *step, PixelType from, int channels) {
    if (step->white != 255 || channels % 2 != 0)
        return POINTS_STEP;
    if (step->function == POINT_premultiply && from == PIXEL_U8 && step->type == PIXEL_F32)
        return POINTS_PREMULTIPLY;
    if (step->function == POINT_unpremultiply && from == PIXEL_F32 && step->type == PIXEL_U8)
        return POINTS_UNPREMULTIPLY;
    if (from == PIXEL_F32 && step->type == PIXEL_F32)
        return step->function == POINT_premultiply     ? POINTS_TIMES_ALPHA
               : step->function == POINT_unpremultiply ? POINTS_BY_ALPHA
                                                       : POINTS_STEP;
    return POINTS_STEP;
}

/* A run of functions of one u8 is a table. */
static int run_of(const PointJob *job, int first, PixelType from, int channels) {
    return from == PIXEL_U8 ? point_value_steps(job, first, channels) : 0;
}

int gpu_points_parts(const PointJob *job, Shape from, PointsPart parts[POINT_STEPS]) {
    PixelType type = from.type;
    int count = 0, tables = 0, stairs = 0;
    for (int i = 0; i < job->count;) {
        const int run = tables < POINTS_TABLES ? run_of(job, i, type, from.channels) : 0;
        const bool rises = run == 0 && stairs == 0 && point_rises(job, i, type);
        const PointsWay way = run > 0 ? POINTS_TABLE
                              : rises ? POINTS_STAIRS
                                      : way_of(&job->steps[i], type, from.channels);
        stairs += rises;
        parts[count++] = (PointsPart){way, i, run > 0 ? tables++ : i};
        i += run > 0 ? run : 1;
        type = job->steps[i - 1].type;
    }
    return count;
}

/* Steps in double take longer than the frames that they save. */
static bool has_shortcuts(const PointJob *job, Shape from) {
    PointsPart parts[POINT_STEPS];
    const int count = job ? gpu_points_parts(job, from, parts) : 0;
    for (int i = 0; i < count; i++)
        if (parts[i].way == POINTS_STEP)
            return false;
    return true;
}

/* The shape that the program behind the operation reads first. */
static Shape read_after(const Stage *stage) {
    const int first = stage->points->reads[0];
    return first == STAGE_MADE ? stage->points->out : stage->in[first].shape;
}

bool gpu_takes_points(const Stage *stage) {
    const StagePoints *around = stage->points;
    return around->in.type != PIXEL_U16 && around->in.channels == stage->in[0].shape.channels &&
           around->out.channels == stage->out.shape.channels && has_shortcuts(around->before, stage->in[0].shape) &&
           has_shortcuts(around->after, read_after(stage));
}

static bool is_only(const PointJob *job, Shape from, PointsWay way) {
    PointsPart parts[POINT_STEPS];
    return job && gpu_points_parts(job, from, parts) == 1 && parts[0].way == way;
}

bool gpu_points_weigh(const Stage *stage) {
    const StagePoints *around = stage->points;
    return around->reads[0] == STAGE_MADE && is_only(around->before, stage->in[0].shape, POINTS_PREMULTIPLY) &&
           is_only(around->after, around->out, POINTS_UNPREMULTIPLY);
}

static Status make_program(const Recipe *recipe, PointsProgram *program) {
    memset(program, 0, sizeof *program);
    program->job = recipe->job;
    program->count = gpu_points_parts(&recipe->job, recipe->from, program->parts);
    for (int i = 0; i < program->count; i++) {
        const PointsPart *part = &program->parts[i];
        if (part->way == POINTS_STAIRS)
            TRY(point_stairs(&program->job, part->first, &program->stairs));
        for (int v = 0; v < 256 && part->way == POINTS_TABLE; v++)
            program->tables[part->index][v] = (float)point_value(
                &program->job, part->first, run_of(&program->job, part->first, PIXEL_U8, recipe->from.channels), v);
    }
    return STATUS_OK;
}

static Status make_kept(Queue *queue, const void *from, void *entry) {
    KeptPoints *kept = entry;
    void *memory;
    kept->made = false;
    kept->recipe = *(const Recipe *)from;
    TRY(gpu_scratch(queue, &kept->memory, sizeof(PointsProgram), &memory));
    PointsProgram *program = malloc(sizeof *program);
    if (!program)
        return fail(STATUS_DEVICE, "no memory for a program of points");
    Status status = make_program(&kept->recipe, program);
    if (status == STATUS_OK)
        status = gpu_put(queue, memory, program, sizeof *program);
    free(program);
    kept->made = status == STATUS_OK;
    return status;
}

static bool same_kept(const void *entry, const void *from) {
    const KeptPoints *kept = entry;
    return kept->made && memcmp(kept->recipe.bytes, ((const Recipe *)from)->bytes, sizeof kept->recipe.bytes) == 0;
}

static void drop_kept(Device *device, void *entry) {
    gpu_free(device, &((KeptPoints *)entry)->memory);
}

static const CacheKind kept_kind = {
    .bytes = sizeof(KeptPoints), .max = 8, .make = make_kept, .same = same_kept, .drop = drop_kept};

Status gpu_points_program(Queue *queue, const PointJob *job, Shape from, const PointsProgram **program) {
    Recipe recipe;
    void *entry;
    memset(&recipe, 0, sizeof recipe);
    recipe.job = *job;
    recipe.from.type = from.type;
    recipe.from.channels = from.channels;
    TRY(cache_get(queue, &kept_kind, 0, &recipe, &entry));
    *program = ((const KeptPoints *)entry)->memory.memory;
    return STATUS_OK;
}

Status gpu_points(Queue *queue, const Stage *stage, const PointsProgram **before, const PointsProgram **after) {
    const StagePoints *around = stage->points;
    *before = *after = NULL;
    if (around->before)
        TRY(gpu_points_program(queue, around->before, stage->in[0].shape, before));
    if (around->after)
        TRY(gpu_points_program(queue, around->after, read_after(stage), after));
    return STATUS_OK;
}
