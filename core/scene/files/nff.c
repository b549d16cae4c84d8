/* nff.c: Haines' Neutral File Format, as his Standard Procedural Databases write it (E. Haines, A Proposal for Standard
 * Graphics Environments, IEEE Computer Graphics and Applications 7, 1987). */
#include "core/scene/files/formats.h"
#include "core/scene/files/polygon.h"
#include "core/scene/files/reader.h"

#include <stdio.h>
#include <string.h>

enum { CORNERS_MAX = 1000000, MATERIALS_SEARCHED = 32 };

/* The settings of the records before. */
typedef struct State {
    Colour colour;
    uint32_t material;
    size_t unlit; /* lights without a colour: they share one unit of it */
} State;

/* An f record: Kd, Ks, Shine, T and the index, 0 where nothing goes through. */
typedef struct Fill {
    Colour colour;
    float diffuse, specular, phong_exponent, transmittance, refraction;
} Fill;

static const Field fill_fields[] = {
    FIELDS_COLOUR("", Fill, colour),
    FIELD_SHARE("Kd", Fill, diffuse),
    FIELD_SHARE("Ks", Fill, specular),
    {"Shine", "0 to 1e6", offsetof(Fill, phong_exponent), 0, (double)MATERIAL_PHONG_EXPONENT_MAX, 0, false},
    FIELD_SHARE("T", Fill, transmittance),
    {"the index of refraction", "0 to 10", offsetof(Fill, refraction), 0, (double)MATERIAL_REFRACTION_MAX, 0, false},
};
static const Field background_fields[] = {FIELDS_BRIGHT("", Light, colour)};
static const Field light_fields[] = {FIELDS_PLACE("", Light, at)};
static const Field from_fields[] = {FIELDS_PLACE("", Viewpoint, from)};
static const Field at_fields[] = {FIELDS_PLACE("", Viewpoint, at)};
static const Field up_fields[] = {FIELDS_PLACE("", Viewpoint, up)};
static const Field angle_fields[] = {
    {"angle", "0.01 to 170", offsetof(Viewpoint, angle), VIEWPOINT_ANGLE_MIN, VIEWPOINT_ANGLE_MAX, 0, false}};
static const Field hither_fields[] = {{"hither", "0 to 1e9", 0, 0, (double)SPHERE_FARTHEST, 0, false}};
static const Field resolution_fields[] = {{"width", "1 to 1e6", 0, 1, 1e6, 0, false},
                                          {"height", "1 to 1e6", 0, 1, 1e6, 0, false}};
static const Field corner_fields[] = {FIELDS_PLACE("a corner's ", Triangle, points[0])};
static const Field normal_fields[] = {FIELDS_PLACE("a normal's ", Triangle, normals[0])};

/* ---- v ---- */

/* The lines behind a v, in order; what is kept of them. */
static const struct {
    const char *keyword;
    const Field *fields;
    size_t count;
    bool kept;
} view_lines[] = {
    {"from", from_fields, FIELD_COUNT(from_fields), true},
    {"at", at_fields, FIELD_COUNT(at_fields), true},
    {"up", up_fields, FIELD_COUNT(up_fields), true},
    {"angle", angle_fields, FIELD_COUNT(angle_fields), true},
    {"hither", hither_fields, FIELD_COUNT(hither_fields), false},             /* nothing is cut off */
    {"resolution", resolution_fields, FIELD_COUNT(resolution_fields), false}, /* --size says that */
};

static Status read_view(Reader *reader, Scene *scene, State *state) {
    (void)state;
    Viewpoint viewpoint = {0}, dropped = {0};
    const Reader start = *reader;
    TRY(reader_line_ends(reader, "the end of the line: a view's parts have lines of their own"));
    for (size_t i = 0; i < sizeof view_lines / sizeof view_lines[0]; i++) {
        if (!reader_find(reader) || !reader_take(reader, view_lines[i].keyword))
            return reader_wrong(reader, view_lines[i].keyword);
        const Reader before = *reader;
        TRY(reader_numbers(reader, view_lines[i].fields, view_lines[i].count,
                           view_lines[i].kept ? &viewpoint : &dropped));
        if (view_lines[i].fields == up_fields)
            TRY(reader_direction(&before, "the camera's upward direction", viewpoint.up));
        TRY(reader_line_ends(reader, "the end of the line"));
    }
    return reader_viewpoint(&start, viewpoint, scene);
}

/* ---- colours and lights ---- */

static Status read_background(Reader *reader, Scene *scene, State *state) {
    Light colour = {0};
    (void)state;
    TRY(reader_numbers(reader, background_fields, FIELD_COUNT(background_fields), &colour));
    scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = colour.colour, .zenith = colour.colour};
    return reader_line_ends(reader, "the end of the line: a background has 3 numbers");
}

static Status read_light(Reader *reader, Scene *scene, State *state) {
    Light light = {.kind = LIGHT_STEADY, .colour = {-1, -1, -1}}; /* below 0: not known before the last light */
    TRY(reader_numbers(reader, light_fields, FIELD_COUNT(light_fields), &light));
    if (reader_goes_on(reader))
        TRY(reader_numbers(reader, background_fields, FIELD_COUNT(background_fields), &light));
    else
        state->unlit++;
    TRY(reader_line_ends(reader, "the end of the line: a light has 3 or 6 numbers"));
    return reader_added(reader, scene_add_light(scene, light));
}

/* Lights without a colour are white, and 1 / sqrt(how many lights there are) bright. */
static void brighten_lights(Scene *scene) {
    const float each = 1 / sqrtf((float)scene->light_count);
    for (size_t i = 0; i < scene->light_count; i++)
        if (scene->lights[i].colour.red < 0)
            scene->lights[i].colour = (Colour){each, each, each};
}

static bool same_material(const Material *a, const Material *b) {
    return a->kind == b->kind && a->diffuse == b->diffuse && a->specular == b->specular &&
           a->phong_exponent == b->phong_exponent && a->roughness == b->roughness && a->refraction == b->refraction &&
           a->transmittance == b->transmittance && a->emission == b->emission;
}

static Status read_fill(Reader *reader, Scene *scene, State *state) {
    Fill fill = {0};
    TRY(reader_numbers(reader, fill_fields, FIELD_COUNT(fill_fields), &fill));
    TRY(reader_line_ends(reader, "the end of the line: a fill has 8 numbers"));
    const bool clear = fill.transmittance > 0;
    const Material material = {.kind = clear               ? MATERIAL_GLASS
                                       : fill.specular > 0 ? MATERIAL_METAL
                                                           : MATERIAL_DIFFUSE,
                               .diffuse = fill.diffuse,
                               .specular = fill.specular,
                               .phong_exponent = fill.phong_exponent,
                               .refraction = fill.refraction < MATERIAL_REFRACTION_MIN ? 1 : fill.refraction,
                               .transmittance = fill.transmittance};
    state->colour = fill.colour;
    for (size_t back = 1; back <= scene->material_count && back <= MATERIALS_SEARCHED; back++) {
        state->material = (uint32_t)(scene->material_count - back);
        if (same_material(&scene->materials[state->material], &material))
            return STATUS_OK;
    }
    return reader_added(reader, scene_add_material(scene, material, &state->material));
}

/* ---- shapes ---- */

static Status read_sphere(Reader *reader, Scene *scene, State *state) {
    Sphere sphere = {.red = state->colour.red,
                     .green = state->colour.green,
                     .blue = state->colour.blue,
                     .material = state->material};
    TRY(reader_numbers(reader, sphere_fields, SPHERE_PLACE_FIELDS, &sphere));
    TRY(reader_line_ends(reader, "the end of the line: a sphere has 4 numbers"));
    return reader_added(reader, scene_add_sphere(scene, sphere));
}

/* A corner's line into the points and normals [0] of `to`. */
static Status read_corner(Reader *reader, bool smooth, Triangle *to) {
    if (!reader_find(reader))
        return reader_wrong(reader, "a corner of the polygon");
    TRY(reader_numbers(reader, corner_fields, FIELD_COUNT(corner_fields), to));
    const Reader before = *reader;
    if (smooth) {
        TRY(reader_numbers(reader, normal_fields, FIELD_COUNT(normal_fields), to));
        TRY(reader_direction(&before, "a corner's normal", to->normals[0]));
    }
    return reader_line_ends(reader, smooth ? "the end of the line: a corner has 3 numbers, its normal 3"
                                           : "the end of the line: a corner has 3 numbers");
}

/* A fan around the first corner, which is cut by ears if the polygon is not convex. */
static Status read_corners(Reader *reader, Scene *scene, const State *state, bool smooth) {
    double corners;
    const Reader start = *reader;
    const size_t first = scene->triangle_count;
    TRY(reader_whole(reader, "the number of corners", 3, CORNERS_MAX, &corners));
    TRY(reader_line_ends(reader, "the end of the line: corners have lines of their own"));
    Triangle triangle = {.colour = state->colour, .smooth = smooth, .material = state->material}, corner = {0};
    for (int i = 0; i < (int)corners; i++) {
        TRY(read_corner(reader, smooth, &corner));
        const int last = i < 2 ? i : 2;
        if (i > 2) {
            triangle.points[1] = triangle.points[2];
            triangle.normals[1] = triangle.normals[2];
        }
        triangle.points[last] = corner.points[0];
        triangle.normals[last] = corner.normals[0];
        if (i >= 2)
            TRY(reader_added(reader, scene_add_triangle(scene, triangle)));
    }
    return reader_added(&start, polygon_cut(scene->triangles + first, scene->triangle_count - first));
}

static Status read_polygon(Reader *reader, Scene *scene, State *state) {
    return read_corners(reader, scene, state, false);
}

static Status read_patch(Reader *reader, Scene *scene, State *state) {
    return read_corners(reader, scene, state, true);
}

/* The keywords that lines begin with. Entities that glint cannot show have no function. */
static const struct {
    const char *keyword, *is;
    Status (*read)(Reader *reader, Scene *scene, State *state);
} entities[] = {
    {"v", "a view", read_view},     {"b", "a background", read_background}, {"l", "a light", read_light},
    {"f", "a fill", read_fill},     {"s", "a sphere", read_sphere},         {"p", "a polygon", read_polygon},
    {"pp", "a patch", read_patch},  {"c", "a cone or a cylinder", NULL},    {"tt", "a textured triangle", NULL},
    {"pb", "a Bezier patch", NULL}, {"pn", "a NURBS patch", NULL},          {"box", "a box", NULL},
};

static Status read_entity(Reader *reader, Scene *scene, State *state) {
    char known[64] = "";
    const Reader start = *reader;
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        if (reader_take(reader, entities[i].keyword))
            return entities[i].read ? entities[i].read(reader, scene, state)
                                    : fail(STATUS_INPUT, "%s:%zu:%zu: \"%s\" is %s, which glint cannot show; want %s",
                                           start.name, start.line, (size_t)(start.at - start.line_start) + 1,
                                           entities[i].keyword, entities[i].is, known);
        if (entities[i].read)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", entities[i].keyword);
    }
    return reader_wrong(reader, known);
}

static Status read_scene(Reader *reader, Scene *scene) {
    State state = {.colour = {1, 1, 1}};
    while (reader_find(reader))
        TRY(read_entity(reader, scene, &state));
    if (state.unlit > 0)
        brighten_lights(scene);
    return STATUS_OK;
}

static Status parse(const char *name, Bytes file, Scene *scene) {
    return reader_parse(name, file, '#', read_scene, scene);
}

const SceneFormat scene_format_nff = {
    .name = "nff",
    .more = "",
    .help = "Haines' Neutral File Format: spheres, polygons, lights, camera",
    .parse = parse,
};
