/* scene_works.h: the latest state of each scene that was open, so that no change of one is lost unnoticed.
 * Owns the texts (core/scene/scene_text.h). A scene's key is its text as it was opened. */
#ifndef GLINT_APP_VIEW_SESSION_SCENE_WORKS_H
#define GLINT_APP_VIEW_SESSION_SCENE_WORKS_H

#include <stddef.h>

typedef struct SceneWork {
    char *opened; /* the text, as it was opened */
    char *now;    /* with the changes that were shown last */
    char *saved;  /* with those that a file has; NULL: none was written */
} SceneWork;

typedef struct SceneWorks {
    SceneWork *list; /* in the order in which they were opened */
    size_t count;
} SceneWorks;

/* Notes the state of a scene. Without memory, nothing is noted. */
void scene_works_note(SceneWorks *works, const char *opened, const char *now);
/* A file has this state of it. */
void scene_works_save(SceneWorks *works, const char *opened);
/* The scene that was opened by this text, or that has this text now; NULL if there is none. */
const SceneWork *scene_works_opened(const SceneWorks *works, const char *opened);
const SceneWork *scene_works_now(const SceneWorks *works, const char *now);
/* The last scene but the one that was opened by `but` with changes that no file has; NULL if there is none. */
const SceneWork *scene_works_unsaved(const SceneWorks *works, const char *but);
void scene_works_free(SceneWorks *works);

#endif
