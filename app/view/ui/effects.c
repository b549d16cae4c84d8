/* effects.c: the work of the gallery's thread for a chain. */
#include "app/view/ui/effects.h"

#include "core/chain/chain.h"
#include "core/device/backend.h"
#include "core/plan/pipeline.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 2048 };

/* A picture, and the options of its filters. */
typedef struct Filtered {
    Image *picture; /* retained */
    unsigned serial;
    PlanOptions options;
} Filtered;

struct Effects {
    Gallery *gallery;
    pthread_mutex_t lock;
    Filtered now;   /* under the lock */
    unsigned round; /* the window's: changes with `now` */
    Device *cpu;    /* these: the thread's */
    Image *small;
    unsigned small_serial;
};

static Filtered filtered_now(Effects *effects) {
    pthread_mutex_lock(&effects->lock);
    Filtered now = effects->now;
    if (now.picture)
        image_retain(now.picture);
    pthread_mutex_unlock(&effects->lock);
    return now;
}

static Status provide(Effects *effects, const Filtered *now) {
    const char *passed_over;
    if (!effects->cpu)
        TRY(backend_open("cpu", 0, 1, &effects->cpu, &passed_over));
    if (effects->small && effects->small_serial == now->serial)
        return STATUS_OK;
    image_destroy(&effects->small);
    effects->small_serial = now->serial;
    return thumbnail_reduce(now->picture->view, &effects->small);
}

static Status filter(const Effects *effects, const Chain *chain, PlanOptions options, Image **thumbnail) {
    Plan *plan;
    Pipeline *pipeline;
    Image *made = NULL;
    Spans unrecorded = {0};
    options.picture = effects->small;
    TRY(chain_plan(chain, effects->small->view.shape, options, &plan));
    TRY(pipeline_create(effects->cpu, plan, "best", &pipeline));
    Status status = image_create(pipeline_result_shape(pipeline), &made);
    if (status == STATUS_OK)
        status = pipeline_process(pipeline, effects->small->view, made->view, &unrecorded);
    if (status == STATUS_OK)
        status = thumbnail_of_picture(made->view, thumbnail);
    image_destroy(&made);
    pipeline_destroy(&pipeline);
    return status;
}

/* Keys are "ROUND:CHAIN": a picture's thumbnails are not another one's. */
static Status make(void *context, const char *key, Image **thumbnail) {
    Effects *effects = context;
    Chain *chain = NULL;
    Filtered now = filtered_now(effects);
    Status status = now.picture ? provide(effects, &now) : fail(STATUS_USAGE, "there is no picture");
    if (status == STATUS_OK)
        status = chain_open(strchr(key, ':') + 1, &chain);
    if (status == STATUS_OK)
        status = filter(effects, chain, now.options, thumbnail);
    if (chain)
        chain_destroy(&chain);
    image_destroy(&now.picture);
    return status;
}

Status effects_create(Effects **effects) {
    Effects *made = *effects = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for thumbnails");
    pthread_mutex_init(&made->lock, NULL);
    const Status status = gallery_create(make, made, &made->gallery);
    if (status != STATUS_OK)
        effects_destroy(effects);
    return status;
}

void effects_destroy(Effects **effects) {
    Effects *old = *effects;
    if (!old)
        return;
    gallery_destroy(&old->gallery);
    image_destroy(&old->now.picture);
    image_destroy(&old->small);
    if (old->cpu)
        device_close(&old->cpu);
    pthread_mutex_destroy(&old->lock);
    free(old);
    *effects = NULL;
}

static bool alike(const Filtered *now, unsigned serial, PlanOptions options) {
    return now->picture && now->serial == serial && plan_options_equal(&now->options, &options);
}

void effects_begin_round(Effects *effects, Image *picture, unsigned serial, PlanOptions options) {
    gallery_begin_round(effects->gallery);
    if (picture ? alike(&effects->now, serial, options) : !effects->now.picture) /* nobody else writes it */
        return;
    effects->round++;
    pthread_mutex_lock(&effects->lock);
    image_destroy(&effects->now.picture);
    effects->now = (Filtered){picture ? image_retain(picture) : NULL, serial, options};
    pthread_mutex_unlock(&effects->lock);
}

Thumbnail *effects_thumbnail(Effects *effects, const char *chain) {
    char key[KEY_MAX];
    const int length = snprintf(key, sizeof key, "%u:%s", effects->round, chain);
    return effects->now.picture && length < KEY_MAX ? gallery_thumbnail(effects->gallery, key) : NULL;
}

bool effects_work(Effects *effects, bool *news) {
    return gallery_works(effects->gallery, news);
}
