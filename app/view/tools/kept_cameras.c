/* kept_cameras.c: the list, and its file: "glint cameras 1", then lines SCENE, NAME and CAMERA with tabs between. */
#include "app/view/tools/kept_cameras.h"

#include "app/view/data/camera_path.h"
#include "app/view/session/viewer.h"
#include "core/base/file.h"
#include "core/base/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPENING "glint cameras 1"

enum { KEPT_MAX = 512 /* of all scenes */, CAMERA_TEXT = 256 };

typedef struct Kept {
    char *scene;
    char name[CAMERA_NAME];
    OrbitCamera camera;
} Kept;

typedef struct KeptCameras {
    Kept list[KEPT_MAX];
    size_t count;
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

/* A generator's name, or a file's whole path; free with free. */
static char *key_of(const Subject *subject) {
    char name[SCENE_TEXT_MAX];
    const SceneGenerator *generator = scene_text_generator(subject->name);
    (void)subject_file(subject, name, sizeof name);
    char *whole = generator ? NULL : realpath(name, NULL);
    return whole ? whole : strdup(generator ? generator->name : name);
}

/* "" where no scene is shown. */
static const char *shown_key(const Viewer *viewer) {
    KeptCameras *all = cameras_of(viewer);
    const Subject *subject = viewer->subject;
    if (!subject || !subject->scene)
        return "";
    if (all->of != subject->serial) {
        free(all->scene);
        all->scene = key_of(subject);
        all->of = subject->serial;
    }
    return all->scene ? all->scene : "";
}

/* ---- the file ---- */

static bool fits_a_line(const char *text) {
    bool fits = text[0] != '\0';
    for (; *text && fits; text++)
        fits = (unsigned char)*text >= ' ' && *text != 0x7f;
    return fits;
}

static void add(KeptCameras *all, const char *scene, const char *name, const OrbitCamera *camera) {
    char *copy = all->count < KEPT_MAX ? strdup(scene) : NULL;
    if (!copy)
        return;
    Kept *kept = &all->list[all->count++];
    *kept = (Kept){.scene = copy, .camera = *camera};
    snprintf(kept->name, sizeof kept->name, "%s", name);
    kept->camera.fitted = false;
}

/* Lines that make no sense are passed over. */
static void read_line(KeptCameras *all, char *line) {
    char *name = strchr(line, '\t'), *text = name ? strchr(name + 1, '\t') : NULL;
    OrbitCamera camera;
    if (!text)
        return;
    *name++ = *text++ = '\0';
    if (fits_a_line(line) && fits_a_line(name) && strlen(name) < CAMERA_NAME &&
        orbit_camera_parse(text, &camera) == STATUS_OK)
        add(all, line, name, &camera);
}

static void read_file(KeptCameras *all) {
    struct stat info;
    char *text = NULL, *rest = NULL;
    if (!all->path || stat(all->path, &info) != 0)
        return;
    all->known = file_identity(&info);
    all->foreign =
        file_read_text(all->path, &text) != STATUS_OK || strncmp(text, OPENING "\n", strlen(OPENING) + 1) != 0;
    if (!all->foreign)
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            read_line(all, line);
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

static char *format_all(const KeptCameras *all) {
    char *text = NULL, camera[CAMERA_TEXT];
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fputs(OPENING "\n", stream);
    for (size_t i = 0; i < all->count; i++) {
        const Kept *kept = &all->list[i];
        (void)orbit_camera_format(&kept->camera, camera, sizeof camera);
        if (fits_a_line(kept->scene))
            fprintf(stream, "%s\t%s\t%s\n", kept->scene, kept->name, camera);
    }
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static Status write_file(KeptCameras *all) {
    if (!all->path)
        return STATUS_OK;
    if (all->foreign)
        return fail(STATUS_INPUT, "%s is not glint's: the camera is kept until the window is closed", all->path);
    char *text = format_all(all);
    const Status status =
        text ? rewrite_text(all->path, text, &all->known) : fail(STATUS_DEVICE, "no memory for the kept cameras");
    free(text);
    return status;
}

/* ---- the list ---- */

static Kept *kept_at(const Viewer *viewer, size_t index) {
    KeptCameras *all = ready(viewer);
    const char *key = shown_key(viewer);
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].scene, key) == 0 && index-- == 0)
            return &all->list[i];
    return NULL;
}

static Kept *kept_named(const Viewer *viewer, const char *name) {
    Kept *kept;
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
    const Kept *kept = kept_at(viewer, index);
    return kept ? kept->name : "";
}

static Status check_name(const char *name) {
    return fits_a_line(name) && strlen(name) < CAMERA_NAME
               ? STATUS_OK
               : fail(STATUS_USAGE, "a camera's name has 1 to %d characters, none of them a tab", CAMERA_NAME - 1);
}

static Status find(const Viewer *viewer, const char *name, Kept **kept) {
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
    Kept *kept = kept_named(viewer, name);
    if (!kept && (all->count == KEPT_MAX || cameras_count(viewer) == CAMERAS_MAX))
        return fail(STATUS_USAGE, "%d cameras are kept already: remove one", CAMERAS_MAX);
    if (kept) {
        kept->camera = *camera;
        kept->camera.fitted = false;
    } else {
        add(all, shown_key(viewer), name, camera);
    }
    viewer_say(viewer, false, "Kept camera %s", name);
    return write_file(all);
}

Status cameras_go_to(Viewer *viewer, const char *name) {
    Request next = viewer_request(viewer);
    Kept *kept;
    TRY(find(viewer, name, &kept));
    next.orbit_camera = kept->camera;
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

Status cameras_remove(Viewer *viewer, const char *name) {
    KeptCameras *all = ready(viewer);
    Kept *kept;
    TRY(find(viewer, name, &kept));
    free(kept->scene);
    const size_t behind = all->count - (size_t)(kept - all->list) - 1;
    memmove(kept, kept + 1, behind * sizeof *kept);
    all->count--;
    return write_file(all);
}

/* ---- the film ---- */

Status cameras_check_path(const Viewer *viewer) {
    const Kept *first = kept_at(viewer, 0), *kept;
    const size_t count = cameras_count(viewer);
    if (count < 2)
        return fail(STATUS_USAGE, "a film needs two kept cameras or more, and there %s: keep-camera keeps one",
                    count == 1 ? "is one" : "are none");
    for (size_t i = 1; (kept = kept_at(viewer, i)); i++)
        if (kept->camera.orbits != first->camera.orbits)
            return fail(STATUS_USAGE, "camera %s is %s and camera %s is not: a film needs cameras of one kind",
                        first->name, first->camera.orbits ? "perspective" : "orthographic", kept->name);
    return STATUS_OK;
}

OrbitCamera cameras_along(const Viewer *viewer, double share) {
    OrbitCamera path[CAMERAS_MAX];
    size_t count = 0;
    for (const Kept *kept; count < CAMERAS_MAX && (kept = kept_at(viewer, count)); count++)
        path[count] = kept->camera;
    return camera_path_at(path, count, share);
}

static void end(void *tool) {
    KeptCameras *all = tool;
    for (size_t i = 0; i < all->count; i++)
        free(all->list[i].scene);
    free(all->scene);
    free(all->path);
}

const ToolKind kept_cameras_tool = {.name = "kept-cameras", .size = sizeof(KeptCameras), .end = end};
