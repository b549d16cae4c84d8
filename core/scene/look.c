/* look.c: the table of looks. */
#include "core/scene/look.h"

#include "core/math/sampler.h"

#include <stdio.h>
#include <string.h>

const LookInfo looks[LOOKS] = {
    [LOOK_CLASSIC] = {"classic", "the course's: the colour, darker the more the surface turns away"},
    [LOOK_NORMALS] = {"normals", "where surfaces face: x, y and z as red, green and blue"},
    [LOOK_DEPTH] = {"depth", "how far the ray goes: brighter the nearer"},
    [LOOK_SPHERES] = {"spheres", "each sphere in a colour of its own"},
    [LOOK_NODES] = {"nodes", "BVH nodes that each ray visits, on a level with a BVH: black, blue, red, yellow"},
    [LOOK_WHITTED] = {"whitted", "lights, sharp shadows, mirrors and glass: no noise, and one ray a pixel is enough", 1,
                      5},
    [LOOK_PATHS] = {"paths", "light as it is: path tracing, the more samples the less noise", 16, DEPTH_ENDLESS},
};

Status look_parse(const char *text, Look *look) {
    char known[256] = "";
    for (int i = 0; i < LOOKS; i++) {
        if (strcmp(looks[i].name, text) == 0) {
            *look = (Look)i;
            return STATUS_OK;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", looks[i].name);
    }
    return fail(STATUS_USAGE, "no look \"%s\"; there is %s", text, known);
}

Status look_parse_figure(const char *text, Look *look, bool *figure) {
    const bool is_figure = strcmp(text, FIGURE_NAME) == 0;
    if (!is_figure && look_parse(text, look) != STATUS_OK)
        return fail(STATUS_USAGE, "%s, " FIGURE_NAME, status_message());
    *look = is_figure ? LOOK_PATHS : *look;
    *figure = is_figure;
    return STATUS_OK;
}
