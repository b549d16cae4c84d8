/* paths.c: a list of pictures' files. */
#include "app/view/paths.h"

#include "core/codec.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static Status add_path(PathList *list, const char *path) {
    char **grown = realloc(list->paths, (list->count + 1) * sizeof *grown);
    if (!grown)
        return fail(STATUS_DEVICE, "no memory for the list of pictures");
    list->paths = grown;
    list->paths[list->count] = strdup(path);
    if (!list->paths[list->count])
        return fail(STATUS_DEVICE, "no memory for the list of pictures");
    list->count++;
    return STATUS_OK;
}

static int is_picture(const struct dirent *entry) {
    const Format *format = format_for_path(entry->d_name);
    return entry->d_name[0] != '.' && format && format->load;
}

static Status add_folder(PathList *list, const char *folder) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_picture, alphasort);
    if (count < 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", folder);
    Status status = count > 0 ? STATUS_OK : fail(STATUS_INPUT, "%s: no pictures in this folder", folder);
    const bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
    for (int i = 0; i < count; i++) {
        char path[PATH_MOST];
        snprintf(path, sizeof path, "%s%s%s", folder, slash ? "" : "/", entries[i]->d_name);
        if (status == STATUS_OK)
            status = add_path(list, path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

Status paths_add(PathList *list, const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? add_folder(list, path) : add_path(list, path);
}

void paths_shorten(PathList *list, size_t count) {
    while (list->count > count)
        free(list->paths[--list->count]);
}

void paths_free(PathList *list) {
    paths_shorten(list, 0);
    free(list->paths);
    *list = (PathList){0};
}
