/* filter.c: images through chains, by plans that stay warm: those that were used last. */
#include "library/filter.h"

#include "core/base/memory.h"
#include "core/image/about.h"
#include "core/run/gain_map_move.h"
#include "core/run/rendering.h"
#include "library/plan.h"

#include <stdlib.h>
#include <string.h>

enum { IDLE_MAX = 16, SHARE = 3 }; /* plans, and their part of the budget: one in three bytes */

struct Kept {
    GlintDevice *device; /* borrowed */
    pthread_mutex_t lock;
    size_t count;
    GlintPlan *idle[IDLE_MAX]; /* the last one was used last */
};

Status kept_open(GlintDevice *device, Kept **kept) {
    *kept = calloc(1, sizeof **kept);
    if (!*kept)
        return fail(STATUS_DEVICE, "no memory for a device");
    (*kept)->device = device;
    pthread_mutex_init(&(*kept)->lock, NULL);
    return STATUS_OK;
}

void kept_close(Kept **kept) {
    Kept *old = *kept;
    *kept = NULL;
    if (!old)
        return;
    while (old->count > 0)
        glint_plan_free(old->idle[--old->count]);
    pthread_mutex_destroy(&old->lock);
    free(old);
}

/* All that a plan is for. */
typedef struct Wish {
    const Chain *chain;
    Shape shape;
    PlanOptions how;
    const char *level;
} Wish;

/* Files that a chain names are a part of it: chains that were read apart share no plans. */
static bool fits(const GlintPlan *plan, const Wish *wish) {
    return (plan->chain == wish->chain || (wish->chain->image_count == 0 && chain_same(plan->chain, wish->chain))) &&
           shape_equal(plan->shape, wish->shape) && plan_options_equal(&plan->how, &wish->how) &&
           strcmp(plan->level, wish->level) == 0;
}

static GlintPlan *take(Kept *kept, const Wish *wish) {
    GlintPlan *found = NULL;
    pthread_mutex_lock(&kept->lock);
    for (size_t i = kept->count; i-- > 0 && !found;) {
        if (!fits(kept->idle[i], wish))
            continue;
        found = kept->idle[i];
        memmove(&kept->idle[i], &kept->idle[i + 1], (kept->count - i - 1) * sizeof *kept->idle);
        kept->count--;
    }
    pthread_mutex_unlock(&kept->lock);
    return found;
}

/* The oldest ones go where there are too many, or too large ones. */
static void give_back(Kept *kept, GlintPlan *plan) {
    GlintPlan *old[IDLE_MAX + 1];
    size_t gone = 0, bytes = plan_bytes(plan);
    pthread_mutex_lock(&kept->lock);
    for (size_t i = 0; i < kept->count; i++)
        bytes += plan_bytes(kept->idle[i]);
    while (gone < kept->count && (bytes > memory_budget() / SHARE || kept->count - gone == IDLE_MAX)) {
        bytes -= plan_bytes(kept->idle[gone]);
        old[gone] = kept->idle[gone];
        gone++;
    }
    memmove(kept->idle, kept->idle + gone, (kept->count - gone) * sizeof *kept->idle);
    kept->count -= gone;
    kept->idle[kept->count++] = plan;
    pthread_mutex_unlock(&kept->lock);
    while (gone > 0)
        glint_plan_free(old[--gone]);
}

static Status run_kept(Kept *kept, const Wish *wish, const Image *image, Image **result) {
    GlintPlan *plan = take(kept, wish);
    if (!plan)
        TRY(plan_open(kept->device, wish->chain, wish->shape, wish->how, wish->level, 1, &plan));
    Status status = image_create_unfilled(plan->result, result);
    if (status == STATUS_OK)
        status = plan_run_views(plan, image->view, (*result)->view);
    if (status == STATUS_OK && !wish->how.picture) /* a plan made of what it saw is for that picture alone */
        give_back(kept, plan);
    else
        glint_plan_free(plan);
    return status;
}

/* Frames of an animation have the first one's profile. */
static Status filter_one(Kept *kept, Wish wish, const Image *first, const Image *image, Image **result) {
    const Image *profiled = image->profile || image->seconds <= 0 ? image : first;
    wish.shape = image->view.shape;
    if (wish.how.linear)
        TRY(picture_tone(profiled, &wish.how.tone));
    wish.how.tone.premultiplied = image->premultiplied;
    chain_note_picture(wish.chain, image, &wish.how);
    TRY(run_kept(kept, &wish, image, result));
    TRY(image_copy_about(image, *result));
    return gain_map_move(wish.chain, wish.shape, wish.how, *result);
}

static Status filter_all(Kept *kept, Wish wish, const Image *first, Image **results) {
    Image **next = results;
    Status status = STATUS_OK;
    for (const Image *image = first; image && status == STATUS_OK; image = image->next) {
        status = filter_one(kept, wish, first, image, next);
        next = *next ? &(*next)->next : next;
    }
    return status;
}

static Status filter(GlintDevice *device, const GlintChain *chain, const GlintPlanOptions *options,
                     const GlintImage *image, GlintImage **result) {
    Wish wish = {0};
    size_t pictures;
    TRY(library_given("glint_filter", "result", result));
    *result = NULL;
    TRY(library_alive("device", device, device ? device->life : 0));
    TRY(library_given("glint_filter", "chain", chain));
    TRY(library_given("glint_filter", "image", image));
    TRY(library_plan_options(options, &wish.how, &wish.level, &pictures));
    GlintImage *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for an image");
    wish.chain = chain->chain;
    const Status status = filter_all(device->kept, wish, image->image, &made->image);
    if (status == STATUS_OK)
        *result = made;
    else
        glint_image_free(made);
    return status;
}

GlintStatus glint_filter(GlintDevice *device, const GlintChain *chain, const GlintPlanOptions *options,
                         const GlintImage *image, GlintImage **result, GlintError *error) {
    return library_settle(filter(device, chain, options, image, result), error);
}
