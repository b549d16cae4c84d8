/* sight.c: --camera and --look. */
#include "app/sight.h"

enum { KEY_CAMERA = 0x4000, KEY_LOOK };

static const struct argp_option argp_options[] = {
    {"camera", KEY_CAMERA, "CAMERA", 0, "the camera (orthographic), as in perspective=x=300:z=1500:angle=30", 0},
    {"look", KEY_LOOK, "LOOK", 0, "what pixels show: classic, normals, depth or spheres (classic)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Sight *sight = state->input;
    Status status = STATUS_OK;
    switch (key) {
    case KEY_CAMERA:
        status = camera_parse(text, &sight->camera);
        break;
    case KEY_LOOK:
        status = look_parse(text, &sight->look);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (status != STATUS_OK)
        argp_error(state, "%s", status_message());
    return 0;
}

const struct argp sight_argp = {argp_options, parse, NULL, NULL, NULL, NULL, NULL};
