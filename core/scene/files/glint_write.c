/* glint_write.c: writes our own scene format: docs/scene-format.md. */
#include "core/base/text.h"
#include "core/scene/files/glint.h"
#include "core/scene/files/glint_fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A text of which only what fits is kept. */
typedef struct Writer {
    char *buffer;
    size_t size, length; /* length: of the whole text */
} Writer;

__attribute__((format(printf, 2, 3))) static void write_text(Writer *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const bool fits = to->length < to->size;
    const int wrote =
        vsnprintf(fits ? to->buffer + to->length : NULL, fits ? to->size - to->length : 0, format, arguments);
    va_end(arguments);
    to->length += wrote > 0 ? (size_t)wrote : 0;
}

/* A short decimal that reads back as the same float. */
static void write_number(Writer *to, float number) {
    char spelled[40];
    const char *end;
    double back = 0;
    for (int digits = 6; digits <= 9; digits++) { /* %g drops zeros */
        snprintf(spelled, sizeof spelled, "%.*g", digits, (double)number);
        if (text_number(spelled, &end, &back) && (float)back == number)
            break;
    }
    write_text(to, " %s", spelled);
}

static void write_numbers(Writer *to, const Field *fields, size_t count, const void *from) {
    for (size_t i = 0; i < count; i++)
        write_number(to, *(const float *)(const void *)((const char *)from + fields[i].offset));
}

/* Material 0 is not written: version 1 has no other. */
static void write_end(Writer *to, uint32_t material) {
    if (material)
        write_text(to, " %lu\n", (unsigned long)material);
    else
        write_text(to, "\n");
}

static bool is_sun(const Light *light, Light sun) {
    const float apart = fabsf(light->at.x - sun.at.x) + fabsf(light->at.y - sun.at.y) + fabsf(light->at.z - sun.at.z) +
                        fabsf(light->colour.red - sun.colour.red) + fabsf(light->colour.green - sun.colour.green) +
                        fabsf(light->colour.blue - sun.colour.blue) + fabsf(light->angle - sun.angle);
    return light->kind == sun.kind && !(apart > 0);
}

/* Whether the sky is that of a day, and the first light its sun; *line is then what is written of both. */
static bool is_day(const Scene *scene, Day *line) {
    Daylight day;
    bool is = false;
    if (scene->sky.kind != SKY_IMAGE || daylight_parse(scene->sky_file, &is, &day) != STATUS_OK || !is)
        return false;
    *line = (Day){day.altitude, scene->sky.azimuth, day.turbidity, day.albedo, day.height};
    return scene->light_count > 0 && is_sun(&scene->lights[0], daylight_sun(&day, (double)scene->sky.azimuth));
}

static void write_surroundings(Writer *to, const Scene *scene) {
    Day day;
    const bool of_day = is_day(scene, &day);
    if (scene->has_viewpoint) {
        write_text(to, "camera");
        write_numbers(to, viewpoint_fields, FIELD_COUNT(viewpoint_fields), &scene->viewpoint);
        write_end(to, 0);
    }
    if (scene->sky.kind != SKY_NONE)
        write_text(to, "sky %s", of_day ? day_word : sky_kinds[scene->sky.kind]);
    if (of_day) {
        write_numbers(to, day_fields, FIELD_COUNT(day_fields) - (day.height > 0 ? 0 : 1), &day);
        write_end(to, 0);
    } else if (scene->sky.kind == SKY_IMAGE) {
        write_text(to, " \"%s\"", scene->sky_file);
        if (scene->sky.azimuth < 0 || scene->sky.azimuth > 0)
            write_number(to, scene->sky.azimuth);
        write_end(to, 0);
    }
    if (scene->sky.kind == SKY_GRADIENT) {
        write_numbers(to, gradient_fields, FIELD_COUNT(gradient_fields), &scene->sky);
        write_end(to, 0);
    }
    for (size_t i = of_day ? 1 : 0; i < scene->light_count; i++) {
        write_text(to, "light %s", light_kinds[scene->lights[i].kind]);
        write_numbers(to, light_fields, FIELD_COUNT(light_fields), &scene->lights[i]);
        if (scene->lights[i].kind == LIGHT_SUN && scene->lights[i].angle != SUN_ANGLE_DEFAULT)
            write_number(to, scene->lights[i].angle);
        write_end(to, 0);
    }
    for (size_t i = 1; i < scene->material_count; i++) {
        write_text(to, "material %s", material_kinds[scene->materials[i].kind]);
        write_numbers(to, material_fields, FIELD_COUNT(material_fields), &scene->materials[i]);
        const bool filmed = scene->materials[i].film > 0;
        if (scene->materials[i].coat > 0 || scene->materials[i].coat_roughness > 0 || filmed)
            write_numbers(to, coat_fields, FIELD_COUNT(coat_fields), &scene->materials[i]);
        if (filmed)
            write_numbers(to, film_fields, FIELD_COUNT(film_fields), &scene->materials[i]);
        write_end(to, 0);
    }
    if (scene->has_ground) {
        write_text(to, "ground");
        write_numbers(to, ground_fields, FIELD_COUNT(ground_fields), &scene->ground);
        write_end(to, scene->ground.material);
    }
}

static void write_cylinder(Writer *to, const Cylinder *cylinder) {
    const Colour a = cylinder->colours[0], b = cylinder->colours[1];
    const bool plain = !(fabsf(a.red - b.red) + fabsf(a.green - b.green) + fabsf(a.blue - b.blue) > 0);
    write_text(to, cylinder->flat ? "disc" : plain ? "cylinder" : "bond");
    if (cylinder->flat)
        write_numbers(to, disc_fields, FIELD_COUNT(disc_fields), cylinder);
    else if (plain)
        write_numbers(to, cylinder_fields, FIELD_COUNT(cylinder_fields), cylinder);
    else
        write_numbers(to, bond_fields, FIELD_COUNT(bond_fields), cylinder);
    write_end(to, cylinder->material);
}

static bool is_plain(const Scene *scene) {
    return scene_is_of_spheres(scene) && scene->light_count == 0 && scene->material_count <= 1 && !scene->has_ground &&
           scene->sky.kind == SKY_NONE && !scene->has_viewpoint;
}

size_t scene_format(const Scene *scene, char *buffer, size_t size) {
    Writer to = {buffer, size, 0};
    write_text(&to, "%s\n", is_plain(scene) ? header_1 : header_2);
    write_surroundings(&to, scene);
    if (scene->count > 0 || is_plain(scene))
        write_text(&to, "#      x y z radius red green blue\n");
    for (size_t i = 0; i < scene->count; i++) {
        write_text(&to, "sphere");
        write_numbers(&to, sphere_fields, SPHERE_FIELDS, &scene->spheres[i]);
        write_end(&to, scene->spheres[i].material);
    }
    for (size_t i = 0; i < scene->triangle_count; i++) {
        const Triangle *triangle = &scene->triangles[i];
        write_text(&to, triangle->smooth ? "smooth" : "triangle");
        if (triangle->smooth)
            write_numbers(&to, smooth_fields, FIELD_COUNT(smooth_fields), triangle);
        else
            write_numbers(&to, triangle_fields, FIELD_COUNT(triangle_fields), triangle);
        write_end(&to, triangle->material);
    }
    for (size_t i = 0; i < scene->cylinder_count; i++)
        write_cylinder(&to, &scene->cylinders[i]);
    return to.length;
}
