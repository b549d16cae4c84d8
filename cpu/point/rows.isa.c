/* rows.isa.c: the parts of a point program, one after the other, on a run of pixels that stays in the nearest cache.
 * Tables lead from stored values to stored values. For other steps, pixels are taken apart into planes of doubles. They
 * go through the bodies of the functions plane by plane, and are put together as the last step's type. Each of these is
 * a loop without a branch. Nothing is contracted to multiply-adds (CMakeLists.txt), so that every value is the
 * reference's. */
#include "cpu/point/rows.h"
#include "cpu/planes.h"
#include "cpu/point/alpha.h"
#include "cpu/point/bytes.h"
#include "cpu/point/colours.h"

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

/* Bits are bits: floats are copied as integers. */
#define LOOK_UP(In, Out, channels)                                                                                     \
    for (size_t i = 0; i < count; i += (channels)) {                                                                   \
        for (size_t c = 0; c + 1 < (channels); c++)                                                                    \
            ((Out *)to.pixels)[i + c] = ((const Out *)part->colours)[((const In *)from.pixels)[i + c]];                \
        ((Out *)to.pixels)[i + (channels)-1] = ((const Out *)lasts)[((const In *)from.pixels)[i + (channels)-1]];      \
    }
#define LOOK_UP_BY_TYPE(channels)                                                                                      \
    if (in == PIXEL_U8 && out == PIXEL_U8)                                                                             \
        LOOK_UP(uint8_t, uint8_t, channels)                                                                            \
    else if (in == PIXEL_U8 && out == PIXEL_U16)                                                                       \
        LOOK_UP(uint8_t, uint16_t, channels)                                                                           \
    else if (in == PIXEL_U8)                                                                                           \
        LOOK_UP(uint8_t, uint32_t, channels)                                                                           \
    else if (out == PIXEL_U8)                                                                                          \
        LOOK_UP(uint16_t, uint8_t, channels)                                                                           \
    else if (out == PIXEL_U16)                                                                                         \
        LOOK_UP(uint16_t, uint16_t, channels)                                                                          \
    else                                                                                                               \
        LOOK_UP(uint16_t, uint32_t, channels)

static void run_table(const PointPart *part, ImageView from, ImageView to) {
    const PixelType in = from.shape.type, out = to.shape.type;
    const size_t channels = (size_t)to.shape.channels, count = to.shape.width * channels;
    const void *lasts = part->alphas ? part->alphas : part->colours;
    if (!part->alphas && in == PIXEL_U8 && out == PIXEL_U8) {
        byte_table_look_up(part->colours, from.pixels, to.pixels, count);
    } else if (!part->alphas) {
        LOOK_UP_BY_TYPE(1)
    } else if (channels == 4) {
        LOOK_UP_BY_TYPE(4)
    } else {
        LOOK_UP_BY_TYPE(2)
    }
}

/* The colours by stairs, the alpha rounded. */
static void run_stairs(const PointPart *part, ImageView from, ImageView to) {
    const size_t channels = (size_t)to.shape.channels, count = to.shape.width * channels;
    const float *in = from.pixels;
    uint8_t *out = to.pixels;
    for (size_t i = 0; i < count; i++)
        out[i] = (uint8_t)stairs_step(part->stairs, in[i]);
    for (size_t i = channels - 1; channels % 2 == 0 && i < count; i += channels)
        out[i] = (uint8_t)(int32_t)planes_rounded((double)in[i], 255);
}

/* Pixels of 8 bits, times alpha and back; `other` has the u16 to which a difference is taken. */
#define RUN_ALPHA(channels)                                                                                            \
    (part->kind == POINT_PART_PREMULTIPLY     ? premultiply_u8(from.pixels, to.pixels, count, channels)                \
     : part->kind == POINT_PART_UNPREMULTIPLY ? unpremultiply_u8(from.pixels, to.pixels, count, channels)              \
     : part->kind == POINT_PART_TIMES_ALPHA   ? times_alpha_u8(from.pixels, to.pixels, count, channels)                \
                                              : by_alpha_u8(from.pixels, other, to.pixels, count, channels))
static void run_alpha(const PointPart *part, ImageView from, const uint16_t *other, ImageView to) {
    const size_t count = to.shape.width;
    to.shape.channels == 4 ? RUN_ALPHA(4) : RUN_ALPHA(2);
}

/* Takes apart what the part's steps read besides the values at hand. */
static void split_others(const Stage *stage, const PointPart *part, size_t x, size_t y, size_t count,
                         PointScratch *scratch) {
    const PointJob *job = point_job(stage);
    unsigned split = 0;
    for (int i = part->first; i < part->first + part->steps; i++)
        for (int k = 1; k < points[job->steps[i].function].inputs; k++) {
            const int read = job->steps[i].reads[k];
            if (!(split >> read & 1))
                planes_split(stage->in[read], x, y, count, &scratch->in[read]);
            split |= 1u << read;
        }
}

/* The other inputs are apart in scratch->in. */
static void run_planes(const Stage *stage, const PointPart *part, ImageView from, ImageView to, PointScratch *scratch) {
    const PointJob *job = point_job(stage);
    const size_t count = to.shape.width;
    const int end = part->first + part->steps;
    int channels = from.shape.channels, next = 0;
    const Planes *now = &scratch->made[1];
    planes_split(from, 0, 0, count, &scratch->made[1]);
    for (int i = part->first; i < end; i++, next = !next) {
        const PointStep *step = &job->steps[i];
        Planes *out = &scratch->made[next];
        bodies[step->function](step, job->pool + step->parameters, channels, now, &scratch->in[step->reads[1]],
                               &scratch->in[step->reads[2]], out, count);
        channels = step->channels > 0 ? step->channels : channels;
        if (i + 1 < end) /* the last is rounded as it is put together */
            store(out, 0, channels, step->type, count);
        now = out;
    }
    planes_join(now, to, 0, 0, count);
}

/* From the pixels at x and y, or what the part before made of them. */
static void run_part(const Stage *stage, const PointPart *part, size_t x, size_t y, ImageView from, ImageView to,
                     PointScratch *scratch) {
    const PointStep *first = &point_job(stage)->steps[part->first];
    if (part->kind == POINT_PART_TABLE) {
        run_table(part, from, to);
    } else if (part->kind == POINT_PART_STAIRS) {
        run_stairs(part, from, to);
    } else if (part->kind == POINT_PART_PLANES) {
        if (part->steps == 1 && colours_row(first, point_job(stage)->pool + first->parameters, from, to))
            return;
        split_others(stage, part, x, y, to.shape.width, scratch);
        run_planes(stage, part, from, to, scratch);
    } else {
        const bool two = part->kind == POINT_PART_DIFFERENCE;
        const uint16_t *other = two ? view_row(stage->in[first->reads[1]], y) : NULL;
        run_alpha(part, from, two ? other + x * (size_t)to.shape.channels : NULL, to);
    }
}

/* Pixels between two parts, as the part's last step stores them. */
static ImageView stored_run(const PointStep *last, int channels, size_t count, unsigned char *room) {
    const Shape shape = {count, 1, last->channels > 0 ? last->channels : channels, last->type};
    return (ImageView){shape, shape_row_bytes(shape), room};
}

static void run_pixels(const Stage *stage, const PointProgram *program, size_t x, size_t y, size_t count,
                       PointScratch *scratch) {
    ImageView from = view_crop(stage->in[0], x, y, count, 1);
    for (int i = 0; i < program->count; i++) {
        const PointPart *part = &program->parts[i];
        const PointStep *last = &point_job(stage)->steps[part->first + part->steps - 1];
        const ImageView to = i + 1 < program->count
                                 ? stored_run(last, from.shape.channels, count, scratch->stored[i % 2])
                                 : view_crop(stage->out, x, y, count, 1);
        run_part(stage, part, x, y, from, to, scratch);
        from = to;
    }
}

/* Whether one step, by itself, is all; a matrix of floats then needs no runs. */
static bool is_alone(const PointProgram *program) {
    return program->count == 1 && program->parts[0].kind == POINT_PART_PLANES && program->parts[0].steps == 1;
}

static void row(const Stage *stage, const PointProgram *program, size_t y, PointScratch *scratch) {
    const size_t width = stage->out.shape.width;
    if (program->is_of_bytes) {
        bytes_row(stage, program, y);
        return;
    }
    const PointStep *first = &point_job(stage)->steps[0];
    if (is_alone(program) &&
        colours_row(first, point_job(stage)->pool + first->parameters, view_crop(stage->in[0], 0, y, width, 1),
                    view_crop(stage->out, 0, y, width, 1)))
        return;
    const size_t run = program->count == 1 && program->parts[0].kind != POINT_PART_PLANES ? width : PLANES_RUN;
    for (size_t x = 0; x < width; x += run)
        run_pixels(stage, program, x, y, width - x < run ? width - x : run, scratch);
}

PointRow *const ISA_NAME(point_row) = row;
