/* formats.h: the file formats of scenes.
 * Owns the list that opening, recognising and listing scenes follow (formats.def). */
#ifndef GLINT_CORE_SCENE_FILES_FORMATS_H
#define GLINT_CORE_SCENE_FILES_FORMATS_H

#include "core/base/input.h"
#include "core/scene/particles/options.h"
#include "core/scene/particles/spheres.h"
#include "core/scene/scene.h"

typedef struct Header Header; /* core/scene/particles/header.h */

typedef struct SceneFormat {
    const char *name; /* also its extension, lower case */
    const char *more; /* further extensions with a blank before each, or "" */
    const char *help; /* one phrase for `glint list` */
    bool vague;       /* files of its extensions may be anything: folders do not show them as scenes */
    bool binary;      /* a file is read as it is; else it is a text: without zeros, and one lies behind its end */
    /* One of the two. `parse` reads all of a file into an empty scene; `name` is for messages. STATUS_INPUT with the
     * place and what was expected. reader_parse (core/scene/files/reader.h) does it for texts. */
    Status (*parse)(const char *name, Bytes file, Scene *scene);
    /* Finds the columns of particles of one frame, in bytes that have a zero behind their end. STATUS_INPUT with
     * what is wrong and what was expected. */
    Status (*table)(Particles *particles);
    /* Whether these first bytes of a file have all that `table` looks at. The rows behind them are then read as they
     * are needed. NULL: never. */
    bool (*is_head)(Bytes first);
    /* Formats of frames have this one: it goes behind the next frame, and is false where none follows. Its answer is
     * worth nothing where header->ended is set and the file goes on. A damaged frame is one, too, up to where the next
     * can be found: `table` says how it is wrong. */
    bool (*pass)(Header *header);
    bool tail; /* what lies behind the last frame belongs to all of them */
} SceneFormat;

extern const SceneFormat *const scene_formats[]; /* 0 is our own */
extern const size_t scene_format_count;

/* By the extension, in any case; NULL if none fits. */
const SceneFormat *scene_format_for_path(const char *path);
/* Whether a file of a folder is a scene, by its extension alone. */
bool scene_format_in_folder(const char *path);

#define SCENE_FORMAT(name) extern const SceneFormat scene_format_##name;
#include "core/scene/files/formats.def"
#undef SCENE_FORMAT

#endif
