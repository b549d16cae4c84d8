/* mask_store.c: who names the masks in the folder of the state. */
#include "app/view/session/mask_store.h"

#include "core/base/file.h"
#include "core/chain/preset.h"
#include "core/chain/sidecar.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAYS_KEPT  30
#define DAY        (24 * 60 * 60)
#define LIST_NAME  "sidecars"
#define MASKS_NAME "masks"

static bool is_there(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0;
}

/* Calls the function with each entry's path but those of hidden ones. */
static void each(const char *folder, void (*visit)(void *context, const char *path, const char *name), void *context) {
    DIR *entries = folder ? opendir(folder) : NULL;
    char *path = NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] == '.' || asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
            continue;
        visit(context, path, entry->d_name);
        free(path);
    }
    if (entries)
        closedir(entries);
}

/* ---- texts that name masks ---- */

/* Sidecars and presets, one behind the other. */
typedef struct Texts {
    char *all; /* NULL: none so far */
    size_t length;
    bool incomplete; /* one of them could not be read, or memory was short */
} Texts;

static void add_text(Texts *texts, const char *path) {
    char *text = NULL;
    if (!is_there(path))
        return;
    const Status status = file_read_text(path, &text);
    const size_t length = text ? strlen(text) : 0;
    char *longer = realloc(texts->all, texts->length + length + 1);
    texts->incomplete |= status != STATUS_OK || !longer;
    if (longer) {
        texts->all = longer;
        memcpy(longer + texts->length, text ? text : "", length + 1);
        texts->length += length;
    }
    free(text);
}

static void add_entry(void *context, const char *path, const char *name) {
    (void)name;
    add_text(context, path);
}

/* "/masks/AbCdEf/1.png", as a chain has it without escapes; without a file, of all in the folder. */
static bool names(const Texts *texts, const char *folder, const char *file) {
    char end[2 * NAME_MAX + 16];
    const char *slash = strrchr(folder, '/');
    snprintf(end, sizeof end, "/" MASKS_NAME "/%.*s/%s", NAME_MAX, slash ? slash + 1 : folder, file);
    return texts->all && strstr(texts->all, end);
}

/* A sidecar that is gone together with its picture may be elsewhere, with masks that it names. */
static void add_listed(Texts *texts, const char *list) {
    Texts paths = {NULL, 0, false};
    char *rest, *at;
    add_text(&paths, list);
    texts->incomplete |= paths.incomplete;
    for (at = paths.all ? strtok_r(paths.all, "\n", &rest) : NULL; at; at = strtok_r(NULL, "\n", &rest)) {
        const size_t length = strlen(at), ending = strlen(SIDECAR_ENDING);
        if (is_there(at)) {
            add_text(texts, at);
        } else if (length > ending) {
            at[length - ending] = '\0';
            texts->incomplete |= !is_there(at);
        }
    }
    free(paths.all);
}

/* ---- noting ---- */

typedef struct Noting {
    char *line; /* the sidecar's path, with a new line */
    Texts text;
} Noting;

static void note_folder(void *context, const char *path, const char *name) {
    const Noting *noting = context;
    Texts known = {NULL, 0, false};
    char *list = NULL;
    (void)name;
    if (!names(&noting->text, path, "") || asprintf(&list, "%s/" LIST_NAME, path) < 0)
        return;
    add_text(&known, list);
    FILE *file = fopen(list, "a");
    if (file && !(known.all && strstr(known.all, noting->line)))
        fputs(noting->line, file);
    if (file)
        fclose(file);
    (void)utimensat(AT_FDCWD, list, NULL, 0);
    free(known.all);
    free(list);
}

void mask_store_note(const char *sidecar, const char *text) {
    char *masks = text && strstr(text, "/" MASKS_NAME "/") ? file_state_path(MASKS_NAME) : NULL;
    char *whole = masks ? realpath(sidecar, NULL) : NULL;
    Noting noting = {NULL, {NULL, 0, false}};
    if (whole && asprintf(&noting.line, "%s\n", whole) >= 0) {
        noting.text.all = strdup(text);
        each(masks, note_folder, &noting);
        free(noting.text.all);
        free(noting.line);
    }
    free(whole);
    free(masks);
}

/* ---- cleaning ---- */

typedef struct Cleaning {
    time_t before; /* files that were changed later stay */
    char *edits;   /* the folder of sidecars in the state */
    char *presets; /* the file */
    /* of the folder in hand */
    const char *folder;
    size_t masks, old;
    bool kept;
    Texts texts;
} Cleaning;

static bool is_old(const Cleaning *cleaning, const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && info.st_mtime < cleaning->before;
}

static void count(void *context, const char *path, const char *name) {
    Cleaning *cleaning = context;
    const bool list = strcmp(name, LIST_NAME) == 0, old = is_old(cleaning, path);
    cleaning->kept |= strcmp(name, MASK_KEPT_NAME) == 0 || (list && !old);
    cleaning->masks += !list;
    cleaning->old += !list && old;
}

static void remove_unnamed(void *context, const char *path, const char *name) {
    Cleaning *cleaning = context;
    if (strcmp(name, LIST_NAME) != 0 && is_old(cleaning, path) && !names(&cleaning->texts, cleaning->folder, name) &&
        unlink(path) == 0)
        cleaning->masks--;
}

static void clean_folder(void *context, const char *path, const char *name) {
    Cleaning *cleaning = context;
    char *list = NULL;
    (void)name;
    cleaning->folder = path;
    cleaning->masks = cleaning->old = 0;
    cleaning->kept = false;
    each(path, count, cleaning);
    if (cleaning->kept || (cleaning->masks > 0 ? cleaning->old == 0 : !is_old(cleaning, path)) ||
        asprintf(&list, "%s/" LIST_NAME, path) < 0)
        return;
    cleaning->texts = (Texts){NULL, 0, false};
    each(cleaning->edits, add_entry, &cleaning->texts);
    add_text(&cleaning->texts, cleaning->presets);
    add_listed(&cleaning->texts, list);
    if (!cleaning->texts.incomplete)
        each(path, remove_unnamed, cleaning);
    if (cleaning->masks == 0 && (unlink(list) == 0 || !is_there(list)))
        (void)rmdir(path);
    free(cleaning->texts.all);
    free(list);
}

void mask_store_clean(time_t now) {
    char *masks = file_state_path(MASKS_NAME);
    Cleaning cleaning = {.before = now - DAYS_KEPT * DAY, .edits = file_state_path("edits"), .presets = presets_path()};
    each(masks, clean_folder, &cleaning);
    free(cleaning.presets);
    free(cleaning.edits);
    free(masks);
}
