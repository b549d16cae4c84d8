/* file_list.h: the files that the viewer steps through: pictures, and scenes of folders.
 * Owns the list of their paths; a file's contents are known only once it is shown. */
#ifndef GLINT_APP_VIEW_DATA_FILE_LIST_H
#define GLINT_APP_VIEW_DATA_FILE_LIST_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATH_CAPACITY = 4096 };

/* How a file stands in the strip (app/view/session/strip.h). */
typedef struct FileMark {
    bool selected;
    bool rated; /* the rating is known */
    signed char rating;
    bool scene;     /* never selected: edits and exports are of pictures */
    bool in_folder; /* came with all of its folder */
    uint64_t whole; /* the hash of the whole path, without links; 0: it has none */
} FileMark;

/* In the order in which they are stepped through. */
typedef struct FileList {
    char **paths;
    FileMark *marks; /* one for each path */
    size_t count, current;
    size_t anchor; /* the picture that was selected or opened last: ranges begin there */
    int hidden;    /* so many ratings are not in the strip: 0 none, 1 rejected ones, 2 those without a star, too ... */
} FileList;

/* Adds a picture, or the pictures and scenes of a folder by their extensions, in order. A file that is in the list, by
 * this name or another one, is not added again. *entry, unless NULL, becomes the entry of the first of them.
 * STATUS_INPUT if a folder has none; files that were added before a failure stay. */
Status file_list_add(FileList *list, const char *path, size_t *entry);
/* The entry of a file, by any of its names; list->count if there is none. */
size_t file_list_find(const FileList *list, const char *path);
/* Takes an entry off that is not the current one; places behind it move up. */
void file_list_remove(FileList *list, size_t index);
/* Takes all behind the first `count` off. */
void file_list_shorten(FileList *list, size_t count);
void file_list_free(FileList *list);

#endif
