/* job.c: finds the level, makes a stage that it accepts, and runs it on frames of noise. */
#include "app/explain/job.h"

#include "app/bench/bench_job.h"
#include "core/base/interrupt.h"
#include "core/device/op_frame.h"
#include "core/ops/convolve.h"
#include "core/ops/ops.h"
#include "core/scene/scene_open.h"
#include "core/stage/op.h"
#include "kernel/rungs.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 3, EXAMPLES = 8 };

/* Small pictures show all that there is to see: each block does the same. */
typedef struct Size {
    const char *operation;
    size_t width, height;
    const char *type; /* tried before others */
} Size;
static const Size sizes[] = {{"reduce", 256, 256, "f32x1"},   {"dot", 256, 256, "f32x1"},
                             {"histogram", 256, 256, "u8x1"}, {"multiply", 128, 128, "f32x1"},
                             {"trace", 128, 96, "u8x3"},      {"", 128, 128, "f32x1"}};

static const Size *size_of(const char *operation) {
    const Size *size = sizes;
    while (size->operation[0] && strcmp(size->operation, operation) != 0)
        size++;
    return size;
}

/* ---- the level ---- */

static bool is_file(const char *target) {
    const char *dot = strrchr(target, '.');
    return dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0);
}

static Status find_kernel(const ExplainJob *job, const Level **level) {
    const Backend *backend;
    const char *path, *name;
    KernelKind kind;
    TRY(kernel_kind(job->target, &kind));
    if (kind != KERNEL_PTX)
        return fail(STATUS_USAGE, "%s: want CUDA C, in a file that ends in .cu", job->target);
    interrupts_catch(); /* the compiler's folder is removed */
    TRY(kernel_rungs_add(job->target, job->seconds));
    for (size_t i = 0; (*level = kernel_rung_at(i, &backend)); i++)
        if (strcmp(backend->name, "emulated") == 0 && kernel_rung(*level, &path, &name) &&
            strcmp(path, job->target) == 0 && (!job->kernel || strcmp(job->kernel, name) == 0))
            return STATUS_OK;
    return fail(STATUS_USAGE, "%s: no kernel \"%s\" is in the file", job->target, job->kernel);
}

/* The operations that have a level of this name: "convolve/naive, move/naive or point/naive". */
static size_t name_operations(const Backend *emulated, const char *name, char *list, size_t size) {
    const Level *level;
    size_t count = 0, all = 0;
    list[0] = '\0';
    for (size_t i = 0; (level = level_at(emulated, i)); i++)
        all += strcmp(level->name, name) == 0;
    for (size_t i = 0; (level = level_at(emulated, i)); i++)
        if (strcmp(level->name, name) == 0) {
            const size_t length = strlen(list);
            const char *joint = count == 0 ? "" : count + 1 == all ? " or " : ", ";
            count++;
            snprintf(list + length, size - length, "%s%s/%s", joint, level->op->name, name);
        }
    return count;
}

static Status find_alone(const Backend *emulated, const char *name, const Level **level) {
    char list[512];
    const size_t count = name_operations(emulated, name, list, sizeof list);
    if (count > 1)
        return fail(STATUS_USAGE, "several operations have a level \"%s\": want %s", name, list);
    for (size_t i = 0; count == 1 && (*level = level_at(emulated, i)); i++)
        if (strcmp((*level)->name, name) == 0)
            return STATUS_OK;
    if (op_by_name(name))
        return fail(STATUS_USAGE, "\"%s\" is an operation: want one of its levels, as %s/%s", name, name,
                    ladder_count(emulated, op_by_name(name)) > 0 ? ladder_level(emulated, op_by_name(name), 0)->name
                                                                 : "naive");
    return fail(STATUS_USAGE,
                "no level \"%s\"; want OPERATION/LEVEL of `glint list levels`, or a file that ends in "
                ".cu",
                name);
}

static Status find_level(const Backend *emulated, const char *target, const Level **level) {
    char operation[64];
    const char *slash = strchr(target, '/');
    int devices;
    TRY(emulated->device_count(&devices)); /* loads the module */
    if (!level_at(emulated, 0))
        return fail(STATUS_DEVICE, "this glint was built without nvcc, and so without its own CUDA levels: only kernel "
                                   "files can be explained");
    if (!slash)
        return find_alone(emulated, target, level);
    snprintf(operation, sizeof operation, "%.*s", (int)(slash - target), target);
    const Op *op = op_by_name(operation);
    if (!op)
        return fail(STATUS_USAGE, "no operation \"%s\" (glint list operations)", operation);
    *level = level_by_name(emulated, op, slash + 1);
    return *level
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s has no level \"%s\" on CUDA (glint help %s)", operation, slash + 1, operation);
}

/* ---- its stage ---- */

/* A stage with what it borrows. */
typedef struct Lowered {
    BenchJob job;
    Scene *scene;
    Plan *plan;
    const Stage *stage;
} Lowered;

static void drop(Lowered *lowered) {
    plan_destroy(&lowered->plan);
    scene_destroy(&lowered->scene);
}

static Status check_options(const ExplainJob *job, const char *operation) {
    const struct {
        const char *option, *of;
        bool given;
    } own[] = {{"mask", op_convolve.name, job->mask}, {"scene", "trace", job->scene}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].given && strcmp(operation, own[i].of) != 0)
            return fail(STATUS_USAGE, "--%s is of %s, not of %s", own[i].option, own[i].of, operation);
    return STATUS_OK;
}

static Status begin(const ExplainJob *job, const Op *op, Lowered *lowered) {
    const Size *size = size_of(op->name);
    const BenchDefaults kernels = bench_job_of_kernels(op->name);
    TRY(check_options(job, op->name));
    lowered->job = (BenchJob){.op = op,
                              .shape = job->shape,
                              .plan = job->plan,
                              .filter = job->filter ? job->filter : kernels.filter,
                              .mask = job->mask,
                              .scene_options = &scene_options_defaults};
    if (job->shape.width == 0) {
        lowered->job.shape.width = size->width;
        lowered->job.shape.height = size->height;
    }
    if (strcmp(op->name, "trace") == 0) {
        lowered->job.name = job->scene ? job->scene : "spheres";
        TRY(scene_open(lowered->job.name, &lowered->scene));
        lowered->job.scene = lowered->scene;
    }
    return STATUS_OK;
}

/* Lowers the job for a type of pixels and an example; false: the level does not accept it, and why. */
static bool lower(Lowered *lowered, const Level *level, const Device *device, const char **why_not, Status *status) {
    plan_destroy(&lowered->plan);
    *status = bench_job_lower(&lowered->job, lowered->job.shape, &lowered->plan, &lowered->stage);
    return *status == STATUS_OK && level_accepts(level, device, lowered->stage, why_not);
}

/* Tries types and examples; false: the level accepts none of them. Single values come first, which are the easiest to
 * look at. */
static bool try_types(const ExplainJob *job, const Level *level, const Device *device, Lowered *lowered,
                      const char **why_not, Status *status) {
    const char *const types[] = {
        size_of(level->op->name)->type, "f32x1", "u8x1", "u8x3", "u8x4", "u16x1", "f32x3", "f32x4"};
    const bool asked = lowered->job.mask || lowered->job.filter || lowered->scene; /* else examples */
    for (size_t t = 0; t < (job->typed ? 1 : sizeof types / sizeof *types); t++) {
        const char *here = NULL;
        if (!job->typed)
            (void)shape_parse_type(types[t], &lowered->job.shape);
        for (lowered->job.example = 0; lowered->job.example < (asked ? 1 : EXAMPLES); lowered->job.example++) {
            if (lower(lowered, level, device, &here, status))
                return true;
            *why_not = *why_not || !here ? *why_not : here;
        }
    }
    return false;
}

/* A convolution that nobody asked about has a dense mask where the level takes one, or else that of a filter. */
static Status find_stage(const ExplainJob *job, const Level *level, const Device *device, Lowered *lowered) {
    static const char *const masks[] = {"5", NULL, NULL}, *const filters[] = {NULL, "gaussian=1", "box=5"};
    const bool chosen = level->op != &op_convolve || job->mask || job->filter;
    const char *why_not = NULL;
    Status status = STATUS_OK;
    TRY(begin(job, level->op, lowered));
    for (size_t m = 0; m < (chosen ? 1 : sizeof masks / sizeof *masks); m++) {
        if (!chosen) {
            lowered->job.mask = masks[m];
            lowered->job.filter = filters[m];
        }
        if (try_types(job, level, device, lowered, &why_not, &status))
            return STATUS_OK;
    }
    return why_not ? fail(STATUS_USAGE, "level %s cannot do this job of %s: %s", level->name, level->op->name, why_not)
                   : status;
}

/* ---- its run ---- */

static Status make_frame(Queue *queue, const Op *op, Shape shape, unsigned long seed, Frame *frame) {
    Image *noise = NULL;
    TRY(op_frame_create(op, queue->device, shape, frame));
    TRY(image_create(shape, &noise));
    view_fill_random(noise->view, seed);
    const Status status = op_frame_upload(op, queue, noise->view, *frame);
    image_destroy(&noise);
    return status;
}

static Status run_uncounted(const Level *level, Queue *queue, const Stage *stage, void (*counted)(void)) {
    for (int i = 0; i < 2; i++) {
        if (i > 0 && counted)
            counted();
        TRY(level_run(level, queue, stage));
        TRY(queue->device->backend->sync(queue));
    }
    return STATUS_OK;
}

static Status run_on(const ExplainJob *job, const Level *level, Queue *queue, const Stage *unbound, Listing **listing) {
    Stage stage = *unbound;
    Frame frames[STAGE_INPUTS + 1] = {0};
    Status status = STATUS_OK;
    for (int k = 0; k < STAGE_INPUTS && status == STATUS_OK; k++)
        if (stage.in[k].shape.width > 0) {
            status = make_frame(queue, stage.op, stage.in[k].shape, SEED + (unsigned long)k, &frames[k]);
            stage.in[k] = frames[k];
        }
    if (status == STATUS_OK)
        status = make_frame(queue, stage.op, stage.out.shape, SEED, &frames[STAGE_INPUTS]);
    stage.out = frames[STAGE_INPUTS];
    if (status == STATUS_OK)
        status = queue->device->backend->timeless ? listing_of_level(level, queue, &stage, &job->watch, listing)
                                                  : run_uncounted(level, queue, &stage, job->counted);
    for (int k = 0; k <= STAGE_INPUTS; k++)
        op_frame_destroy(stage.op, queue->device, &frames[k]);
    return status;
}

static Status explain_on(const ExplainJob *job, Device *device, Queue *queue, Explained *explained) {
    Lowered lowered = {0};
    char words[140];
    Status status = find_stage(job, explained->level, device, &lowered);
    if (status == STATUS_OK)
        status = run_on(job, explained->level, queue, lowered.stage, &explained->listing);
    if (status == STATUS_OK && explained->listing) {
        bench_job_describe(&lowered.job, lowered.stage, words, sizeof words);
        const size_t operation = strcspn(words, ",");
        snprintf(explained->listing->title, sizeof explained->listing->title, "%.*s %s%s", (int)operation, words,
                 explained->level->name, words + operation);
    }
    drop(&lowered);
    return status;
}

Status explain_run(const ExplainJob *job, Explained *explained) {
    const Backend *backend = job->backend ? job->backend : backend_by_name("emulated");
    const char *name;
    Device *device = NULL;
    Queue *queue = NULL;
    *explained = (Explained){0};
    if (is_file(job->target))
        TRY(find_kernel(job, &explained->level));
    else
        TRY(find_level(backend, job->target, &explained->level));
    kernel_rung(explained->level, &explained->path, &name);
    TRY(backend->open(0, 0, &device));
    Status status = queue_open(device, &queue);
    if (status == STATUS_OK)
        status = explain_on(job, device, queue, explained);
    queue_close(&queue);
    device_close(&device);
    return status;
}
