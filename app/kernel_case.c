/* kernel_case.c: cases lowered to stages, and kernels' results compared. */
#include "app/kernel_case.h"

#include "app/bench/bench_job.h"
#include "core/ops/ops.h"
#include "core/scene/scene_open.h"
#include "core/stage/op.h"
#include "kernel/rungs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Status kernel_case_open(const KernelCase *row, CaseStage *opened) {
    BenchJob job = {.op = op_by_name(row->operation),
                    .shape = {.width = row->width, .height = row->height},
                    .plan = {.border = row->border},
                    .mask = row->mask,
                    .filter = row->filter,
                    .example = row->example,
                    .name = row->scene,
                    .scene_options = &scene_options_defaults};
    *opened = (CaseStage){0};
    TRY(shape_parse_type(row->type, &job.shape));
    if (row->scene)
        TRY(scene_open(row->scene, &opened->scene));
    job.scene = opened->scene;
    return bench_job_lower(&job, job.shape, &opened->plan, &opened->stage);
}

void kernel_case_close(CaseStage *opened) {
    plan_destroy(&opened->plan);
    scene_destroy(&opened->scene);
}

/* A pixel that no kernel wrote still has the bytes that the result had before. */
static bool is_blank(ImageView got, size_t x, size_t y) {
    const size_t bytes = shape_row_bytes(got.shape) / got.shape.width;
    const unsigned char *row = view_row(got, y), *at = row + x * bytes;
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != HOST_POISON)
            return false;
    return true;
}

/* The channel whose value is off by more than `allowed`, or not a number; -1: none is. */
static int wrong_channel(ImageView want, ImageView got, size_t x, size_t y, double allowed) {
    for (int c = 0; c < want.shape.channels; c++)
        if (!(fabs(view_value(want, x, y, c) - view_value(got, x, y, c)) <= allowed))
            return c;
    return -1;
}

/* The wrong pixels of a result: those that were not written, and others. */
typedef struct Wrong {
    size_t blank, unwritten, others; /* blank ones may be right by chance */
    size_t x, y;                     /* the first one that was not written, or else the first other one */
    int channel;
} Wrong;

static Wrong find_wrong(ImageView want, ImageView got, double allowed) {
    Wrong wrong = {0};
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++) {
            const int c = wrong_channel(want, got, x, y, allowed);
            const bool blank = is_blank(got, x, y);
            wrong.blank += blank;
            if (c < 0)
                continue;
            size_t *count = blank ? &wrong.unwritten : &wrong.others;
            if (++*count == 1 && (blank || wrong.unwritten == 0))
                wrong.x = x, wrong.y = y, wrong.channel = c;
        }
    return wrong;
}

/* Pixels that were not written, or else how the first one is wrong; sums and counts have no place. */
static void describe_wrong(const Verdict *verdict, ImageView want, ImageView got, char *text, size_t size) {
    const size_t pixels = want.shape.width * want.shape.height;
    Wrong wrong = {0};
    if (want.shape.type != PIXEL_U32)
        wrong = find_wrong(want, got, verdict->worst > verdict->allowed ? verdict->allowed : 0);
    if (wrong.unwritten > 0 && wrong.blank == pixels) {
        snprintf(text, size, "did not write any of %zu pixels", pixels);
        return;
    }
    if (wrong.unwritten > 0) {
        snprintf(text, size, "did not write %zu of %zu pixels, the first at %zu, %zu", wrong.unwritten, pixels, wrong.x,
                 wrong.y);
        return;
    }
    const int length = snprintf(text, size, "%zu of %zu values differ, by up to %g", verdict->differing,
                                verdict->values, verdict->worst);
    if (wrong.others > 0)
        snprintf(text + length, size - (size_t)length, "; the first at %zu, %zu, channel %d: %g instead of %g", wrong.x,
                 wrong.y, wrong.channel, view_value(got, wrong.x, wrong.y, wrong.channel),
                 view_value(want, wrong.x, wrong.y, wrong.channel));
}

/* The first read of shared memory without a value, which may be why. */
static void add_no_value(const Level *level, char *how, size_t size) {
    const KernelFacts *facts = &kernel_rung_answer(level)->facts;
    const size_t length = strlen(how);
    if (facts->no_value)
        snprintf(how + length, size - length, "; line %d reads shared memory before it has a value",
                 facts->no_value_line);
}

Status kernel_case_judge(const Stage *stage, const Level *level, Queue *queue, Queue *reference, Verdict *verdict,
                         char *how, size_t size) {
    Verification verification = {0};
    Image *got = NULL;
    TRY(verify_begin(reference, stage, VERIFY_NOISE, &verification));
    Status status = verify_level(&verification, queue, level, verdict);
    if (status == STATUS_OK && !verdict->agrees)
        status = verify_run(queue, level, stage, VERIFY_NOISE, &got);
    if (got)
        describe_wrong(verdict, verification.want->view, got->view, how, size);
    if (got)
        add_no_value(level, how, size);
    image_destroy(&got);
    verify_end(&verification);
    return status;
}
