/* cameras.c: the cameras of a scene that are kept, and films along them; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/menus/choosing.h"
#include "app/view/data/film.h"
#include "app/view/session/paths.h"
#include "app/view/tools/kept_cameras.h"
#include "core/base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_MIN 0.1
#define SECONDS_MAX 600.0

static Status keep(Viewer *viewer, Call call) {
    return cameras_keep(viewer, call.text);
}

static bool has_kept(const Viewer *viewer) {
    return cameras_count(viewer) > 0;
}

static bool has_path(const Viewer *viewer) {
    return cameras_count(viewer) > 1 && !viewer->recording;
}

/* ---- films ---- */

static Status parse_film(const char *text, double *seconds, const char **file) {
    const char *end = text;
    const bool number = text_number(text, &end, seconds) && (*end == ' ' || *end == '\t');
    *file = end + strspn(end, " \t");
    if (!number || !(*seconds >= SECONDS_MIN && *seconds <= SECONDS_MAX) || !**file)
        return fail(STATUS_USAGE, "film-cameras wants seconds, from %g to %g, and a file, as in 6 film.mp4",
                    SECONDS_MIN, SECONDS_MAX);
    return STATUS_OK;
}

static Status check_film(const char *text) {
    double seconds;
    const char *file;
    TRY(parse_film(text, &seconds, &file));
    return film_check(file);
}

static Status film(Viewer *viewer, Call call) {
    WindowRequests *requests = viewer->requests;
    char path[PATH_CAPACITY];
    double seconds;
    const char *file;
    TRY(parse_film(call.text, &seconds, &file));
    path_expand(file, path, sizeof path);
    TRY(film_check(path));
    TRY(cameras_check_path(viewer));
    if (!viewer->overwrite && access(path, F_OK) == 0)
        return fail(STATUS_USAGE, "%s already exists: choose another name", path);
    snprintf(requests->record, sizeof requests->record, "%s", path);
    requests->along = seconds;
    requests->replaces = viewer->overwrite;
    return STATUS_OK;
}

/* ---- arguments ---- */

static Status choose_kept(const Viewer *viewer, const char *text, Choices *choices) {
    const size_t count = cameras_count(viewer);
    choices->wanted = text;
    for (size_t i = 0; i < count; i++)
        TRY(choose_word(choices, cameras_name(viewer, i), (Choice){.help = choice_borrows("a kept camera")}));
    return STATUS_OK;
}

static size_t format_film(const Viewer *viewer, char *buffer, size_t size) {
    const size_t count = cameras_count(viewer);
    return (size_t)snprintf(buffer, size, "%zu film.mp4", count > 1 ? 3 * (count - 1) : 3);
}

static const Argument argument_name = {.name = "[NAME]", .words = "a name; nothing: the next number"};
static const Argument argument_kept = {.name = "NAME", .words = "a kept camera", .choose = choose_kept, .listed = true};
static const Argument argument_film = {.name = "SECONDS FILE",
                                       .words = "seconds and a FOLDER/ or file: .apng, .mp4, .webm, as in 6 film.mp4",
                                       .format = format_film,
                                       .check = check_film};

static const Action rows[] = {
    {"keep-camera", "Ctrl+Shift+F9", "keeps the camera for this scene, under a name or the next number",
     .label = "keep the camera", .place = IN_SCENES, .run = keep, .argument = &argument_name, .flags = ACTION_RARE},
    {"go-to-camera", "Ctrl+Shift+F10", "goes to a camera that was kept", .label = "go to a camera", .place = IN_SCENES,
     .take = cameras_go_to, .argument = &argument_kept, .can = has_kept, .flags = ACTION_UNWRITTEN | ACTION_RARE},
    {"remove-camera", "Ctrl+Shift+F11", "keeps a camera no longer", .label = "remove a camera", .place = IN_SCENES,
     .take = cameras_remove, .argument = &argument_kept, .can = has_kept, .flags = ACTION_RARE},
    {"film-cameras", "Ctrl+Shift+F12", "films the way along the kept cameras, as in 6 film.mp4; Esc stops",
     .label = "film along the cameras", .place = IN_SCENES, .run = film, .argument = &argument_film, .can = has_path,
     .flags = ACTION_UNWRITTEN | ACTION_RARE},
};

const Menu cameras_menu = {"Scene", rows, sizeof rows / sizeof rows[0]};
