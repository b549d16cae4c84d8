/* camera.h: cameras by name.
 * Owns the table of cameras and their spelling; core/math/camera.h says what they see. */
#ifndef GLINT_CORE_SCENE_CAMERA_H
#define GLINT_CORE_SCENE_CAMERA_H

#include "core/math/camera.h"
#include "core/math/sphere.h"
#include "core/param/param.h"

typedef struct CameraInfo {
    const char *name, *help;
    ParamTable table;
    /* STATUS_USAGE for values that pass the table and still make no sense. */
    Status (*make)(const void *values, Camera *camera);
    void (*describe)(const Camera *camera, void *values); /* what make would make it of */
} CameraInfo;

extern const CameraInfo cameras[]; /* by CameraKind */
extern const size_t camera_count;

/* "orthographic", "perspective=z=1500:angle=45": STATUS_USAGE with the list of cameras or parameters. */
Status camera_parse(const char *text, Camera *camera);
/* The point in the picture's middle, for the camera that camera_parse makes of the text. Fails as camera_parse does,
 * and with STATUS_USAGE for cameras that are not perspective. */
Status camera_parse_target(const char *text, Vec *target);
/* The spelling that camera_parse takes; returns the length as snprintf does. */
size_t camera_format(const Camera *camera, char *buffer, size_t size);
/* The camera that shows the scene as the course does, one world unit a pixel, centred on the origin. */
Camera camera_default(void);
/* A perspective camera. STATUS_USAGE if it looks nowhere, or straight up or down. */
Status camera_look_at(Vec from, Vec to, double angle, Camera *camera);

/* Turns the camera about the vertical line (y) through `target`: to the right, by `turn`, of which 1 is once around.
 * The distance, what is up and all else stays. STATUS_USAGE for cameras that are not perspective. */
Status camera_orbit(const Camera *camera, Vec target, double turn, Camera *turned);

/* A perspective camera as scenes describe it. */
typedef struct Viewpoint {
    Vec from, at; /* within +-SPHERE_FARTHEST */
    Vec up;       /* of any length but 0 */
    float angle;  /* that the picture's height takes, in degrees: VIEWPOINT_ANGLE_MIN to _MAX */
} Viewpoint;

#define VIEWPOINT_ANGLE_MIN 0.01
#define VIEWPOINT_ANGLE_MAX 170.0

/* STATUS_USAGE if it looks nowhere, or straight along `up`. */
Status camera_from(Viewpoint viewpoint, Camera *camera);

#endif
