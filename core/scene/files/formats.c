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

static bool has_more(const SceneFormat *format, const char *extension) {
    const size_t length = strlen(extension);
    for (const char *at = format->more; *at; at += 1 + strcspn(at + 1, " "))
        if (strcspn(at + 1, " ") == length && strncasecmp(at + 1, extension, length) == 0)
            return true;
    return false;
}

const SceneFormat *scene_format_for_path(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < scene_format_count; i++)
        if (strcasecmp(dot + 1, scene_formats[i]->name) == 0 || has_more(scene_formats[i], dot + 1))
            return scene_formats[i];
    return NULL;
}

bool scene_format_in_folder(const char *path) {
    const SceneFormat *format = scene_format_for_path(path);
    return format && !format->vague;
}
