/* rows.isa.c: a run of pixels is taken apart into planes of doubles. It goes through the bodies of the program's
 * functions plane by plane, and is put together as the result's type. Each of these is a loop without a branch. Nothing
 * is contracted to multiply-adds (CMakeLists.txt), so that every value is the reference's. */
#include "cpu/point/rows.h"
#include "cpu/planes.h"
#include "cpu/point/alpha.h"
#include "cpu/point/bytes.h"

#include <stdint.h>
#include <string.h>

/* Planes as they come back after they were stored. */
static void store(Planes *planes, int first, int end, PixelType type, size_t count) {
    for (int c = first; c < end; c++) {
        double *v = planes->v[c];
        if (type == PIXEL_F32)
            for (size_t i = 0; i < count; i++)
                v[i] = (double)(float)v[i];
        else if (type == PIXEL_U8)
            for (size_t i = 0; i < count; i++)
                v[i] = planes_rounded(v[i], 255);
        else
            for (size_t i = 0; i < count; i++)
                v[i] = planes_rounded(v[i], 65535);
    }
}

#define SEEN __attribute__((unused)) const double

/* The bodies of core/stage/point.def in loops over planes. Where there is no alpha, it is 1. */
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    static void planes_##name(const PointStep *step, const double *p, int channels, const Planes *in,                  \
                              const Planes *in2, const Planes *in3, Planes *restrict out, size_t count) {              \
        const int colours = channels % 2 ? channels : channels - 1;                                                    \
        const bool has_alpha = colours < channels, coloured = colours == 3;                                            \
        const double *lasts = in->v[channels - 1], *lasts2 = in2->v[channels - 1], *lasts3 = in3->v[channels - 1];     \
        const double *rs = in->v[0], *gs = in->v[coloured ? 1 : 0], *bs = in->v[coloured ? 2 : 0];                     \
        const double *rs2 = in2->v[0], *gs2 = in2->v[coloured ? 1 : 0], *bs2 = in2->v[coloured ? 2 : 0];               \
        SEEN w = step->white, scale2 = step->scale[1], scale3 = step->scale[2];                                        \
        (void)p;                                                                                                       \
        for (int c = 0; c < colours; c++)                                                                              \
            for (size_t i = 0; i < count; i++) {                                                                       \
                SEEN v = in->v[c][i], last = lasts[i], r = rs[i], g = gs[i], b = bs[i];                                \
                SEEN v2 = (inputs) > 1 ? scale2 * in2->v[c][i] : 0, v3 = (inputs) > 2 ? scale3 * in3->v[c][i] : 0;     \
                SEEN last2 = (inputs) > 1 ? scale2 * lasts2[i] : 0, last3 = (inputs) > 2 ? scale3 * lasts3[i] : 0;     \
                SEEN a = has_alpha ? last / w : 1, a2 = has_alpha ? last2 / w : 1, a3 = has_alpha ? last3 / w : 1;     \
                SEEN light2 =                                                                                          \
                    (inputs) > 1 ? fabs(scale2 * rs2[i]) + fabs(scale2 * gs2[i]) + fabs(scale2 * bs2[i]) : 0;          \
                SEEN luma = coloured ? 0.2126 * r + 0.7152 * g + 0.0722 * b : r;                                       \
                out->v[c][i] = body;                                                                                   \
            }                                                                                                          \
        for (size_t i = 0; has_alpha && i < count; i++)                                                                \
            out->v[colours][i] = POINT_ALPHA_##alpha(lasts[i], (inputs) > 1 ? scale2 * lasts2[i] : 0, w);              \
    }
#include "core/stage/point.def"
#undef POINT

typedef void Body(const PointStep *step, const double *p, int channels, const Planes *in, const Planes *in2,
                  const Planes *in3, Planes *restrict out, size_t count);

static Body *const bodies[POINT_FUNCTIONS] = {
#define POINT(name, inputs, reach, alpha, help, body) planes_##name,
#include "core/stage/point.def"
#undef POINT
};

/* The colours by the table, the alpha through the types alone. */
static void look_up(const PointTable *table, const PointStep *steps, int channels, const Planes *in, Planes *out,
                    size_t count) {
    const int colours = channels % 2 ? channels : channels - 1;
    for (int c = 0; c < colours; c++)
        if (table->stairs)
            for (size_t i = 0; i < count; i++)
                out->v[c][i] = (double)stairs_step(table->stairs, (float)in->v[c][i]);
        else
            for (size_t i = 0; i < count; i++)
                out->v[c][i] = (double)table->after[(int32_t)in->v[c][i]];
    if (colours < channels) {
        memcpy(out->v[colours], in->v[colours], count * sizeof *out->v[colours]);
        for (int k = 0; k < table->steps; k++)
            store(out, colours, channels, steps[k].type, count);
    }
}

/* `count` pixels of row y, from x on. */
static void run_pixels(const Stage *stage, const PointTable *tables, size_t x, size_t y, size_t count,
                       PointScratch *scratch) {
    const PointJob *job = point_job(stage);
    int channels = stage->in[0].shape.channels;
    Planes *const in = scratch->in;
    const Planes *now = &in[0];
    for (int k = 0; k < STAGE_INPUTS && stage->in[k].pixels; k++)
        planes_split(stage->in[k], x, y, count, &in[k]);
    for (int i = 0, next = 0; i < job->count; next = !next) {
        const PointStep *step = &job->steps[i];
        Planes *out = &scratch->made[next];
        if (tables[i].steps > 0) {
            look_up(&tables[i], step, channels, now, out, count);
            i += tables[i].steps;
        } else {
            bodies[step->function](step, job->pool + step->parameters, channels, now, &in[step->reads[1]],
                                   &in[step->reads[2]], out, count);
            channels = step->channels > 0 ? step->channels : channels;
            if (++i < job->count) /* the last is rounded as it is put together */
                store(out, 0, channels, step->type, count);
        }
        now = out;
    }
    planes_join(now, stage->out, x, y, count);
}

/* How far u16 are apart, divided by alpha. */
static bool is_difference_by_alpha(const Stage *stage) {
    const PointStep *first = &point_job(stage)->steps[0], *second = first + 1;
    return first->function == POINT_difference && first->type == PIXEL_U16 && !(first->scale[1] < 1) &&
           !(first->scale[1] > 1) && second->function == POINT_by_alpha && stage->in[0].shape.type == PIXEL_U16 &&
           stage->in[first->reads[1]].shape.type == PIXEL_U16 && stage->out.shape.type == PIXEL_U8;
}

static bool run_difference(const Stage *stage, size_t y) {
    const PointJob *job = point_job(stage);
    const int channels = stage->out.shape.channels;
    const size_t width = stage->out.shape.width;
    if (job->count != 2 || channels % 2 || stage->in[0].shape.channels != channels || !is_difference_by_alpha(stage))
        return false;
    const void *from = view_row(stage->in[0], y), *other = view_row(stage->in[job->steps[0].reads[1]], y);
    void *to = view_row(stage->out, y);
    channels == 4 ? by_alpha_u8(from, other, to, width, 4) : by_alpha_u8(from, other, to, width, 2);
    return true;
}

/* Pictures of 8 bits, times alpha and back. */
static bool run_alpha(const Stage *stage, size_t y) {
    const PointJob *job = point_job(stage);
    const PixelType in = stage->in[0].shape.type, out = stage->out.shape.type;
    const PointFunction function = job->steps[0].function;
    const int channels = stage->out.shape.channels;
    const size_t width = stage->out.shape.width;
    if (job->count > 1 || channels % 2 || job->steps[0].white < 255 || job->steps[0].white > 255)
        return false;
    const void *from = view_row(stage->in[0], y);
    void *to = view_row(stage->out, y);
    if (function == POINT_premultiply && in == PIXEL_U8 && out == PIXEL_F32)
        channels == 4 ? premultiply_u8(from, to, width, 4) : premultiply_u8(from, to, width, 2);
    else if (function == POINT_unpremultiply && in == PIXEL_F32 && out == PIXEL_U8)
        channels == 4 ? unpremultiply_u8(from, to, width, 4) : unpremultiply_u8(from, to, width, 2);
    else if (function == POINT_times_alpha && in == PIXEL_U8 && out == PIXEL_U16)
        channels == 4 ? times_alpha_u8(from, to, width, 4) : times_alpha_u8(from, to, width, 2);
    else if (function == POINT_by_alpha && in == PIXEL_U16 && out == PIXEL_U8)
        channels == 4 ? by_alpha_u8(from, NULL, to, width, 4) : by_alpha_u8(from, NULL, to, width, 2);
    else
        return false;
    return true;
}

static void row(const Stage *stage, const PointTable tables[POINT_STEPS], size_t y, PointScratch *scratch) {
    const size_t width = stage->out.shape.width;
    if (run_alpha(stage, y) || run_difference(stage, y))
        return;
    if (bytes_can_all(stage, tables)) {
        bytes_row(stage, tables, y);
        return;
    }
    for (size_t x = 0; x < width; x += PLANES_RUN)
        run_pixels(stage, tables, x, y, width - x < PLANES_RUN ? width - x : PLANES_RUN, scratch);
}

PointRow *const ISA_NAME(point_row) = row;
