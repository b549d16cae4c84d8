/* layers.h: further values of a scene's picture: depths, normals, colours without light, and objects.
 * Owns the way there. A device traces 4 x 4 rays a pixel in the look of spheres, which tells the primitive that each
 * ray hits. The host then finds the surface on it. So every device and level serves, and no more than a band of rays is
 * in memory. Mirrors and glass are surfaces as others, and lenses are pinholes. */
#ifndef GLINT_CORE_RUN_LAYERS_H
#define GLINT_CORE_RUN_LAYERS_H

#include "core/codec/exr.h"
#include "core/device/backend.h"
#include "core/tracer/trace.h"

enum { LAYERS_SIDE = 4 /* of the grid of rays in a pixel */ };

typedef enum LayerKind {
    LAYER_DEPTH,     /* of the nearest surface in the pixel, in world units along the camera's axis, from z = 0 where
                      * that is orthographic; INFINITY: there is none */
    LAYER_NORMAL,    /* the mean of unit normals towards the camera, in the world's axes, 0 where nothing is */
    LAYER_ALBEDO,    /* the mean of the surfaces' own colours, 0 where nothing is */
    LAYER_ID,        /* of the primitive with most rays, as uint32_t: spheres from 1 on, then triangles, then
                      * cylinders, then the ground; 0: nothing has as many */
    LAYER_OBJECTS,   /* Cryptomatte of primitives: "sphere=7", "triangle=2", "cylinder=3", "ground" */
    LAYER_MATERIALS, /* Cryptomatte of the scene's materials: "material=0" */
    LAYER_RAYS,      /* no layer of files, but a picture of LAYERS_SIDE times the width and the height. It has the depth
                      * of the object that each ray hits; INFINITY: none, or the ground. Behind all depths are the
                      * objects as uint32_t: a sphere or a cylinder, or all triangles together */
    LAYER_TURNS, /* no layer of files, either: of each of these rays, the normal of the triangle that it hits, packed
                  * by layers_turn(); 0: it hits none */
    LAYER_KINDS
} LayerKind;

typedef struct LayerInfo {
    const char *name, *help;
    size_t planes; /* values of 4 bytes a pixel */
} LayerInfo;

extern const LayerInfo layer_infos[LAYER_KINDS];

/* "depth,id" or "all" as bits by LayerKind, without LAYER_RAYS. STATUS_USAGE with the names that there are. */
Status layers_parse(const char *text, unsigned *kinds);
/* The spelling that layers_parse takes, "" for none; returns the length as snprintf does. */
int layers_spell(unsigned kinds, char *buffer, size_t size);

typedef struct Layers {
    size_t width, height;
    unsigned kinds;            /* bits by LayerKind */
    void *planes[LAYER_KINDS]; /* of each kind one behind the other, width * height values each; NULL: not asked for */
    Bytes manifests[LAYER_KINDS]; /* of the Cryptomatte kinds */
} Layers;

/* A unit vector in 30 bits, exact to a fifth of a degree, and never 0; and back. */
uint32_t layers_turn(Vec normal);
Vec layers_turned(uint32_t turn);

/* The bytes that they and the work on them take at most. */
size_t layers_bytes(const Scene *scene, size_t width, size_t height, unsigned kinds);
/* Makes the layers of the picture that the job's camera sees of its scene. Its look and sampling do not matter. `stop`,
 * or NULL, asks to end early. STATUS_USAGE for random cameras, STATUS_DEVICE if memory is short, STATUS_INTERRUPTED
 * after a signal, or if it was stopped. */
Status layers_trace(Device *device, const TraceJob *job, size_t width, size_t height, unsigned kinds, const Stop *stop,
                    Layers *layers);
void layers_free(Layers *layers); /* accepts a zeroed one */

/* Encodes a picture of their size as an EXR with those of these kinds. Fails as exr_save_with does. */
Status layers_encode(const Layers *layers, unsigned kinds, const Image *image, Bytes *file);

#endif
