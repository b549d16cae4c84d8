/* camera_list.h: cameras of scenes under names, in the order in which they were kept, and their file.
 * Owns the format: "glint cameras 1", then lines SCENE, NAME and CAMERA (orbit_camera.h) with tabs between. */
#ifndef GLINT_APP_CAMERAS_CAMERA_LIST_H
#define GLINT_APP_CAMERAS_CAMERA_LIST_H

#include "app/cameras/orbit_camera.h"

#include <stddef.h>

enum { CAMERAS_MAX = 64 /* of a scene */, CAMERAS_ALL = 512 /* of all scenes */, CAMERA_NAME = 32 };

typedef struct KeptCamera {
    char *scene;
    char name[CAMERA_NAME];
    OrbitCamera camera;
} KeptCamera;

typedef struct CameraList {
    KeptCamera list[CAMERAS_ALL];
    size_t count;
} CameraList;

/* The scene of a text, with whatever changes and parameters: a generator's name, or a file's whole path; free with
 * free. NULL if memory is short. */
char *camera_list_key(const char *scene);
/* Whether a line of the file can hold the text as one of its parts. */
bool camera_list_holds(const char *text);
/* Adds one; without memory, or beyond CAMERAS_ALL, none. */
void camera_list_add(CameraList *list, const char *scene, const char *name, const OrbitCamera *camera);
/* Adds those of a text. Lines that make no sense are passed over. STATUS_INPUT for a text of another kind. */
Status camera_list_parse(const char *text, CameraList *list);
/* Free with free; NULL if memory is short. */
char *camera_list_format(const CameraList *list);
/* The scene's camera number `index`; NULL behind the last. */
const KeptCamera *camera_list_at(const CameraList *list, const char *key, size_t index);
/* Copies the scene's cameras, as a way that a film can take. STATUS_USAGE if they are fewer than two, or of two kinds.
 */
Status camera_list_way(const CameraList *list, const char *key, OrbitCamera way[CAMERAS_MAX], size_t *count);
void camera_list_free(CameraList *list); /* zeroes it */

#endif
