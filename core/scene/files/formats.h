/* formats.h: the file formats of scenes.
 * Owns the list that opening, recognising and listing scenes follow (formats.def). */
#ifndef GLINT_CORE_SCENE_FILES_FORMATS_H
#define GLINT_CORE_SCENE_FILES_FORMATS_H

#include "core/base/bytes.h"
#include "core/scene/scene.h"

typedef struct SceneFormat {
    const char *name; /* also its extension, lower case */
    const char *help; /* one phrase for `glint list` */
    bool binary;      /* a file is read as it is; else it is a text: without zeros, and one lies behind its end */
    /* Reads all of a file into an empty scene; `name` is for messages. STATUS_INPUT with the place and what was
     * expected. reader_parse (core/scene/files/reader.h) does it for texts. */
    Status (*parse)(const char *name, Bytes file, Scene *scene);
} SceneFormat;

extern const SceneFormat *const scene_formats[]; /* 0 is our own */
extern const size_t scene_format_count;

/* By the extension, in any case; NULL if none fits. */
const SceneFormat *scene_format_for_path(const char *path);
/* Makes a scene of a file of that format. `name` is for messages. Fails as scene_open does. */
Status scene_format_parse(const SceneFormat *format, const char *name, Bytes file, Scene **scene);

#define SCENE_FORMAT(name) extern const SceneFormat scene_format_##name;
#include "core/scene/files/formats.def"
#undef SCENE_FORMAT

#endif
