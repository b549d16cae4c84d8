/* file.c: reading whole files, and writing them so that nobody sees a part. */
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void bytes_free(Bytes *bytes) {
    free(bytes->data);
    *bytes = (Bytes){0};
}

static Status read_all(int descriptor, const char *path, size_t expected, Bytes *bytes) {
    const size_t most = image_budget();
    size_t room = expected < most ? expected + 1 : most; /* one more, so that the end is seen without growing */
    Bytes got = {malloc(room ? room : 1), 0};
    Status status = got.data ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory to read it", path);
    while (status == STATUS_OK) {
        if (got.size == room) {
            room = room < most / 2 ? 2 * room + 4096 : most;
            unsigned char *grown = got.size < room ? realloc(got.data, room) : NULL;
            if (!grown) {
                status = fail(STATUS_INPUT,
                              "%s: larger than the %zu MiB that one file may take (GLINT_MEMORY sets this "
                              "limit)",
                              path, most >> 20);
                break;
            }
            got.data = grown;
        }
        const ssize_t count = read(descriptor, got.data + got.size, room - got.size);
        if (count == 0)
            break;
        if (count > 0)
            got.size += (size_t)count;
        else if (errno != EINTR)
            status = fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    }
    if (status == STATUS_OK)
        *bytes = got;
    else
        free(got.data);
    return status;
}

Status file_read(const char *path, Bytes *bytes) {
    *bytes = (Bytes){0};
    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, "standard input", 1 << 16, bytes);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    Status status;
    if (fstat(descriptor, &info) != 0)
        status = fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    else if (S_ISDIR(info.st_mode))
        status = fail(STATUS_INPUT, "%s: is a folder; want a file", path);
    else
        status = read_all(descriptor, path, info.st_size > 0 ? (size_t)info.st_size : 1 << 16, bytes);
    close(descriptor);
    return status;
}

static Status write_all(int descriptor, const char *path, Bytes bytes) {
    for (size_t done = 0; done < bytes.size;) {
        const ssize_t count = write(descriptor, bytes.data + done, bytes.size - done);
        if (count > 0)
            done += (size_t)count;
        else if (count < 0 && errno != EINTR)
            return fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
    }
    return fsync(descriptor) == 0 ? STATUS_OK : fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
}

/* Gives the temporary file its name in one step. Where the file system knows no "do not replace", a hard link does the
 * same: it fails if the name is taken. */
static Status take_name(const char *temporary, const char *path, bool overwrite) {
    int failed = overwrite ? rename(temporary, path) : renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE);
    if (failed && !overwrite && (errno == EINVAL || errno == ENOSYS)) {
        failed = link(temporary, path);
        if (!failed)
            unlink(temporary);
    }
    if (!failed)
        return STATUS_OK;
    return errno == EEXIST ? fail(STATUS_INPUT, "%s: exists already", path)
                           : fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
}

/* A rename is on the disk only once its folder is. */
static void sync_folder(const char *path, int name_at) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", name_at, path);
    const int descriptor = open(name_at > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor); /* some file systems cannot; the file itself is safe by now */
    close(descriptor);
}

Status file_write_atomic(const char *path, Bytes bytes, bool overwrite) {
    struct stat info;
    const bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode))
        return fail(STATUS_DEVICE, "%s: is no regular file and will not be replaced", path);
    const char *slash = strrchr(path, '/');
    const int name_at = slash ? (int)(slash - path) + 1 : 0;
    char temporary[PATH_MAX]; /* unique among the threads that are alive; the mode is what the umask says */
    if (snprintf(temporary, sizeof temporary, "%.*s.%.200s.%ld.tmp", name_at, path, path + name_at, (long)gettid()) >=
        (int)sizeof temporary)
        return fail(STATUS_DEVICE, "%s: the path is too long", path);
    const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
    Status status = !exists || fchmod(descriptor, info.st_mode & 0777) == 0
                        ? write_all(descriptor, path, bytes)
                        : fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
    if (close(descriptor) != 0 && status == STATUS_OK)
        status = fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
    if (status == STATUS_OK)
        status = take_name(temporary, path, overwrite);
    if (status != STATUS_OK)
        unlink(temporary);
    else
        sync_folder(path, name_at);
    return status;
}
