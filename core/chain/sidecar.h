/* sidecar.h: the edits of a picture or a scene as a text next to it: "photo.jpg.glint".
 * Owns the format: a line with its version, then lines KEY = VALUE. Each edit is a line of words, and the chain and the
 * border that it led to. Scenes also have the lines of SceneEdit, where they are not as the scene begins:
 *
 *   glint edits 1
 *   # comment
 *   picture = photo.jpg
 *   rating = 4
 *   shown = 2
 *   edit = as it began
 *   filter =
 *   edit = add gaussian
 *   filter = gaussian=2
 *   border = mirror
 *
 * Values have escapes: \\, \n, \r, and where they begin or end with a blank or a tab \s and \t. A rating is a number of
 * stars, or "rejected"; a text that has one may have no edits. Lines before the first edit that have other keys, as
 * later versions may write them, are kept as they are. */
#ifndef GLINT_CORE_CHAIN_SIDECAR_H
#define GLINT_CORE_CHAIN_SIDECAR_H

#include "core/image/border.h"
#include "core/plan/plan.h"

#define SIDECAR_ENDING ".glint"

enum { SIDECAR_EDITS_MAX = 4096, RATING_MAX = 5, RATING_REJECTED = -1 };

/* The rest of a scene's edit; NULL: as the scene begins. */
typedef struct SceneEdit {
    const char *changes; /* behind its file (core/scene/scene_text.h): "sun=altitude=20"; or all of a generated one */
    const char *camera, *look, *light, *figure;
} SceneEdit;

typedef struct SidecarEdit {
    const char *words; /* the change that led here */
    const char *chain; /* as chain_parse takes it; "": no filters */
    Border border;     /* clamp where the text has none */
    SceneEdit scene;
} SidecarEdit;

typedef struct SidecarLine {
    const char *key, *value;
} SidecarLine;

typedef struct Sidecar {
    const char *picture; /* the picture's file; "" where the text has none */
    const char *scene;   /* NULL: it is a picture */
    int rating;          /* stars, up to RATING_MAX; 0: none; or RATING_REJECTED */
    bool rated;          /* the text has a rating */
    bool linear;         /* these two as --linear and --alpha */
    AlphaMode alpha;
    size_t count, shown; /* edits, at least one unless the text has a rating; the one that is shown, from 0 */
    SidecarEdit *edits;
    size_t other_count; /* lines that this version does not know */
    SidecarLine *others;
    char *text; /* that the strings are parts of; NULL: they are borrowed */
} Sidecar;

/* Reads the format. Chains are not parsed. STATUS_INPUT: "line 3: want ...", also for other texts and for versions that
 * are newer. */
Status sidecar_parse(const char *text, Sidecar **sidecar);
/* Reads a file as file_read_text and sidecar_parse do; every message begins with the path. */
Status sidecar_load(const char *path, Sidecar **sidecar);
void sidecar_destroy(Sidecar **sidecar); /* accepts NULL */
/* The text that is read as the same again; free with free. NULL if memory is short. */
char *sidecar_format(const Sidecar *sidecar);

/* "3", or "rejected". */
Status rating_parse(const char *text, int *rating);
const char *rating_format(int rating);

/* "@photo.jpg.glint" as a chain: *chain is that of the edit that is shown, "" without edits, to be freed with free. Its
 * border, --linear and --alpha are put into `options` where these are as by default. *chain is NULL for any other text.
 * Fails as sidecar_load does. */
Status sidecar_take(const char *text, PlanOptions *options, char **chain);

#endif
