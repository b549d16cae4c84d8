/* kernel_check.c: the cases: sizes that no block divides, one pixel, one row, every type, border and kind of mask. */
#include "app/kernel_check.h"

#include "app/kernel_case.h"
#include "kernel/rungs.h"

#include <string.h>

static const KernelCase cases[] = {
    {"convolve", "u8x3", 33, 17, {BORDER_CLAMP, 0}, "5", NULL, NULL, 0},
    {"convolve", "u8x1", 64, 64, {BORDER_ZERO, 0}, "3", NULL, NULL, 0},
    {"convolve", "u8x4", 100, 1, {BORDER_MIRROR, 0}, "9", NULL, NULL, 0},
    {"convolve", "u16x3", 1, 1, {BORDER_WRAP, 0}, "3", NULL, NULL, 0},
    {"convolve", "f32x1", 127, 65, {BORDER_CONSTANT, 0.5F}, "7x3", NULL, NULL, 0},
    {"convolve", "u8x2", 16, 130, {BORDER_WRAP, 0}, "2x4", NULL, NULL, 0},
    {"convolve", "u8x3", 65, 40, {BORDER_CLAMP, 0}, NULL, "box=7", NULL, 0},
    {"convolve", "f32x3", 31, 31, {BORDER_MIRROR, 0}, "15", NULL, NULL, 0},
    {"point", "u8x3", 33, 17, {BORDER_CLAMP, 0}, NULL, "contrast=1.25", NULL, 0},
    {"point", "u8x1", 1, 1, {BORDER_CLAMP, 0}, NULL, "contrast=0.5", NULL, 0},
    {"point", "f32x1", 129, 3, {BORDER_CLAMP, 0}, NULL, "contrast=1.5", NULL, 0},
    {"reduce", "f32x1", 71, 67, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"reduce", "f32x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"reduce", "f32x1", 1024, 3, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"reduce", "f32x1", 513, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 71, 67, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 257, 2, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"blend", "u8x3", 33, 17, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"blend", "u8x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"blend", "f32x3", 130, 5, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 64, 64, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 33, 33, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"move", "u8x3", 33, 17, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"move", "f32x1", 64, 100, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 2},
    {"move", "u8x4", 1, 70, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"histogram", "u8x3", 33, 17, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"histogram", "u8x1", 257, 129, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"histogram", "u8x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"trace", "u8x3", 65, 40, {BORDER_CLAMP, 0}, NULL, NULL, CASE_SPHERES, 0},
    {"trace", "u8x4", 100, 75, {BORDER_CLAMP, 0}, NULL, NULL, CASE_SPHERES, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A kernel's way through the cases. */
typedef struct Check {
    const Level *level;
    Queue *queue, *reference;
    json_t *cases;
    size_t done, agreed;
    char first[1024]; /* the first case that does not agree, and how */
} Check;

static void note(Check *check, const char *job, bool agrees, const char *how) {
    json_array_append_new(check->cases, json_pack("{s:s, s:b, s:s}", "case", job, "agrees", agrees, "how", how));
    check->done++;
    check->agreed += agrees;
    if (!agrees && check->first[0] == '\0')
        snprintf(check->first, sizeof check->first, "%s: %s", job, how);
}

/* A kernel that fails is wrong; one that the case is not for passes it over. */
static Status check_stage(Check *check, const Stage *stage) {
    char job[256], how[512] = "";
    const char *why_not;
    Verdict verdict = {0};
    if (!level_accepts(check->level, check->queue->device, stage, &why_not))
        return STATUS_OK;
    verify_describe(stage, check->level, check->queue->device->backend->name, job, sizeof job);
    const Status status =
        kernel_case_judge(stage, check->level, check->queue, check->reference, &verdict, how, sizeof how);
    if (status == STATUS_INPUT)
        note(check, job, false, status_message());
    else if (status == STATUS_OK)
        note(check, job, verdict.agrees, how);
    return status == STATUS_INPUT ? STATUS_OK : status;
}

static Status check_case(Check *check, const KernelCase *row) {
    CaseStage opened;
    Status status = kernel_case_open(row, &opened);
    if (status == STATUS_OK)
        status = check_stage(check, opened.stage);
    kernel_case_close(&opened);
    return status;
}

static Status check_kernel(Check *check, FILE *to, json_t *list) {
    const char *path = "", *name = "", *backend = check->queue->device->backend->name;
    Status status = STATUS_OK;
    check->cases = json_array();
    for (size_t i = 0; i < CASES && status == STATUS_OK; i++)
        if (strcmp(cases[i].operation, check->level->op->name) == 0)
            status = check_case(check, &cases[i]);
    kernel_rung(check->level, &path, &name);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b, s:o}", "kernel", name, "operation",
                                          check->level->op->name, "backend", backend, "correct",
                                          check->agreed == check->done, "cases", check->cases));
    if (status != STATUS_OK)
        return status;
    say(to, "%s: %zu of %zu cases of %s agree with the reference (%s)", name, check->agreed, check->done,
        check->level->op->name, backend);
    if (check->agreed < check->done)
        say(to, "  wrong first in %s", check->first);
    return STATUS_OK;
}

static Status check_on(Device *device, Queue *reference, FILE *to, json_t *list, size_t *wrong) {
    const Backend *backend;
    const Level *level;
    Queue *queue;
    Status status = queue_open(device, &queue);
    for (size_t i = 0; status == STATUS_OK && (level = kernel_rung_at(i, &backend)); i++) {
        Check check = {.level = level, .queue = queue, .reference = reference};
        if (backend != device->backend)
            continue;
        status = check_kernel(&check, to, list);
        *wrong += check.agreed < check.done;
    }
    queue_close(&queue);
    return status;
}

/* Whether a kernel runs on this backend, and whether the user wants it. */
static bool is_wanted(const CommonOptions *common, const Backend *backend) {
    const Backend *of;
    bool has = false;
    for (size_t i = 0; kernel_rung_at(i, &of); i++)
        has |= of == backend;
    return has && (strcmp(common->backend, "auto") == 0 || strcmp(common->backend, backend->name) == 0);
}

static Status check_backends(const CommonOptions *common, Queue *reference, FILE *to, json_t *list) {
    Status status = STATUS_OK;
    size_t worked = 0, wrong = 0;
    for (size_t i = 0; i < backend_count() && status == STATUS_OK; i++) {
        Device *device = NULL;
        if (!is_wanted(common, backend_at(i)) || backend_at(i)->open(common->device, 0, &device) != STATUS_OK)
            continue;
        worked++;
        status = check_on(device, reference, to, list, &wrong);
        device_close(&device);
    }
    if (status == STATUS_OK && worked == 0)
        return fail(STATUS_DEVICE, "no backend that runs these kernels works here");
    if (status == STATUS_OK && wrong > 0)
        return fail(STATUS_PARTIAL, "%zu kernel%s wrong", wrong, wrong > 1 ? "s are" : " is");
    return status;
}

Status kernel_check(const CommonOptions *common, FILE *to, json_t *list) {
    Device *device = NULL;
    Queue *queue = NULL;
    TRY(backend_by_name("cpu")->open(0, 0, &device)); /* which has all references */
    Status status = queue_open(device, &queue);
    if (status == STATUS_OK)
        status = check_backends(common, queue, to, list);
    queue_close(&queue);
    device_close(&device);
    return status;
}
