/* formats.h: the file formats of scenes.
 * Owns the table that opening, recognising and listing scenes follow. */
#ifndef GLINT_CORE_SCENE_FILES_FORMATS_H
#define GLINT_CORE_SCENE_FILES_FORMATS_H

#include "core/scene/files/reader.h"

typedef struct SceneFormat {
    const char *name; /* also its extension, lower case */
    const char *help; /* one phrase for `glint list` */
    char comment;     /* what begins one; 0: there are none */
    /* Reads from the text's beginning to its end into an empty scene. STATUS_INPUT with the place and what was
     * expected. */
    Status (*parse)(Reader *reader, Scene *scene);
} SceneFormat;

extern const SceneFormat scene_formats[]; /* 0 is our own */
extern const size_t scene_format_count;

/* By the extension, in any case; NULL if none fits. */
const SceneFormat *scene_format_for_path(const char *path);
/* A scene of a text of that format. `name` is for messages. Fails as scene_open does. */
Status scene_format_parse(const SceneFormat *format, const char *name, const char *text, Scene **scene);

/* The rows' functions, a file each. */
Status scenefile_glint(Reader *reader, Scene *scene);
Status scenefile_nff(Reader *reader, Scene *scene);
Status scenefile_xyz(Reader *reader, Scene *scene);
Status scenefile_pdb(Reader *reader, Scene *scene);

#endif
