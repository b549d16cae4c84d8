/* scene_open.h: a scene by its name: a generator with parameters, or a file. */
#ifndef GLINT_CORE_SCENE_SCENE_OPEN_H
#define GLINT_CORE_SCENE_SCENE_OPEN_H

#include "core/scene/scene.h"

/* "spheres", "spheres=count=2000:seed=7", or a file, whose format its extension tells (else it is our own). Options of
 * particles follow the name of their file: "run.dump:frame=3:radius=mass".
 * The sky's image is read, too. STATUS_USAGE for a bad parameter. STATUS_INPUT for more than memory_budget() holds, and
 * for a bad file: with the line, the column and the expected token, or with the image's path. */
Status scene_open(const char *text, Scene **scene);
/* The length of the path that `text` begins with: all of it, or up to the colon before options. 0: the extension of no
 * scene format ends there. */
size_t scene_path_length(const char *text);
/* Whether `text` names a scene (a generator, or a file with the extension of a scene format) rather than a picture. */
bool scene_recognize(const char *text);

#endif
