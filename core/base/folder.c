/* folder.c: traversing folders with a stack of its own, so that no depth is too much. */
#include "core/base/folder.h"

#include "core/base/array.h"
#include "core/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A folder with its entries. */
typedef struct Level {
    char *path;
    struct dirent **entries; /* entries from `next` on are yet to be visited */
    int count, next;
} Level;

typedef struct Traversal {
    Level *levels;
    size_t depth, capacity, below; /* path + below: the part below the folder that was named */
    bool recursive, folders;
    FolderVisit visit;
    void *context;
} Traversal;

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory to list a folder");
}

bool folder_is(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const char *stream_of(mode_t mode) {
    return S_ISFIFO(mode)                   ? "is a FIFO"
           : S_ISSOCK(mode)                 ? "is a socket"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "is a device"
                                            : NULL;
}

const char *path_stream(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? stream_of(info.st_mode) : NULL;
}

static const char *folder_of(const Traversal *traversal) {
    const char *path = traversal->depth > 0 ? traversal->levels[traversal->depth - 1].path : "";
    return traversal->depth > 1 ? path + traversal->below : "";
}

static Status visit_unreadable(const Traversal *traversal, const char *path, int error) {
    char reason[256];
    if (error == ENOMEM)
        return no_memory();
    errno = error;
    snprintf(reason, sizeof reason, "cannot be read: %m");
    return traversal->visit(traversal->context, &(FolderEntry){ENTRY_UNREADABLE, path, folder_of(traversal), reason});
}

static int compare_entries(const struct dirent **a, const struct dirent **b) {
    return text_order((*a)->d_name, (*b)->d_name);
}

/* Takes over `path`. */
static Status enter(Traversal *traversal, char *path) {
    if (!ARRAY_ROOM(traversal->levels, traversal->capacity, traversal->depth + 1)) {
        free(path);
        return no_memory();
    }
    if (traversal->folders) {
        const Status status =
            traversal->visit(traversal->context, &(FolderEntry){ENTRY_FOLDER, path, folder_of(traversal), NULL});
        if (status != STATUS_OK) {
            free(path);
            return status;
        }
    }
    Level *level = &traversal->levels[traversal->depth];
    *level = (Level){.path = path};
    level->count = scandir(path, &level->entries, NULL, compare_entries);
    if (level->count >= 0) {
        traversal->depth++;
        return STATUS_OK;
    }
    const Status status = visit_unreadable(traversal, path, errno);
    free(path);
    return status;
}

static void leave(Traversal *traversal) {
    Level *level = &traversal->levels[--traversal->depth];
    while (level->next < level->count)
        free(level->entries[level->next++]);
    free(level->entries);
    free(level->path);
}

static Status visit_file(const Traversal *traversal, const char *path) {
    struct stat info;
    const bool found = stat(path, &info) == 0; /* a link that leads nowhere fails where it is read */
    if (found && S_ISDIR(info.st_mode))
        return STATUS_OK;
    const char *stream = found ? stream_of(info.st_mode) : NULL;
    return traversal->visit(traversal->context,
                            &(FolderEntry){stream ? ENTRY_STREAM : ENTRY_FILE, path, folder_of(traversal), stream});
}

static Status visit_next(Traversal *traversal) {
    Level *level = &traversal->levels[traversal->depth - 1];
    struct dirent *entry = level->entries[level->next++];
    const size_t length = strlen(level->path);
    const bool slash = length > 0 && level->path[length - 1] == '/';
    struct stat info;
    char *path = NULL;
    Status status = STATUS_OK;
    if (entry->d_name[0] != '.') {
        if (asprintf(&path, "%s%s%s", level->path, slash ? "" : "/", entry->d_name) < 0) {
            path = NULL;
            status = no_memory();
        } else if (lstat(path, &info) != 0) {
            status = visit_unreadable(traversal, path, errno);
        } else if (!S_ISDIR(info.st_mode)) {
            status = visit_file(traversal, path);
        } else if (traversal->recursive) {
            status = enter(traversal, path);
            path = NULL;
        }
    }
    free(path);
    free(entry);
    return status;
}

static Status traverse(Traversal traversal, const char *path) {
    const size_t length = strlen(path);
    traversal.below = length + (length > 0 && path[length - 1] != '/');
    char *copy = strdup(path);
    Status status = copy ? enter(&traversal, copy) : no_memory();
    while (status == STATUS_OK && traversal.depth > 0)
        if (traversal.levels[traversal.depth - 1].next < traversal.levels[traversal.depth - 1].count)
            status = visit_next(&traversal);
        else
            leave(&traversal);
    while (traversal.depth > 0)
        leave(&traversal);
    free(traversal.levels);
    return status;
}

Status folder_traverse(const char *path, bool recursive, FolderVisit visit, void *context) {
    return traverse((Traversal){.recursive = recursive, .visit = visit, .context = context}, path);
}

Status folder_traverse_all(const char *path, bool recursive, FolderVisit visit, void *context) {
    return traverse((Traversal){.recursive = recursive, .folders = true, .visit = visit, .context = context}, path);
}
