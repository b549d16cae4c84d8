/* options.c: the table of options. */
#include "core/scene/particles/options.h"

#include "core/math/colour.h"
#include "core/math/sphere.h"

#define FARTHEST ((double)SPHERE_FARTHEST)
#define OPTION(name, help, unit, kind, member, min, value, max, step)                                                  \
    { name, help, unit, kind, offsetof(ParticleOptions, member), min, value, max, step }
#define COLUMN(name, help, member) OPTION(name, help, "column", PARAM_TEXT, member, 0, 0, 0, 0)
#define CORNER(name, help, index, value)                                                                               \
    OPTION(name, help, "as in the file", PARAM_NUMBER, clip[index], -1e300, value, 1e300, 1)

static const Param params[] = {
    OPTION("frame", "which one, from 1 on, or a place between two, as 2.5", "", PARAM_NUMBER, frame, 1, 1, 4294967295,
           1),
    OPTION("every", "show every such particle only", "", PARAM_WHOLE, every, 1, 1, 4294967295, 1),
    OPTION("radius", "a column, or a number; by default radius, diameter, or van der Waals radii of elements",
           "column or number", PARAM_TEXT, radius, 0, 0, 0, 0),
    COLUMN("color", "its colours; by default red, green, blue, those of elements, or type", colour),
    OPTION("map",
           "colours of numbers; auto is viridis, kinds of words and types, or those of elements; kelvin takes "
           "them for temperatures",
           "auto|viridis|inferno|gray|kinds|elements|kelvin", PARAM_CHOICE, map, 0, 0, MAP_KELVIN, 1),
    OPTION("range", "the column's value of the map's first colour", "", PARAM_NUMBER, range[0], -1e300, 0, 1e300, 1),
    OPTION("range_end", "and that of the last; equal ones stand for the smallest and the largest value", "",
           PARAM_NUMBER, range[1], -1e300, 0, 1e300, 1),
    CORNER("clip", "show what is within this box: its lowest x", 0, -1e300),
    CORNER("clip_y", "its lowest y", 1, -1e300),
    CORNER("clip_z", "its lowest z", 2, -1e300),
    CORNER("clip_x_end", "its highest x", 3, 1e300),
    CORNER("clip_y_end", "its highest y", 4, 1e300),
    CORNER("clip_z_end", "its highest z", 5, 1e300),
    OPTION("images", "copies of a periodic box along its first side", "", PARAM_WHOLE, images[0], 1, 1, 1000, 1),
    OPTION("images_b", "along its second side", "", PARAM_WHOLE, images[1], 1, 1, 1000, 1),
    OPTION("images_c", "along its third side", "", PARAM_WHOLE, images[2], 1, 1, 1000, 1),
    OPTION("wrap", "bring what is outside of a periodic box into it", "", PARAM_SWITCH, wrap, 0, 0, 1, 1),
    OPTION("origin", "subtract from each x; large coordinates keep their digits so", "as in the file", PARAM_NUMBER,
           origin[0], -1e300, 0, 1e300, 1),
    OPTION("origin_y", "from each y", "as in the file", PARAM_NUMBER, origin[1], -1e300, 0, 1e300, 1),
    OPTION("origin_z", "from each z", "as in the file", PARAM_NUMBER, origin[2], -1e300, 0, 1e300, 1),
    OPTION("scale", "multiply places and radii of columns by it", "", PARAM_NUMBER, scale, 1e-30, 1, 1e30, 0.1),
    COLUMN("x", "where x is; by default x, xu or xs", places[0]),
    COLUMN("y", "where y is", places[1]),
    COLUMN("z", "where z is", places[2]),
    OPTION("emission", "spheres shine by so many times their colour; 0: they do not", "", PARAM_NUMBER, emission, 0, 0,
           (double)BRIGHTNESS_MAX, 0.1),
    OPTION("normals", "discs: points are discs that face along the file's normals", "spheres|discs", PARAM_CHOICE,
           normals, 0, 0, 1, 1),
    OPTION("bonds",
           "draw bonds: 1.2x is that times both covalent radii, 1.85 a distance in the file's unit, file those that it "
           "lists",
           "FACTORx, distance or file", PARAM_TEXT, bonds, 0, 0, 0, 0),
    OPTION("bond_radius", "of bonds, in the file's unit; 0 is 0.15 for elements, else a tenth of the distance", "",
           PARAM_NUMBER, bond_radius, 0, 0, FARTHEST, 0.01),
};
const ParamTable particle_options = {params, sizeof params / sizeof params[0], sizeof(ParticleOptions)};
