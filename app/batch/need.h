/* need.h: the memory that a picture of a batch takes of the process's budget.
 * Owns the estimates, from a file's header and the chain, for the shapes that came last. */
#ifndef GLINT_APP_BATCH_NEED_H
#define GLINT_APP_BATCH_NEED_H

#include "core/codec/codec.h"
#include "core/device/backend.h"
#include "core/run/strips.h"

#include <pthread.h>

/* Bytes, by the picture's step. */
typedef struct Need {
    size_t frames;    /* in host memory, of its pipeline: until it is filtered */
    size_t decode;    /* file, picture and the decoder's memory; SIZE_MAX: unknown, a stream */
    size_t filter;    /* picture and result */
    size_t encode;    /* the result, its conversions before it is encoded, and the encoder's memory */
    Shape made;       /* the result */
    size_t carried;   /* the picture's data besides pixels: profiles and the like */
    size_t on_device; /* of a picture in strips: of its pipeline's frames, where these are no host memory */
} Need;

/* How results are encoded. */
typedef struct Encoding {
    const Format *format; /* or NULL: any that takes little memory */
    SaveOptions options;
    PixelType type_max; /* values of more bits are narrowed before */
} Encoding;

enum { NEEDS_MAX = 16 };

typedef struct Needs {
    const Chain *chain;
    PlanOptions options;
    StripRoom room;
    const Backend *backend;
    pthread_mutex_t lock; /* guards `known` and `next` */
    struct {
        Shape shape;
        Need need;
    } known[NEEDS_MAX];
    size_t next; /* of them to be replaced */
} Needs;

void needs_init(Needs *needs, const Chain *chain, PlanOptions options, StripRoom room, const Backend *backend);
void needs_free(Needs *needs);
/* All but `decode`, `carried` and `encode`. Fails as strips_plan does. Any thread may ask. */
Status needs_estimate(Needs *needs, Shape shape, Need *need);

/* Also `encode`, of so many pictures in one file. */
void need_to_encode_as(Need *need, Encoding as, size_t pictures);

/* As needs_estimate, for a picture that passes in strips with this room, row by row: to filter it takes the rows on
 * their way. */
Status need_of_strips(const Needs *needs, Shape shape, StripRoom room, Need *need);

/* Until the picture is decoded; filtered; encoded. A stream takes `total`, all there is. */
size_t need_to_decode(const Need *need, size_t total);
size_t need_to_filter(const Need *need);
size_t need_to_encode(const Need *need);

#endif
