/* camera_list.c: reading and writing the list, line by line. */
#include "app/cameras/camera_list.h"

#include "core/scene/scene_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING "glint cameras 1\n"

enum { CAMERA_TEXT = 256 };

char *camera_list_key(const char *scene) {
    const SceneGenerator *generator = scene_text_generator(scene);
    if (generator)
        return strdup(generator->name);
    char *name = strndup(scene, scene_text_file(scene)), *whole = name ? realpath(name, NULL) : NULL;
    if (!whole)
        return name;
    free(name);
    return whole;
}

bool camera_list_holds(const char *text) {
    bool fits = text[0] != '\0';
    for (; *text && fits; text++)
        fits = (unsigned char)*text >= ' ' && *text != 0x7f;
    return fits;
}

void camera_list_add(CameraList *list, const char *scene, const char *name, const OrbitCamera *camera) {
    char *copy = list->count < CAMERAS_ALL ? strdup(scene) : NULL;
    if (!copy)
        return;
    KeptCamera *kept = &list->list[list->count++];
    *kept = (KeptCamera){.scene = copy, .camera = *camera};
    snprintf(kept->name, sizeof kept->name, "%s", name);
    kept->camera.fitted = false;
}

static void read_line(CameraList *list, char *line) {
    char *name = strchr(line, '\t'), *text = name ? strchr(name + 1, '\t') : NULL;
    OrbitCamera camera;
    if (!text)
        return;
    *name++ = *text++ = '\0';
    if (camera_list_holds(line) && camera_list_holds(name) && strlen(name) < CAMERA_NAME &&
        orbit_camera_parse(text, &camera) == STATUS_OK)
        camera_list_add(list, line, name, &camera);
}

Status camera_list_parse(const char *text, CameraList *list) {
    char *copy = strdup(text), *rest = NULL;
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for kept cameras");
    const bool ours = strncmp(text, OPENING, strlen(OPENING)) == 0;
    if (ours)
        for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            read_line(list, line);
    free(copy);
    return ours ? STATUS_OK : fail(STATUS_INPUT, "these are no cameras that glint keeps");
}

char *camera_list_format(const CameraList *list) {
    char *text = NULL, camera[CAMERA_TEXT];
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fputs(OPENING, stream);
    for (size_t i = 0; i < list->count; i++) {
        const KeptCamera *kept = &list->list[i];
        (void)orbit_camera_format(&kept->camera, camera, sizeof camera);
        if (camera_list_holds(kept->scene))
            fprintf(stream, "%s\t%s\t%s\n", kept->scene, kept->name, camera);
    }
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

const KeptCamera *camera_list_at(const CameraList *list, const char *key, size_t index) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i].scene, key) == 0 && index-- == 0)
            return &list->list[i];
    return NULL;
}

Status camera_list_way(const CameraList *list, const char *key, OrbitCamera way[CAMERAS_MAX], size_t *count) {
    const KeptCamera *first = camera_list_at(list, key, 0), *kept;
    size_t made = 0;
    for (; made < CAMERAS_MAX && (kept = camera_list_at(list, key, made)); made++) {
        if (kept->camera.orbits != first->camera.orbits)
            return fail(STATUS_USAGE, "camera %s is %s and camera %s is not: a film needs cameras of one kind",
                        first->name, first->camera.orbits ? "perspective" : "orthographic", kept->name);
        way[made] = kept->camera;
    }
    *count = made;
    return made > 1 ? STATUS_OK
                    : fail(STATUS_USAGE, "a film needs two kept cameras or more, and there %s: keep-camera keeps one",
                           made == 1 ? "is one" : "are none");
}

void camera_list_free(CameraList *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->list[i].scene);
    *list = (CameraList){0};
}
