/* notes.h: the text that goes with a picture: keywords as PNG has them ("Comment", "Author"), each with its text. */
#ifndef GLINT_CORE_CODEC_NOTES_H
#define GLINT_CORE_CODEC_NOTES_H

#include "core/image/image.h"

enum { NOTES_MAX = 1 << 20 }; /* bytes of text that a picture carries */

/* Borrowed, in UTF-8. */
typedef struct Note {
    const char *key, *text;
} Note;

/* Appends `text`, up to a zero in it; bytes that are not UTF-8 are taken for Latin-1. Text beyond the zero or NOTES_MAX
 * counts as lost. */
Status notes_add(Image *image, const char *key, const void *text, size_t size);
/* Whether a block of at least one byte is text as notes_add makes it: pairs, a zero behind each half, in UTF-8. */
bool notes_are_sound(ImageBlock text);
/* The note at *at of the text, which moves on; false behind the last. Begin at 0. */
bool notes_next(const Image *image, size_t *at, Note *note);
/* The text of the first note of this keyword, or NULL. */
const char *notes_find(const Image *image, const char *key);
/* Whether a block of Photoshop's image resources has IPTC in it: resource 0404 (Adobe Photoshop File Formats). */
bool notes_of_iptc(const void *resources, size_t size);
/* UTF-8 as Latin-1, which is never longer; false if that cannot hold it. */
bool notes_latin(const char *text, char *latin);

#endif
