/* threads.c: the steps of core/math/denoise.h, pixel by pixel. */
#include "core/device/backend.h"
#include "core/ops/denoise.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

typedef struct Work {
    const Stage *stage;
    DenoiseViews views;
    DenoiseField field;
    DenoiseGuide *guides;
    DenoiseLight *guess; /* by which the first iteration compares */
    const DenoiseLight *from;
    DenoiseLight *to;
    int step; /* 0: the first estimate */
} Work;

static const float *pixel_of(ImageView view, size_t x, size_t y) {
    return view.pixels ? (const float *)view_row(view, y) + x * (size_t)view.shape.channels : NULL;
}

static DenoisePixel read_pixel(const Work *work, size_t x, size_t y) {
    const DenoiseViews *views = &work->views;
    const DenoiseJob *job = denoise_job(work->stage);
    const float *light = pixel_of(views->light, x, y), *normal = pixel_of(views->normals, x, y);
    const float *albedo = pixel_of(views->albedo, x, y);
    return job->film ? denoise_read_film(light, pixel_of(views->less, x, y), normal, albedo)
                     : denoise_read_picture(light, views->light.shape.channels, normal, views->normals.shape.channels,
                                            (float)job->normal_scale, albedo, (float)job->albedo_scale);
}

static float scattered_at(const Work *work, size_t x, size_t y) {
    const size_t step = work->views.step;
    return denoise_job(work->stage)->film ? denoise_scattered(pixel_of(work->views.light, x * step, y * step)[3]) : 1;
}

static void read_row(const void *job, size_t y) {
    const Work *work = job;
    for (size_t x = 0; x < work->views.width; x++) {
        const size_t at = y * work->views.width + x;
        const DenoisePixel pixel = read_pixel(work, x * work->views.step, y * work->views.step);
        denoise_begin(&pixel, &work->to[at], &work->guides[at]);
    }
}

static void step_row(const void *job, size_t y) {
    const Work *work = job;
    for (size_t x = 0; x < work->views.width; x++) {
        const size_t at = y * work->views.width + x;
        DenoiseLight light = work->from[at];
        if (work->step == 0)
            work->guess[at] = light;
        if (work->guides[at].near == DENOISE_ABSENT)
            ;
        else if (work->step == 0)
            light.variance =
                denoise_estimate(&work->field, work->from, (int)x, (int)y, scattered_at(work, x, y), &work->guess[at]);
        else
            light = denoise_smooth(&work->field, work->from, work->step == 1 ? work->guess : work->from, (int)x, (int)y,
                                   work->step);
        work->to[at] = light;
    }
}

static void write_pixel(const Work *work, size_t x, size_t y) {
    const size_t step = work->views.step, first_x = x / step * step, first_y = y / step * step;
    const size_t at = y / step * work->views.width + x / step;
    const int channels = work->stage->out.shape.channels;
    const DenoisePixel pixel = read_pixel(work, first_x, first_y);
    denoise_write(&pixel, work->from[at], work->guides[at].near == DENOISE_ABSENT, denoise_job(work->stage)->film,
                  channels, pixel_of(work->views.light, first_x, first_y),
                  (float *)view_row(work->stage->out, y) + x * (size_t)channels);
}

static void write_row(const void *job, size_t y) {
    const Work *work = job;
    for (size_t x = 0; x < work->stage->out.shape.width; x++)
        write_pixel(work, x, y);
}

static size_t workspace(const Device *device, const Stage *stage) {
    const DenoiseViews views = denoise_views(stage);
    (void)device;
    return views.width * views.height * (3 * sizeof(DenoiseLight) + sizeof(DenoiseGuide));
}

static Status run(Queue *queue, const Stage *stage) {
    Work work = {.stage = stage, .views = denoise_views(stage)};
    const size_t rows = work.views.height, pixels = work.views.width * rows;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    DenoiseLight *from = scratch, *to = from + pixels;
    work.guess = to + pixels;
    work.guides = (DenoiseGuide *)(void *)(work.guess + pixels);
    work.field = (DenoiseField){work.guides, (int)work.views.width, (int)rows, denoise_rule(denoise_job(stage))};
    work.to = from;
    cpu_share_rows(queue, rows, read_row, &work);
    for (int i = 0; i <= denoise_job(stage)->iterations; i++) {
        work.from = from;
        work.to = to;
        work.step = i == 0 ? 0 : 1 << (i - 1);
        cpu_share_rows(queue, rows, step_row, &work);
        to = from;
        from = work.to;
    }
    work.from = from;
    cpu_share_rows(queue, stage->out.shape.height, write_row, &work);
    return STATUS_OK;
}

const Level cpu_denoise_threads = {
    .op = &op_denoise,
    .name = "threads",
    .idea = "irradiance and guides laid out once as structures of four floats, one exponential a neighbour for normal, "
            "depth and light; cores share the rows",
    .workspace = workspace,
    .run = run,
};
