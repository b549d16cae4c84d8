/* gallery.c: the thread, and a list of keys under a lock. */
#include "app/view/ui/gallery.h"

#include "app/tev/live.h"
#include "app/view/session/stand_in.h"
#include "app/view/session/subject.h"
#include "app/view/ui/scene_thumbnail.h"
#include "core/codec/codec.h"
#include "core/image/opaque.h"
#include "core/math/tone.h"
#include "core/scene/scene_text.h"
#include "render/reduce.h"
#include "render/texture.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NICENESS = 10, MARK_SIDE = 24 };

typedef struct Item {
    char *key;
    Image *image;
    unsigned round, asked; /* the last round, and the last moment, that it was asked for */
    bool done;             /* the thread has tried */
    bool failed;
    char why[sizeof((Thumbnail *)NULL)->why];
    Thumbnail seen; /* the window's */
} Item;

struct Gallery {
    ThumbnailMaker *make;
    void *context;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wanted;
    Item *
        items[GALLERY_MAX]; /* from here on: under the lock; their keys, images and `seen` are the window's once done */
    size_t count;
    unsigned round, clock;
    bool quits, news;
};

/* ---- the thread ---- */

/* Colours over a middle gray, floats as a screen shows them. */
static void convert(ImageView from, ImageView to) {
    const PixelType type = from.shape.type;
    const double white = pixel_type_white(type);
    const int colours = from.shape.channels - shape_has_alpha(from.shape);
    for (size_t y = 0; y < to.shape.height; y++)
        for (size_t x = 0; x < to.shape.width; x++) {
            const double alpha = shape_has_alpha(from.shape) ? clamp_unit(view_value(from, x, y, colours) / white) : 1;
            for (int c = 0; c < 3; c++) {
                const double value = view_value(from, x, y, colours == 3 ? c : 0) / white;
                const double shown = clamp_unit(type == PIXEL_F32 ? srgb_encode(value) : value);
                view_set_value(to, x, y, c, 255 * (alpha * shown + (1 - alpha) * 0.4));
            }
        }
}

Status thumbnail_reduce(ImageView picture, Image **reduced) {
    Shape shape = picture.shape;
    const double scale = fmin(fmin(THUMBNAIL_WIDTH / (double)shape.width, THUMBNAIL_HEIGHT / (double)shape.height), 1);
    shape.width = reduced_length(shape.width, scale);
    shape.height = reduced_length(shape.height, scale);
    TRY(image_create(shape, reduced));
    const Status status = reduce_part(picture, scale, 0, 0, (*reduced)->view);
    if (status != STATUS_OK)
        image_destroy(reduced);
    return status;
}

Status thumbnail_of_picture(ImageView picture, Image **thumbnail) {
    Image *reduced;
    TRY(thumbnail_reduce(picture, &reduced));
    const Shape shape = reduced->view.shape;
    const Status status = image_create((Shape){shape.width, shape.height, 3, PIXEL_U8}, thumbnail);
    if (status == STATUS_OK)
        convert(reduced->view, (*thumbnail)->view);
    image_destroy(&reduced);
    return status;
}

/* The upper right corner becomes an orange triangle. */
static void mark_part(ImageView thumbnail) {
    static const double orange[] = {235, 110, 40};
    const Shape shape = thumbnail.shape;
    const size_t side = MARK_SIDE < shape.width ? MARK_SIDE : shape.width;
    for (size_t y = 0; y < side && y < shape.height; y++)
        for (size_t x = shape.width - side + y; x < shape.width; x++)
            for (int c = 0; c < 3; c++)
                view_set_value(thumbnail, x, y, c, orange[c]);
}

Status thumbnail_of_file(void *context, const char *path, Image **thumbnail) {
    Image *picture;
    FilePart part;
    (void)context;
    if (live_changes(path) == 0 && scene_text_recognize(path))
        return thumbnail_of_scene(path, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT, thumbnail);
    TRY(subject_decode(path, stand_in_way(path, THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT), &part, &picture));
    image_make_straight(picture);
    const Status status = thumbnail_of_picture(picture->view, thumbnail);
    if (status == STATUS_OK && part.of > 0)
        mark_part((*thumbnail)->view);
    image_destroy(&picture);
    return status;
}

/* The item of this round that was asked for last; NULL if none is left. */
static Item *next_item(const Gallery *gallery) {
    Item *next = NULL;
    for (size_t i = 0; i < gallery->count; i++) {
        Item *item = gallery->items[i];
        if (!item->done && item->round == gallery->round && (!next || item->asked > next->asked))
            next = item;
    }
    return next;
}

static Item *find(const Gallery *gallery, const char *key) {
    for (size_t i = 0; i < gallery->count; i++)
        if (strcmp(gallery->items[i]->key, key) == 0)
            return gallery->items[i];
    return NULL;
}

/* Notes the outcome of a thumbnail, which may be forgotten by now. */
static void finish(Gallery *gallery, const char *key, Status status, Image *image) {
    Item *item = find(gallery, key);
    if (!item || item->done) {
        image_destroy(&image);
        return;
    }
    item->done = true;
    item->failed = status != STATUS_OK;
    item->image = image;
    if (item->failed)
        snprintf(item->why, sizeof item->why, "%s", status_message());
    gallery->news = true;
}

static void *work(void *argument) {
    Gallery *gallery = argument;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS); /* Linux has one for each thread */
    pthread_mutex_lock(&gallery->lock);
    while (!gallery->quits) {
        const Item *item = next_item(gallery);
        char *key = item ? strdup(item->key) : NULL;
        if (!key) {
            pthread_cond_wait(&gallery->wanted, &gallery->lock);
            continue;
        }
        Image *image = NULL;
        pthread_mutex_unlock(&gallery->lock);
        const Status status = gallery->make(gallery->context, key, &image);
        pthread_mutex_lock(&gallery->lock);
        finish(gallery, key, status, image);
        free(key);
    }
    pthread_mutex_unlock(&gallery->lock);
    return NULL;
}

/* ---- the window ---- */

Status gallery_create(ThumbnailMaker *make, void *context, Gallery **gallery) {
    Gallery *made = *gallery = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for thumbnails");
    made->make = make;
    made->context = context;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wanted, NULL);
    if (pthread_create(&made->thread, NULL, work, made) == 0)
        return STATUS_OK;
    pthread_mutex_destroy(&made->lock);
    pthread_cond_destroy(&made->wanted);
    free(made);
    *gallery = NULL;
    return fail(STATUS_DEVICE, "no thread for thumbnails");
}

static void free_item(Item *item) {
    image_destroy(&item->image);
    if (item->seen.texture)
        texture_free(&item->seen.texture);
    free(item->key);
    free(item);
}

void gallery_destroy(Gallery **gallery) {
    Gallery *old = *gallery;
    if (!old)
        return;
    pthread_mutex_lock(&old->lock);
    old->quits = true;
    pthread_cond_signal(&old->wanted);
    pthread_mutex_unlock(&old->lock);
    pthread_join(old->thread, NULL);
    for (size_t i = 0; i < old->count; i++)
        free_item(old->items[i]);
    pthread_mutex_destroy(&old->lock);
    pthread_cond_destroy(&old->wanted);
    free(old);
    *gallery = NULL;
}

void gallery_begin_round(Gallery *gallery) {
    pthread_mutex_lock(&gallery->lock);
    gallery->round++;
    pthread_mutex_unlock(&gallery->lock);
}

static void drop(Gallery *gallery, size_t index) {
    free_item(gallery->items[index]);
    gallery->items[index] = gallery->items[--gallery->count];
}

/* Makes room for another one: that was asked for longest ago gives way. */
static void make_room(Gallery *gallery) {
    size_t oldest = 0;
    for (size_t i = 0; i < gallery->count; i++)
        if (gallery->items[i]->asked < gallery->items[oldest]->asked)
            oldest = i;
    if (gallery->count == GALLERY_MAX)
        drop(gallery, oldest);
}

static Item *add(Gallery *gallery, const char *key) {
    make_room(gallery);
    Item *item = calloc(1, sizeof *item);
    if (item)
        item->key = strdup(key);
    if (!item || !item->key) {
        free(item);
        return NULL;
    }
    gallery->items[gallery->count++] = item;
    return item;
}

Thumbnail *gallery_thumbnail(Gallery *gallery, const char *key) {
    pthread_mutex_lock(&gallery->lock);
    Item *item = find(gallery, key);
    item = item ? item : add(gallery, key);
    if (item) {
        item->round = gallery->round;
        item->asked = ++gallery->clock;
        item->seen.failed = item->failed;
        item->seen.image = item->image;
        memcpy(item->seen.why, item->why, sizeof item->why);
        if (!item->done)
            pthread_cond_signal(&gallery->wanted);
    }
    pthread_mutex_unlock(&gallery->lock);
    return item ? &item->seen : NULL;
}

unsigned gallery_texture(Thumbnail *thumbnail) {
    if (!thumbnail->texture && thumbnail->image &&
        texture_fill(&thumbnail->texture, thumbnail->image->view) != STATUS_OK)
        texture_free(&thumbnail->texture);
    return thumbnail->texture;
}

void gallery_forget(Gallery *gallery, const char *key) {
    pthread_mutex_lock(&gallery->lock);
    for (size_t i = 0; i < gallery->count; i++)
        if (strcmp(gallery->items[i]->key, key) == 0) {
            drop(gallery, i);
            break;
        }
    pthread_mutex_unlock(&gallery->lock);
}

bool gallery_works(Gallery *gallery, bool *news) {
    pthread_mutex_lock(&gallery->lock);
    const bool works = next_item(gallery) != NULL;
    *news = gallery->news;
    gallery->news = false;
    pthread_mutex_unlock(&gallery->lock);
    return works;
}
