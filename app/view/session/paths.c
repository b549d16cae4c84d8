/* paths.c: reading a folder for its names. */
#include "app/view/session/paths.h"

#include "app/view/data/file_list.h"
#include "core/base/text.h"
#include "core/codec/codec.h"
#include "core/scene/files/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_MAX = 20000 };

typedef struct Names {
    char **list;
    size_t count;
} Names;

const char *path_expand(const char *text, char *buffer, size_t size) {
    const char *home = text[0] == '~' && text[1] == '/' ? getenv("HOME") : NULL;
    snprintf(buffer, size, "%s%s", home ? home : "", home ? text + 1 : text);
    return buffer;
}

const char *path_told(const char *path, char *buffer, size_t size) {
    const char *home = getenv("HOME"), *below = strncmp(path, "./", 2) == 0 ? path + 2 : path;
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    snprintf(buffer, size, "%s%s%s", here ? here : "", here && strcmp(here, "/") != 0 ? "/" : "", below);
    free(here);
    const size_t length = home && home[0] == '/' ? strlen(home) : 0;
    if (length > 1 && strncmp(buffer, home, length) == 0 && buffer[length] == '/') {
        buffer[0] = '~';
        memmove(buffer + 1, buffer + length, strlen(buffer + length) + 1);
    }
    return buffer;
}

static int compare(const void *a, const void *b) {
    return text_order(*(char *const *)a, *(char *const *)b);
}

static void read_names(const char *folder, bool hidden, Names *names) {
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    names->list = stream ? malloc(NAMES_MAX * sizeof *names->list) : NULL;
    while (names->list && names->count < NAMES_MAX && (entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") == 0 || (entry->d_name[0] == '.' && !hidden && entry->d_name[1] != '.'))
            continue;
        char *name = strdup(entry->d_name);
        if (name)
            names->list[names->count++] = name;
    }
    if (stream)
        closedir(stream);
    if (names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, compare);
}

static bool is_folder(const char *folder, const char *name) {
    char path[PATH_CAPACITY + 256];
    struct stat found;
    snprintf(path, sizeof path, "%s%s", folder, name);
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool can_open(const char *name, Paths which) {
    const Format *format = format_for_path(name);
    const char *dot = strrchr(name, '.');
    const bool picture = format && format->reads, scene = scene_format_in_folder(name);
    const bool fits[] = {[PATHS_ALL] = picture || scene,
                         [PATHS_PICTURES] = picture,
                         [PATHS_CUBES] = dot && strcasecmp(dot, ".cube") == 0,
                         [PATHS_SCENES] = scene,
                         [PATHS_FOLDERS] = false,
                         [PATHS_KERNELS] = dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0)};
    return fits[which];
}

Status paths_choose(const char *text, Paths which, Choices *choices) {
    const char *slash = strrchr(text, '/');
    const size_t behind = slash ? (size_t)(slash + 1 - text) : 0;
    char folder[PATH_CAPACITY], line[PATH_CAPACITY + 256], label[300], typed[PATH_CAPACITY];
    Choices all[2] = {{.wanted = text + behind}, {.wanted = text + behind}}; /* folders and files */
    Names names = {0};
    Status status = STATUS_OK;
    snprintf(typed, sizeof typed, "%.*s", (int)behind, text);
    path_expand(typed, folder, sizeof folder);
    read_names(folder[0] ? folder : ".", text[behind] == '.', &names);
    for (size_t i = 0; i < names.count && status == STATUS_OK; i++) {
        const char *name = names.list[i];
        const bool goes_on = is_folder(folder, name);
        if (!goes_on && !can_open(name, which))
            continue;
        snprintf(line, sizeof line, "%s%s%s", typed, name, goes_on ? "/" : "");
        snprintf(label, sizeof label, "%s%s", name, goes_on ? "/" : "");
        status = choices_add(&all[goes_on ? 0 : 1], (Choice){.text = line, .label = label, .goes_on = goes_on});
    }
    for (int kind = 0; kind < 2; kind++) {
        choices_sort(&all[kind]);
        choices->wanted = "";
        for (size_t i = 0; i < all[kind].count && status == STATUS_OK; i++)
            status = choices_add(choices, all[kind].list[i]);
        choices_clear(&all[kind]);
    }
    for (size_t i = 0; i < names.count; i++)
        free(names.list[i]);
    free(names.list);
    return status;
}

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

const char *path_cut_middle(const char *name, size_t keep, char *buffer, size_t size) {
    const size_t length = strlen(name);
    size_t head = keep / 2, tail = length - keep / 2;
    if (keep >= length)
        head = tail = length;
    while (head > 0 && continues(name[head]))
        head--;
    while (continues(name[tail]))
        tail++;
    snprintf(buffer, size, "%.*s%s%s", (int)head, name, keep < length ? "…" : "", name + tail);
    return buffer;
}

bool path_of_photograph(char *buffer, size_t size) {
    static const char *const places[] = {"../share/glint/photo.jpg", "../assets/photo.jpg"}; /* from the program */
    char program[PATH_CAPACITY];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++)
        if ((size_t)snprintf(buffer, size, "%.*s/%s", (int)(slash - program), program, places[i]) < size &&
            access(buffer, R_OK) == 0)
            return true;
    return false;
}
