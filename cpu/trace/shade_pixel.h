/* shade_pixel.h: a pixel of any look, for levels that define World, world_closest_hit and world_any_hit. */
#ifndef GLINT_CPU_TRACE_SHADE_PIXEL_H
#define GLINT_CPU_TRACE_SHADE_PIXEL_H

#include "core/math/film.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"
#include "cpu/trace/primitives.h"

/* `context` is read for light alone. */
static inline void trace_pixel(const Stage *stage, const World *world, const ShadingContext *context, size_t px,
                               size_t py) {
    const TraceJob *job = trace_job(stage);
    const Shape shape = stage->out.shape;
    if (look_is_light(job->look)) {
        film_accumulate(world, context, job->camera, job->look, context->rich, job->sampling, px, py, shape.width,
                        shape.height, (FilmPixel *)view_row(stage->out, py) + px);
        return;
    }
    const Ray ray = camera_ray(job->camera, px, py, shape.width, shape.height);
    RAY_COUNT(world, CAMERA_RAYS);
    const Hit hit = world_closest_hit(world, ray);
    look_hit(job->look, primitives_of(job->scene), ray, hit, shape.channels,
             (unsigned char *)view_row(stage->out, py) + px * (size_t)shape.channels);
}

/* Accumulated light, for coarse parts: the block takes its first pixel's light. */
static inline void fill_block(Frame out, Part part, size_t left, size_t top) {
    const FilmPixel first = ((const FilmPixel *)view_row(out, top))[left];
    for (size_t y = top; y < top + part.coarseness && y < part.top + part.height; y++)
        for (size_t x = left; x < left + part.coarseness && x < part.left + part.width; x++)
            ((FilmPixel *)view_row(out, y))[x] = first;
}

/* A row of the part's blocks. */
static inline void trace_row(const Stage *stage, const World *world, const ShadingContext *context, Part part,
                             size_t row) {
    const size_t py = part.top + row * part.coarseness;
    for (size_t px = part.left; px < part.left + part.width; px += part.coarseness) {
        trace_pixel(stage, world, context, px, py);
        if (part.coarseness > 1)
            fill_block(stage->out, part, px, py);
    }
}

#endif
