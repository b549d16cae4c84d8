/* scene_copy.c: copies of scenes that borrow what hardly ever changes. */
#include "core/scene/scene_parts.h"

#include <stdlib.h>
#include <string.h>

static uint64_t copied_serial(const Scene *base) {
    static _Atomic uint64_t copies; /* over all threads */
    return scene_geometry(base) | ++copies << GEOMETRY_BITS;
}

Status scene_copy(const Scene *base, Scene **copy) {
    Scene *made;
    *copy = NULL;
    TRY(scene_create("copy", base->count, &made));
    const Scene empty = *made;
    *made = *base;
    made->serial = copied_serial(base);
    made->spheres = empty.spheres;
    made->capacity = empty.capacity;
    made->materials = empty.materials;
    made->swings = NULL;
    made->swing_count = 0;
    made->lights = NULL;
    made->material_count = 1;
    made->light_count = 0;
    memcpy(made->spheres, base->spheres, base->count * sizeof *base->spheres);
    Status status = STATUS_OK;
    uint32_t index;
    for (size_t i = 1; i < base->material_count && status == STATUS_OK; i++)
        status = scene_add_material(made, base->materials[i], &index);
    for (size_t i = 0; i < base->light_count && status == STATUS_OK; i++)
        status = scene_add_light(made, base->lights[i]);
    *copy = made;
    if (status != STATUS_OK)
        scene_copy_free(base, copy);
    return status;
}

void scene_copy_free(const Scene *base, Scene **copy) {
    Scene *old = *copy;
    if (!old)
        return;
    if (old->triangles == base->triangles)
        old->triangles = NULL;
    if (old->cylinders == base->cylinders)
        old->cylinders = NULL;
    if (old->sky_file == base->sky_file)
        old->sky_file = NULL;
    if (old->sky_image.texels == base->sky_image.texels)
        old->sky_image = (SkyImage){0};
    old->folder = NULL;
    old->bodies = NULL;
    scene_destroy(copy);
}

Status scene_own_triangles(Scene *copy, const Scene *base) {
    if (!base || copy->triangles != base->triangles || copy->triangle_count == 0)
        return STATUS_OK;
    Triangle *own = malloc(copy->triangle_count * sizeof *own);
    if (!own)
        return fail(STATUS_DEVICE, "no memory for %zu triangles", copy->triangle_count);
    memcpy(own, base->triangles, copy->triangle_count * sizeof *own);
    copy->triangles = own;
    copy->capacity.triangles = copy->triangle_count;
    return STATUS_OK;
}

Status scene_own_cylinders(Scene *copy, const Scene *base) {
    if (!base || copy->cylinders != base->cylinders || copy->cylinder_count == 0)
        return STATUS_OK;
    Cylinder *own = malloc(copy->cylinder_count * sizeof *own);
    if (!own)
        return fail(STATUS_DEVICE, "no memory for %zu cylinders", copy->cylinder_count);
    memcpy(own, base->cylinders, copy->cylinder_count * sizeof *own);
    copy->cylinders = own;
    copy->capacity.cylinders = copy->cylinder_count;
    return STATUS_OK;
}

Status scene_copy_detach(const Scene *base, Scene **copy) {
    Scene *made = *copy;
    Status status = scene_own_triangles(made, base);
    if (status == STATUS_OK)
        status = scene_own_cylinders(made, base);
    if (status != STATUS_OK) {
        scene_copy_free(base, copy);
        return status;
    }
    if (base->triangle_count == 0)
        made->triangles = NULL;
    if (base->cylinder_count == 0)
        made->cylinders = NULL;
    made->sky = (Sky){.kind = SKY_NONE};
    made->sky_file = made->folder = NULL;
    made->sky_image = (SkyImage){0};
    made->bodies = NULL;
    return STATUS_OK;
}

void scene_copy_changed(Scene *copy) {
    copy->serial = copied_serial(copy);
}
