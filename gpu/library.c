/* library.c: libraries that are loaded at run time. */
#include "gpu/library.h"

#include <dlfcn.h>
#include <stddef.h>

bool library_load(const char *const names[], const LibrarySymbol symbols[]) {
    void *handle = NULL;
    for (; !handle && *names; names++)
        handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    bool complete = handle != NULL;
    for (; complete && symbols->name; symbols++) {
        *(void **)symbols->slot = dlsym(handle, symbols->name);
        complete = *(void **)symbols->slot != NULL;
    }
    return complete;
}
