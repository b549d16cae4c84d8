/* module.h: the window as a module, glint-view.so: OpenGL, X11, freeglut and fonts are its affair. `glint view` loads
 * it. It takes the functions of core/, kernel/ and the commands from the program, whose version it has. */
#ifndef GLINT_APP_VIEW_MODULE_H
#define GLINT_APP_VIEW_MODULE_H

#include "core/base/status.h"

typedef struct ViewModule {
    const char *version; /* GLINT_VERSION; the program takes no other */
    /* `glint view` with its arguments, argv[0] being "glint view"; returns when the window is closed. */
    Status (*run)(int argc, char **argv);
} ViewModule;

extern const ViewModule glint_view; /* of the module */

#endif
