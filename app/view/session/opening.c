/* opening.c: files that join the list, and steps through it. */
#include "app/view/session/strip.h"
#include "app/view/session/viewer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

Status viewer_show_first(Viewer *viewer, size_t from) {
    Status status = fail(STATUS_INPUT, "no picture to show");
    for (size_t i = from; i < viewer->pictures.count; i++) {
        status = viewer_open_picture(viewer, i);
        if (status == STATUS_OK)
            return STATUS_OK;
        viewer_say(viewer, true, "%s", status_message());
    }
    return status;
}

Status viewer_open(Viewer *viewer, const char *path) {
    char *const paths[] = {(char *)(size_t)path};
    return viewer_open_all(viewer, paths, 1);
}

/* Adds the file, or those of the folder, of which *entry becomes the first; a scene by itself is shown at once. */
static Status open_path(Viewer *viewer, const char *path, size_t *entry, bool *shown) {
    FileList *list = &viewer->pictures;
    if (!scene_text_recognize(path) || file_list_find(list, path) < list->count)
        return file_list_add(list, path, entry);
    TRY(viewer_open_scene(viewer, path));
    *shown = true;
    return STATUS_OK;
}

/* The first of what was opened, which may have been in the list; where it cannot be shown, the first that was not. */
static Status show_opened(Viewer *viewer, size_t first, size_t before) {
    const bool there = first<before, more = viewer->pictures.count> before;
    const Status status = there ? viewer_open_picture(viewer, first) : STATUS_OK;
    if (status != STATUS_OK && more)
        viewer_say(viewer, true, "%s", status_message());
    return more && (!there || status != STATUS_OK) ? viewer_show_first(viewer, before) : status;
}

Status viewer_open_all(Viewer *viewer, char *const paths[], size_t count) {
    const size_t before = viewer->pictures.count;
    size_t first = SIZE_MAX, entry = SIZE_MAX;
    Status status = STATUS_OK;
    bool shown = false;
    for (size_t i = 0; i < count; i++) {
        status = open_path(viewer, paths[i], &entry, &shown);
        if (status != STATUS_OK && count > 1)
            viewer_say(viewer, true, "%s", status_message());
        first = first == SIZE_MAX ? entry : first;
    }
    for (size_t i = before; i < viewer->pictures.count && viewer->pictures.hidden > 0; i++)
        (void)strip_rating(viewer, i); /* here, not while panels are drawn */
    if (first != SIZE_MAX)
        status = show_opened(viewer, first, before);
    if (status != STATUS_OK)
        file_list_shorten(&viewer->pictures, before);
    return shown ? STATUS_OK : status;
}

bool viewer_shows_listed(const Viewer *viewer) {
    const FileList *list = &viewer->pictures;
    const char *title = viewer_title(viewer);
    const size_t base = viewer_scene(viewer) ? scene_text_base(title) : 0;
    if (list->current >= list->count || !list->marks[list->current].scene)
        return list->current < list->count && viewer_picture(viewer);
    const char *path = list->paths[list->current];
    return base > 0 && strlen(path) == base && strncmp(path, title, base) == 0;
}

/* Opens the first picture of the strip that can be shown, from the one behind `from` on, in this direction. */
static Status open_from(Viewer *viewer, size_t from, int step, size_t tries) {
    const size_t count = viewer->pictures.count;
    char why[TOAST_MAX] = "their ratings keep them out of the strip";
    for (size_t tried = 0; tried < tries; tried++) {
        from = (from + (step > 0 ? 1 : count - 1)) % count;
        if (!strip_shows(viewer, from))
            continue;
        if (from == viewer->pictures.current && viewer_shows_listed(viewer))
            return STATUS_OK;
        if (viewer_open_picture(viewer, from) == STATUS_OK)
            return STATUS_OK;
        snprintf(why, sizeof why, "%s", status_message());
        viewer_say(viewer, true, "%s", why);
    }
    return fail(STATUS_INPUT, "no other picture can be shown: %s", why);
}

static Status no_other(void) {
    return fail(STATUS_USAGE, "there is no other picture; open a folder or several files");
}

Status viewer_step_picture(Viewer *viewer, int steps) {
    const size_t count = viewer->pictures.count;
    if (viewer_scene(viewer) && !viewer_shows_listed(viewer))
        return fail(STATUS_USAGE, "a scene is shown: i goes back to the pictures");
    return count < 2 ? no_other() : open_from(viewer, viewer->pictures.current, steps, count - 1);
}

Status viewer_open_end(Viewer *viewer, bool last) {
    const size_t count = viewer->pictures.count;
    return count < 2 ? no_other() : open_from(viewer, last ? 0 : count - 1, last ? -1 : 1, count);
}
