/* scene.c: scenes by generator or from files. */
#include "core/base/file.h"
#include "core/base/memory.h"
#include "core/image/image.h"
#include "core/scene/bodies.h"
#include "core/scene/files/formats.h"
#include "core/scene/generators/scenes.h"
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

/* What the arrays of a scene take, in bytes. */
static size_t scene_bytes(const Scene *scene) {
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

/* ---- files ---- */

static Status load_sky(const char *name, Scene *scene) {
    char path[4096];
    const size_t used = scene_bytes(scene), max = memory_budget(), length = scene_sky_path(scene, path, sizeof path);
    if (length >= sizeof path)
        return fail(STATUS_INPUT, "%s: the path of its sky has %zu characters, want %zu at most", name, length,
                    sizeof path - 1);
    return length > 0 ? sky_load(path, max > used ? max - used : 0, &scene->sky_image) : STATUS_OK;
}

static Status scene_load(const char *path, Scene **scene) {
    const SceneFormat *format = scene_format_for_path(path);
    char *text;
    TRY(file_read_text(path, &text));
    Status status = scene_format_parse(format ? format : &scene_formats[0], path, text, scene);
    if (status == STATUS_OK)
        status = load_sky(path, *scene);
    if (status != STATUS_OK)
        scene_destroy(scene);
    free(text);
    return status;
}

/* ---- generators ---- */

const SceneGenerator *const scene_generators[] = {
#define SCENE(name) &scene_##name,
#include "core/scene/generators/scenes.def"
#undef SCENE
};
const size_t scene_generator_count = sizeof scene_generators / sizeof scene_generators[0];

static const SceneGenerator *generator_of(const char *text) {
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < scene_generator_count; i++)
        if (strlen(scene_generators[i]->name) == length && strncmp(scene_generators[i]->name, text, length) == 0)
            return scene_generators[i];
    return NULL;
}

static Status scene_generate(const SceneGenerator *generator, const char *assignments, Scene **scene) {
    void *values;
    const char *at;
    size_t count = 0;
    TRY(params_create(generator->table, &values));
    Status status = STATUS_OK;
    if (assignments)
        status = params_parse(generator->table, generator->name, assignments, assignments + strlen(assignments), values,
                              &at);
    if (status == STATUS_OK)
        status = generator->count(values, &count);
    if (status == STATUS_OK)
        status = scene_create(generator->name, count, scene);
    if (status == STATUS_OK)
        status = generator->generate(values, *scene);
    if (status != STATUS_OK)
        scene_destroy(scene);
    params_destroy(generator->table, &values);
    return status;
}

static Status no_such_generator(const char *name, size_t length) {
    char known[256] = "";
    for (size_t i = 0; i < scene_generator_count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", scene_generators[i]->name);
    return fail(STATUS_USAGE, "no scene \"%.*s\"; there is %s, or the name of a file", (int)length, name, known);
}

Status scene_open(const char *text, Scene **scene) {
    *scene = NULL;
    const SceneGenerator *generator = generator_of(text);
    const char *equals = strchr(text, '=');
    if (!generator && equals && !scene_format_for_path(text))
        return no_such_generator(text, (size_t)(equals - text));
    if (!generator)
        return scene_load(text, scene);
    return scene_generate(generator, equals ? equals + 1 : NULL, scene);
}

bool scene_recognize(const char *text) {
    return generator_of(text) || scene_format_for_path(text);
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
