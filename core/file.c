/* file.c: reading whole files, and writing them so that nobody sees a part. */
#include "core/file.h"

#include "core/input.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

Status file_read(const char *path, Bytes *bytes) {
    Input input;
    *bytes = (Bytes){0};
    TRY(input_open(path, &input));
    const Status status = input_read(&input, memory_budget());
    if (status == STATUS_OK) {
        *bytes = input.bytes;
        input.bytes = (Bytes){0};
    }
    input_close(&input);
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

/* Creates ".NAME.XXXXXX" beside `path`, which nobody else has, not even on another machine; the mode is what the umask
 * says (mkstemp's is fixed). */
static Status create_temporary(const char *path, int name_at, char temporary[static PATH_MAX], int *descriptor) {
    enum { TRIES = 64, NAME_KEPT = 200 }; /* bytes of the name: with its new ends it stays below NAME_MAX */
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    for (int i = 0; i < TRIES; i++) {
        char ends[7] = "";
        if (getrandom(ends, 6, 0) != 6)
            break;
        for (int j = 0; j < 6; j++)
            ends[j] = letters[(unsigned char)ends[j] % 32];
        if (snprintf(temporary, PATH_MAX, "%.*s.%.*s.%s", name_at, path, NAME_KEPT, path + name_at, ends) >= PATH_MAX)
            return fail(STATUS_DEVICE, "%s: the path is too long", path);
        *descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*descriptor >= 0)
            return STATUS_OK;
        if (errno != EEXIST)
            break;
    }
    return fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
}

static int name_at_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* `replaced` is the file that is there, or NULL; its mode is kept. */
static Status write_beside(const char *path, Bytes bytes, bool overwrite, const struct stat *replaced) {
    const int name_at = name_at_of(path);
    char temporary[PATH_MAX];
    int descriptor = -1;
    TRY(create_temporary(path, name_at, temporary, &descriptor));
    Status status = !replaced || fchmod(descriptor, replaced->st_mode & 0777) == 0
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

static Status not_regular(const char *path) {
    return fail(STATUS_DEVICE, "%s: is no regular file and will not be replaced", path);
}

Status file_write_atomic(const char *path, Bytes bytes, bool overwrite) {
    struct stat info, itself;
    const bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode))
        return not_regular(path);
    /* What a link points to is replaced, and the link stays. */
    const bool through = exists && overwrite && lstat(path, &itself) == 0 && S_ISLNK(itself.st_mode);
    char *target = through ? realpath(path, NULL) : NULL;
    if (through && !target)
        return fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
    const Status status = write_beside(target ? target : path, bytes, overwrite, exists ? &info : NULL);
    free(target);
    return status;
}

Status file_check_writable(const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return not_regular(path);
    char *target = realpath(path, NULL); /* where a link leads; NULL: nothing is there yet */
    const char *place = target ? target : path;
    char temporary[PATH_MAX];
    int descriptor = -1;
    const Status status = create_temporary(place, name_at_of(place), temporary, &descriptor);
    if (status == STATUS_OK) {
        close(descriptor);
        unlink(temporary);
    }
    free(target);
    return status;
}
