/* parts.h: what the files of listings share. */
#ifndef GLINT_APP_LISTING_PARTS_H
#define GLINT_APP_LISTING_PARTS_H

#include "app/listing/listing.h"
#include "app/listing/ptx_places.h"

/* Adds counts: all of them are of one type. */
void listing_add(EmulatorCount *to, const EmulatorCount *count);
/* The file of that path, read if it is another one; its index, or LISTING_NONE if it is not to be shown. `path` is as
 * the compiler calls it; `own` is the path of the user's kernel file, or NULL. STATUS_DEVICE without memory. */
Status listing_file(Listing *listing, const char *path, const char *own, int *index);
/* Chooses the worst line. */
void listing_find_offence(Listing *listing);
/* The function's name in a symbol of C++ or C: "convolve_naive". */
void listing_function_name(const char *symbol, char *name, size_t size);

#endif
