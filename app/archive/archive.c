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
    size_t at;       /* the member's number, from 1 */
    int64_t changed; /* when the member was */
};

struct ArchiveWriter {
    void *open; /* the library's */
    Output *output;
    Status status; /* of the output */
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

static Status check_library(const char *path, const char *what) {
    (void)pthread_once(&library.once, load);
    return library.functions
               ? STATUS_OK
               : fail(STATUS_DEVICE,
                      "%s: archives are not %s: the module glint-archive.so, of libarchive, is not there", path, what);
}

Status archive_open(const char *path, Archive **archive) {
    char why[ARCHIVE_WHY] = "";
    *archive = NULL;
    TRY(check_library(path, "read"));
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
    archive->changed = member->changed;
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

int64_t archive_changed(const Archive *archive) {
    return archive->changed;
}

void archive_close(Archive **archive) {
    Archive *old = *archive;
    *archive = NULL;
    if (!old)
        return;
    library.functions->close(old->open);
    free(old);
}

/* ---- writing ---- */

static bool take(void *context, const void *data, size_t size) {
    ArchiveWriter *writer = context;
    const Bytes bytes = {.data = (unsigned char *)(uintptr_t)data, .size = size};
    if (writer->status == STATUS_OK)
        writer->status = output_append(writer->output, bytes);
    return writer->status == STATUS_OK;
}

/* The output has said why, or libarchive has. */
static Status refused(const ArchiveWriter *writer, const char *why) {
    return writer->status != STATUS_OK
               ? writer->status
               : fail(STATUS_DEVICE, "%s: cannot be written: %s", output_path(writer->output), why);
}

Status archive_create(Output *output, ArchiveWriter **writer) {
    char why[ARCHIVE_WHY] = "";
    *writer = NULL;
    TRY(check_library(output_path(output), "written"));
    TRY(output_begin(output));
    ArchiveWriter *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory to write it", output_path(output));
    *made = (ArchiveWriter){.output = output};
    made->open = library.functions->create(output_path(output), take, made, why);
    if (made->open) {
        *writer = made;
        return STATUS_OK;
    }
    const Status status = refused(made, why);
    free(made);
    return status;
}

Status archive_add(ArchiveWriter *writer, const char *name, int64_t changed, Bytes bytes) {
    char why[ARCHIVE_WHY] = "";
    const Member member = {.kind = MEMBER_FILE, .name = name, .changed = changed};
    return library.functions->add(writer->open, &member, bytes.data, bytes.size, why) == 0 ? STATUS_OK
                                                                                           : refused(writer, why);
}

Status archive_finish(ArchiveWriter *writer) {
    char why[ARCHIVE_WHY] = "";
    return library.functions->finish(writer->open, why) == 0 ? STATUS_OK : refused(writer, why);
}

void archive_drop(ArchiveWriter **writer) {
    ArchiveWriter *old = *writer;
    *writer = NULL;
    if (!old)
        return;
    old->status = STATUS_INTERRUPTED; /* nothing more is written */
    library.functions->drop(old->open);
    free(old);
}

/* ---- names ---- */

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
