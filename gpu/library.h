/* library.h: libraries that are loaded at run time, so that the program starts without them. */
#ifndef GLINT_GPU_LIBRARY_H
#define GLINT_GPU_LIBRARY_H

#include <stdbool.h>

typedef struct LibrarySymbol {
    const char *name;
    void *slot; /* the address of the function's pointer */
} LibrarySymbol;

/* Opens the first library of `names` that is there and fills all slots; both lists end with a NULL name. False if none
 * is there, or if it lacks one of the functions. A loaded library stays loaded. */
bool library_load(const char *const names[], const LibrarySymbol symbols[]);

#endif
