/* sidecar_file.c: where sidecars are; reading and writing one. */
#include "app/view/session/sidecar_file.h"

#include "app/view/data/file_list.h"
#include "app/view/session/mask_store.h"
#include "app/view/session/paths.h"
#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/base/rewrite.h"
#include "core/scene/scene_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_KEPT = 160 /* characters of a picture's name in the state's folder */ };

/* ---- where ---- */

const char *sidecar_picture_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "edits/1f0a…-photo.jpg.glint": pictures of one name in several folders have several. */
static char *path_in_state(const char *whole) {
    char name[NAME_KEPT + 64];
    const Bytes bytes = {(unsigned char *)(uintptr_t)whole, strlen(whole)};
    snprintf(name, sizeof name, "edits/%016llx-%.*s%s", (unsigned long long)bytes_hash(bytes), NAME_KEPT,
             sidecar_picture_name(whole), SIDECAR_ENDING);
    return file_state_path(name);
}

static char *path_beside(const char *picture) {
    char *path;
    return asprintf(&path, "%s%s", picture, SIDECAR_ENDING) < 0 ? NULL : path;
}

/* Standard input, streams, and the photograph that comes with glint have none. */
static bool has_sidecar(const char *picture) {
    struct stat info;
    char shipped[PATH_CAPACITY];
    return stat(picture, &info) == 0 && S_ISREG(info.st_mode) &&
           !(path_of_photograph(shipped, sizeof shipped) && strcmp(shipped, picture) == 0);
}

/* ---- reading ---- */

static Status read_file(const char *path, const struct stat *info, SidecarFile *file) {
    if (!S_ISREG(info->st_mode))
        return fail(STATUS_INPUT, "%s: want a file", path);
    TRY(sidecar_load(path, &file->read));
    file->rating = file->read->rating;
    file->edited = file->read->count > 0;
    file->text = sidecar_format(file->read);
    return STATUS_OK;
}

/* Reads the first that is there. */
static Status look_for(SidecarFile *file) {
    struct stat info;
    Status status = STATUS_OK;
    for (int i = 0; i < PLACES && status == STATUS_OK; i++) {
        if (!file->paths[i] || stat(file->paths[i], &info) != 0)
            continue;
        file->known[i] = file_identity(&info);
        if (!file->read)
            status = read_file(file->paths[i], &info, file);
        if (i == BESIDE && status == STATUS_OK)
            mask_store_note(file->paths[i], file->text);
    }
    file->blocked = status != STATUS_OK;
    return status;
}

Status sidecar_file_find(const char *picture, bool looks, SidecarFile *file) {
    *file = (SidecarFile){.picture = strdup(picture)};
    if (!file->picture)
        return fail(STATUS_DEVICE, "%s: no memory for its edits", picture);
    if (!looks || !has_sidecar(picture))
        return STATUS_OK;
    char *whole = realpath(picture, NULL);
    file->paths[IN_STATE] = whole ? path_in_state(whole) : NULL;
    free(whole);
    file->paths[BESIDE] = path_beside(picture);
    return look_for(file);
}

/* The whole path of the scene's file with the changes that it is opened with; a generated one's text. */
static char *whole_scene(const char *opened) {
    const size_t base = scene_text_file(opened);
    if (scene_text_generator(opened))
        return strdup(opened);
    char *name = strndup(opened, base), *path = name ? realpath(name, NULL) : NULL;
    char *whole = path ? malloc(strlen(path) + strlen(opened + base) + 1) : NULL;
    if (whole)
        strcpy(stpcpy(whole, path), opened + base);
    free(name);
    free(path);
    return whole;
}

/* Whether the file is in the folder of the photograph that comes with glint. */
static bool is_shipped(const char *whole) {
    char photograph[PATH_CAPACITY];
    char *folder = path_of_photograph(photograph, sizeof photograph) ? realpath(photograph, NULL) : NULL;
    char *slash = folder ? strrchr(folder, '/') : NULL;
    const bool shipped = slash && strncmp(whole, folder, (size_t)(slash + 1 - folder)) == 0;
    free(folder);
    return shipped;
}

Status sidecar_file_find_scene(const char *opened, SidecarFile *file) {
    struct stat info;
    char *whole = whole_scene(opened);
    const bool has_folder = whole && stat(opened, &info) == 0 && S_ISREG(info.st_mode) && !is_shipped(whole);
    *file = (SidecarFile){.picture = strdup(opened), .of_scene = true};
    if (!file->picture || !whole) {
        free(whole);
        return file->picture ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory for its edits", opened);
    }
    file->paths[IN_STATE] = path_in_state(whole);
    free(whole);
    file->paths[BESIDE] = has_folder ? path_beside(opened) : NULL;
    return look_for(file);
}

const char *sidecar_file_path(const SidecarFile *file) {
    return file->paths[file->known[IN_STATE].inode > 0 || !file->paths[BESIDE] ? IN_STATE : BESIDE];
}

/* ---- writing ---- */

bool sidecar_file_is_kept(const SidecarFile *file) {
    return (file->paths[BESIDE] || file->paths[IN_STATE]) && !file->blocked;
}

/* A text on its way into a sidecar: next to the picture, or else in the folder of the state. */
typedef struct SidecarDraft {
    SidecarFile *file;
    SidecarPlace place;
    Rewrite *rewrite; /* NULL: the file has the text already */
} SidecarDraft;

/* Takes the text over. */
static Status draft(SidecarFile *file, char *text, SidecarDraft *made) {
    *made = (SidecarDraft){.file = file, .place = BESIDE};
    if (file->text && strcmp(text, file->text) == 0) {
        free(text);
        return STATUS_OK;
    }
    free(file->text);
    file->text = text;
    Status status = STATUS_DEVICE;
    if (file->paths[BESIDE])
        status = rewrite_begin(file->paths[BESIDE], text, &file->known[BESIDE], &made->rewrite);
    if (status == STATUS_DEVICE && file->paths[IN_STATE]) {
        made->place = IN_STATE;
        status = rewrite_begin(file->paths[IN_STATE], text, &file->known[IN_STATE], &made->rewrite);
    }
    return status;
}

/* Once the text has got its name, or has not. */
static Status conclude(const SidecarDraft *made, Status status) {
    SidecarFile *file = made->file;
    if (made->rewrite && status == STATUS_OK && made->place == BESIDE) {
        mask_store_note(file->paths[BESIDE], file->text);
        if (file->known[IN_STATE].inode > 0 && unlink(file->paths[IN_STATE]) == 0)
            file->known[IN_STATE] = (FileIdentity){0};
    }
    if (made->rewrite && status == STATUS_DEVICE && made->place == BESIDE && file->paths[IN_STATE])
        status = rewrite_text(file->paths[IN_STATE], file->text, &file->known[IN_STATE]);
    file->blocked = status == STATUS_INPUT;
    return status == STATUS_OK
               ? status
               : fail_within(status, "Can't keep the edits of %s: ", sidecar_picture_name(file->picture));
}

static void note_status(void *context, size_t index, Status status) {
    (void)index;
    *(Status *)context = status;
}

Status sidecar_file_write(SidecarFile *file, char *text) {
    SidecarDraft made;
    Status status = draft(file, text, &made);
    if (status == STATUS_OK && made.rewrite)
        rewrite_finish_all(&made.rewrite, 1, note_status, &status);
    return conclude(&made, status);
}

char *chain_whole_text(const Chain *chain) {
    Chain *whole = NULL;
    if (chain_copy(chain, &whole) == STATUS_OK)
        (void)chain_make_paths_whole(whole); /* a file that is gone keeps its name */
    const Chain *from = whole ? whole : chain;
    const size_t length = chain_format(from, NULL, 0);
    char *text = malloc(length + 1);
    if (text)
        chain_format(from, text, length + 1);
    chain_destroy(&whole);
    return text;
}

/* ---- changing ---- */

/* The changed text; NULL: there is nothing to write. The strings stay those of what was read. */
static Status change_text(SidecarFile *file, SidecarChange *change, void *context, char **text) {
    Sidecar sidecar = file->read ? *file->read : (Sidecar){.alpha = ALPHA_PREMULTIPLY};
    SidecarEdit *edits = calloc(sidecar.count + 2, sizeof *edits);
    *text = NULL;
    if (!edits)
        return fail(STATUS_DEVICE, "%s: no memory for its edits", file->picture);
    if (sidecar.count > 0)
        memcpy(edits, sidecar.edits, sidecar.count * sizeof *edits);
    sidecar.edits = edits;
    sidecar.picture = sidecar_picture_name(file->picture);
    Status status = change(&sidecar, context);
    const bool empty = sidecar.count == 0 && sidecar.rating == 0 && !file->read;
    if (status == STATUS_OK && !empty && !(*text = sidecar_format(&sidecar)))
        status = fail(STATUS_DEVICE, "%s: no memory for its edits", file->picture);
    free(edits);
    return status;
}

static Status draft_change(SidecarFile *file, const char *picture, SidecarChange *change, void *context,
                           SidecarDraft *made) {
    char *text;
    TRY(sidecar_file_find(picture, true, file));
    if (!sidecar_file_is_kept(file))
        return access(picture, F_OK) == 0 ? fail(STATUS_INPUT, "%s: nothing is kept of this picture", picture)
                                          : fail(STATUS_INPUT, "%s is gone", picture);
    TRY(change_text(file, change, context, &text));
    *made = (SidecarDraft){.file = file, .place = BESIDE};
    if (!text)
        return STATUS_OK;
    const Status status = draft(file, text, made);
    return status == STATUS_OK ? status : conclude(made, status);
}

/* ---- many at once ---- */

struct SidecarGroup {
    size_t count;
    SidecarFile files[REWRITES_MAX];
    SidecarDraft drafts[REWRITES_MAX];
    size_t numbers[REWRITES_MAX]; /* the caller's */
    SidecarDone *done;
    void *context;
    size_t map[REWRITES_MAX]; /* of texts that get names: the places of their drafts */
};

Status sidecar_group_create(SidecarGroup **group) {
    *group = calloc(1, sizeof **group);
    return *group ? STATUS_OK : fail(STATUS_DEVICE, "no memory for sidecars");
}

bool sidecar_group_full(const SidecarGroup *group) {
    return group->count == REWRITES_MAX;
}

Status sidecar_group_change(SidecarGroup *group, size_t number, const char *picture, SidecarChange *change,
                            void *context) {
    const size_t at = group->count;
    const Status status = draft_change(&group->files[at], picture, change, context, &group->drafts[at]);
    if (status != STATUS_OK) {
        sidecar_file_free(&group->files[at]);
        return status;
    }
    group->numbers[at] = number;
    group->count++;
    return STATUS_OK;
}

static void tell(SidecarGroup *group, size_t at, Status status) {
    const Status outcome = conclude(&group->drafts[at], status);
    group->done(group->context, group->numbers[at], outcome);
}

static void named(void *context, size_t index, Status status) {
    SidecarGroup *group = context;
    tell(group, group->map[index], status);
}

void sidecar_group_finish(SidecarGroup *group, SidecarDone *done, void *context) {
    Rewrite *texts[REWRITES_MAX];
    size_t count = 0;
    group->done = done;
    group->context = context;
    for (size_t i = 0; i < group->count; i++)
        if (group->drafts[i].rewrite) {
            group->map[count] = i;
            texts[count++] = group->drafts[i].rewrite;
        } else {
            tell(group, i, STATUS_OK);
        }
    rewrite_finish_all(texts, count, named, group);
    for (size_t i = 0; i < group->count; i++)
        sidecar_file_free(&group->files[i]);
    group->count = 0;
}

void sidecar_group_destroy(SidecarGroup **group) {
    free(*group);
    *group = NULL;
}

void sidecar_file_free(SidecarFile *file) {
    free(file->picture);
    free(file->text);
    sidecar_destroy(&file->read);
    for (int i = 0; i < PLACES; i++)
        free(file->paths[i]);
    *file = (SidecarFile){0};
}
