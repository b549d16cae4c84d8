/* format_read.h: scenes of files whose format is known. */
#ifndef GLINT_CORE_SCENE_FILES_FORMAT_READ_H
#define GLINT_CORE_SCENE_FILES_FORMAT_READ_H

#include "core/scene/files/formats.h"

/* Makes a scene of a file of that format. `name` is for messages. `options` are for formats of particles; NULL: as they
 * are by default. Fails as scene_open does. */
Status scene_format_parse(const SceneFormat *format, const char *name, Bytes file, const ParticleOptions *options,
                          Scene **scene);
/* The same of an opened file of particles, which it takes over and closes. It reads the frame that `options` choose,
 * and no other. STATUS_USAGE for a place between frames. */
Status scene_format_read(const SceneFormat *format, Input *input, const ParticleOptions *options, Scene **scene);
/* The same of a text that has one frame alone (core/scene/particles/frames.h). `frame` as particles_spheres has it. */
Status scene_format_frame(const SceneFormat *format, const char *name, Bytes text, Extract extract,
                          const ParticleOptions *options, ParticleFrame *frame, Scene **scene);

#endif
