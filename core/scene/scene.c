/* scene.c: scenes as data: how they begin, grow and end. */
#include "core/scene/scene.h"

#include "core/base/memory.h"
#include "core/base/pages.h"
#include "core/scene/sky.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status check_count(const char *name, size_t count) {
    const size_t max = memory_budget() / sizeof(Sphere);
    return count <= max && count < SPHERE_NONE
               ? STATUS_OK
               : fail(STATUS_INPUT,
                      "%s: %zu spheres; the memory that one scene may take holds %zu (GLINT_MEMORY sets this limit)",
                      name, count, max);
}

Status scene_create(const char *name, size_t count, Scene **scene) {
    *scene = NULL;
    TRY(check_count(name, count));
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

Status scene_resize(const char *name, size_t count, Scene *scene) {
    TRY(check_count(name, count));
    const size_t size = sizeof *scene->spheres, room = count ? count : 1;
    /* zeros that nobody writes cost less */
    Sphere *spheres = scene->count ? realloc(scene->spheres, room * size) : calloc(room, size);
    if (!spheres)
        return fail(STATUS_DEVICE, "%s: no memory for %zu spheres", name, count);
    if (scene->count == 0)
        free(scene->spheres);
    else if (count > scene->count)
        memset(spheres + scene->count, 0, (count - scene->count) * size);
    pages_hint(spheres, room * size);
    scene->spheres = spheres;
    scene->count = count;
    scene->capacity.spheres = room;
    return STATUS_OK;
}

size_t scene_bytes(const Scene *scene) {
    return scene->capacity.spheres * sizeof *scene->spheres + scene->capacity.triangles * sizeof *scene->triangles +
           scene->capacity.cylinders * sizeof *scene->cylinders + scene->capacity.materials * sizeof *scene->materials +
           scene->capacity.lights * sizeof *scene->lights +
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

Status scene_add_cylinder(Scene *scene, Cylinder cylinder) {
    GROW(scene, scene->cylinders, scene->cylinder_count, scene->capacity.cylinders);
    scene->cylinders[scene->cylinder_count++] = cylinder;
    return STATUS_OK;
}

Status scene_add_light(Scene *scene, Light light) {
    GROW(scene, scene->lights, scene->light_count, scene->capacity.lights);
    scene->lights[scene->light_count++] = light;
    return STATUS_OK;
}

Status scene_add_material(Scene *scene, Material material, uint32_t *index) {
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
    free((*scene)->cylinders);
    free((*scene)->materials);
    free((*scene)->lights);
    free((*scene)->sky_file);
    free((*scene)->folder);
    sky_free(&(*scene)->sky_image);
    free(*scene);
    *scene = NULL;
}

size_t scene_count_text(const Scene *scene, char *buffer, size_t size) {
    const struct {
        const char *name;
        size_t count;
    } kinds[] = {{"sphere", scene->count}, {"triangle", scene->triangle_count}, {"cylinder", scene->cylinder_count}};
    const bool empty = scene_primitives(scene) == 0;
    char text[128] = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].count > 0 || (empty && i == 0))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu %s%s", text[0] ? ", " : "", kinds[i].count,
                     kinds[i].name, kinds[i].count == 1 ? "" : "s");
    return (size_t)snprintf(buffer, size, "%s", text);
}
