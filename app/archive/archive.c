/* archive.c: archives by way of the module for libarchive. */
#include "app/archive/archive.h"

#include "core/base/interrupt.h"
#include "core/base/module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct Archive {
    void *open; /* the library's */
    const char *path;
    size_t at; /* the member's number, from 1 */
};

/* The process's one module; see core/base/module.h. */
static struct {
    pthread_once_t once;
    const ArchiveLibrary *functions; /* NULL: it is not there */
} library = {.once = PTHREAD_ONCE_INIT};

static void load(void) {
    void *module = module_open("glint-archive.so", false);
    library.functions = module ? dlsym(module, "glint_archive") : NULL;
}

size_t archive_stem(const char *name) {
    static const char *const endings[] = {".tar",    ".tar.gz", ".tgz",     ".tar.zst", ".tzst",
                                          ".tar.xz", ".txz",    ".tar.bz2", ".tbz2",    ".zip"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0)
            return length - ending;
    }
    return 0;
}

Status archive_open(const char *path, Archive **archive) {
    char why[ARCHIVE_WHY] = "";
    *archive = NULL;
    (void)pthread_once(&library.once, load);
    if (!library.functions)
        return fail(STATUS_DEVICE,
                    "%s: archives are not read: the module glint-archive.so, of libarchive, is not there", path);
    if (access(path, R_OK) != 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    Archive *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory to read it", path);
    made->path = path;
    made->open = library.functions->open(path, why);
    if (made->open) {
        *archive = made;
        return STATUS_OK;
    }
    free(made);
    return fail(STATUS_INPUT, "%s: cannot be read as an archive: %s", path, why);
}

Status archive_next(Archive *archive, Member *member) {
    char why[ARCHIVE_WHY] = "";
    if (interrupted())
        return fail(STATUS_INTERRUPTED, "interrupted");
    if (library.functions->next(archive->open, member, why) != 0)
        return fail(STATUS_INPUT, "%s: is damaged behind its member %zu: %s", archive->path, archive->at, why);
    archive->at += member->kind != MEMBER_END;
    return STATUS_OK;
}

bool archive_is_behind(const Archive *archive, const char *path, size_t number) {
    return !archive || strcmp(archive->path, path) != 0 || archive->at >= number;
}

Status archive_go_to(Archive *archive, size_t number) {
    Member member = {.kind = MEMBER_FILE};
    while (archive->at < number && member.kind != MEMBER_END)
        TRY(archive_next(archive, &member));
    return member.kind == MEMBER_FILE
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s: has changed since its members were listed", archive->path);
}

Status archive_read(Archive *archive, size_t max, Bytes *bytes) {
    enum { FIRST = 1 << 18 };
    char why[ARCHIVE_WHY] = "";
    size_t capacity = 0;
    *bytes = (Bytes){0};
    for (;;) {
        if (bytes->size == capacity) {
            capacity = capacity ? 2 * capacity : FIRST;
            unsigned char *grown = realloc(bytes->data, capacity);
            if (!grown) {
                bytes_free(bytes);
                return fail(STATUS_DEVICE, "%s: no memory to read its member %zu", archive->path, archive->at);
            }
            bytes->data = grown;
        }
        const ssize_t count =
            library.functions->read(archive->open, bytes->data + bytes->size, capacity - bytes->size, why);
        if (count == 0)
            return STATUS_OK;
        bytes->size += count > 0 ? (size_t)count : 0;
        if (count > 0 && bytes->size <= max && !interrupted())
            continue;
        bytes_free(bytes);
        return interrupted() ? fail(STATUS_INTERRUPTED, "interrupted")
               : count < 0   ? fail(STATUS_INPUT, "is damaged: %s", why)
                             : fail(STATUS_INPUT,
                                    "is larger than the %.4g MiB that a member may take of the budget (GLINT_MEMORY "
                                      "sets it)",
                                    (double)max / 0x1p20);
    }
}

void archive_close(Archive **archive) {
    Archive *old = *archive;
    *archive = NULL;
    if (!old)
        return;
    library.functions->close(old->open);
    free(old);
}

char *archive_member_path(const char *archive, const char *name) {
    char *path = malloc(strlen(archive) + strlen(name) + 2), *to = path;
    if (!path)
        return NULL;
    to = stpcpy(to, archive);
    for (size_t length; *name; name += length + (name[length] == '/')) {
        length = strcspn(name, "/");
        if (length == 0 || (length == 1 && name[0] == '.'))
            continue;
        *to++ = '/';
        to = mempcpy(to, name, length);
    }
    *to = '\0';
    return path;
}

const char *archive_refuses(const Member *member) {
    const char *name = member->name;
    if (!name || !name[0])
        return "has no name that can be spelled";
    if (name[0] == '/')
        return "has an absolute name, want one below a folder";
    for (const char *part = name; *part; part += strcspn(part, "/"), part += *part == '/')
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == '\0'))
            return "has .. in its name, which would lead out of the outputs' folder";
    return member->kind == MEMBER_LINK    ? "is a link in the archive, want a file"
           : member->kind == MEMBER_OTHER ? "is no regular file in the archive"
                                          : NULL;
}
