/* kept_cameras.c: the list of the shown scene, and the file. */
#include "app/view/tools/kept_cameras.h"

#include "app/cameras/camera_path.h"
#include "app/view/session/viewer.h"
#include "core/base/file.h"
#include "core/base/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct KeptCameras {
    CameraList all;
    char *scene;        /* the key of the shown one, by the subject of this serial */
    unsigned of;        /* 0: none */
    char *path;         /* of the file, once it was read; NULL: nothing is kept */
    bool read, foreign; /* it is not glint's: it stays */
    FileIdentity known;
} KeptCameras;

static KeptCameras *cameras_of(const Viewer *viewer) {
    return tool_of(viewer, &kept_cameras_tool);
}

/* ---- the scene ---- */

/* "" where no scene is shown. */
static const char *shown_key(const Viewer *viewer) {
    KeptCameras *all = cameras_of(viewer);
    const Subject *subject = viewer->subject;
    if (!subject || !subject->scene)
        return "";
    if (all->of != subject->serial) {
        free(all->scene);
        all->scene = camera_list_key(subject->name);
        all->of = subject->serial;
    }
    return all->scene ? all->scene : "";
}

/* ---- the file ---- */

static void read_file(KeptCameras *all) {
    struct stat info;
    char *text = NULL;
    if (!all->path || stat(all->path, &info) != 0)
        return;
    all->known = file_identity(&info);
    all->foreign = file_read_text(all->path, &text) != STATUS_OK || camera_list_parse(text, &all->all) != STATUS_OK;
    free(text);
}

/* Once, where the window keeps its state. */
static KeptCameras *ready(const Viewer *viewer) {
    KeptCameras *all = cameras_of(viewer);
    if (!all->read && viewer->keep) {
        all->path = file_state_path("cameras");
        read_file(all);
        all->read = true;
    }
    return all;
}

static Status write_file(KeptCameras *all) {
    if (!all->path)
        return STATUS_OK;
    if (all->foreign)
        return fail(STATUS_INPUT, "%s is not glint's: the camera is kept until the window is closed", all->path);
    char *text = camera_list_format(&all->all);
    const Status status =
        text ? rewrite_text(all->path, text, &all->known) : fail(STATUS_DEVICE, "no memory for the kept cameras");
    free(text);
    return status;
}

/* ---- the list ---- */

static KeptCamera *kept_at(const Viewer *viewer, size_t index) {
    KeptCameras *all = ready(viewer);
    const KeptCamera *kept = camera_list_at(&all->all, shown_key(viewer), index);
    return kept ? &all->all.list[kept - all->all.list] : NULL;
}

static KeptCamera *kept_named(const Viewer *viewer, const char *name) {
    KeptCamera *kept;
    for (size_t i = 0; (kept = kept_at(viewer, i)); i++)
        if (strcmp(kept->name, name) == 0)
            return kept;
    return NULL;
}

size_t cameras_count(const Viewer *viewer) {
    size_t count = 0;
    while (kept_at(viewer, count))
        count++;
    return count;
}

const char *cameras_name(const Viewer *viewer, size_t index) {
    const KeptCamera *kept = kept_at(viewer, index);
    return kept ? kept->name : "";
}

static Status check_name(const char *name) {
    return camera_list_holds(name) && strlen(name) < CAMERA_NAME
               ? STATUS_OK
               : fail(STATUS_USAGE, "a camera's name has 1 to %d characters, none of them a tab", CAMERA_NAME - 1);
}

static Status find(const Viewer *viewer, const char *name, KeptCamera **kept) {
    *kept = kept_named(viewer, name);
    if (*kept)
        return STATUS_OK;
    return cameras_count(viewer) > 0 ? fail(STATUS_USAGE, "no camera \"%s\" is kept for this scene", name)
                                     : fail(STATUS_USAGE, "no camera is kept for this scene: keep-camera keeps one");
}

/* The lowest that is free. */
static void find_number(const Viewer *viewer, char number[CAMERA_NAME]) {
    unsigned i = 0;
    do
        snprintf(number, CAMERA_NAME, "%u", ++i);
    while (kept_named(viewer, number));
}

Status cameras_keep(Viewer *viewer, const char *name) {
    char number[CAMERA_NAME];
    const OrbitCamera *camera = &viewer->request->orbit_camera;
    KeptCameras *all = ready(viewer);
    if (!viewer_scene(viewer))
        return fail(STATUS_USAGE, "no scene is shown");
    find_number(viewer, number);
    name = name && name[0] ? name : number;
    TRY(check_name(name));
    KeptCamera *kept = kept_named(viewer, name);
    if (!kept && (all->all.count == CAMERAS_ALL || cameras_count(viewer) == CAMERAS_MAX))
        return fail(STATUS_USAGE, "%d cameras are kept already: remove one", CAMERAS_MAX);
    if (kept) {
        kept->camera = *camera;
        kept->camera.fitted = false;
    } else {
        camera_list_add(&all->all, shown_key(viewer), name, camera);
    }
    viewer_say(viewer, false, "Kept camera %s", name);
    return write_file(all);
}

Status cameras_go_to(Viewer *viewer, const char *name) {
    Request next = viewer_request(viewer);
    KeptCamera *kept;
    TRY(find(viewer, name, &kept));
    next.orbit_camera = kept->camera;
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status cameras_remove(Viewer *viewer, const char *name) {
    KeptCameras *all = ready(viewer);
    KeptCamera *kept;
    TRY(find(viewer, name, &kept));
    free(kept->scene);
    const size_t behind = all->all.count - (size_t)(kept - all->all.list) - 1;
    memmove(kept, kept + 1, behind * sizeof *kept);
    all->all.count--;
    return write_file(all);
}

/* ---- the film ---- */

Status cameras_check_path(const Viewer *viewer) {
    OrbitCamera way[CAMERAS_MAX];
    size_t count;
    return camera_list_way(&ready(viewer)->all, shown_key(viewer), way, &count);
}

OrbitCamera cameras_along(const Viewer *viewer, double share) {
    OrbitCamera way[CAMERAS_MAX];
    size_t count = 0;
    (void)camera_list_way(&ready(viewer)->all, shown_key(viewer), way, &count);
    return camera_path_at(way, count, share);
}

static void end(void *tool) {
    KeptCameras *all = tool;
    camera_list_free(&all->all);
    free(all->scene);
    free(all->path);
}

const ToolKind kept_cameras_tool = {.name = "kept-cameras", .size = sizeof(KeptCameras), .end = end};
