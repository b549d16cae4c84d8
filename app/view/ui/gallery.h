/* gallery.h: thumbnails, made one by one by a thread that gives way to all others: of files, or of the things that keys
 * stand for. Owns that thread, the thumbnails and their textures. Called by the window's thread alone; OpenGL's context
 * is current where textures are made or freed. */
#ifndef GLINT_APP_VIEW_UI_GALLERY_H
#define GLINT_APP_VIEW_UI_GALLERY_H

#include "core/image/image.h"

enum { THUMBNAIL_WIDTH = 240, THUMBNAIL_HEIGHT = 160, GALLERY_MAX = 512 };

typedef struct Gallery Gallery;

typedef struct Thumbnail {
    bool failed;        /* there is none; if the thumbnail is still to come, neither this nor: */
    const Image *image; /* u8 RGB, within THUMBNAIL_WIDTH x THUMBNAIL_HEIGHT */
    unsigned texture;   /* that shows it; 0 until gallery_texture */
    char why[160];      /* it failed */
} Thumbnail;

/* Makes one, on the gallery's thread; `key` is the one that gallery_thumbnail was asked for. */
typedef Status ThumbnailMaker(void *context, const char *key, Image **thumbnail);
/* The thumbnail of a picture's file, by its path, or of a scene, by its text. A corner is marked where the file ends
 * early. Fails as codec_load and thumbnail_of_scene do. */
Status thumbnail_of_file(void *context, const char *path, Image **thumbnail);
/* A picture as small as thumbnails are, in its own type. */
Status thumbnail_reduce(ImageView picture, Image **reduced);
/* A picture as a thumbnail: within THUMBNAIL_WIDTH x THUMBNAIL_HEIGHT, over gray where it is transparent. */
Status thumbnail_of_picture(ImageView picture, Image **thumbnail);

/* `context` is the maker's. STATUS_DEVICE if the system has no thread left. */
Status gallery_create(ThumbnailMaker *make, void *context, Gallery **gallery);
void gallery_destroy(Gallery **gallery); /* waits for the thumbnail that is being made; accepts NULL */

/* Begins another round: those that nobody asks for in it are not made any more. */
void gallery_begin_round(Gallery *gallery);
/* The thumbnail of a key so far, valid until the next round. The gallery will make it; the latest request comes first.
 * NULL if memory is short. The GALLERY_MAX asked for last are kept. */
Thumbnail *gallery_thumbnail(Gallery *gallery, const char *key);
/* The texture of one that has an image, or 0. */
unsigned gallery_texture(Thumbnail *thumbnail);
/* Forgets the thumbnail of a key: the file has changed. */
void gallery_forget(Gallery *gallery, const char *key);
/* Whether thumbnails of this round are still to come; *news: some have come since the last time it was asked. */
bool gallery_works(Gallery *gallery, bool *news);

#endif
