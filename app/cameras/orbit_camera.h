/* orbit_camera.h: from where a scene is looked at, and how the user moves that.
 * Owns the window's camera: orthographic, which is moved and magnified, or perspective, which orbits about a point. */
#ifndef GLINT_APP_CAMERAS_ORBIT_CAMERA_H
#define GLINT_APP_CAMERAS_ORBIT_CAMERA_H

#include "app/cameras/area.h"
#include "core/scene/camera.h"
#include "core/scene/scene.h"

typedef struct OrbitCamera {
    Camera camera;              /* follows from the rest */
    bool fitted;                /* it follows the window's size */
    bool orbits;                /* perspective */
    Vec target, up;             /* the point and the axis that it orbits about */
    float angle;                /* degrees that the window's height takes */
    float distance, yaw, pitch; /* from there: world units, and radians to the right and up */
    float lens, focus;          /* of a thin lens: its radius, and how far ahead all is sharp; 0: at the target */
} OrbitCamera;

/* The default: the course's. */
OrbitCamera orbit_camera_default(void);
/* Makes the camera of a perspective one from the rest, within the ranges of distance and pitch. */
void orbit_camera_update(OrbitCamera *orbit);
/* Moves back until the whole scene is in the middle of `area`, a part of the window. */
void orbit_camera_fit(OrbitCamera *orbit, const Scene *scene, Area area, int width, int height);
/* From where the scene itself wants to be seen; else one world unit a pixel, or in perspective as orbit_camera_fit. */
void orbit_camera_reset(OrbitCamera *orbit, const Scene *scene, Area area, int width, int height);
/* Whether the two do not see the same. */
bool orbit_camera_moved(const OrbitCamera *from, const OrbitCamera *to);
/* Changes between orthographic and perspective, and fits. */
void orbit_camera_switch(OrbitCamera *orbit, const Scene *scene, Area area, int width, int height);
/* `x` and `y` are pixels from the window's middle, right and down; the point there stays there (perspective: the
 * middle). Closer for factors above 1. */
void orbit_camera_zoom(OrbitCamera *orbit, double factor, double x, double y);
/* As text that orbit_camera_parse reads exactly; the length as snprintf does. */
size_t orbit_camera_format(const OrbitCamera *orbit, char *buffer, size_t size);
/* STATUS_USAGE for a text that orbit_camera_format does not write. "fit" is the caller's. */
Status orbit_camera_parse(const char *text, OrbitCamera *orbit);
/* By pixels of a window of this height. */
void orbit_camera_pan(OrbitCamera *orbit, double dx, double dy, int height);
/* The values of the camera's table (cameras[kind]), with the target as the point in the middle; free them with
 * params_destroy. STATUS_DEVICE if memory is short. */
Status orbit_camera_values(const OrbitCamera *orbit, void **values);
/* The text that camera_parse makes the same camera of, bit for bit; returns the length as snprintf does. */
size_t orbit_camera_option(const OrbitCamera *orbit, char *buffer, size_t size);
/* The camera of such values. STATUS_USAGE if they make none. */
Status orbit_camera_take(OrbitCamera *orbit, const void *values);
/* Turns where it stands until that point is in the middle, and orbits about it from then on; orthographic: moves there.
 */
void orbit_camera_aim(OrbitCamera *orbit, Vec at);
/* All is sharp that is as far ahead as that point; with a lens where there is none. */
void orbit_camera_focus(OrbitCamera *orbit, Vec at);
/* Moves to the right, up and ahead, in shares of the distance to the target, which goes along. An orthographic camera
 * moves in shares of the window's height, and a move ahead magnifies. */
void orbit_camera_walk(OrbitCamera *orbit, Vec by, int height);
/* Looks around by pixels of a window of this height; orthographic pans instead. */
void orbit_camera_turn(OrbitCamera *orbit, double dx, double dy, int height);
/* Perspective; orthographic pans instead. */
void orbit_camera_orbit(OrbitCamera *orbit, double dx, double dy, int height);

#endif
