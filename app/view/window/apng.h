/* apng.h: an animated PNG (W3C, "Portable Network Graphics Specification, Third Edition", 2025) of PNGs in sequence.
 * Owns the chunks that it adds: the pictures are as core/codec encoded them. */
#ifndef GLINT_APP_VIEW_WINDOW_APNG_H
#define GLINT_APP_VIEW_WINDOW_APNG_H

#include "core/base/bytes.h"
#include "core/base/status.h"

typedef struct Apng {
    Bytes file;
    size_t capacity;
    unsigned pictures, sequence;
} Apng;

/* Adds an encoded picture, shown for `times` / `rate` seconds: the first one is all, those behind it replace a part of
 * the one before, from (x, y) on. All have one format. STATUS_DEVICE without memory. */
Status apng_add(Apng *apng, Bytes png, size_t x, size_t y, unsigned times, int rate);
/* Ends the file, which is then in apng->file. */
Status apng_end(Apng *apng);
void apng_free(Apng *apng); /* accepts a zeroed one */

#endif
