/* place.c: folders by descriptors. */
#include "core/base/place.h"

#include "core/base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Place {
    char *text;          /* ends in a slash, or is empty */
    size_t above_length; /* letters of it that `above` stands for */
    int above;           /* the deepest folder that was there; -1: it is the folder itself */
    atomic_int folder;   /* -1: yet to be made */
    pthread_mutex_t lock;
};

enum { FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC };

/* The letters of a rule that name a folder whatever the input. */
static size_t folder_length(const char *rule) {
    size_t length = strcspn(rule, "{");
    while (length > 0 && rule[length - 1] != '/')
        length--;
    return length;
}

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for the outputs' folder");
}

/* The folder itself, or the deepest above it that is there; both are opened at most once. */
static Status open_there(Place *place) {
    size_t length = strlen(place->text);
    char *path = strdup(place->text);
    int opened = -1;
    while (path && opened < 0) {
        path[length] = '\0';
        opened = open(length > 0 ? path : ".", FOLDER);
        if (opened >= 0 || errno != ENOENT || length == 0)
            break;
        while (length > 0 && path[length - 1] == '/')
            length--;
        while (length > 0 && path[length - 1] != '/')
            length--;
    }
    const Status status = !path        ? no_memory()
                          : opened < 0 ? fail(STATUS_DEVICE, "%s: the folder cannot be entered: %m", path)
                                       : STATUS_OK;
    free(path);
    if (length == strlen(place->text))
        atomic_store(&place->folder, opened);
    else
        place->above = opened;
    place->above_length = length;
    return status;
}

Status place_hold(const char *rule, Place **place) {
    Place *made = *place = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    const bool whole = !strchr(rule, '{') && rule[0] && rule[strlen(rule) - 1] != '/' && folder_is(rule);
    *made = (Place){.above = -1, .folder = -1, .lock = PTHREAD_MUTEX_INITIALIZER};
    const int length = (int)(whole ? strlen(rule) : folder_length(rule));
    if (asprintf(&made->text, "%.*s%s", length, rule, whole ? "/" : "") < 0)
        made->text = NULL;
    const Status status = made->text ? open_there(made) : no_memory();
    if (status != STATUS_OK)
        place_release(place);
    return status;
}

void place_release(Place **place) {
    Place *old = *place;
    *place = NULL;
    if (!old)
        return;
    if (old->above >= 0)
        close(old->above);
    if (old->folder >= 0)
        close(old->folder);
    pthread_mutex_destroy(&old->lock);
    free(old->text);
    free(old);
}

const char *place_text(const Place *place) {
    return place->text;
}

int place_of(const Place *place, const char *path, const char **below) {
    const size_t length = place ? strlen(place->text) : 0;
    const int folder = place && (length > 0 || path[0] != '/') ? atomic_load(&place->folder) : -1;
    const bool inside = folder >= 0 && strncmp(path, place->text, length) == 0;
    *below = inside ? path + length + strspn(path + length, "/") : path;
    if (inside && **below == '\0')
        *below = ".";
    return inside ? folder : AT_FDCWD;
}

/* Opens the folder in `folder` that the first `length` letters name, unless it is a link; makes it if `make` is set. */
static int enter(int folder, const char *name, size_t length, const mode_t *make) {
    char *copy = length > 0 ? strndup(name, length) : strdup(".");
    const bool there = copy && (!make || mkdirat(folder, copy, *make) == 0 || errno == EEXIST);
    const int opened = there ? openat(folder, copy, FOLDER | O_NOFOLLOW) : -1, reason = errno;
    free(copy);
    errno = reason;
    return opened;
}

bool place_look(const Place *place, const char *path, struct stat *info) {
    const char *below;
    const int held = place_of(place, path, &below);
    int folder = held;
    if (held == AT_FDCWD)
        return false;
    for (const char *slash; folder != -1 && (slash = strchr(below, '/')); below = slash + 1) {
        const int next = enter(folder, below, (size_t)(slash - below), NULL);
        if (folder != held)
            close(folder);
        folder = next;
    }
    const bool found = folder != -1 && fstatat(folder, below, info, AT_SYMLINK_NOFOLLOW) == 0;
    if (folder != held && folder != -1)
        close(folder);
    return found;
}

static Status cannot_make(const char *path, size_t length) {
    return fail(STATUS_DEVICE, "%.*s: the folder cannot be made: %m", (int)length, path);
}

/* From the folder above that was there on: a link on the way has come to be meanwhile, and is not followed. */
static Status make_place(Place *place, mode_t permissions) {
    int folder = place->above;
    for (size_t at = place->above_length; place->text[at]; at += place->text[at] == '/') {
        const size_t length = strcspn(place->text + at, "/");
        const int next = enter(folder, place->text + at, length, &permissions), reason = errno;
        if (folder != place->above)
            close(folder);
        at += length;
        errno = reason;
        if (next < 0)
            return cannot_make(place->text, at);
        folder = next;
    }
    atomic_store(&place->folder, folder);
    return STATUS_OK;
}

Status place_make_folders(Place *place, const char *path, unsigned permissions) {
    const char *below;
    Status status = STATUS_OK;
    if (place) {
        pthread_mutex_lock(&place->lock);
        if (atomic_load(&place->folder) < 0)
            status = make_place(place, permissions);
        pthread_mutex_unlock(&place->lock);
    }
    TRY(status);
    const int folder = place_of(place, path, &below);
    char *name = strdup(below);
    if (!name)
        return no_memory();
    for (char *slash = name[0] ? strchr(name + 1, '/') : NULL; slash && status == STATUS_OK;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdirat(folder, name, permissions) != 0 && errno != EEXIST)
            status = cannot_make(path, (size_t)(below - path) + (size_t)(slash - name));
        *slash = '/';
    }
    free(name);
    return status;
}
