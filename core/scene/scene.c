/* scene.c: scenes as data: how they begin, grow and end. */
#include "core/scene/scene.h"

#include "core/base/memory.h"
#include "core/scene/sky.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status scene_create(const char *name, size_t count, Scene **scene) {
    *scene = NULL;
    const size_t max = memory_budget() / sizeof(Sphere);
    if (count > max || count >= SPHERE_NONE)
        return fail(STATUS_INPUT,
                    "%s: %zu spheres; the memory that one scene may take holds %zu (GLINT_MEMORY sets this limit)",
                    name, count, max);
    Scene *made = calloc(1, sizeof *made);
    Sphere *spheres = calloc(count ? count : 1, sizeof *spheres);
    Material *materials = malloc(sizeof *materials);
    if (!made || !spheres || !materials) {
        free(made);
        free(spheres);
        free(materials);
        return fail(STATUS_DEVICE, "%s: no memory for %zu spheres", name, count);
    }
    static _Atomic uint64_t serials; /* over all threads */
    *materials = material_plain();
    *made = (Scene){.spheres = spheres,
                    .count = count,
                    .serial = ++serials,
                    .materials = materials,
                    .material_count = 1,
                    .capacity = {.spheres = count ? count : 1, .materials = 1}};
    *scene = made;
    return STATUS_OK;
}

size_t scene_bytes(const Scene *scene) {
    return scene->capacity.spheres * sizeof *scene->spheres + scene->capacity.triangles * sizeof *scene->triangles +
           scene->capacity.materials * sizeof *scene->materials + scene->capacity.lights * sizeof *scene->lights +
           (scene->sky_image.texels ? sky_bytes(scene->sky_image.width, scene->sky_image.height) : 0);
}

/* Makes room for one element behind `count`: twice as much as before, or what the limit leaves. */
static Status grow(const Scene *scene, void **items, size_t count, size_t *capacity, size_t size) {
    enum { FEWEST = 16 };
    if (count < *capacity)
        return STATUS_OK;
    const size_t max = memory_budget(), used = scene_bytes(scene);
    size_t more = *capacity > FEWEST ? *capacity : FEWEST;
    if (used >= max || more > (max - used) / size)
        more = used >= max ? 0 : (max - used) / size;
    if (more == 0 || count + 1 >= SPHERE_NONE)
        return fail(STATUS_INPUT,
                    "more than the %zu bytes of memory that one scene may take (GLINT_MEMORY sets this limit)", max);
    void *grown = realloc(*items, (*capacity + more) * size);
    if (!grown)
        return fail(STATUS_DEVICE, "no memory for a scene of %zu bytes", used + more * size);
    *items = grown;
    *capacity += more;
    return STATUS_OK;
}

#define GROW(scene, items, count, capacity)                                                                            \
    do {                                                                                                               \
        void *memory = (items);                                                                                        \
        const Status grown = grow(scene, &memory, count, &(capacity), sizeof *(items));                                \
        (items) = memory;                                                                                              \
        TRY(grown);                                                                                                    \
    } while (0)

Status scene_add_sphere(Scene *scene, Sphere sphere) {
    GROW(scene, scene->spheres, scene->count, scene->capacity.spheres);
    scene->spheres[scene->count++] = sphere;
    return STATUS_OK;
}

Status scene_add_triangle(Scene *scene, Triangle triangle) {
    GROW(scene, scene->triangles, scene->triangle_count, scene->capacity.triangles);
    scene->triangles[scene->triangle_count++] = triangle;
    return STATUS_OK;
}

Status scene_add_light(Scene *scene, Light light) {
    GROW(scene, scene->lights, scene->light_count, scene->capacity.lights);
    scene->lights[scene->light_count++] = light;
    return STATUS_OK;
}

Status scene_add_material(Scene *scene, Material material, uint32_t *index) {
    if (material.kind == MATERIAL_GLASS && material.roughness > 0)
        return fail(STATUS_INPUT, "the roughness of glass is %g; glass is always clear, want 0",
                    (double)material.roughness);
    GROW(scene, scene->materials, scene->material_count, scene->capacity.materials);
    *index = (uint32_t)scene->material_count;
    scene->materials[scene->material_count++] = material;
    return STATUS_OK;
}

size_t scene_sky_path(const Scene *scene, char *buffer, size_t size) {
    if (scene->sky.kind != SKY_IMAGE)
        return 0;
    const bool absolute = scene->sky_file[0] == '/';
    return (size_t)snprintf(buffer, size, "%s%s", absolute || !scene->folder ? "" : scene->folder, scene->sky_file);
}

void scene_destroy(Scene **scene) {
    if (!*scene)
        return;
    free((*scene)->spheres);
    free((*scene)->swings);
    bodies_destroy(&(*scene)->bodies);
    free((*scene)->triangles);
    free((*scene)->materials);
    free((*scene)->lights);
    free((*scene)->sky_file);
    free((*scene)->folder);
    sky_free(&(*scene)->sky_image);
    free(*scene);
    *scene = NULL;
}

size_t scene_count_text(const Scene *scene, char *buffer, size_t size) {
    char triangles[40] = "";
    if (scene->triangle_count > 0)
        snprintf(triangles, sizeof triangles, "%zu triangle%s", scene->triangle_count,
                 scene->triangle_count == 1 ? "" : "s");
    if (scene->count == 0 && triangles[0])
        return (size_t)snprintf(buffer, size, "%s", triangles);
    return (size_t)snprintf(buffer, size, "%zu sphere%s%s%s", scene->count, scene->count == 1 ? "" : "s",
                            triangles[0] ? ", " : "", triangles);
}
