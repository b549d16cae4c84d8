/* draft.c: unnamed and unfinished files; the file system's abilities decide how one gets its name. */
#include "core/base/draft.h"

#include "core/base/ledger.h"
#include "core/base/thread.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#define UNFINISHED ".glint-XXXXXXXX.tmp" /* eight letters or digits */

struct Draft {
    int descriptor, folder;
    bool named; /* as `unfinished`, in the folder */
    char unfinished[sizeof UNFINISHED];
    char *path; /* for messages */
    char *name; /* in the folder */
};

static Status cannot(const char *path) {
    return fail(STATUS_DEVICE, "%s: cannot be written: %m", path);
}

/* ---- unfinished files ---- */

static bool choose_name(char name[static sizeof UNFINISHED]) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char random[8];
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return false;
    memcpy(name, UNFINISHED, sizeof UNFINISHED);
    for (size_t i = 0; i < sizeof random; i++)
        *strchr(name, 'X') = letters[random[i] % 32];
    return true;
}

static bool is_unfinished(const char *name) {
    if (strlen(name) != sizeof UNFINISHED - 1)
        return false;
    for (size_t i = 0; name[i]; i++)
        if (UNFINISHED[i] == 'X' ? !islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i])
                                 : name[i] != UNFINISHED[i])
            return false;
    return true;
}

/* A writer holds a lock on its unfinished file for as long as it lives, on whatever machine. A process that gets the
 * lock may remove the file. Where locks do not work, everything stays. */
static void remove_leftovers(int folder) {
    const int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = listed >= 0 ? fdopendir(listed) : NULL;
    if (!entries) {
        if (listed >= 0)
            close(listed);
        return;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!is_unfinished(entry->d_name))
            continue;
        const int descriptor = openat(folder, entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0)
            continue;
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            unlinkat(folder, entry->d_name, 0);
        close(descriptor);
    }
    closedir(entries);
}

/* A process that removes leftovers may come between the file and its lock. The file has no name then, and another one
   is made. */
static bool create_named(Draft *draft) {
    enum { TRIES = 64 };
    for (int i = 0; i < TRIES && choose_name(draft->unfinished); i++) {
        struct stat info;
        draft->descriptor = openat(draft->folder, draft->unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        draft->named = draft->descriptor >= 0;
        if (!draft->named && errno != EEXIST)
            return false;
        if (!draft->named)
            continue;
        (void)flock(draft->descriptor, LOCK_EX);
        if (fstat(draft->descriptor, &info) != 0 || info.st_nlink > 0)
            return true;
        close(draft->descriptor);
        draft->descriptor = -1;
        draft->named = false;
    }
    return false;
}

/* ---- beginning ---- */

/* Turns to the folder that `path` lies in, seen from another one, for *at() calls, readable or not; its last name is
 * the draft's. */
static bool turn_to(Draft *draft, int from, const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    char *name = strdup(slash ? slash + 1 : path);
    const int opened = folder && name ? openat(from, folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1, reason = errno;
    free(folder);
    free(draft->name);
    draft->name = name;
    if (draft->folder >= 0)
        close(draft->folder);
    draft->folder = opened;
    errno = reason;
    return opened >= 0;
}

/* Where the name is a link, goes on to the file at the link's end; a link that leads nowhere stays the name. */
static bool follow_links(Draft *draft) {
    enum { LINKS_MAX = 40 /* as the kernel has it */ };
    char target[PATH_MAX];
    struct stat info;
    for (int i = 0; i < LINKS_MAX && fstatat(draft->folder, draft->name, &info, 0) == 0; i++) {
        const ssize_t length = readlinkat(draft->folder, draft->name, target, sizeof target - 1);
        if (length <= 0)
            return true;
        target[length] = '\0';
        if (!turn_to(draft, draft->folder, target))
            return false;
    }
    return true;
}

static Status open_draft(const Place *place, bool follow, Draft *draft) {
    struct stat info;
    const char *below;
    const int from = place_of(place, draft->path, &below);
    if (!turn_to(draft, from, below) || (follow && !follow_links(draft)))
        return cannot(draft->path);
    if (fstat(draft->folder, &info) == 0 && ledger_enter(&info))
        remove_leftovers(draft->folder);
    draft->descriptor = openat(draft->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    return draft->descriptor >= 0 || create_named(draft) ? STATUS_OK : cannot(draft->path);
}

Status draft_begin(const Place *place, const char *path, bool follow, Draft **draft) {
    *draft = NULL;
    Draft *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory to write it", path);
    *made = (Draft){.descriptor = -1, .folder = -1, .path = strdup(path)};
    const Status status =
        made->path ? open_draft(place, follow, made) : fail(STATUS_DEVICE, "%s: no memory to write it", path);
    if (status == STATUS_OK)
        *draft = made;
    else
        draft_drop(&made);
    return status;
}

int draft_descriptor(const Draft *draft) {
    return draft->descriptor;
}

bool draft_look(const Draft *draft, struct stat *info) {
    return fstatat(draft->folder, draft->name, info, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool append(int descriptor, const void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t count = write(descriptor, (const char *)data + done, size - done);
        if (count > 0)
            done += (size_t)count;
        else if (count < 0 && errno != EINTR)
            return false;
    }
    return true;
}

Status draft_append(Draft *draft, const void *data, size_t size) {
    return append(draft->descriptor, data, size) ? STATUS_OK : cannot(draft->path);
}

Status draft_put(Draft *draft, size_t at, const void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t count = pwrite(draft->descriptor, (const char *)data + done, size - done, (off_t)(at + done));
        if (count < 0 && errno != EINTR)
            return cannot(draft->path);
        done += count > 0 ? (size_t)count : 0;
    }
    return STATUS_OK;
}

Status draft_stat(const Draft *draft, struct stat *info) {
    return fstat(draft->descriptor, info) == 0 ? STATUS_OK : cannot(draft->path);
}

/* ---- naming ---- */

/* Gives the unnamed file a name that is free. A process without /proc may have the privilege that the second way asks
 * for. */
static bool link_as(const Draft *draft, const char *name) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", draft->descriptor);
    if (linkat(AT_FDCWD, self, draft->folder, name, AT_SYMLINK_FOLLOW) == 0)
        return true;
    return errno != EEXIST && linkat(draft->descriptor, "", draft->folder, name, AT_EMPTY_PATH) == 0;
}

/* Where the unnamed file cannot be linked, after all: its content in a named one. */
static bool make_named(Draft *draft) {
    const int unnamed = draft->descriptor;
    char *block = malloc(1 << 16);
    bool good = block && create_named(draft);
    for (off_t at = 0; good;) {
        const ssize_t count = pread(unnamed, block, 1 << 16, at);
        good = count >= 0 ? append(draft->descriptor, block, (size_t)count) : errno == EINTR;
        if (count == 0)
            break;
        at += count > 0 ? count : 0;
    }
    good = good && fsync(draft->descriptor) == 0;
    close(unnamed);
    free(block);
    return good;
}

/* Gives it an unfinished file's name, from which it can be renamed. */
static bool name_unfinished(Draft *draft) {
    enum { TRIES = 64 };
    if (draft->named)
        return true;
    (void)flock(draft->descriptor, LOCK_EX);
    for (int i = 0; i < TRIES && choose_name(draft->unfinished); i++)
        if (link_as(draft, draft->unfinished))
            return draft->named = true;
        else if (errno != EEXIST)
            break;
    return make_named(draft);
}

static bool rename_to(Draft *draft, const char *name) {
    if (renameat(draft->folder, draft->unfinished, draft->folder, name) != 0)
        return false;
    draft->named = false;
    return true;
}

/* Renames where nothing is replaced. The kernel has a way of its own; a hard link fails if the name is taken. On file
 * systems that know neither, an empty file takes the name, and is replaced. */
static bool rename_to_free(Draft *draft) {
    const int folder = draft->folder;
    if (renameat2(folder, draft->unfinished, folder, draft->name, RENAME_NOREPLACE) == 0) {
        draft->named = false;
        return true;
    }
    if (errno == EEXIST)
        return false;
    if (linkat(folder, draft->unfinished, folder, draft->name, 0) == 0) {
        unlinkat(folder, draft->unfinished, 0);
        draft->named = false;
        return true;
    }
    if (errno == EEXIST)
        return false;
    const int taken = openat(folder, draft->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (taken < 0)
        return false;
    close(taken);
    if (rename_to(draft, draft->name))
        return true;
    const int reason = errno;
    unlinkat(folder, draft->name, 0);
    errno = reason;
    return false;
}

/* Only a file that is there needs a rename over it; until then the draft stays unnamed. */
static bool take_name(Draft *draft, bool replace) {
    if (!draft->named) {
        if (link_as(draft, draft->name))
            return true;
        if (errno == EEXIST && !replace)
            return false;
        if (!name_unfinished(draft))
            return false;
    }
    return replace ? rename_to(draft, draft->name) : rename_to_free(draft);
}

static bool take_mode(const Draft *draft) {
    struct stat there, here;
    if (fstatat(draft->folder, draft->name, &there, 0) != 0 || !S_ISREG(there.st_mode))
        return true;
    return fstat(draft->descriptor, &here) == 0 &&
           ((here.st_mode & 0777) == (there.st_mode & 0777) || fchmod(draft->descriptor, there.st_mode & 0777) == 0);
}

/* A name is on the disk only once its folder is. Some file systems cannot do this; the file itself is safe by then. */
static void sync_folder(const Draft *draft) {
    const int folder = openat(draft->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    (void)fsync(folder);
    close(folder);
}

static Status put_on_disk(const Draft *draft, bool replace) {
    return (replace && !take_mode(draft)) || fsync(draft->descriptor) != 0 ? cannot(draft->path) : STATUS_OK;
}

Status draft_finish(Draft **draft, bool replace, bool *taken) {
    Draft *done = *draft;
    Status status = put_on_disk(done, replace);
    *taken = false;
    if (status == STATUS_OK && !take_name(done, replace)) {
        *taken = errno == EEXIST && !replace;
        status = *taken ? fail(STATUS_INPUT, "%s: exists already", done->path) : cannot(done->path);
    } else if (status == STATUS_OK) {
        sync_folder(done);
    }
    draft_drop(draft);
    return status;
}

static bool same_folder(const Draft *a, const Draft *b) {
    struct stat one, other;
    return fstat(a->folder, &one) == 0 && fstat(b->folder, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Drafts on their way to the disk. Threads wait for one each, since a disk serves what comes together in one go. */
typedef struct Syncing {
    Draft *const *drafts;
    size_t count;
    atomic_size_t next;
    int *errors; /* of each; 0: it is there */
} Syncing;

static void *sync_some(void *argument) {
    Syncing *syncing = argument;
    for (size_t i; (i = atomic_fetch_add(&syncing->next, 1)) < syncing->count;) {
        const Draft *draft = syncing->drafts[i];
        syncing->errors[i] = take_mode(draft) && fsync(draft->descriptor) == 0 ? 0 : errno;
    }
    return NULL;
}

/* Without threads, this one waits for all. */
static void sync_all(Syncing *syncing) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    size_t begun = 0;
    for (size_t i = 0; i < syncing->count; i++) /* else each wait below is longer */
        (void)sync_file_range(syncing->drafts[i]->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
    while (begun < THREADS && begun + 1 < syncing->count && thread_begin(&threads[begun], NULL, sync_some, syncing))
        begun++;
    (void)sync_some(syncing);
    while (begun > 0)
        pthread_join(threads[--begun], NULL);
}

void draft_finish_all(Draft *drafts[], size_t count, DraftDone *done, void *context) {
    int errors[DRAFTS_MAX];
    Syncing syncing = {.drafts = drafts, .count = count, .errors = errors};
    sync_all(&syncing);
    for (size_t i = 0; i < count; i++) {
        errno = errors[i];
        const bool named = errors[i] == 0 && take_name(drafts[i], true);
        done(context, i, named ? STATUS_OK : cannot(drafts[i]->path));
    }
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !same_folder(drafts[i - 1], drafts[i]))
            sync_folder(drafts[i]);
    for (size_t i = 0; i < count; i++)
        draft_drop(&drafts[i]);
}

void draft_drop(Draft **draft) {
    Draft *old = *draft;
    *draft = NULL;
    if (!old)
        return;
    const int reason = errno; /* of the step that failed before */
    if (old->named)
        unlinkat(old->folder, old->unfinished, 0);
    if (old->descriptor >= 0)
        close(old->descriptor);
    if (old->folder >= 0)
        close(old->folder);
    free(old->path);
    free(old->name);
    free(old);
    errno = reason;
}
