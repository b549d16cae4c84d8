/* shading_context.c: the light in a scene. */
#include "core/scene/shading_context.h"

#include "core/scene/albedos.h"
#include "core/scene/emitters.h"

#include <stdlib.h>

static const Light noon = {LIGHT_SUN, {0.5F, 0.8F, 0.6F}, {4.6F, 4.2F, 3.6F}, SUN_ANGLE_DEFAULT};
static const Sky clear = {.kind = SKY_GRADIENT, .horizon = {0.36F, 0.40F, 0.46F}, .zenith = {0.16F, 0.28F, 0.55F}};

static bool is_light(const Scene *scene, size_t i) {
    return scene->materials[scene->spheres[i].material].kind == MATERIAL_LIGHT && scene->spheres[i].radius > 0;
}

static Status list_light_spheres(const Scene *scene, ShadingContext *context) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++)
        count += is_light(scene, i);
    if (count == 0)
        return STATUS_OK;
    uint32_t *list = malloc(count * sizeof *list);
    if (!list)
        return fail(STATUS_DEVICE, "no memory to list %zu lights", count);
    for (size_t i = 0; i < scene->count; i++)
        if (is_light(scene, i))
            list[context->light_sphere_count++] = (uint32_t)i;
    context->light_spheres = list;
    return STATUS_OK;
}

static bool any_other_is_light(const Scene *scene) {
    for (size_t i = 0; i < scene->triangle_count; i++)
        if (scene->materials[scene->triangles[i].material].kind == MATERIAL_LIGHT)
            return true;
    for (size_t i = 0; i < scene->cylinder_count; i++)
        if (scene->materials[scene->cylinders[i].material].kind == MATERIAL_LIGHT)
            return true;
    return false;
}

/* Takes the albedos of `before` if it has some. */
static Status create(const Scene *scene, ShadingContext *before, ShadingContext *context) {
    *context = (ShadingContext){.spheres = scene->spheres,
                                .triangles = scene->triangles,
                                .cylinders = scene->cylinders,
                                .sphere_count = (uint32_t)scene->count,
                                .triangle_count = (uint32_t)scene->triangle_count,
                                .cylinder_count = (uint32_t)scene->cylinder_count,
                                .materials = scene->materials,
                                .lights = scene->lights,
                                .light_count = (uint32_t)scene->light_count,
                                .has_ground = scene->has_ground,
                                .ground = scene->ground,
                                .sky = scene->sky,
                                .image = scene->sky_image};
    context->image.turn = scene->sky.azimuth / 360;
    TRY(list_light_spheres(scene, context));
    if (context->light_count == 0 && context->light_sphere_count == 0 && context->sky.kind == SKY_NONE &&
        !any_other_is_light(scene)) {
        context->lights = &noon;
        context->light_count = 1;
        context->sky = clear;
    }
    Status status = emitters_create(scene, context);
    if (status == STATUS_OK && before->albedo_count > 0)
        albedos_move(before, context);
    else if (status == STATUS_OK)
        status = albedos_create(scene, context);
    if (status != STATUS_OK)
        shading_context_free(context);
    return status;
}

Status shading_context_create(const Scene *scene, ShadingContext *context) {
    return create(scene, &(ShadingContext){0}, context);
}

Status shading_context_remake(const Scene *scene, ShadingContext *context) {
    ShadingContext before = *context;
    const Status status = create(scene, &before, context);
    shading_context_free(&before);
    return status;
}

void shading_context_free(ShadingContext *context) {
    free((void *)(uintptr_t)context->light_spheres);
    emitters_free(context);
    albedos_free(context);
    *context = (ShadingContext){0};
}
