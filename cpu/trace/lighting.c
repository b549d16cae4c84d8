/* lighting.c: the shading context of a scene where its spheres are now. */
#include "cpu/trace/lighting.h"

#include "core/device/cache.h"

typedef struct Lighting {
    uint64_t serial, moves; /* of the scene */
    ShadingContext context;
} Lighting;

static void drop(Device *device, void *entry) {
    Lighting *lighting = entry;
    (void)device;
    shading_context_free(&lighting->context);
}

static Status make(Queue *queue, const void *from, void *entry) {
    const Scene *scene = from;
    Lighting *lighting = entry;
    drop(queue->device, entry);
    *lighting = (Lighting){.serial = scene->serial, .moves = scene->moves};
    return shading_context_create(scene, &lighting->context);
}

static bool same(const void *entry, const void *from) {
    const Lighting *lighting = entry;
    const Scene *scene = from;
    return lighting->serial == scene->serial && lighting->moves == scene->moves;
}

static const CacheKind kept = {.bytes = sizeof(Lighting), .max = 1, .make = make, .same = same, .drop = drop};

Status cpu_lighting(Queue *queue, const Scene *scene, ShadingContext *context) {
    void *found;
    TRY(cache_get(queue, &kept, 0, scene, &found));
    *context = ((const Lighting *)found)->context;
    return STATUS_OK;
}
