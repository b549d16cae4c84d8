/* scene_works.c: a list of scenes, by their texts. */
#include "app/view/session/scene_works.h"

#include <stdlib.h>
#include <string.h>

static SceneWork *find(const SceneWorks *works, const char *opened) {
    for (size_t i = 0; i < works->count; i++)
        if (strcmp(works->list[i].opened, opened) == 0)
            return &works->list[i];
    return NULL;
}

static SceneWork *add(SceneWorks *works, const char *opened) {
    SceneWork *grown = realloc(works->list, (works->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    works->list = grown;
    grown += works->count;
    *grown = (SceneWork){.opened = strdup(opened), .now = strdup(opened)};
    if (grown->opened && grown->now) {
        works->count++;
        return grown;
    }
    free(grown->opened);
    free(grown->now);
    return NULL;
}

static void replace(char **text, const char *by) {
    char *copy = *text && strcmp(*text, by) == 0 ? NULL : strdup(by);
    if (!copy)
        return;
    free(*text);
    *text = copy;
}

void scene_works_note(SceneWorks *works, const char *opened, const char *now) {
    SceneWork *work = find(works, opened);
    work = work ? work : add(works, opened);
    if (work)
        replace(&work->now, now);
}

void scene_works_save(SceneWorks *works, const char *opened) {
    SceneWork *work = find(works, opened);
    if (work)
        replace(&work->saved, work->now);
}

const SceneWork *scene_works_opened(const SceneWorks *works, const char *opened) {
    return find(works, opened);
}

const SceneWork *scene_works_now(const SceneWorks *works, const char *now) {
    for (size_t i = 0; i < works->count; i++)
        if (strcmp(works->list[i].now, now) == 0)
            return &works->list[i];
    return NULL;
}

const SceneWork *scene_works_unsaved(const SceneWorks *works, const char *but) {
    for (size_t i = works->count; i-- > 0;) {
        const SceneWork *work = &works->list[i];
        if (strcmp(work->opened, but) != 0 && strcmp(work->now, work->opened) != 0 &&
            !(work->saved && strcmp(work->now, work->saved) == 0))
            return work;
    }
    return NULL;
}

void scene_works_free(SceneWorks *works) {
    for (size_t i = 0; i < works->count; i++) {
        free(works->list[i].opened);
        free(works->list[i].now);
        free(works->list[i].saved);
    }
    free(works->list);
    *works = (SceneWorks){0};
}
