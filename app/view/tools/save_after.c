/* save_after.c: from the wish for samples to the file. */
#include "app/view/tools/save_after.h"

#include "app/view/session/paths.h"
#include "app/view/session/viewer.h"
#include "core/base/text.h"
#include "core/codec/codec.h"
#include "core/scene/look.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct SaveAfter {
    uint32_t samples; /* 0: no save waits */
    bool overwrite;
    char path[PATH_CAPACITY];
} SaveAfter;

static SaveAfter *save_of(const Viewer *viewer) {
    return tool_of(viewer, &save_after_tool);
}

/* The number and the file's name, which may be "". */
static Status parse(const char *text, uint32_t *samples, const char **file) {
    double number = 0;
    *samples = 0;
    *file = "";
    const bool whole =
        text_number(text, &text, &number) && number == (double)(uint32_t)fmin(fmax(number, 0), SAMPLES_MAX);
    if (!whole || number < 1 || (*text && *text != ' '))
        return fail(STATUS_USAGE, "save-after wants samples of a pixel, from 1 to %d, and a file, as in 64 out.png",
                    SAMPLES_MAX);
    *samples = (uint32_t)number;
    *file = text + strspn(text, " ");
    return STATUS_OK;
}

Status save_after_check(const char *text) {
    uint32_t samples;
    const char *file;
    TRY(parse(text, &samples, &file));
    const Format *format = format_for_path(file);
    return !file[0] || (format && format->writes) ? STATUS_OK
                                                  : fail(STATUS_USAGE, "Add an extension: .png, .jpg, .tif …");
}

static Status check_light(const Viewer *viewer) {
    if (!viewer_scene(viewer))
        return fail(STATUS_USAGE, "save-after is for scenes: a picture has no samples to wait for");
    if (!viewer_gathers(viewer))
        return fail(STATUS_USAGE, "the look %s has no samples to wait for: take a look of light",
                    looks[viewer->request->look].name);
    if (viewer_moves(viewer))
        return fail(STATUS_USAGE, "the scene moves, and gathers no more than a moment's samples: stop it first");
    return STATUS_OK;
}

/* A name without a folder lies next to the scene's file. */
static Status find_path(Viewer *viewer, const char *file, char *path, size_t size) {
    char next[PATH_CAPACITY];
    viewer_path_beside(viewer, file[0] ? file : "glint-result", next, sizeof next);
    if (!file[0])
        return viewer_fresh_name(next, viewer_result_format(viewer), path, size);
    path_expand(strchr(file, '/') ? file : next, path, size);
    return STATUS_OK;
}

Status save_after_begin(Viewer *viewer, const char *text, bool overwrite) {
    SaveAfter *save = save_of(viewer), next = {.overwrite = overwrite};
    const char *file;
    TRY(save_after_check(text));
    TRY(parse(text, &next.samples, &file));
    TRY(check_light(viewer));
    TRY(find_path(viewer, file, next.path, sizeof next.path));
    if (!overwrite && access(next.path, F_OK) == 0)
        return fail(STATUS_USAGE, "%s already exists: choose another name", next.path);
    viewer->session->halted = false;
    *save = next;
    return STATUS_OK;
}

/* ---- gathering ---- */

static void wish(const Viewer *viewer, Wishes *wishes) {
    wishes->samples = save_of(viewer)->samples;
}

bool save_after_waits(const Viewer *viewer, SaveProgress *progress) {
    const SaveAfter *save = save_of(viewer);
    const Progressive *light = &viewer->session->progressive;
    if (save->samples == 0)
        return false;
    const Shape shape = viewer_shape(viewer);
    const double all = (double)shape.width * (double)shape.height, samples = save->samples;
    const bool counts = light->samples == save->samples && light->pipeline;
    *progress = (SaveProgress){.done = counts ? light->done : 0, .samples = save->samples, .path = save->path};
    progress->share = counts ? progressive_share(light) : 0;
    progress->seconds = light->cost > 0 ? light->cost * all * samples * (1 - progress->share) / 1e3 : -1;
    return true;
}

/* Whether the result in the window is of all the samples. */
static bool due(const Viewer *viewer) {
    const SaveAfter *save = save_of(viewer);
    const Session *session = viewer->session;
    const Progressive *light = &session->progressive;
    return save->samples > 0 && !viewer->lent && !session->stale && session->on_device && session->shown &&
           light->done == save->samples && progressive_even(light);
}

static Status save_now(Viewer *viewer) {
    SaveAfter *save = save_of(viewer);
    const Status status = viewer_save_result(viewer, save->path, save->overwrite);
    const uint32_t samples = save->samples;
    char rest[32];
    save->samples = 0;
    TRY(status);
    snprintf(rest, sizeof rest, ": %u sample%s", samples, samples == 1 ? "" : "s");
    viewer_say_file(viewer, "Saved", save->path, rest);
    return STATUS_OK;
}

Status save_after_await(Viewer *viewer) {
    Status status = STATUS_OK;
    while (status == STATUS_OK && save_of(viewer)->samples > 0 && !due(viewer))
        status = viewer_run(viewer);
    if (status == STATUS_OK && save_of(viewer)->samples > 0)
        status = save_now(viewer);
    save_of(viewer)->samples = 0;
    return status;
}

/* ---- ends without a file ---- */

static bool cancel(Viewer *viewer) {
    SaveAfter *save = save_of(viewer);
    const bool waits = save->samples > 0;
    if (waits)
        viewer_say(viewer, false, "Not saved: stopped at %u of %u samples",
                   viewer->session->progressive.done < save->samples ? viewer->session->progressive.done : 0,
                   save->samples);
    save->samples = 0;
    return waits;
}

/* Another camera or surface begins the light again; pictures, other looks and motion have none that gathers. */
static void look_on(Viewer *viewer, double now) {
    (void)now;
    if (save_of(viewer)->samples > 0 && check_light(viewer) != STATUS_OK)
        (void)cancel(viewer);
}

const ToolKind save_after_tool = {.name = "save-after",
                                  .size = sizeof(SaveAfter),
                                  .wish = wish,
                                  .asks = due,
                                  .settle = save_now,
                                  .go_on = look_on,
                                  .close = cancel};
