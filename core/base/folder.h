/* folder.h: the entries of a folder.
 * Owns the one traversal of folders, in an order that is the same everywhere (text_order), for all that take a folder
 * as input. */
#ifndef GLINT_CORE_BASE_FOLDER_H
#define GLINT_CORE_BASE_FOLDER_H

#include "core/base/status.h"

#include <stdbool.h>

typedef enum EntryKind {
    ENTRY_FILE,       /* a regular file, or a link to one */
    ENTRY_STREAM,     /* a FIFO, socket or device, or a link to one: reading it may wait for ever */
    ENTRY_UNREADABLE, /* a folder or a file that cannot be looked at */
    ENTRY_FOLDER,     /* of folder_traverse_all alone */
} EntryKind;

typedef struct FolderEntry {
    EntryKind kind;
    const char *path;   /* from the folder that was named on: "photos/sub/a.png", of any length */
    const char *folder; /* the entry's folder below it: "sub", or "" */
    const char
        *reason; /* ENTRY_STREAM: "is a FIFO"; ENTRY_UNREADABLE: "cannot be read: Permission denied"; else NULL */
} FolderEntry;

/* Called for each entry; anything but STATUS_OK ends the traversal, which returns it. */
typedef Status (*FolderVisit)(void *context, const FolderEntry *entry);

bool folder_is(const char *path);

/* The kind of a file, as "is a FIFO", if the path names one that is to be read like a stream; else NULL. */
const char *path_stream(const char *path);

/* Visits the files of a folder, by name (strcmp), and if `recursive` those of its subfolders in their place. Hidden
 * entries and links to folders are left out. A file or folder that cannot be read is an entry like others, the folder
 * itself included; so is a path beyond PATH_MAX. STATUS_DEVICE if memory is short. Stack and descriptors do not grow
 * with depth. */
Status folder_traverse(const char *path, bool recursive, FolderVisit visit, void *context);
/* The same; each folder is an entry as well (ENTRY_FOLDER), before it is read. */
Status folder_traverse_all(const char *path, bool recursive, FolderVisit visit, void *context);

#endif
