/* formats.c: the list of scene file formats, expanded from formats.def. */
#include "core/scene/files/formats.h"

#include <string.h>
#include <strings.h>

const SceneFormat *const scene_formats[] = {
#define SCENE_FORMAT(name) &scene_format_##name,
#include "core/scene/files/formats.def"
#undef SCENE_FORMAT
};
const size_t scene_format_count = sizeof scene_formats / sizeof scene_formats[0];

const SceneFormat *scene_format_for_path(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < scene_format_count; i++)
        if (strcasecmp(dot + 1, scene_formats[i]->name) == 0)
            return scene_formats[i];
    return NULL;
}

/* The folder of a path with its slash, or "". */
static Status folder_of(const char *path, char **folder) {
    const char *slash = strrchr(path, '/');
    *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
    return *folder ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory for the name of its folder", path);
}

Status scene_format_parse(const SceneFormat *format, const char *name, Bytes file, Scene **scene) {
    TRY(scene_create(name, 0, scene));
    Status status = folder_of(name, &(*scene)->folder);
    if (status == STATUS_OK)
        status = format->parse(name, file, *scene);
    if (status != STATUS_OK)
        scene_destroy(scene);
    return status;
}
