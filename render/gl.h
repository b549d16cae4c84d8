/* gl.h: small OpenGL helpers with checked outcomes.
 * Owns compiling shader programs and turning OpenGL's error flags into a Status. */
#ifndef GLINT_RENDER_GL_H
#define GLINT_RENDER_GL_H

#include "core/base/status.h"

/* `defines` are lines put behind the first line of both texts, their #version. STATUS_DEVICE with the compiler's own
 * words if a shader does not compile or link. */
Status gl_program_create(const char *name, const char *defines, const char *vertex, const char *fragment,
                         unsigned *program);
/* STATUS_DEVICE if an OpenGL call failed since the last check; `doing` names the work in hand. */
Status gl_check(const char *doing);

#endif
