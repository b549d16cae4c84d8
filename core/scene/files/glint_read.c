/* glint_read.c: reads our own scene format: docs/scene-format.md. */
#include "core/scene/files/format_read.h"
#include "core/scene/files/glint.h"
#include "core/scene/files/glint_fields.h"

#include <stdio.h>
#include <string.h>

/* Takes one of the names from `first` on. */
static Status read_kind(Reader *reader, const char *const *names, int first, int count, int *kind) {
    char known[80] = "";
    for (*kind = first; *kind < count; ++*kind) {
        if (reader_take(reader, names[*kind]))
            return STATUS_OK;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *kind > first ? " or " : "",
                 names[*kind]);
    }
    return reader_wrong(reader, known);
}

/* The optional number of a material behind the others, and the end of the line. */
static Status read_material_number(Reader *reader, const Scene *scene, const char *ends, uint32_t *material) {
    double number = 0;
    if (reader_goes_on(reader)) {
        const double max = (double)scene->material_count - 1;
        TRY(reader_whole(reader, "the number of a material above", 0, max, &number));
    }
    *material = (uint32_t)number;
    return reader_line_ends(reader, ends);
}

static Status read_sphere_1(Reader *reader, Scene *scene) {
    Sphere sphere = {0};
    TRY(reader_numbers(reader, sphere_fields, SPHERE_FIELDS, &sphere));
    TRY(reader_line_ends(reader, "the end of the line: a sphere has 7 numbers"));
    return reader_added(reader, scene_add_sphere(scene, sphere));
}

static Status read_sphere_2(Reader *reader, Scene *scene) {
    Sphere sphere = {0};
    TRY(reader_numbers(reader, sphere_fields, SPHERE_FIELDS, &sphere));
    TRY(read_material_number(reader, scene, "the end of the line: a sphere has 7 numbers and a material's",
                             &sphere.material));
    return reader_added(reader, scene_add_sphere(scene, sphere));
}

static Status read_triangle(Reader *reader, Scene *scene) {
    Triangle triangle = {0};
    TRY(reader_numbers(reader, triangle_fields, FIELD_COUNT(triangle_fields), &triangle));
    TRY(read_material_number(reader, scene, "the end of the line: a triangle has 12 numbers and a material's",
                             &triangle.material));
    return reader_added(reader, scene_add_triangle(scene, triangle));
}

static Status read_smooth(Reader *reader, Scene *scene) {
    Triangle triangle = {.smooth = 1};
    const Reader start = *reader;
    TRY(reader_numbers(reader, smooth_fields, FIELD_COUNT(smooth_fields), &triangle));
    for (int i = 0; i < 3; i++)
        TRY(reader_direction(&start, "a normal of the triangle", triangle.normals[i]));
    TRY(read_material_number(reader, scene, "the end of the line: a smooth triangle has 21 numbers and a material's",
                             &triangle.material));
    return reader_added(reader, scene_add_triangle(scene, triangle));
}

static Status read_cylinder(Reader *reader, Scene *scene) {
    Cylinder cylinder = {0};
    TRY(reader_numbers(reader, cylinder_fields, FIELD_COUNT(cylinder_fields), &cylinder));
    TRY(read_material_number(reader, scene, "the end of the line: a cylinder has 10 numbers and a material's",
                             &cylinder.material));
    cylinder.colours[1] = cylinder.colours[0];
    return reader_added(reader, scene_add_cylinder(scene, cylinder));
}

static Status read_bond(Reader *reader, Scene *scene) {
    Cylinder cylinder = {0};
    TRY(reader_numbers(reader, bond_fields, FIELD_COUNT(bond_fields), &cylinder));
    TRY(read_material_number(reader, scene, "the end of the line: a bond has 13 numbers and a material's",
                             &cylinder.material));
    return reader_added(reader, scene_add_cylinder(scene, cylinder));
}

static Status read_disc(Reader *reader, Scene *scene) {
    Cylinder disc = {.flat = 1};
    const Reader start = *reader;
    TRY(reader_numbers(reader, disc_fields, FIELD_COUNT(disc_fields), &disc));
    TRY(reader_direction(&start, "the normal of the disc", disc.ends[1]));
    TRY(read_material_number(reader, scene, "the end of the line: a disc has 10 numbers and a material's",
                             &disc.material));
    disc.colours[1] = disc.colours[0];
    return reader_added(reader, scene_add_cylinder(scene, disc));
}

static Status read_material(Reader *reader, Scene *scene) {
    Material material = {0};
    int kind;
    uint32_t index;
    TRY(read_kind(reader, material_kinds, 0, MATERIAL_KINDS, &kind));
    material.kind = (MaterialKind)kind;
    TRY(reader_numbers(reader, material_fields, FIELD_COUNT(material_fields), &material));
    if (reader_goes_on(reader))
        TRY(reader_numbers(reader, coat_fields, FIELD_COUNT(coat_fields), &material));
    if (reader_goes_on(reader))
        TRY(reader_numbers(reader, film_fields, FIELD_COUNT(film_fields), &material));
    if (!(material.film > 0))
        material.film_refraction = 0;
    TRY(reader_line_ends(reader,
                         "the end of the line: a material has a kind and 7 numbers, 9 with a coat, or 11 with a film"));
    return reader_added(reader, scene_add_material(scene, material, &index));
}

static Status read_light(Reader *reader, Scene *scene) {
    Light light = {0};
    int kind;
    TRY(read_kind(reader, light_kinds, 0, LIGHT_KINDS, &kind));
    light.kind = (LightKind)kind;
    const Reader start = *reader;
    TRY(reader_numbers(reader, light_fields, FIELD_COUNT(light_fields), &light));
    if (light.kind == LIGHT_SUN) {
        TRY(reader_direction(&start, "the way to the sun", light.at));
        light.angle = SUN_ANGLE_DEFAULT;
        if (reader_goes_on(reader))
            TRY(reader_numbers(reader, angle_fields, FIELD_COUNT(angle_fields), &light));
    }
    TRY(reader_line_ends(reader, light.kind == LIGHT_SUN
                                     ? "the end of the line: a sun has 6 numbers and the angle that it fills"
                                     : "the end of the line: a light has a kind and 6 numbers"));
    return reader_added(reader, scene_add_light(scene, light));
}

static Status read_ground(Reader *reader, Scene *scene) {
    scene->has_ground = true;
    TRY(reader_numbers(reader, ground_fields, FIELD_COUNT(ground_fields), &scene->ground));
    return read_material_number(reader, scene, "the end of the line: the ground has 8 numbers and a material's",
                                &scene->ground.material);
}

/* The rest of an image sky: a name in double quotes, and how it is turned. */
static Status read_sky_file(Reader *reader, Scene *scene) {
    if (!reader_goes_on(reader) || *reader->at != '"')
        return reader_wrong(reader, "a file's name in double quotes");
    const size_t length = strcspn(reader->at + 1, "\"\r\n");
    if (length == 0 || reader->at[1 + length] != '"')
        return reader_wrong(reader, "a file's name between double quotes, on one line");
    scene->sky_file = strndup(reader->at + 1, length);
    reader->at += length + 2;
    if (!scene->sky_file)
        return fail(STATUS_DEVICE, "%s: no memory for a name", reader->name);
    return reader_goes_on(reader) ? reader_numbers(reader, azimuth_fields, FIELD_COUNT(azimuth_fields), &scene->sky)
                                  : STATUS_OK;
}

/* The sky becomes an image that is made when the scene is opened, the sun the first of the lights. */
static Status read_day(Reader *reader, Scene *scene) {
    Day line = {.turbidity = 3, .albedo = 0.2f};
    char name[DAYLIGHT_NAME];
    TRY(reader_numbers(reader, day_fields, DAY_FIELDS_MIN, &line));
    for (size_t i = DAY_FIELDS_MIN; i < FIELD_COUNT(day_fields) && reader_goes_on(reader); i++)
        TRY(reader_numbers(reader, &day_fields[i], 1, &line));
    TRY(reader_line_ends(reader, "the end of the line: the sky of a day has 5 numbers at most"));
    const Daylight day = {line.altitude, line.turbidity, line.albedo, line.height};
    daylight_name(&day, name);
    scene->sky = (Sky){.kind = SKY_IMAGE, .azimuth = line.azimuth};
    scene->sky_file = strdup(name);
    if (!scene->sky_file)
        return fail(STATUS_DEVICE, "%s: no memory for a name", reader->name);
    TRY(reader_added(reader, scene_add_light(scene, daylight_sun(&day, (double)line.azimuth))));
    const Light sun = scene->lights[scene->light_count - 1];
    memmove(scene->lights + 1, scene->lights, (scene->light_count - 1) * sizeof *scene->lights);
    scene->lights[0] = sun;
    return STATUS_OK;
}

static Status read_sky(Reader *reader, Scene *scene) {
    int kind;
    if (reader_take(reader, day_word))
        return read_day(reader, scene);
    if (read_kind(reader, sky_kinds, SKY_NONE + 1, SKY_KINDS, &kind) != STATUS_OK)
        return reader_wrong(reader, "gradient or image or day");
    scene->sky.kind = (SkyKind)kind;
    TRY(kind == SKY_IMAGE ? read_sky_file(reader, scene)
                          : reader_numbers(reader, gradient_fields, FIELD_COUNT(gradient_fields), &scene->sky));
    return reader_line_ends(reader, "the end of the line");
}

static Status read_camera(Reader *reader, Scene *scene) {
    Viewpoint viewpoint = {0};
    const Reader start = *reader;
    TRY(reader_numbers(reader, viewpoint_fields, FIELD_COUNT(viewpoint_fields), &viewpoint));
    TRY(reader_line_ends(reader, "the end of the line: a camera has 10 numbers"));
    TRY(reader_direction(&start, "the camera's upward direction", viewpoint.up));
    return reader_viewpoint(&start, viewpoint, scene);
}

static bool has_ground(const Scene *scene) {
    return scene->has_ground;
}
static bool has_sky(const Scene *scene) {
    return scene->sky.kind != SKY_NONE;
}
static bool has_camera(const Scene *scene) {
    return scene->has_viewpoint;
}

/* The keyword that a line begins with, and the function that reads the line. */
typedef struct Record {
    const char *keyword;
    Status (*read)(Reader *reader, Scene *scene);
    bool (*is_there)(const Scene *scene); /* for parts that a scene has one of; else NULL */
} Record;

static const Record records_1[] = {{"sphere", read_sphere_1, NULL}};
static const Record records_2[] = {
    {"sphere", read_sphere_2, NULL},   {"triangle", read_triangle, NULL},   {"smooth", read_smooth, NULL},
    {"cylinder", read_cylinder, NULL}, {"bond", read_bond, NULL},           {"disc", read_disc, NULL},
    {"material", read_material, NULL}, {"light", read_light, NULL},         {"ground", read_ground, has_ground},
    {"sky", read_sky, has_sky},        {"camera", read_camera, has_camera},
};

static const struct {
    const char *header;
    const Record *records;
    size_t count;
} versions[] = {
    {header_1, records_1, sizeof records_1 / sizeof records_1[0]},
    {header_2, records_2, sizeof records_2 / sizeof records_2[0]},
};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

static Status read_header(Reader *reader, size_t *version) {
    for (*version = 0; *version < VERSIONS; ++*version) {
        const char *header = versions[*version].header;
        const size_t length = strlen(header);
        if (strncmp(reader->at, header, length) == 0 &&
            (!reader->at[length] || strchr(" \t\r\n#", reader->at[length]))) {
            reader->at += length;
            return reader_line_ends(reader, "the end of the line");
        }
    }
    return fail(STATUS_INPUT, "%s:1:1: the first line is not \"%s\" or \"%s\": this is not a scene of these versions",
                reader->name, header_1, header_2);
}

static Status read_record(Reader *reader, size_t version, Scene *scene) {
    char known[128] = "";
    for (size_t i = 0; i < versions[version].count; i++) {
        const Record *record = &versions[version].records[i];
        const Reader start = *reader;
        if (reader_take(reader, record->keyword))
            return record->is_there && record->is_there(scene)
                       ? fail(STATUS_INPUT, "%s:%zu:%zu: a second %s, want one at most", start.name, start.line,
                              (size_t)(start.at - start.line_start) + 1, record->keyword)
                       : record->read(reader, scene);
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", record->keyword);
    }
    return reader_wrong(reader, known);
}

static Status read_scene(Reader *reader, Scene *scene) {
    size_t version;
    TRY(read_header(reader, &version));
    reader->glows = version > 0;
    while (reader_find(reader))
        TRY(read_record(reader, version, scene));
    return STATUS_OK;
}

static Status parse(const char *name, Bytes file, Scene *scene) {
    return reader_parse(name, file, '#', read_scene, scene);
}

const SceneFormat scene_format_scene = {
    .name = "scene",
    .more = "",
    .help = "glint's own: docs/scene-format.md",
    .parse = parse,
};

Status scene_parse(const char *name, const char *text, Scene **scene) {
    const Bytes file = {(unsigned char *)(uintptr_t)text, strlen(text)};
    return scene_format_parse(&scene_format_scene, name, file, NULL, scene);
}
