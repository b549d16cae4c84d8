/* folder_watch.h: files that come into folders, each once it is complete.
 * Owns the rule of completeness: no process has the file open to write to it, and it holds a byte at least. The system
 * may not say who writes (files of other users, some file systems). Such a file is complete once its writer has closed
 * or renamed it, or once it has not changed for two seconds. Changes that other machines make in a folder of the
 * network are not seen. */
#ifndef GLINT_CORE_BASE_FOLDER_WATCH_H
#define GLINT_CORE_BASE_FOLDER_WATCH_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

typedef struct FolderWatch FolderWatch;

typedef struct FolderWatchRules {
    char *const *folders; /* borrowed */
    size_t count;
    bool recursive; /* subfolders, too, also those that are made later */
    bool (*wanted)(const char *path);
} FolderWatchRules;

/* Watches the folders (inotify(7)). Files that are there come first, in the order of folder_traverse. Hidden files and
 * folders, links to folders, and what is no regular file do not count. STATUS_INPUT if a folder cannot be read,
 * STATUS_DEVICE if the system gives no more watches, or without memory. */
Status folder_watch_open(const FolderWatchRules *rules, FolderWatch **watch);
void folder_watch_close(FolderWatch **watch); /* accepts NULL */

/* A file that came. The texts live until the next call of folder_watch_next. */
typedef struct WatchedFile {
    const char *path;    /* from the folder's name on: "in/sub/a.jpg"; NULL: none comes any more */
    const char *below;   /* the folders between the two: "sub", or "" */
    const char *trouble; /* a folder that was made there "cannot be read: Permission denied"; NULL for files */
} WatchedFile;

/* Waits for the next complete file, and gives it to the caller until folder_watch_done. A file that changes, or is
 * replaced, comes again after that. STATUS_INTERRUPTED once a signal was caught, STATUS_INPUT if a folder of the rules
 * is gone, STATUS_DEVICE without memory. One thread at a time calls this; any thread may call the others. */
Status folder_watch_next(FolderWatch *watch, WatchedFile *file);
/* Whether a file that was read is still as it was when it was opened (`opened`), and nobody writes to it. One that was
 * removed since, or replaced by another, was read whole. */
bool folder_watch_was_whole(const char *path, const struct stat *opened);
/* The caller is done with a file. With `again`, it comes again once it is complete, although nothing more happens. */
void folder_watch_done(FolderWatch *watch, const char *path, const char *below, bool again);
/* No file comes any more: folder_watch_next returns. */
void folder_watch_end(FolderWatch *watch);

#endif
