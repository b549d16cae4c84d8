/* pool.c: idle pipelines in the order of their last use. */
#include "app/serve/pool.h"

#include "core/base/memory.h"
#include "core/image/icc.h"
#include "core/run/gain_map_move.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE_MAX = 16 };

/* A pipeline, and all that it is for. */
typedef struct Ready {
    char *text;
    Shape shape;
    PlanOptions how; /* with what its pictures' files tell */
    Chain *chain;    /* outlives the pipeline */
    Strips strips;
    Pipeline *pipeline;
} Ready;

struct Pool {
    Device *device;
    PlanOptions plan;
    const char *level;
    StripRoom room;
    pthread_mutex_t lock;
    Ready idle[IDLE_MAX]; /* the last one was used last */
    size_t count;
};

static void ready_free(Ready *ready) {
    pipeline_destroy(&ready->pipeline);
    chain_destroy(&ready->chain);
    free(ready->text);
    *ready = (Ready){0};
}

Status pool_open(Device *device, PlanOptions plan, const char *level, Pool **pool) {
    Pool *made = *pool = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory to serve");
    made->device = device;
    made->plan = plan;
    made->level = level;
    pthread_mutex_init(&made->lock, NULL);
    const Status status = strips_room(device, IDLE_MAX, &made->room);
    if (status != STATUS_OK)
        pool_close(pool);
    return status;
}

void pool_close(Pool **pool) {
    Pool *old = *pool;
    *pool = NULL;
    if (!old)
        return;
    while (old->count > 0)
        ready_free(&old->idle[--old->count]);
    pthread_mutex_destroy(&old->lock);
    free(old);
}

static bool take(Pool *pool, const char *text, const Image *image, PlanOptions how, Ready *ready) {
    bool found = false;
    pthread_mutex_lock(&pool->lock);
    for (size_t i = pool->count; i-- > 0 && !found;) {
        const Ready *each = &pool->idle[i];
        if (strcmp(each->text, text) != 0 || !shape_equal(each->shape, image->view.shape))
            continue;
        chain_note_picture(each->chain, image, &how);
        found = plan_options_equal(&each->how, &how);
        if (!found)
            continue;
        *ready = *each;
        memmove(&pool->idle[i], &pool->idle[i + 1], (pool->count - i - 1) * sizeof *each);
        pool->count--;
    }
    pthread_mutex_unlock(&pool->lock);
    return found;
}

/* Idle pipelines have a third of the budget: the oldest ones go. */
static void give_back(Pool *pool, Ready *ready) {
    enum { SHARE = 3 };
    Ready old[IDLE_MAX + 1];
    size_t gone = 0, bytes = pipeline_bytes(ready->pipeline);
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < pool->count; i++)
        bytes += pipeline_bytes(pool->idle[i].pipeline);
    while (pool->count - gone > 0 && (bytes > memory_budget() / SHARE || pool->count - gone == IDLE_MAX)) {
        bytes -= pipeline_bytes(pool->idle[gone].pipeline);
        old[gone] = pool->idle[gone];
        gone++;
    }
    memmove(pool->idle, pool->idle + gone, (pool->count - gone) * sizeof *old);
    pool->count -= gone;
    pool->idle[pool->count++] = *ready;
    pthread_mutex_unlock(&pool->lock);
    while (gone > 0)
        ready_free(&old[--gone]);
}

static Status names_file(void *context, const char *path) {
    (void)context;
    return fail(STATUS_USAGE, "chain: names the file %s; chains of requests name none", path);
}

static Status make(const Pool *pool, const char *text, const Image *image, PlanOptions how, Ready *ready) {
    *ready = (Ready){.text = strdup(text), .shape = image->view.shape, .how = how};
    Status status = ready->text ? chain_parse(text, &ready->chain) : fail(STATUS_DEVICE, "no memory for a chain");
    if (status == STATUS_OK)
        status = chain_files(ready->chain, names_file, NULL);
    if (status == STATUS_OK)
        chain_note_picture(ready->chain, image, &ready->how);
    if (status == STATUS_OK)
        status = strips_open(ready->chain, ready->shape, ready->how, pool->device, pool->level, pool->room,
                             &ready->strips, &ready->pipeline);
    if (status != STATUS_OK)
        ready_free(ready);
    return status;
}

static Status filter_one(Pool *pool, const char *text, const Image *first, Image **image, Spans *spans) {
    const Image *profiled = (*image)->profile || (*image)->seconds <= 0 ? *image : first;
    PlanOptions how = pool->plan;
    Ready ready;
    Image *result = NULL;
    if (how.linear)
        TRY(icc_tone(profiled->profile, profiled->profile_size, &how.tone));
    how.tone.premultiplied = (*image)->premultiplied;
    if (!take(pool, text, *image, how, &ready))
        TRY(make(pool, text, *image, how, &ready));
    Status status = image_create_unfilled(strips_result(&ready.strips, pipeline_result_shape(ready.pipeline)), &result);
    if (status == STATUS_OK) /* while the picture is there */
        status = gain_map_move(ready.chain, ready.shape, ready.how, *image);
    if (status == STATUS_OK)
        status = strips_process(&ready.strips, ready.pipeline, (*image)->view, result->view, spans);
    if (status == STATUS_OK)
        image_replace(image, result);
    else
        image_destroy(&result);
    if (status == STATUS_OK && !ready.how.picture)
        give_back(pool, &ready);
    else
        ready_free(&ready);
    return status;
}

Status pool_filter(Pool *pool, const char *chain, Image **image, Spans *spans) {
    for (Image **each = image; *each; each = &(*each)->next)
        TRY(filter_one(pool, chain, *image, each, spans));
    return STATUS_OK;
}
