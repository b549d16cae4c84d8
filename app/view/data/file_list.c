/* file_list.c: a list of files. */
#include "app/view/data/file_list.h"

#include "app/tev/live.h"
#include "core/base/bytes.h"
#include "core/base/folder.h"
#include "core/base/ledger.h"
#include "core/codec/codec.h"
#include "core/scene/files/formats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* 0: nothing is there, or it is no file, as a stream. A live picture has a path of its own. Hard links are files of
 * their own, as their sidecars are. */
static uint64_t hash_whole(const char *path) {
    struct stat info;
    if (live_changes(path) > 0)
        return bytes_hash((Bytes){(unsigned char *)(uintptr_t)path, strlen(path)});
    char *whole = realpath(path, NULL);
    const bool file = whole && stat(whole, &info) == 0 && S_ISREG(info.st_mode);
    const uint64_t hash = file ? bytes_hash((Bytes){(unsigned char *)whole, strlen(whole)}) : 0;
    free(whole);
    return hash;
}

static size_t find_whole(const FileList *list, uint64_t whole) {
    size_t index = whole ? 0 : list->count;
    while (index < list->count && list->marks[index].whole != whole)
        index++;
    return index;
}

size_t file_list_find(const FileList *list, const char *path) {
    return find_whole(list, hash_whole(path));
}

/* The files that are being added. */
typedef struct Adding {
    FileList *list;
    size_t count, entry; /* of them; of the first one */
} Adding;

static Status add_path(Adding *adding, const char *path, FileMark mark) {
    FileList *list = adding->list;
    mark.whole = hash_whole(path);
    const size_t there = find_whole(list, mark.whole);
    adding->entry = adding->count++ == 0 ? there : adding->entry;
    if (there < list->count) {
        list->marks[there].in_folder |= mark.in_folder;
        return STATUS_OK;
    }
    TRY(ledger_read(path));
    char **paths = realloc(list->paths, (list->count + 1) * sizeof *paths);
    list->paths = paths ? paths : list->paths;
    FileMark *marks = realloc(list->marks, (list->count + 1) * sizeof *marks);
    list->marks = marks ? marks : list->marks;
    char *copy = paths && marks ? strdup(path) : NULL;
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for the list of pictures");
    list->paths[list->count] = copy;
    list->marks[list->count++] = mark;
    return STATUS_OK;
}

static Status add_entry(void *adding, const FolderEntry *entry) {
    const Format *format = format_for_path(entry->path);
    if (entry->kind == ENTRY_UNREADABLE)
        return fail(STATUS_INPUT, "%s: %s", entry->path, entry->reason);
    const bool picture = format && format->reads, scene = !picture && scene_format_in_folder(entry->path);
    return entry->kind == ENTRY_FILE && (picture || scene)
               ? add_path(adding, entry->path, (FileMark){.scene = scene, .in_folder = true})
               : STATUS_OK;
}

Status file_list_add(FileList *list, const char *path, size_t *entry) {
    Adding adding = {.list = list};
    TRY(folder_is(path) ? folder_traverse(path, false, add_entry, &adding) : add_path(&adding, path, (FileMark){0}));
    if (adding.count == 0)
        return fail(STATUS_INPUT, "%s: no pictures or scenes in this folder", path);
    if (entry)
        *entry = adding.entry;
    return STATUS_OK;
}

void file_list_remove(FileList *list, size_t index) {
    const size_t behind = --list->count - index;
    free(list->paths[index]);
    memmove(list->paths + index, list->paths + index + 1, behind * sizeof *list->paths);
    memmove(list->marks + index, list->marks + index + 1, behind * sizeof *list->marks);
    list->current -= list->current > index;
    list->anchor -= list->anchor > index || list->anchor == list->count;
}

void file_list_shorten(FileList *list, size_t count) {
    while (list->count > count)
        free(list->paths[--list->count]);
}

void file_list_free(FileList *list) {
    file_list_shorten(list, 0);
    free(list->paths);
    free(list->marks);
    *list = (FileList){0};
}
