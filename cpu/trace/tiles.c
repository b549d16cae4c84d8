/* tiles.c: for each tile of the picture, first the spheres that can touch it, then its pixels against those only. */
#include "core/scene/scene.h"
#include "core/tracer/trace.h"
#include "cpu/scratch.h"
#include "cpu/team.h"
#include "cpu/trace/accepts.h"

enum { TILE = 64 }; /* pixels a side */

/* The world's rectangle that a tile's pixels look at. */
typedef struct Window {
    float left, right, bottom, top;
} Window;

/* A pixel's line can only hit a sphere whose bounding square holds it. The square is taken wide by more than the
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

static void trace_tile(const void *job, size_t x, size_t y, void *scratch) {
    const Stage *stage = job;
    const Part part = trace_part(stage);
    uint32_t *list = scratch;
    const Scene *scene = trace_job(stage)->scene;
    const Camera camera = trace_job(stage)->camera;
    const Shape shape = stage->out.shape;
    const size_t left = part.left + x, top = part.top + y;
    const size_t right = left + (x + TILE < part.width ? TILE : part.width - x);
    const size_t bottom = top + (y + TILE < part.height ? TILE : part.height - y);
    const Window window = {camera_x(camera, left, shape.width), camera_x(camera, right - 1, shape.width),
                           camera_y(camera, bottom - 1, shape.height), camera_y(camera, top, shape.height)};
    const size_t count = cull(scene, window, list);
    for (size_t py = top; py < bottom; py++) {
        const float sight_y = camera_y(camera, py, shape.height);
        unsigned char *pixel = (unsigned char *)view_row(stage->out, py) + left * (size_t)shape.channels;
        for (size_t px = left; px < right; px++, pixel += shape.channels) {
            const float sight_x = camera_x(camera, px, shape.width);
            Nearest nearest = nearest_none();
            for (size_t i = 0; i < count; i++)
                nearest_offer(&nearest, scene->spheres, list[i], sight_x, sight_y);
            shade_pixel(scene->spheres, &nearest, shape.channels, pixel);
        }
    }
}

/* A thread's list; a slot more, since cull writes ahead. Threads do not share a line. */
static size_t list_bytes(const Stage *stage) {
    return ((trace_job(stage)->scene->count + 1) * sizeof(uint32_t) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * list_bytes(stage);
}

static Status run(Queue *queue, const Stage *stage) {
    const Part part = trace_part(stage);
    void *lists;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &lists));
    cpu_share_tiles(queue, &(TeamTiles){part.width, part.height, TILE, TILE, lists, list_bytes(stage)}, trace_tile,
                    stage);
    return STATUS_OK;
}

const Level cpu_trace_tiles = {
    .op = &op_trace,
    .name = "tiles",
    .idea = "each tile of 64 x 64 pixels first picks the spheres that can touch it, and its pixels look at no others",
    .accepts = accepts_sightlines,
    .workspace = workspace,
    .run = run,
};
