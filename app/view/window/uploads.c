/* uploads.c: a folder of folders, each with one file. */
#include "app/view/window/uploads.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void uploads_begin(Uploads *uploads) {
    *uploads = (Uploads){.file = -1};
}

/* A name of this folder alone, and none that lists hide. */
static bool is_plain(const char *name) {
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f || *at == '/')
            return false;
    return name[0] != '\0' && name[0] != '.';
}

static Status make_folder(Uploads *uploads) {
    const char *temporary = getenv("TMPDIR");
    char made[sizeof uploads->folder];
    if (uploads->folder[0])
        return STATUS_OK;
    snprintf(made, sizeof made, "%.200s/glint-dropped-XXXXXX", temporary && temporary[0] ? temporary : "/tmp");
    if (!mkdtemp(made))
        return fail(STATUS_DEVICE, "%s: a folder for dropped files cannot be made: %m", made);
    memcpy(uploads->folder, made, sizeof made);
    return STATUS_OK;
}

static Status create(Uploads *uploads) {
    if (!is_plain(uploads->name))
        return fail(STATUS_INPUT,
                    "a dropped file has the name \"%.40s\"; want one without / and without a dot in front",
                    uploads->name);
    TRY(make_folder(uploads));
    const int length = snprintf(uploads->path, sizeof uploads->path, "%s/%u", uploads->folder, uploads->count + 1);
    if (mkdir(uploads->path, 0700) != 0)
        return fail(STATUS_DEVICE, "%s: cannot be made: %m", uploads->path);
    uploads->count++;
    snprintf(uploads->path + length, sizeof uploads->path - (size_t)length, "/%s", uploads->name);
    uploads->file = open(uploads->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return uploads->file >= 0 ? STATUS_OK : fail(STATUS_DEVICE, "%s: cannot be made: %m", uploads->name);
}

static Status append(Uploads *uploads, const char *bytes, size_t size) {
    if (size > UPLOAD_MAX - uploads->size)
        return fail(STATUS_INPUT, "%s: larger than %d MiB; want a path of the machine where glint runs", uploads->name,
                    UPLOAD_MAX >> 20);
    if (uploads->total + uploads->size + UPLOAD_MIN + size > UPLOADS_MAX)
        return fail(STATUS_INPUT,
                    "%s: files dropped so far leave less of their %d MiB; want a path of the machine where glint runs, "
                    "or a new window",
                    uploads->name, UPLOADS_MAX >> 20);
    uploads->size += size;
    while (size > 0) {
        const ssize_t written = write(uploads->file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(STATUS_DEVICE, "%s: cannot be written: %m", uploads->path);
        bytes += written;
        size -= (size_t)written;
    }
    return STATUS_OK;
}

Status uploads_take(Uploads *uploads, const char *bytes, size_t size) {
    while (!uploads->named && size > 0) {
        if (uploads->name_size == UPLOAD_NAME_MAX && *bytes)
            return fail(STATUS_INPUT, "a dropped file has a name of more than %d bytes", UPLOAD_NAME_MAX);
        uploads->name[uploads->name_size++] = *bytes;
        uploads->named = *bytes == '\0';
        bytes++;
        size--;
        if (uploads->named)
            TRY(create(uploads));
    }
    return uploads->named ? append(uploads, bytes, size) : STATUS_OK;
}

static void forget(Uploads *uploads) {
    if (uploads->file >= 0)
        close(uploads->file);
    uploads->file = -1;
    uploads->size = uploads->name_size = 0;
    uploads->named = false;
}

Status uploads_complete(Uploads *uploads) {
    const bool whole = uploads->file >= 0;
    uploads->total += whole ? uploads->size + UPLOAD_MIN : 0;
    forget(uploads);
    return whole ? STATUS_OK : fail(STATUS_INPUT, "a dropped file has no name");
}

void uploads_drop(Uploads *uploads) {
    if (uploads->file >= 0) {
        unlink(uploads->path);
        *strrchr(uploads->path, '/') = '\0';
        rmdir(uploads->path);
    }
    forget(uploads);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

void uploads_end(Uploads *uploads) {
    enum { OPEN_FOLDERS = 8 };
    uploads_drop(uploads);
    if (uploads->folder[0])
        (void)nftw(uploads->folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    uploads_begin(uploads);
}
