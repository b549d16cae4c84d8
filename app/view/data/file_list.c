/* file_list.c: a list of pictures' files. */
#include "app/view/data/file_list.h"

#include "core/base/folder.h"
#include "core/base/ledger.h"
#include "core/codec/codec.h"

#include <stdlib.h>
#include <string.h>

static Status add_path(FileList *list, const char *path) {
    TRY(ledger_read(path));
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

static Status add_entry(void *context, const FolderEntry *entry) {
    const Format *format = format_for_path(entry->path);
    if (entry->kind == ENTRY_UNREADABLE)
        return fail(STATUS_INPUT, "%s: %s", entry->path, entry->reason);
    return entry->kind == ENTRY_FILE && format && format->reads ? add_path(context, entry->path) : STATUS_OK;
}

Status file_list_add(FileList *list, const char *path) {
    const size_t before = list->count;
    if (!folder_is(path))
        return add_path(list, path);
    TRY(folder_traverse(path, false, add_entry, list));
    return list->count > before ? STATUS_OK : fail(STATUS_INPUT, "%s: no pictures in this folder", path);
}

void file_list_shorten(FileList *list, size_t count) {
    while (list->count > count)
        free(list->paths[--list->count]);
}

void file_list_free(FileList *list) {
    file_list_shorten(list, 0);
    free(list->paths);
    *list = (FileList){0};
}
