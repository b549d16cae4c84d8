/* setting.c: the light in a scene. */
#include "core/setting.h"

#include "core/emitters.h"

#include <stdlib.h>

static const Light noon = {LIGHT_SUN, {0.5F, 0.8F, 0.6F}, {4.6F, 4.2F, 3.6F}, SUN_ANGLE_DEFAULT};
static const Sky clear = {SKY_GRADIENT, {0.36F, 0.40F, 0.46F}, {0.16F, 0.28F, 0.55F}};

static bool shines(const Scene *scene, size_t i) {
    return scene->materials[scene->spheres[i].material].kind == MATERIAL_LIGHT && scene->spheres[i].radius > 0;
}

static Status list_shining(const Scene *scene, Setting *setting) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++)
        count += shines(scene, i);
    if (count == 0)
        return STATUS_OK;
    uint32_t *list = malloc(count * sizeof *list);
    if (!list)
        return fail(STATUS_DEVICE, "no memory to list %zu lights", count);
    for (size_t i = 0; i < scene->count; i++)
        if (shines(scene, i))
            list[setting->shining_count++] = (uint32_t)i;
    setting->shining = list;
    return STATUS_OK;
}

static bool any_triangle_shines(const Scene *scene) {
    for (size_t i = 0; i < scene->triangle_count; i++)
        if (scene->materials[scene->triangles[i].material].kind == MATERIAL_LIGHT)
            return true;
    return false;
}

Status setting_create(const Scene *scene, Setting *setting) {
    *setting = (Setting){.spheres = scene->spheres,
                         .triangles = scene->triangles,
                         .sphere_count = (uint32_t)scene->count,
                         .triangle_count = (uint32_t)scene->triangle_count,
                         .materials = scene->materials,
                         .lights = scene->lights,
                         .light_count = (uint32_t)scene->light_count,
                         .has_ground = scene->has_ground,
                         .ground = scene->ground,
                         .sky = scene->sky,
                         .image = scene->sky_image};
    TRY(list_shining(scene, setting));
    if (setting->light_count == 0 && setting->shining_count == 0 && setting->sky.kind == SKY_NONE &&
        !any_triangle_shines(scene)) {
        setting->lights = &noon;
        setting->light_count = 1;
        setting->sky = clear;
    }
    const Status status = emitters_create(scene, setting);
    if (status != STATUS_OK)
        setting_free(setting);
    return status;
}

void setting_free(Setting *setting) {
    free((void *)(uintptr_t)setting->shining);
    emitters_free(setting);
    *setting = (Setting){0};
}
