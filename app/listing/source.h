/* source.h: finds glint's own sources by the names that PTX has for them. */
#ifndef GLINT_APP_LISTING_SOURCE_H
#define GLINT_APP_LISTING_SOURCE_H

#include <limits.h>
#include <stdbool.h>

/* The file that a compiler called `path`: its name in the project, "gpu/convolve/naive.cu", and where it is now. It is
 * looked for in the folder of sources that was installed, above the program's folder, and where it was compiled. False:
 * it is none of glint's, or not here. */
bool source_find(const char *path, char name[PATH_MAX], char found[PATH_MAX]);

#endif
