/* glint.h: scenes as texts of our own format, versions 1 and 2: docs/scene-format.md. */
#ifndef GLINT_CORE_SCENE_FILES_GLINT_H
#define GLINT_CORE_SCENE_FILES_GLINT_H

#include "core/scene/scene.h"

/* Makes a scene of a text. `name` is for messages, and its folder for the path of the sky's image, which is not read.
 * Fails as scene_open does. */
Status scene_parse(const char *name, const char *text, Scene **scene);
/* The text that scene_parse turns into the same scene, bit for bit, version 1 if that can hold it; returns the length
 * as snprintf does. Spheres that move stand there at their current places. */
size_t scene_format(const Scene *scene, char *buffer, size_t size);

#endif
