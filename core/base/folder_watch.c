/* folder_watch.c: events of folders, and questions to the system who writes to a file.
 * An event says that a file may be complete, never that it is. An incomplete file is looked at again after ever longer
 * pauses, up to a second. The event of a close comes a little before the close itself. */
#include "core/base/folder_watch.h"

#include "core/base/array.h"
#include "core/base/folder.h"
#include "core/base/interrupt.h"
#include "core/base/ledger.h"
#include "core/base/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

enum {
    PAUSE_MS = 5, /* before a file is looked at again, at first, */
    PAUSE_MAX_MS = 1000,
    QUIET_S = 2, /* for which a file has not changed whose writers cannot be known */
    EVENTS = IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF |
             IN_ONLYDIR,
};

/* A folder that is watched. */
typedef struct Folder {
    int descriptor; /* the watch's */
    char *path;
    size_t below; /* path + below: the part below the folder of the rules; behind the end for that one itself */
} Folder;

/* A file that may be complete, or is. */
typedef struct Candidate {
    char *path, *trouble;
    size_t below;
    double due, pause; /* ms: when it is looked at, and the pause before the next time */
} Candidate;

typedef struct Candidates {
    Candidate *items;
    size_t first, count, capacity; /* items[first] to items[first + count - 1] are there */
} Candidates;

/* A file that has come. */
typedef struct Seen {
    char *path;
    dev_t device;
    ino_t inode; /* 0: it is gone */
    nlink_t names;
    off_t size;
    struct timespec changed;
    bool busy; /* the caller has it */
} Seen;

struct FolderWatch {
    FolderWatchRules rules;
    int events, wake, both; /* descriptors of inotify, of an eventfd, and of an epoll for the two */
    Folder *folders;        /* sorted by descriptor */
    size_t folder_count, folder_capacity;
    Candidate given; /* the last one that was returned */
    char *given_below;
    pthread_mutex_t lock; /* guards the members below */
    Candidates ready, waiting;
    void *seen; /* a tree of tsearch */
    bool ended;
};

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory to watch a folder");
}

/* ---- lists ---- */

static void candidate_free(Candidate *candidate) {
    free(candidate->path);
    free(candidate->trouble);
    *candidate = (Candidate){0};
}

/* Takes over the candidate. */
static Status push(Candidates *list, Candidate candidate) {
    if (list->first + list->count == list->capacity && list->first > list->count) {
        memmove(list->items, list->items + list->first, list->count * sizeof *list->items);
        list->first = 0;
    }
    if (!ARRAY_ROOM(list->items, list->capacity, list->first + list->count + 1)) {
        candidate_free(&candidate);
        return no_memory();
    }
    list->items[list->first + list->count++] = candidate;
    return STATUS_OK;
}

static Candidate pop(Candidates *list) {
    list->count--;
    return list->items[list->first++];
}

static void candidates_free(Candidates *list) {
    while (list->count > 0) {
        Candidate candidate = pop(list);
        candidate_free(&candidate);
    }
    free(list->items);
    *list = (Candidates){0};
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const Seen *)a)->path, ((const Seen *)b)->path);
}

static Seen *seen_find(const FolderWatch *watch, const char *path) {
    const Seen wanted = {.path = (char *)(uintptr_t)path};
    Seen *const *found = tfind(&wanted, (void *const *)&watch->seen, by_path);
    return found ? *found : NULL;
}

static void seen_free(void *seen) {
    free(((Seen *)seen)->path);
    free(seen);
}

/* The system may give the number of a file that is gone to any other: an output is one, and no input. */
static void forget_number(const Seen *seen) {
    ledger_forget(&(struct stat){.st_dev = seen->device, .st_ino = seen->inode, .st_nlink = seen->names});
}

/* The file has lost its name. */
static void seen_remove(FolderWatch *watch, const char *path) {
    Seen *seen = seen_find(watch, path);
    if (!seen)
        return;
    if (seen->inode != 0)
        forget_number(seen);
    seen->inode = 0;
    if (seen->busy)
        return;
    (void)tdelete(seen, &watch->seen, by_path);
    seen_free(seen);
}

/* ---- files ---- */

typedef enum Condition {
    FILE_GONE,    /* or no regular file, or without a byte: an event will tell more, or none is wanted */
    FILE_WRITTEN, /* a process has it open to write to it */
    FILE_WHOLE,
    FILE_UNKNOWN /* the system does not tell */
} Condition;

/* A lease to read is refused while a process may write (fcntl(2)). It is given back at once. */
static Condition condition_of(int descriptor) {
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0)
        return errno == EAGAIN ? FILE_WRITTEN : FILE_UNKNOWN;
    (void)fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return FILE_WHOLE;
}

static Condition look(const char *path, struct stat *info) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) /* reading it will say why; while another process's lease hinders us, it is not known */
        return stat(path, info) != 0 || !S_ISREG(info->st_mode) ? FILE_GONE
               : errno == EWOULDBLOCK                           ? FILE_WRITTEN
                                                                : FILE_WHOLE;
    Condition condition = FILE_GONE;
    if (fstat(descriptor, info) == 0 && S_ISREG(info->st_mode) && info->st_size > 0)
        condition = condition_of(descriptor);
    close(descriptor);
    return condition;
}

static bool is_quiet(const struct stat *info) {
    const time_t last = info->st_mtim.tv_sec > info->st_ctim.tv_sec ? info->st_mtim.tv_sec : info->st_ctim.tv_sec;
    return last + QUIET_S < time(NULL);
}

static bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const Seen *seen, const struct stat *info) {
    return seen->device == info->st_dev && seen->inode == info->st_ino && seen->size == info->st_size &&
           same_time(seen->changed, info->st_mtim);
}

/* The record of a file, new or not; NULL without memory. */
static Seen *seen_record(FolderWatch *watch, const char *path) {
    Seen *seen = seen_find(watch, path);
    if (seen || !(seen = calloc(1, sizeof *seen)))
        return seen;
    seen->path = strdup(path);
    if (seen->path && tsearch(seen, &watch->seen, by_path))
        return seen;
    seen_free(seen);
    return NULL;
}

/* ---- candidates ---- */

static Status wait_for(FolderWatch *watch, const char *path, size_t below, double pause) {
    const double due = clock_ms() + pause;
    const Candidates *waiting = &watch->waiting;
    for (size_t i = waiting->first; i < waiting->first + waiting->count; i++)
        if (strcmp(waiting->items[i].path, path) == 0) {
            waiting->items[i].due = due < waiting->items[i].due ? due : waiting->items[i].due;
            return STATUS_OK;
        }
    const Candidate candidate = {.path = strdup(path), .below = below, .due = due, .pause = pause};
    return candidate.path ? push(&watch->waiting, candidate) : no_memory();
}

/* Queues a file that is complete and new. `closed`: an event says that its writer is done with it. */
static Status consider(FolderWatch *watch, const char *path, size_t below, bool closed, double pause) {
    struct stat info;
    if (!watch->rules.wanted(path))
        return STATUS_OK;
    Condition condition = look(path, &info);
    if (condition == FILE_GONE)
        return STATUS_OK;
    if (condition == FILE_UNKNOWN)
        condition = closed || is_quiet(&info) ? FILE_WHOLE : FILE_WRITTEN;
    Seen *seen = seen_record(watch, path);
    if (!seen)
        return no_memory();
    if (is_same(seen, &info))
        return STATUS_OK;
    if (condition != FILE_WHOLE || seen->busy)
        return wait_for(watch, path, below, pause);
    if (seen->inode != 0 && seen->inode != info.st_ino)
        forget_number(seen);
    *seen = (Seen){seen->path, info.st_dev, info.st_ino, info.st_nlink, info.st_size, info.st_mtim, true};
    const Candidate candidate = {.path = strdup(path), .below = below};
    return candidate.path ? push(&watch->ready, candidate) : no_memory();
}

/* Looks again at the files whose pause is over; *ms: until the next one, or -1. */
static Status consider_waiting(FolderWatch *watch, int *ms) {
    const double now = clock_ms();
    double next = now + PAUSE_MAX_MS;
    Status status = STATUS_OK;
    for (size_t left = watch->waiting.count; left > 0; left--) {
        Candidate candidate = pop(&watch->waiting);
        if (candidate.due > now) {
            next = candidate.due < next ? candidate.due : next;
            TRY(push(&watch->waiting, candidate));
            continue;
        }
        const double pause = candidate.pause < PAUSE_MAX_MS / 2.0 ? 2 * candidate.pause : PAUSE_MAX_MS;
        status = status == STATUS_OK ? consider(watch, candidate.path, candidate.below, false, pause) : status;
        next = now + pause < next ? now + pause : next;
        candidate_free(&candidate);
    }
    *ms = watch->waiting.count > 0 ? (int)(next - now) + 1 : -1;
    return status;
}

/* ---- folders ---- */

/* The folder with that watch, or the place where it would be. */
static size_t folder_place(const FolderWatch *watch, int descriptor) {
    size_t low = 0, high = watch->folder_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (watch->folders[middle].descriptor < descriptor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static Folder *folder_find(const FolderWatch *watch, int descriptor) {
    const size_t place = folder_place(watch, descriptor);
    return place < watch->folder_count && watch->folders[place].descriptor == descriptor ? &watch->folders[place]
                                                                                         : NULL;
}

static void folder_remove(FolderWatch *watch, Folder *folder) {
    free(folder->path);
    const size_t behind = watch->folder_count - (size_t)(folder - watch->folders) - 1;
    memmove(folder, folder + 1, behind * sizeof *folder);
    watch->folder_count--;
}

/* Whether it is one of the rules. */
static bool is_named(const Folder *folder) {
    return folder->below >= strlen(folder->path);
}

static Status no_watch(const char *path) {
    return errno == ENOSPC || errno == ENOMEM
               ? fail(STATUS_DEVICE, "%s: the system gives no more watches (sysctl fs.inotify.max_user_watches)", path)
               : fail(STATUS_INPUT, "%s: cannot be watched: %m", path);
}

/* A folder below that cannot be watched, cannot be read either: the traversal says so, or it is gone. */
static Status folder_add(FolderWatch *watch, const char *path, size_t below) {
    const int descriptor = inotify_add_watch(watch->events, path, EVENTS);
    if (descriptor < 0)
        return below >= strlen(path) || errno == ENOSPC || errno == ENOMEM ? no_watch(path) : STATUS_OK;
    if (folder_find(watch, descriptor))
        return STATUS_OK;
    if (!ARRAY_ROOM(watch->folders, watch->folder_capacity, watch->folder_count + 1))
        return no_memory();
    Folder made = {descriptor, strdup(path), below};
    if (!made.path)
        return no_memory();
    const size_t place = folder_place(watch, descriptor);
    memmove(watch->folders + place + 1, watch->folders + place, (watch->folder_count - place) * sizeof made);
    watch->folders[place] = made;
    watch->folder_count++;
    return STATUS_OK;
}

typedef struct Scan {
    FolderWatch *watch;
    size_t below;
} Scan;

static Status scan_entry(void *context, const FolderEntry *entry) {
    const Scan *scan = context;
    if (entry->kind == ENTRY_FOLDER) /* first its watch, then its files: one that comes meanwhile is there twice */
        return folder_add(scan->watch, entry->path, scan->below);
    if (entry->kind == ENTRY_FILE)
        return consider(scan->watch, entry->path, scan->below, false, PAUSE_MS);
    if (entry->kind != ENTRY_UNREADABLE || access(entry->path, F_OK) != 0)
        return STATUS_OK;
    Candidate candidate = {.path = strdup(entry->path), .trouble = strdup(entry->reason), .below = scan->below};
    if (candidate.path && candidate.trouble)
        return push(&scan->watch->ready, candidate);
    candidate_free(&candidate);
    return no_memory();
}

static Status scan(FolderWatch *watch, const char *path, size_t below) {
    return folder_traverse_all(path, watch->rules.recursive, scan_entry, &(Scan){watch, below});
}

static Status scan_all(FolderWatch *watch) {
    for (size_t i = 0; i < watch->rules.count; i++) {
        const char *path = watch->rules.folders[i];
        const size_t length = strlen(path);
        TRY(scan(watch, path, length + (length > 0 && path[length - 1] != '/')));
    }
    return STATUS_OK;
}

/* The folder was moved away, and those in it. */
static void unwatch(FolderWatch *watch, const char *path) {
    const size_t length = strlen(path);
    for (size_t i = watch->folder_count; i-- > 0;) {
        Folder *folder = &watch->folders[i];
        if (strncmp(folder->path, path, length) == 0 && (folder->path[length] == '/' || folder->path[length] == '\0')) {
            inotify_rm_watch(watch->events, folder->descriptor);
            folder_remove(watch, folder);
        }
    }
}

/* ---- events ---- */

static Status take_entry(FolderWatch *watch, const struct inotify_event *event, const char *path, size_t below) {
    const bool comes = (event->mask & (IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO)) != 0;
    if (!(event->mask & IN_ISDIR) && !comes)
        seen_remove(watch, path);
    else if (!(event->mask & IN_ISDIR))
        return consider(watch, path, below, !(event->mask & IN_CREATE), PAUSE_MS);
    else if (comes && watch->rules.recursive)
        return scan(watch, path, below);
    else if (!comes)
        unwatch(watch, path);
    return STATUS_OK;
}

static Status take_event(FolderWatch *watch, const struct inotify_event *event) {
    char *path;
    if (event->mask & IN_Q_OVERFLOW)
        return scan_all(watch);
    Folder *folder = folder_find(watch, event->wd);
    if (!folder)
        return STATUS_OK;
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) && is_named(folder))
        return fail(STATUS_INPUT, "%s: was moved or removed while it was watched", folder->path);
    if (event->mask & IN_IGNORED)
        folder_remove(watch, folder);
    if (event->len == 0 || event->name[0] == '.')
        return STATUS_OK;
    const size_t length = strlen(folder->path), below = folder->below;
    const bool slash = length > 0 && folder->path[length - 1] == '/';
    if (asprintf(&path, "%s%s%s", folder->path, slash ? "" : "/", event->name) < 0)
        return no_memory();
    const Status status = strlen(path) < PATH_MAX ? take_entry(watch, event, path, below) : STATUS_OK;
    free(path);
    return status;
}

static Status take_events(FolderWatch *watch) {
    enum { BUFFER = 1 << 16 };
    union {
        struct inotify_event first;
        char bytes[BUFFER];
    } buffer;
    for (ssize_t size; (size = read(watch->events, &buffer, sizeof buffer)) > 0;)
        for (char *at = buffer.bytes; at < buffer.bytes + size;) {
            const struct inotify_event *event = (const struct inotify_event *)at;
            TRY(take_event(watch, event));
            at += sizeof *event + event->len;
        }
    return STATUS_OK;
}

/* ---- the watch ---- */

static Status open_descriptors(FolderWatch *watch) {
    watch->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watch->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    watch->both = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event in = {.events = EPOLLIN};
    const bool good = watch->events >= 0 && watch->wake >= 0 && watch->both >= 0 &&
                      epoll_ctl(watch->both, EPOLL_CTL_ADD, watch->events, &in) == 0 &&
                      epoll_ctl(watch->both, EPOLL_CTL_ADD, watch->wake, &in) == 0;
    return good ? STATUS_OK
                : fail(STATUS_DEVICE, "folders cannot be watched: %m (sysctl fs.inotify.max_user_instances)");
}

Status folder_watch_open(const FolderWatchRules *rules, FolderWatch **watch) {
    FolderWatch *made = *watch = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    *made = (FolderWatch){
        .rules = *rules, .events = -1, .wake = -1, .both = -1, .lock = PTHREAD_MUTEX_INITIALIZER, .given = {0}};
    signal(SIGIO, SIG_IGN); /* of a lease that a writer waits for, by then given back */
    Status status = open_descriptors(made);
    if (status == STATUS_OK)
        status = scan_all(made);
    if (status != STATUS_OK)
        folder_watch_close(watch);
    return status;
}

void folder_watch_close(FolderWatch **watch) {
    FolderWatch *old = *watch;
    *watch = NULL;
    if (!old)
        return;
    const int descriptors[] = {old->both, old->wake, old->events};
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    while (old->folder_count > 0)
        folder_remove(old, &old->folders[old->folder_count - 1]);
    free(old->folders);
    candidates_free(&old->ready);
    candidates_free(&old->waiting);
    candidate_free(&old->given);
    free(old->given_below);
    tdestroy(old->seen, seen_free);
    pthread_mutex_destroy(&old->lock);
    free(old);
}

/* Gives the first file that is ready. */
static Status give(FolderWatch *watch, WatchedFile *file) {
    candidate_free(&watch->given);
    free(watch->given_below);
    watch->given = pop(&watch->ready);
    const Candidate *given = &watch->given;
    const char *slash = strrchr(given->path, '/');
    const size_t end = slash ? (size_t)(slash - given->path) : 0;
    watch->given_below = strndup(given->path + given->below, end > given->below ? end - given->below : 0);
    *file = (WatchedFile){given->path, watch->given_below, given->trouble};
    return watch->given_below ? STATUS_OK : no_memory();
}

/* *came: there is a file, or the end. */
static Status try_next(FolderWatch *watch, WatchedFile *file, bool *came, int *ms) {
    uint64_t woken;
    (void)!read(watch->wake, &woken, sizeof woken);
    TRY(take_events(watch));
    TRY(consider_waiting(watch, ms));
    *came = watch->ended || watch->ready.count > 0;
    return watch->ended || !*came ? STATUS_OK : give(watch, file);
}

Status folder_watch_next(FolderWatch *watch, WatchedFile *file) {
    bool came = false;
    *file = (WatchedFile){0};
    while (!came) {
        int ms = -1;
        pthread_mutex_lock(&watch->lock);
        const Status status = try_next(watch, file, &came, &ms);
        pthread_mutex_unlock(&watch->lock);
        TRY(status);
        if (interrupted() || !came)
            TRY(interruptible_wait(watch->both, ms));
    }
    return STATUS_OK;
}

bool folder_watch_was_whole(const char *path, const struct stat *opened) {
    struct stat info = {0};
    const Condition condition = look(path, &info);
    if (info.st_ino != opened->st_ino || info.st_dev != opened->st_dev)
        return true;
    return condition != FILE_WRITTEN && info.st_size == opened->st_size && same_time(info.st_mtim, opened->st_mtim);
}

static void wake(FolderWatch *watch) {
    const uint64_t one = 1;
    (void)!write(watch->wake, &one, sizeof one);
}

void folder_watch_done(FolderWatch *watch, const char *path, const char *below, bool again) {
    const size_t name = strrchr(path, '/') ? (size_t)(strrchr(path, '/') - path) + 1 : 0, length = strlen(below);
    pthread_mutex_lock(&watch->lock);
    Seen *seen = seen_find(watch, path);
    if (seen)
        seen->busy = false;
    if (seen && again)
        seen->size = -1; /* like no file */
    if (seen && seen->inode == 0)
        seen_remove(watch, path);
    if (again) /* without memory, an event has to bring it */
        (void)wait_for(watch, path, length > 0 ? name - length - 1 : name, PAUSE_MS);
    pthread_mutex_unlock(&watch->lock);
    if (again)
        wake(watch);
}

void folder_watch_end(FolderWatch *watch) {
    pthread_mutex_lock(&watch->lock);
    watch->ended = true;
    pthread_mutex_unlock(&watch->lock);
    wake(watch);
}
