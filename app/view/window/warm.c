/* warm.c: a thread with a connection, a context and a canvas of its own. */
#include "app/view/window/warm.h"

#include "render/canvas.h"

#include <X11/Xlib.h>
#include <epoxy/gl.h>
#include <epoxy/glx.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NICENESS = 19 };

struct Warm {
    pthread_t thread;
    int config; /* of the window */
    atomic_bool stop;
};

/* OpenGL keeps compiled programs for each kind of drawable: this one is of the window's kind. */
static GLXFBConfig config_like(Display *display, int number) {
    const int wanted[] = {GLX_FBCONFIG_ID, number, None};
    int count = 0, kinds = 0;
    GLXFBConfig *configs = glXChooseFBConfig(display, DefaultScreen(display), wanted, &count), found = NULL;
    if (configs && count > 0 && glXGetFBConfigAttrib(display, configs[0], GLX_DRAWABLE_TYPE, &kinds) == 0 &&
        (kinds & GLX_PBUFFER_BIT))
        found = configs[0];
    if (configs)
        XFree(configs);
    return found;
}

static void draw_all(Warm *warm, Display *display, GLXFBConfig config) {
    const int version[] = {
        GLX_CONTEXT_MAJOR_VERSION_ARB,    3,   GLX_CONTEXT_MINOR_VERSION_ARB, 3, GLX_CONTEXT_PROFILE_MASK_ARB,
        GLX_CONTEXT_CORE_PROFILE_BIT_ARB, None};
    const int size[] = {GLX_PBUFFER_WIDTH, 1, GLX_PBUFFER_HEIGHT, 1, None};
    Canvas *canvas = NULL;
    const GLXContext context = glXCreateContextAttribsARB(display, config, NULL, True, version);
    const GLXPbuffer buffer = glXCreatePbuffer(display, config, size);
    if (context && buffer && glXMakeContextCurrent(display, buffer, buffer, context)) {
        if (canvas_create(&canvas) == STATUS_OK)
            (void)canvas_warm_all(canvas, &warm->stop); /* failures show when the window draws it */
        canvas_destroy(&canvas);
        glXMakeContextCurrent(display, None, None, NULL);
    }
    if (buffer)
        glXDestroyPbuffer(display, buffer);
    if (context)
        glXDestroyContext(display, context);
}

static void *work(void *argument) {
    Warm *warm = argument;
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS); /* Linux has one for each thread */
    Display *display = XOpenDisplay(NULL);
    const GLXFBConfig config = display ? config_like(display, warm->config) : NULL;
    if (config)
        draw_all(warm, display, config);
    if (display)
        XCloseDisplay(display);
    return NULL;
}

Warm *warm_begin(void) {
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    Warm *warm = renderer && strstr(renderer, "llvmpipe") ? calloc(1, sizeof *warm) : NULL;
    if (!warm)
        return NULL;
    Display *display = glXGetCurrentDisplay(); /* without one, there is no window on it */
    const bool known = display && glXQueryContext(display, glXGetCurrentContext(), GLX_FBCONFIG_ID, &warm->config) == 0;
    if (known && pthread_create(&warm->thread, NULL, work, warm) == 0)
        return warm;
    free(warm);
    return NULL;
}

void warm_end(Warm **warm) {
    if (!*warm)
        return;
    atomic_store(&(*warm)->stop, true);
    pthread_join((*warm)->thread, NULL);
    free(*warm);
    *warm = NULL;
}
