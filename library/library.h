/* library.h: the handles behind include/glint.h, and how calls begin and end.
 * Owns the rules that every function there shares: backends are looked for once, a forked process has no handles, and
 * errors leave by value. */
#ifndef GLINT_LIBRARY_LIBRARY_H
#define GLINT_LIBRARY_LIBRARY_H

#include "core/chain/chain.h"
#include "core/codec/codec.h"
#include "core/device/guests.h"
#include "core/run/strips.h"
#include "core/scene/scene.h"
#include "include/glint.h"

#include <jansson.h>
#include <pthread.h>

typedef struct Kept Kept; /* library/filter.c: the plans that a device keeps */

/* A device with its number of the process that made it: library_life. */
struct GlintDevice {
    unsigned life;
    int index;
    Device *device;
    Kept *kept;
};

struct GlintChain {
    Chain *chain;
    char *formatted; /* its text */
};

struct GlintImage {
    Image *image; /* of the first picture, which has the others */
};

struct GlintScene {
    Scene *scene;
};

/* Looks for backends, the first time. STATUS_USAGE for environment variables that make no sense. */
Status library_begin(void);
/* A number of this process, another one after each fork. */
unsigned library_life(void);
/* STATUS_USAGE if the handle (`what`, for messages) is NULL, or of the process before a fork. */
Status library_alive(const char *what, const void *handle, unsigned of);
/* STATUS_USAGE if an argument is NULL. */
Status library_given(const char *function, const char *argument, const void *pointer);
/* The end of each function: the status and its sentence into the caller's error. */
GlintStatus library_settle(Status status, GlintError *error);
/* Copies a struct of the caller's, whose first member is its size, into one of ours, which begins so, too. Members that
 * it lacks keep their defaults, and so do all if it is NULL. STATUS_USAGE for a size that no version has. */
Status library_take(const char *what, const void *theirs, void *mine);
/* The other way, for results. */
Status library_give(const char *what, const void *mine, void *theirs);
/* Decodes a file, or one in memory, in the box, or in this process for NULL; `function`, for messages. As glint_read.
 */
Status library_read(const char *function, CodecBox *box, const char *path, GlintImage **image);
Status library_decode(const char *function, CodecBox *box, const void *bytes, size_t size, GlintImage **image);
/* The record's text, which the caller frees; the record is freed. STATUS_DEVICE without memory. */
Status library_json(json_t *record, char **text);

/* This thread works with the device until library_leave: a GPU is then the one that CUDA's calls are about. */
typedef struct Entered {
    const Guests *guests;
    int before;
} Entered;
Entered library_enter(const GlintDevice *device);
void library_leave(Entered entered);

/* ---- options and pixels ---- */

/* The options as core has them. STATUS_USAGE for words that make no sense; the level is borrowed. */
Status library_plan_options(const GlintPlanOptions *theirs, PlanOptions *how, const char **level, size_t *pictures);
Status library_shape(const GlintShape *shape, Shape *core);
GlintShape library_shape_back(Shape shape);
/* Pictures of this shape and number as the caller places them: strides filled in. STATUS_USAGE if they make no sense;
 * `written`: also if values share memory. */
typedef struct Pictures {
    Places first;
    ptrdiff_t picture; /* from one to the next */
    bool on_device;
    uintptr_t begin, end; /* addresses of all */
} Pictures;
Status library_pictures(const char *what, Shape shape, size_t count, const GlintPixels *pixels, bool written,
                        Pictures *pictures);
static inline Places library_picture(const Pictures *pictures, size_t index) {
    Places places = pictures->first;
    places.first = (void *)((uintptr_t)places.first + (uintptr_t)((ptrdiff_t)index * pictures->picture));
    return places;
}

#endif
