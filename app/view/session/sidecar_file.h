/* sidecar_file.h: the file of a sidecar: "photo.jpg.glint" next to the picture, "a.scene.glint" next to the scene.
 * Where that cannot be written, the folder of the state has it, which is looked at first. Scenes that are generated,
 * that come with glint, or that were opened with changes have theirs there alone. */
#ifndef GLINT_APP_VIEW_SESSION_SIDECAR_FILE_H
#define GLINT_APP_VIEW_SESSION_SIDECAR_FILE_H

#include "core/base/output.h"
#include "core/chain/chain.h"
#include "core/chain/sidecar.h"

typedef enum SidecarPlace { IN_STATE, BESIDE, PLACES } SidecarPlace;

typedef struct SidecarFile {
    char *picture; /* its name, or the scene's text as it was opened; NULL: none */
    bool of_scene;
    char *paths[PLACES];        /* of its sidecar; NULL: none is kept there */
    FileIdentity known[PLACES]; /* the files as they were read or written last */
    bool blocked;               /* one of them is not to be replaced */
    bool edited;                /* the text has edits */
    char *text;                 /* that was read or written last; NULL: none */
    Sidecar *read;              /* as it was found; NULL: none was there */
    int rating;                 /* of the text, or to be written */
} SidecarFile;

/* Looks for a picture's sidecar, and reads it if there is one; without `looks`, and for a picture that has none, there
 * are no paths. STATUS_INPUT, and nothing is written over it, if it cannot be used; STATUS_DEVICE. */
Status sidecar_file_find(const char *picture, bool looks, SidecarFile *file);
/* The same for a scene by the text that opens it. */
Status sidecar_file_find_scene(const char *opened, SidecarFile *file);
/* The path of the sidecar that was found. */
const char *sidecar_file_path(const SidecarFile *file);
/* Whether it can be written. */
bool sidecar_file_is_kept(const SidecarFile *file);
/* Writes the text, which is taken over, if it is another one. A file that another program has changed stays, and
 * nothing is written any more: STATUS_INPUT. STATUS_DEVICE. */
Status sidecar_file_write(SidecarFile *file, char *text);
void sidecar_file_free(SidecarFile *file); /* zeroes it */

/* Changes a sidecar, in which there is room for two more edits. */
typedef Status SidecarChange(Sidecar *sidecar, void *context);
/* Changes of many sidecars, whose texts get their names together, for which the disk is waited for once. */
typedef struct SidecarGroup SidecarGroup;
Status sidecar_group_create(SidecarGroup **group);
bool sidecar_group_full(const SidecarGroup *group); /* it takes no more: finish it */
/* Changes the sidecar of a picture that is not shown: of one that has none, an empty one. Nothing is written that is as
 * it was. STATUS_INPUT if the picture is gone, its sidecar cannot be used or was changed meanwhile; STATUS_DEVICE; what
 * `change` fails with. Such a picture is none of the group's. */
Status sidecar_group_change(SidecarGroup *group, size_t number, const char *picture, SidecarChange *change,
                            void *context);
/* Writes the texts, and empties the group; `done` is told the outcome of each picture's number, with its message. */
typedef void SidecarDone(void *context, size_t number, Status status);
void sidecar_group_finish(SidecarGroup *group, SidecarDone *done, void *context);
void sidecar_group_destroy(SidecarGroup **group); /* of an empty one; accepts NULL there */

/* The chain as text, with whole paths; free with free. NULL if memory is short. */
char *chain_whole_text(const Chain *chain);
/* The path behind its last slash. */
const char *sidecar_picture_name(const char *path);

#endif
