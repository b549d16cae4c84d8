/* view.c: glint view: loads the window, which is a module, so that the program needs neither OpenGL nor X11. */
#include "app/command.h"
#include "app/view/module.h"
#include "core/base/module.h"

#include <dlfcn.h>
#include <string.h>

Status view_command(int argc, char **argv) {
    void *module = module_open("glint-view.so", false);
    const ViewModule *view = module ? dlsym(module, "glint_view") : NULL;
    if (!view)
        return fail(STATUS_DEVICE,
                    "view: the window is a module that does not load; the package glint-view brings it (%s)",
                    dlerror());
    if (strcmp(view->version, GLINT_VERSION) != 0)
        return fail(STATUS_DEVICE, "view: glint-view.so is of version %s, glint of %s; both must be of one",
                    view->version, GLINT_VERSION);
    return view->run(argc, argv);
}
