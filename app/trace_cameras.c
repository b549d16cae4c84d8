/* trace_cameras.c: the file of cameras, and places on the way. */
#include "app/trace_cameras.h"

#include "app/cameras/camera_path.h"
#include "core/base/bytes.h"
#include "core/base/file.h"

#include <stdlib.h>

static Status read_way(const char *scene, const char *path, CameraList *list, TraceCameras *to) {
    char *text;
    TRY(file_read_text(path, &text));
    char *key = camera_list_key(scene);
    Status status = camera_list_parse(text, list);
    if (status == STATUS_OK && !key)
        status = fail(STATUS_DEVICE, "no memory for kept cameras");
    if (status == STATUS_OK)
        status = camera_list_way(list, key, to->way, &to->count);
    free(text);
    free(key);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", path);
}

Status trace_cameras_check(long along, long orbit, const char *camera, const char *path) {
    if (along > 0 && (orbit > 0 || camera))
        return fail(STATUS_USAGE, "--along: the kept cameras leave no choice to %s",
                    orbit > 0 ? "--orbit" : "--camera");
    return path && along == 0 ? fail(STATUS_USAGE, "--cameras: want --along N, the frames along them") : STATUS_OK;
}

Status trace_cameras_read(const char *scene, const char *path, TraceCameras *to) {
    char *kept = path ? NULL : file_state_path("cameras");
    CameraList *list = calloc(1, sizeof *list);
    Status status = fail(STATUS_DEVICE, "no memory for kept cameras");
    if (list && (path || kept))
        status = read_way(scene, path ? path : kept, list, to);
    if (list)
        camera_list_free(list);
    free(list);
    free(kept);
    return status;
}

uint64_t trace_cameras_hash(const TraceCameras *along) {
    enum { CAMERA_TEXT = 640, PRIME = 31 };
    char text[CAMERA_TEXT];
    uint64_t hash = along->count;
    for (size_t i = 0; i < along->count; i++) {
        const size_t length = orbit_camera_option(&along->way[i], text, sizeof text);
        hash = hash * PRIME + bytes_hash((Bytes){(unsigned char *)text, length});
    }
    return hash;
}

Camera trace_cameras_at(const TraceCameras *along, long frame, long frames) {
    return camera_path_at(along->way, along->count, frames > 1 ? (double)frame / (double)(frames - 1) : 0).camera;
}
