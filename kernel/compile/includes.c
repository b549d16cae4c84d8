/* includes.c: lines that begin with #include, without a preprocessor: too many files at worst. */
#include "kernel/compile/includes.h"

#include "core/base/file.h"

#include <argz.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 200, DEPTH_MAX = 16 };

static const char blanks[] = " \t";

const char *path_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(folder, size, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    return folder[0] ? folder : "/";
}

/* Names of folders, one after the other, as argz has them. */
typedef struct Folders {
    char *names;
    size_t bytes;
} Folders;

static char *words_of(const char *variable, int separator, size_t *bytes) {
    char *words = NULL;
    const char *text = getenv(variable);
    return text && argz_create_sep(text, separator, &words, bytes) == 0 ? words : NULL;
}

/* The folder of an option of compilers, -I FOLDER or -IFOLDER, which may be the next word; NULL: it is another one. */
static const char *folder_of(const char *word, const char *next) {
    static const char *const options[] = {"-isystem", "-iquote", "-I"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strncmp(word, options[i], strlen(options[i])) == 0)
            return word[strlen(options[i])] ? word + strlen(options[i]) : next;
    return NULL;
}

/* The folders of headers that the user names to compilers. Without memory there are fewer. */
static void find_folders(Folders *folders) {
    static const char *const options[] = {"CC", "CFLAGS", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
    static const char *const lists[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char *words = words_of(options[i], ' ', &bytes);
        for (char *word = words; word; word = argz_next(words, bytes, word)) {
            const char *folder = folder_of(word, argz_next(words, bytes, word));
            if (folder)
                (void)argz_add(&folders->names, &folders->bytes, folder);
        }
        free(words);
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char *words = words_of(lists[i], ':', &bytes);
        if (words)
            (void)argz_append(&folders->names, &folders->bytes, words, bytes);
        free(words);
    }
}

/* A file that a line includes: its name, and whether that stands between quotes. */
typedef struct Included {
    const char *name;
    int length;
    bool quoted;
} Included;

static bool included(const char *line, Included *file) {
    static const char word[] = "include";
    line += strspn(line, blanks);
    if (*line != '#')
        return false;
    line += 1 + strspn(line + 1, blanks);
    if (strncmp(line, word, sizeof word - 1) != 0)
        return false;
    line += sizeof word - 1;
    line += strspn(line, blanks);
    if (*line != '"' && *line != '<')
        return false;
    const size_t length = strcspn(line + 1, *line == '"' ? "\"\n" : ">\n");
    *file = (Included){line + 1, (int)length, *line == '"'};
    return line[1 + length] == (*line == '"' ? '"' : '>');
}

static Status add_file(const char *path, const Folders *folders, int depth, int *files, CacheName *name);

static bool add_from(const char *folder, Included file, const Folders *folders, int depth, int *files,
                     CacheName *name) {
    char path[PATH_MAX];
    const bool below = file.name[0] != '/';
    return snprintf(path, sizeof path, "%s%s%.*s", below ? folder : "", below ? "/" : "", file.length, file.name) <
               PATH_MAX &&
           add_file(path, folders, depth, files, name) == STATUS_OK;
}

/* Looks next to the file that includes it, if the name is quoted, then in the user's folders. One that is not there is
 * the system's, or the compiler complains. */
static void add_included(const char *next_to, Included file, const Folders *folders, int depth, int *files,
                         CacheName *name) {
    ++*files;
    if (file.quoted && add_from(next_to, file, folders, depth, files, name))
        return;
    for (char *folder = folders->names; folder; folder = argz_next(folders->names, folders->bytes, folder))
        if (add_from(folder, file, folders, depth, files, name))
            return;
    *name = cache_name_add_text(*name, NULL);
}

static Status add_file(const char *path, const Folders *folders, int depth, int *files, CacheName *name) {
    char *text = NULL, folder[PATH_MAX];
    Included file;
    TRY(file_read_text(path, &text));
    *name = cache_name_add_text(*name, text);
    path_folder(path, folder, sizeof folder);
    for (const char *line = text, *end; line && depth < DEPTH_MAX && *files < FILES_MAX; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (included(line, &file))
            add_included(folder, file, folders, depth + 1, files, name);
    }
    free(text);
    return STATUS_OK;
}

Status includes_name(const char *path, CacheName *name) {
    int files = 1;
    Folders folders = {0};
    find_folders(&folders);
    const Status status = add_file(path, &folders, 0, &files, name);
    free(folders.names);
    return status;
}
