/* gallery.h: thumbnails of files, made one by one by a thread that gives way to all others.
 * Owns that thread, the thumbnails and their textures. Called by the window's thread alone; OpenGL's context is current
 * where textures are made or freed. */
#ifndef GLINT_APP_VIEW_GALLERY_H
#define GLINT_APP_VIEW_GALLERY_H

#include "core/image.h"

enum { THUMBNAIL_WIDTH = 240, THUMBNAIL_HEIGHT = 160, GALLERY_MAX = 512 };

typedef struct Gallery Gallery;

typedef struct Thumbnail {
    bool failed;        /* the file cannot be shown; for what is still to come, neither this nor: */
    const Image *image; /* u8 RGB, within THUMBNAIL_WIDTH x THUMBNAIL_HEIGHT */
    unsigned texture;   /* that shows it; 0 until gallery_texture */
    char why[160];      /* it failed */
} Thumbnail;

/* STATUS_DEVICE if the system has no thread left. */
Status gallery_create(Gallery **gallery);
void gallery_destroy(Gallery **gallery); /* waits for the file that is being read; accepts NULL */

/* Begins another round: files that nobody asks for in it are not read any more. */
void gallery_begin_round(Gallery *gallery);
/* What is known of a file, valid until the next round; it will be read, the latest that was asked for first. NULL if
 * memory is short. The GALLERY_MAX asked for last are kept. */
Thumbnail *gallery_thumbnail(Gallery *gallery, const char *path);
/* The texture of one that has an image, or 0. */
unsigned gallery_texture(Thumbnail *thumbnail);
/* Forgets what was made of a file, which has changed. */
void gallery_forget(Gallery *gallery, const char *path);
/* Whether thumbnails of this round are still to come; *news: some have come since the last time it was asked. */
bool gallery_works(Gallery *gallery, bool *news);

#endif
