/* file_list.h: the files that the viewer steps through.
 * Owns the list of their paths; a file's contents are known only once it is shown. */
#ifndef GLINT_APP_VIEW_DATA_FILE_LIST_H
#define GLINT_APP_VIEW_DATA_FILE_LIST_H

#include "core/base/status.h"

#include <stddef.h>

enum { PATH_CAPACITY = 4096 };

/* In the order in which they are stepped through. */
typedef struct FileList {
    char **paths;
    size_t count, current;
} FileList;

/* Adds a picture, or those of a folder by their extensions, in order. STATUS_INPUT if a folder has none; pictures that
 * were added before a failure stay. */
Status file_list_add(FileList *list, const char *path);
/* Takes all behind the first `count` off. */
void file_list_shorten(FileList *list, size_t count);
void file_list_free(FileList *list);

#endif
