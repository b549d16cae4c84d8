/* lighting.c: the shading context of a scene where its spheres are now. */
#include "cpu/trace/lighting.h"

#include "core/base/bytes.h"
#include "core/device/cache.h"

typedef struct Lighting {
    uint64_t serial, moves; /* of the scene */
    uint64_t materials;     /* their hash */
    ShadingContext context;
} Lighting;

static void drop(Device *device, void *entry) {
    Lighting *lighting = entry;
    (void)device;
    shading_context_free(&lighting->context);
}

static uint64_t hash_of_materials(const Scene *scene) {
    return bytes_hash((Bytes){(unsigned char *)scene->materials, scene->material_count * sizeof *scene->materials});
}

/* Moves leave materials as they are. */
static Status make(Queue *queue, const void *from, void *entry) {
    const Scene *scene = from;
    Lighting *lighting = entry;
    const uint64_t materials = hash_of_materials(scene);
    if (lighting->materials != materials)
        drop(queue->device, entry);
    lighting->serial = scene->serial;
    lighting->moves = scene->moves;
    lighting->materials = materials;
    return shading_context_remake(scene, &lighting->context);
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
