/* scene.c: scenes of texts and of arrays. */
#include "core/scene/particles/spheres.h"
#include "core/scene/particles/trajectory.h"
#include "core/scene/scene_text.h"
#include "library/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Status wrap(Scene *made, GlintScene **scene) {
    *scene = malloc(sizeof **scene);
    if (!*scene) {
        scene_destroy(&made);
        return fail(STATUS_DEVICE, "no memory for a scene");
    }
    (*scene)->scene = made;
    return STATUS_OK;
}

static Status open_text(const char *text, GlintScene **scene) {
    Scene *made;
    TRY(library_given("glint_scene", "scene", scene));
    *scene = NULL;
    TRY(library_given("glint_scene", "text", text));
    TRY(library_begin());
    TRY(trajectory_open_scene(text, &made));
    return wrap(made, scene);
}

GlintStatus glint_scene(const char *text, GlintScene **scene, GlintError *error) {
    return library_settle(open_text(text, scene), error);
}

void glint_scene_free(GlintScene *scene) {
    if (!scene)
        return;
    scene_destroy(&scene->scene);
    free(scene);
}

/* ---- arrays ---- */

/* Item `index` of an array whose items lie `stride` bytes apart, `packed` if that is 0. */
static const void *item(const void *array, ptrdiff_t stride, size_t packed, size_t index) {
    return (const char *)array + (ptrdiff_t)index * (stride ? stride : (ptrdiff_t)packed);
}

static Status wrong(size_t index, const char *what, double value, const char *want) {
    return fail(STATUS_USAGE, "sphere %zu: %s is %g, want %s", index, what, value, want);
}

static Status read_place(const GlintSpheres *arrays, size_t index, Sphere *sphere) {
    static const char *const names[] = {"x", "y", "z"};
    const float *xyz = item(arrays->xyz, arrays->xyz_stride, 3 * sizeof *xyz, index);
    const float *radius = arrays->radius ? item(arrays->radius, arrays->radius_stride, sizeof *radius, index) : NULL;
    for (int i = 0; i < 3; i++)
        if (!(fabsf(xyz[i]) <= SPHERE_FARTHEST))
            return wrong(index, names[i], (double)xyz[i], "-1e9 to 1e9");
    sphere->x = xyz[0];
    sphere->y = xyz[1];
    sphere->z = xyz[2];
    sphere->radius = radius ? *radius : 1;
    return sphere->radius >= SPHERE_RADIUS_MIN && sphere->radius <= SPHERE_FARTHEST
               ? STATUS_OK
               : wrong(index, "its radius", (double)sphere->radius, "1e-6 to 1e9");
}

static Status read_surface(const GlintSpheres *arrays, size_t index, Sphere *sphere) {
    static const char *const names[] = {"red", "green", "blue"};
    static const float gray[] = {0.8f, 0.8f, 0.8f};
    static const uint32_t plain = 0;
    const float *colour =
        arrays->colour ? item(arrays->colour, arrays->colour_stride, 3 * sizeof *colour, index) : gray;
    const uint32_t *material =
        arrays->material ? item(arrays->material, arrays->material_stride, sizeof *material, index) : &plain;
    for (int i = 0; i < 3; i++)
        if (!(colour[i] >= 0 && colour[i] <= 1))
            return wrong(index, names[i], (double)colour[i], "0 to 1");
    sphere->red = colour[0];
    sphere->green = colour[1];
    sphere->blue = colour[2];
    sphere->material = *material;
    return *material <= arrays->material_count
               ? STATUS_OK
               : fail(STATUS_USAGE, "sphere %zu: its material is %u, want 0 (plain) to %zu", index, *material,
                      arrays->material_count);
}

/* ---- materials and changes, as texts have them ---- */

/* Items as behind any scene: a change of one is spelled alike for all. */
static Status apply(const char *changes, Scene *scene) {
    static const char before[] = "cloud,";
    char *text = malloc(sizeof before + strlen(changes));
    if (!text)
        return fail(STATUS_DEVICE, "no memory for a scene's changes");
    memcpy(text, before, sizeof before);
    strcat(text, changes);
    const Status status = scene_text_apply(text, scene, NULL);
    free(text);
    return status;
}

/* "glass" stands for the parameters that glass begins with. */
static const char *parameters_of(const char *text) {
    static const char key[] = "material=";
    for (int i = 0; i < MATERIAL_KINDS; i++) {
        const char *kind = material_examples[i] + strlen(key);
        if (strcspn(kind, ":") == strlen(text) && strncmp(kind, text, strlen(text)) == 0)
            return material_examples[i];
    }
    return text;
}

/* The surface that a sphere gets by this text. */
static Status read_material(const char *text, Material *material) {
    Scene *scratch;
    char *change = NULL;
    TRY(scene_create("a material", 1, &scratch));
    scratch->spheres[0].radius = 1;
    Status status = asprintf(&change, "sphere=1:%s", parameters_of(text)) >= 0
                        ? STATUS_OK
                        : fail(STATUS_DEVICE, "no memory for a material");
    if (status == STATUS_OK) {
        status = apply(change, scratch);
        free(change);
    }
    if (status == STATUS_OK)
        *material = scratch->materials[scratch->spheres[0].material];
    scene_destroy(&scratch);
    return status;
}

static Status add_materials(const GlintSpheres *arrays, Scene *scene) {
    for (size_t i = 0; i < arrays->material_count; i++) {
        Material material;
        uint32_t index;
        TRY(library_given("glint_spheres", "a material", arrays->materials[i]));
        const Status status = read_material(arrays->materials[i], &material);
        if (status != STATUS_OK)
            return fail_within(status, "material %zu, \"%s\": ", i + 1, arrays->materials[i]);
        TRY(scene_add_material(scene, material, &index));
    }
    return STATUS_OK;
}

static void see_all(Scene *scene) {
    Vec min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < scene->count; i++) {
        const Sphere *s = &scene->spheres[i];
        min = vec(fminf(min.x, s->x - s->radius), fminf(min.y, s->y - s->radius), fminf(min.z, s->z - s->radius));
        max = vec(fmaxf(max.x, s->x + s->radius), fmaxf(max.y, s->y + s->radius), fmaxf(max.z, s->z + s->radius));
    }
    scene->has_viewpoint = scene->count > 0;
    if (scene->has_viewpoint)
        scene->viewpoint = particles_view(min, max);
}

static Status fill(const GlintSpheres *arrays, Scene *scene) {
    TRY(add_materials(arrays, scene));
    for (size_t i = 0; i < scene->count; i++) {
        TRY(read_place(arrays, i, &scene->spheres[i]));
        TRY(read_surface(arrays, i, &scene->spheres[i]));
    }
    see_all(scene);
    return arrays->changes ? apply(arrays->changes, scene) : STATUS_OK;
}

static Status open_arrays(const GlintSpheres *spheres, GlintScene **scene) {
    GlintSpheres arrays = GLINT_SPHERES;
    Scene *made;
    TRY(library_given("glint_spheres", "scene", scene));
    *scene = NULL;
    TRY(library_given("glint_spheres", "spheres", spheres));
    TRY(library_take("spheres", spheres, &arrays));
    if (arrays.count == 0)
        return fail(STATUS_USAGE, "spheres: none, want 1 at least");
    TRY(library_given("glint_spheres", "xyz", arrays.xyz));
    if (arrays.material_count > 0)
        TRY(library_given("glint_spheres", "materials", arrays.materials));
    TRY(library_begin());
    TRY(scene_create("spheres", arrays.count, &made));
    const Status status = fill(&arrays, made);
    if (status == STATUS_OK)
        return wrap(made, scene);
    scene_destroy(&made);
    return status;
}

GlintStatus glint_spheres(const GlintSpheres *spheres, GlintScene **scene, GlintError *error) {
    return library_settle(open_arrays(spheres, scene), error);
}
