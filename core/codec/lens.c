/* lens.c: profiles by way of the module for Lensfun. */
#include "core/codec/lens.h"

#include "core/base/module.h"

#include <dlfcn.h>
#include <pthread.h>

/* The process's one module, and the last that it found: chains are planned several times for a picture. */
static struct {
    pthread_mutex_t lock;
    bool loaded;
    LensFind *find; /* NULL: the module is not there */
    Shot shot;
    LensProfile profile; /* of the shot, if it is known */
} library = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void load(void) {
    void *module = library.loaded ? NULL : module_open("glint-lens.so", false);
    if (module)
        *(void **)&library.find = dlsym(module, "glint_lens_find");
    library.loaded = true;
}

/* The caller holds the lock. */
static Status find(const Shot *shot, LensProfile *profile) {
    char why[LENS_TEXT] = "";
    load();
    if (!library.find)
        return fail(STATUS_DEVICE, "lens: profiles are not read: the module glint-lens.so, of Lensfun, is not there");
    if (!library.shot.known || !shot_equal(&library.shot, shot)) {
        library.shot.known = false;
        const LensFound found = library.find(shot, &library.profile, why);
        if (found != LENS_FOUND)
            return fail(found == LENS_UNKNOWN ? STATUS_INPUT : STATUS_DEVICE, "lens: %s", why);
        library.shot = *shot;
    }
    *profile = library.profile;
    return STATUS_OK;
}

Status lens_find(const Shot *shot, LensProfile *profile) {
    pthread_mutex_lock(&library.lock);
    const Status status = find(shot, profile);
    pthread_mutex_unlock(&library.lock);
    return status;
}
