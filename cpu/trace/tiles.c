/* tiles.c: for each tile of the picture, first the spheres that can touch it, then its pixels against those only. */
#include "core/ops/trace.h"
#include "core/scene.h"
#include "cpu/trace/accepts.h"

#include <stdlib.h>

enum { TILE = 64 }; /* pixels a side */

/* The world's rectangle that a tile's pixels look at. */
typedef struct Window {
    float left, right, bottom, top;
} Window;

/* A pixel's line can only hit a sphere whose bounding square holds it; the square is taken wide by more than the
 * rounding of its corners. */
static bool touches(const Sphere *sphere, Window window) {
    const float reach_x = sphere->radius + 0x1p-20f * (fabsf(sphere->x) + sphere->radius);
    const float reach_y = sphere->radius + 0x1p-20f * (fabsf(sphere->y) + sphere->radius);
    return sphere->x - reach_x <= window.right && sphere->x + reach_x >= window.left &&
           sphere->y - reach_y <= window.top && sphere->y + reach_y >= window.bottom;
}

static size_t cull(const Scene *scene, Window window, uint32_t *list) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++) {
        list[count] = (uint32_t)i;
        count += touches(&scene->spheres[i], window);
    }
    return count;
}

static void trace_tile(const Stage *stage, size_t left, size_t top, uint32_t *list) {
    const Scene *scene = trace_job(stage)->scene;
    const Camera camera = trace_job(stage)->camera;
    const Shape shape = stage->out.shape;
    const size_t right = left + TILE < shape.width ? left + TILE : shape.width;
    const size_t bottom = top + TILE < shape.height ? top + TILE : shape.height;
    const Window window = {camera_x(camera, left, shape.width), camera_x(camera, right - 1, shape.width),
                           camera_y(camera, bottom - 1, shape.height), camera_y(camera, top, shape.height)};
    const size_t count = cull(scene, window, list);
    for (size_t py = top; py < bottom; py++) {
        const float y = camera_y(camera, py, shape.height);
        unsigned char *pixel = (unsigned char *)view_row(stage->out, py) + left * (size_t)shape.channels;
        for (size_t px = left; px < right; px++, pixel += shape.channels) {
            const float x = camera_x(camera, px, shape.width);
            Nearest nearest = nearest_none();
            for (size_t i = 0; i < count; i++)
                nearest_offer(&nearest, scene->spheres, list[i], x, y);
            shade_pixel(scene->spheres, &nearest, shape.channels, pixel);
        }
    }
}

static Status run(Queue *queue, const Stage *stage) {
    const long columns = (long)(stage->out.shape.width + TILE - 1) / TILE;
    const long rows = (long)(stage->out.shape.height + TILE - 1) / TILE;
    bool failed = false;
#pragma omp parallel num_threads(queue->device->threads)
    {
        uint32_t *list =
            malloc((trace_job(stage)->scene->count + 1) * sizeof *list); /* one slot more: cull writes ahead */
        if (!list) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(dynamic)
        for (long tile = 0; tile < rows * columns; tile++)
            if (list)
                trace_tile(stage, (size_t)(tile % columns) * TILE, (size_t)(tile / columns) * TILE, list);
        free(list);
    }
    return failed ? fail(STATUS_DEVICE, "trace: no memory for a list of %zu spheres", trace_job(stage)->scene->count)
                  : STATUS_OK;
}

const Level cpu_trace_tiles = {
    .op = &op_trace,
    .name = "tiles",
    .idea = "each tile of 64 x 64 pixels first picks the spheres that can touch it, and its pixels look at no others",
    .accepts = accepts_sightlines,
    .run = run,
};
