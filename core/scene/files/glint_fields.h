/* glint_fields.h: the words and numbers of our own scene format (docs/scene-format.md), for its reader and its writer.
 */
#ifndef GLINT_CORE_SCENE_FILES_GLINT_FIELDS_H
#define GLINT_CORE_SCENE_FILES_GLINT_FIELDS_H

#include "core/scene/daylight.h"
#include "core/scene/files/reader.h"

static const char header_1[] = "glint-scene 1", header_2[] = "glint-scene 2";

static const Field triangle_fields[] = {
    FIELDS_PLACE("the first point's ", Triangle, points[0]),
    FIELDS_PLACE("the second point's ", Triangle, points[1]),
    FIELDS_PLACE("the third point's ", Triangle, points[2]),
    FIELDS_COLOUR("", Triangle, colour),
};

static const Field smooth_fields[] = {
    FIELDS_PLACE("the first point's ", Triangle, points[0]),
    FIELDS_PLACE("the second point's ", Triangle, points[1]),
    FIELDS_PLACE("the third point's ", Triangle, points[2]),
    FIELDS_PLACE("the first normal's ", Triangle, normals[0]),
    FIELDS_PLACE("the second normal's ", Triangle, normals[1]),
    FIELDS_PLACE("the third normal's ", Triangle, normals[2]),
    FIELDS_COLOUR("", Triangle, colour),
};

/* Both halves of a cylinder have one colour, those of a bond their own. */
static const Field cylinder_fields[] = {
    FIELDS_PLACE("the first end's ", Cylinder, ends[0]),
    FIELDS_PLACE("the second end's ", Cylinder, ends[1]),
    FIELD_RADIUS("radius", Cylinder, radius),
    FIELDS_COLOUR("", Cylinder, colours[0]),
};

static const Field bond_fields[] = {
    FIELDS_PLACE("the first end's ", Cylinder, ends[0]),
    FIELDS_PLACE("the second end's ", Cylinder, ends[1]),
    FIELD_RADIUS("radius", Cylinder, radius),
    FIELDS_COLOUR("the first half's ", Cylinder, colours[0]),
    FIELDS_COLOUR("the second half's ", Cylinder, colours[1]),
};

static const Field disc_fields[] = {
    FIELDS_PLACE("", Cylinder, ends[0]),
    FIELDS_PLACE("the normal's ", Cylinder, ends[1]),
    FIELD_RADIUS("radius", Cylinder, radius),
    FIELDS_COLOUR("", Cylinder, colours[0]),
};

static const Field material_fields[] = {
    FIELD_SHARE("diffuse", Material, diffuse),
    FIELD_SHARE("specular", Material, specular),
    {"shine", "0 to 1e6", offsetof(Material, phong_exponent), 0, (double)MATERIAL_PHONG_EXPONENT_MAX, 0, false},
    FIELD_SHARE("roughness", Material, roughness),
    {"refraction", "0.1 to 10", offsetof(Material, refraction), 0.1, (double)MATERIAL_REFRACTION_MAX, 0, false},
    FIELD_SHARE("transmittance", Material, transmittance),
    FIELD_BRIGHT("emission", Material, emission),
};

/* May follow. */
static const Field coat_fields[] = {
    FIELD_SHARE("coat", Material, coat),
    FIELD_SHARE("coat's roughness", Material, coat_roughness),
};

/* May follow these. */
static const Field film_fields[] = {
    {"film", "0 to 2000", offsetof(Material, film), 0, (double)MATERIAL_FILM_MAX, 0, false},
    {"film's refraction", "1 to 4", offsetof(Material, film_refraction), (double)MATERIAL_FILM_REFRACTION_MIN,
     (double)MATERIAL_FILM_REFRACTION_MAX, 0, false},
};

static const Field light_fields[] = {
    FIELDS_PLACE("", Light, at),
    FIELDS_BRIGHT("", Light, colour),
};

/* A sun's field besides those of every light. */
static const Field angle_fields[] = {
    {"angle", "0 to 90", offsetof(Light, angle), 0, (double)SUN_ANGLE_MAX, 0, false},
};

static const Field ground_fields[] = {
    FIELD_PLACE("height", Ground, height),
    {"side", "1e-6 to 1e9", offsetof(Ground, side), (double)SPHERE_RADIUS_MIN, (double)SPHERE_FARTHEST, 0, false},
    FIELDS_COLOUR("even ", Ground, even),
    FIELDS_COLOUR("odd ", Ground, odd),
};

static const Field gradient_fields[] = {
    FIELDS_BRIGHT("horizon's ", Sky, horizon),
    FIELDS_BRIGHT("zenith's ", Sky, zenith),
};

/* The field of a sky that is an image. */
static const Field azimuth_fields[] = {
    {"azimuth", "-360 to 360", offsetof(Sky, azimuth), -SKY_AZIMUTH_MAX, SKY_AZIMUTH_MAX, 0, false},
};

/* The sky of a day, as its line has it. */
typedef struct Day {
    float altitude, azimuth, turbidity, albedo, height;
} Day;

enum { DAY_FIELDS_MIN = 2 }; /* the others may be left out */

static const Field day_fields[] = {
    {"altitude", "-18 to 90", offsetof(Day, altitude), DAYLIGHT_LOWEST, 90, 0, false},
    {"azimuth", "-360 to 360", offsetof(Day, azimuth), -SKY_AZIMUTH_MAX, SKY_AZIMUTH_MAX, 0, false},
    {"turbidity", "2 to 10", offsetof(Day, turbidity), 2, 10, 0, false},
    FIELD_SHARE("albedo", Day, albedo),
    {"height", "0 to 60000", offsetof(Day, height), 0, DAYLIGHT_HIGHEST, 0, false},
};

static const Field viewpoint_fields[] = {
    FIELDS_PLACE("the eye's ", Viewpoint, from),
    FIELDS_PLACE("the target's ", Viewpoint, at),
    FIELDS_PLACE("upward ", Viewpoint, up),
    {"angle", "0.01 to 170", offsetof(Viewpoint, angle), VIEWPOINT_ANGLE_MIN, VIEWPOINT_ANGLE_MAX, 0, false},
};

static const char *const material_kinds[MATERIAL_KINDS] = {
    [MATERIAL_DIFFUSE] = "diffuse",
    [MATERIAL_METAL] = "metal",
    [MATERIAL_GLASS] = "glass",
    [MATERIAL_LIGHT] = "light",
};
static const char *const light_kinds[LIGHT_KINDS] = {
    [LIGHT_POINT] = "point", [LIGHT_SUN] = "sun", [LIGHT_STEADY] = "steady"};
static const char *const sky_kinds[SKY_KINDS] = {
    [SKY_NONE] = "none", [SKY_GRADIENT] = "gradient", [SKY_IMAGE] = "image"};
static const char day_word[] = "day"; /* an image that is made, and a sun */

#endif
