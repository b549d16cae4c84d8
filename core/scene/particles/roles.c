/* roles.c: names of columns, as programs call them. */
#include "core/scene/particles/roles.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAMES_MAX = 24 };

/* Names of three columns that go together, in the order of preference. */
typedef struct Triple {
    const char *names[3];
    bool fractional, unwrapped;
} Triple;

static const Triple places[] = {
    {{"x", "y", "z"}, false, false},
    {{"xu", "yu", "zu"}, false, true},
    {{"xs", "ys", "zs"}, true, false},
    {{"xsu", "ysu", "zsu"}, true, true},
    {{"pos.1", "pos.2", "pos.3"}, false, false},
    {{"position.1", "position.2", "position.3"}, false, false},
    {{"positions.1", "positions.2", "positions.3"}, false, false},
    {{"points.1", "points.2", "points.3"}, false, false},
    {{"xyz.1", "xyz.2", "xyz.3"}, false, false},
    {{"coords.1", "coords.2", "coords.3"}, false, false},
    {{"coordinates.1", "coordinates.2", "coordinates.3"}, false, false},
};

static const Triple colours[] = {
    {{"red", "green", "blue"}, false, false},
    {{"r", "g", "b"}, false, false},
    {{"diffuse_red", "diffuse_green", "diffuse_blue"}, false, false},
    {{"color.1", "color.2", "color.3"}, false, false},
    {{"colors.1", "colors.2", "colors.3"}, false, false},
    {{"colour.1", "colour.2", "colour.3"}, false, false},
    {{"rgb.1", "rgb.2", "rgb.3"}, false, false},
};

static const Triple normals[] = {
    {{"nx", "ny", "nz"}, false, false},
    {{"normal_x", "normal_y", "normal_z"}, false, false},
    {{"normal.1", "normal.2", "normal.3"}, false, false},
    {{"normals.1", "normals.2", "normals.3"}, false, false},
};

static const char *const elements[] = {"element",     "elements",      "species", "symbol",
                                       "type_symbol", "atomic_number", "numbers", "Z"};
static const char *const radii[] = {"radius", "radii", "diameter"};
static const char *const types[] = {"type", "types", "atom_type", "classification"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* In any case, unless the name is one letter that stands for something else as a capital. */
static const Column *find(const Particles *particles, const char *name) {
    const Column *exact = particles_column(particles, name);
    for (size_t i = 0; i < particles->count && !exact; i++)
        if (strcmp(name, "Z") != 0 && strcasecmp(particles->columns[i].name, name) == 0)
            exact = &particles->columns[i];
    return exact;
}

static const Column *find_any(const Particles *particles, const char *const *names, size_t count) {
    const Column *found = NULL;
    for (size_t i = 0; i < count && !found; i++)
        found = find(particles, names[i]);
    return found;
}

static const Triple *find_triple(const Particles *particles, const Triple *triples, size_t count,
                                 const Column *columns[3]) {
    for (size_t i = 0; i < count; i++) {
        bool all = true;
        for (int k = 0; k < 3; k++)
            all &= (columns[k] = find(particles, triples[i].names[k])) != NULL;
        if (all)
            return &triples[i];
    }
    return NULL;
}

/* The columns that there are, for messages. */
static const char *list_columns(const Particles *particles, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < particles->count && length < size; i++) {
        if (i == NAMES_MAX) {
            snprintf(text + length, size - length, " and %zu more", particles->count - i);
            break;
        }
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", particles->columns[i].name);
    }
    return particles->count > 0 ? text : "none";
}

static Status no_column(const Particles *particles, const char *option, const char *name) {
    char known[512];
    return fail(STATUS_USAGE, "%s: %s is \"%s\", want a column: %s", particles->name, option, name,
                list_columns(particles, known, sizeof known));
}

static Status named(const Particles *particles, const char *option, const char *name, const Column **column) {
    *column = particles_column(particles, name);
    return *column ? STATUS_OK : no_column(particles, option, name);
}

static void add(Roles *roles, const Column *column, size_t member, Conversion conversion, const char *wanted) {
    size_t at = roles->count++;
    for (; at > 0 && roles->targets[at - 1].column->field > column->field; at--)
        roles->targets[at] = roles->targets[at - 1];
    roles->targets[at] = (Target){.column = column, .member = member, .conversion = conversion, .wanted = wanted};
}

static const size_t place_members[3] = {offsetof(Sphere, x), offsetof(Sphere, y), offsetof(Sphere, z)};
static const size_t colour_members[3] = {offsetof(Sphere, red), offsetof(Sphere, green), offsetof(Sphere, blue)};

static Status choose_places(const Particles *particles, const ParticleOptions *options, Roles *roles) {
    static const char *const axes[] = {"x", "y", "z"}, *const wanted[] = {"x, a number", "y, a number", "z, a number"};
    const Column *columns[3];
    char known[512];
    const Triple *triple = find_triple(particles, places, COUNT(places), columns);
    const bool all = options->places[0] && options->places[1] && options->places[2];
    if (!triple && !all)
        return fail(STATUS_INPUT, "%s: no columns x, y and z; its columns are %s (x=NAME:y=NAME:z=NAME chooses some)",
                    particles->name, list_columns(particles, known, sizeof known));
    for (int i = 0; i < 3; i++) {
        if (options->places[i])
            TRY(named(particles, axes[i], options->places[i], &columns[i]));
        add(roles, columns[i], place_members[i], AS_NUMBER, wanted[i]);
    }
    roles->fractional = triple && triple->fractional && !all;
    roles->unwrapped = all ? strcmp(options->places[0], "xu") == 0 : triple->unwrapped;
    for (size_t i = 0; i < roles->count; i++)
        for (int k = 0; k < 3; k++)
            if (roles->targets[i].member == place_members[k] && !roles->fractional)
                roles->targets[i].origin = options->origin[k];
    return STATUS_OK;
}

#define SIZED "an element whose size is known: its symbol or its number (radius=... and color=... need none)"

static Status choose_radius(const Particles *particles, const ParticleOptions *options, Roles *roles) {
    const char *text = options->radius, *end;
    const Column *column = text ? particles_column(particles, text) : find_any(particles, radii, COUNT(radii));
    roles->radius = 1;
    if (!column && text && text_number(text, &end, &roles->radius) && *end == '\0') {
        roles->radius_by = RADIUS_CONSTANT;
        return roles->radius >= (double)SPHERE_RADIUS_MIN && roles->radius <= (double)SPHERE_FARTHEST
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "%s: radius is %s, want 1e-6 to 1e9, or a column", particles->name, text);
    }
    if (!column && text)
        return no_column(particles, "radius", text);
    const Column *element = find_any(particles, elements, COUNT(elements));
    roles->radius_by = column ? RADIUS_COLUMN : element ? RADIUS_ELEMENT : RADIUS_SPACING;
    if (column && strcasecmp(column->name, "diameter") == 0)
        roles->radius = 0.5;
    if (column || element)
        add(roles, column ? column : element, offsetof(Sphere, radius), column ? AS_NUMBER : AS_ELEMENT,
            column ? "a radius, a number" : SIZED);
    return STATUS_OK;
}

static bool is_in(const Column *column, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(column->name, names[i]) == 0)
            return true;
    return false;
}

static ParticleMap map_of(const Particles *particles, const ParticleOptions *options, const Column *column) {
    const ParticleMap asked = (ParticleMap)options->map;
    if (asked != MAP_AUTO)
        return asked;
    return is_in(column, elements, COUNT(elements))                                       ? MAP_ELEMENTS
           : is_in(column, types, COUNT(types)) || particles_has_words(particles, column) ? MAP_KINDS
                                                                                          : MAP_VIRIDIS;
}

static Status choose_colour(const Particles *particles, const ParticleOptions *options, Roles *roles) {
    const Column *columns[3], *column = NULL;
    if (options->colour)
        TRY(named(particles, "color", options->colour, &column));
    if (!column && find_triple(particles, colours, COUNT(colours), columns)) {
        roles->colour_by = COLOUR_RGB;
        roles->bytes = columns[0]->kind == COLUMN_U8;
        for (int i = 0; i < 3; i++)
            add(roles, columns[i], colour_members[i], AS_NUMBER, "a colour, a number");
        return STATUS_OK;
    }
    if (!column)
        column = find_any(particles, elements, COUNT(elements));
    if (!column)
        column = find_any(particles, types, COUNT(types));
    if (!column)
        return STATUS_OK;
    roles->colour_by = COLOUR_VALUE;
    roles->map = map_of(particles, options, column);
    const bool of_element = roles->map == MAP_ELEMENTS;
    add(roles, column, colour_members[0],
        of_element                ? AS_ELEMENT
        : roles->map == MAP_KINDS ? AS_WORD
                                  : AS_NUMBER,
        of_element ? SIZED : "a number that a colour stands for");
    return STATUS_OK;
}

static Status choose_normals(const Particles *particles, const ParticleOptions *options, Roles *roles) {
    const Column *columns[3];
    char known[512];
    Roles apart = {.count = 0};
    if (!(options->normals > 0))
        return STATUS_OK;
    if (!find_triple(particles, normals, COUNT(normals), columns))
        return fail(STATUS_USAGE, "%s: normals=discs wants columns nx, ny and nz; its columns are %s", particles->name,
                    list_columns(particles, known, sizeof known));
    if (roles->has_ids)
        return fail(STATUS_USAGE, "%s: normals=discs is for files of one frame", particles->name);
    for (int i = 0; i < 3; i++)
        add(&apart, columns[i], place_members[i], AS_NUMBER, "a normal, a number");
    memcpy(roles->normals, apart.targets, sizeof roles->normals);
    return STATUS_OK;
}

/* A number, and perhaps an x behind it. */
static bool read_bonds(const char *text, Roles *roles) {
    const char *end;
    if (!text_number(text, &end, &roles->bonds) || !(roles->bonds > 0))
        return false;
    roles->bonds_by = *end == 'x' ? BONDS_FACTOR : BONDS_DISTANCE;
    return strcmp(end, *end == 'x' ? "x" : "") == 0 &&
           (roles->bonds_by == BONDS_FACTOR ? roles->bonds <= 10 : roles->bonds >= (double)SPHERE_RADIUS_MIN);
}

static Status choose_bonds(const Particles *particles, const ParticleOptions *options, Roles *roles) {
    const char *const text = options->bonds, *const name = particles->name;
    const Column *column = NULL;
    if (!text)
        return STATUS_OK;
    if (strcmp(text, "file") == 0)
        roles->bonds_by = BONDS_FILE;
    else if (!read_bonds(text, roles))
        return fail(STATUS_USAGE,
                    "%s: bonds is \"%s\", want a factor up to 10, as 1.2x, a distance from 1e-6 on, or file", name,
                    text);
    if (roles->bonds_by == BONDS_DISTANCE)
        return STATUS_OK;
    if (roles->bonds_by == BONDS_FILE && !particles->bonds)
        return fail(STATUS_USAGE, "%s: bonds=file is for PDB and mmCIF, which list them; want bonds=1.2x or a distance",
                    name);
    if (roles->bonds_by == BONDS_FACTOR && !(column = find_any(particles, elements, COUNT(elements))))
        return fail(STATUS_USAGE,
                    "%s: bonds=%s wants elements, of which it has no column; want a distance, as bonds=1.85", name,
                    text);
    if (roles->colour_by == COLOUR_RGB)
        return fail(STATUS_USAGE, "%s: bonds=%s wants colours by one column: color=element, or bonds by a distance",
                    name, text);
    if (column)
        add(roles, column, offsetof(Sphere, blue), AS_ELEMENT, SIZED);
    else
        add(roles, particles_column(particles, particles->bonded), offsetof(Sphere, green), AS_NUMBER,
            "the particle's number, a whole one");
    return STATUS_OK;
}

Status roles_choose(const Particles *particles, const ParticleOptions *options, Roles *roles) {
    *roles = (Roles){0};
    TRY(choose_places(particles, options, roles));
    const Column *id = particles->id ? particles_column(particles, particles->id) : NULL;
    if (id)
        add(roles, id, offsetof(Sphere, material), AS_ID, "the particle's number, a whole one from 0 to 4294967295");
    roles->has_ids = id != NULL;
    TRY(choose_radius(particles, options, roles));
    TRY(choose_colour(particles, options, roles));
    TRY(choose_normals(particles, options, roles));
    return choose_bonds(particles, options, roles);
}
