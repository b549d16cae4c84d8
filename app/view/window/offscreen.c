/* offscreen.c: EGL's devices (EGL_EXT_device_enumeration, EGL_EXT_platform_device), then Mesa's platform without
 * surfaces. */
#include "app/view/window/offscreen.h"

#include "render/gl.h"

#include <epoxy/egl.h> /* before other headers of OpenGL */

#include <dlfcn.h>
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdlib.h>

enum { DEVICES_MAX = 32 };

struct Offscreen {
    EGLDisplay display;
    EGLContext context;
    unsigned framebuffer, colour;
    int width, height;
};

static bool make_context(Offscreen *made, EGLDisplay display) {
    const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return false;
    made->display = display;
    made->context = epoxy_has_egl_extension(display, "EGL_KHR_no_config_context") &&
                            epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context") &&
                            eglBindAPI(EGL_OPENGL_API)
                        ? eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version)
                        : EGL_NO_CONTEXT;
    if (made->context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made->context))
        return true;
    if (made->context != EGL_NO_CONTEXT)
        eglDestroyContext(display, made->context);
    eglTerminate(display);
    made->display = EGL_NO_DISPLAY;
    return false;
}

/* GPUs before devices that compute in software, each in EGL's order. */
static bool make_on_devices(Offscreen *made) {
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        !eglQueryDevicesEXT(DEVICES_MAX, devices, &count))
        return false;
    for (int software = 0; software < 2; software++)
        for (EGLint i = 0; i < count; i++) {
            const char *has = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
            const bool computes = has && epoxy_extension_in_string(has, "EGL_MESA_device_software");
            if (computes == software &&
                make_context(made, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL)))
                return true;
        }
    return false;
}

static bool make_without_surfaces(Offscreen *made) {
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
           make_context(made, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
}

/* libepoxy ends the program where EGL is not installed. */
static bool egl_is_here(void) {
    return dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL) != NULL;
}

Status offscreen_create(Offscreen **offscreen) {
    Offscreen *made = *offscreen = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a window without a display");
    if (egl_is_here() && (make_on_devices(made) || make_without_surfaces(made)))
        return STATUS_OK;
    free(made);
    *offscreen = NULL;
    return fail(STATUS_DEVICE,
                "view: --serve needs OpenGL 3.3 core by EGL (libEGL.so.1), of a GPU's driver or of Mesa in software "
                "(Debian: libegl1, libgl1-mesa-dri)");
}

static void free_framebuffer(Offscreen *offscreen) {
    glDeleteFramebuffers(1, &offscreen->framebuffer);
    glDeleteRenderbuffers(1, &offscreen->colour);
}

void offscreen_destroy(Offscreen **offscreen) {
    Offscreen *old = *offscreen;
    if (!old)
        return;
    free_framebuffer(old);
    eglMakeCurrent(old->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(old->display, old->context);
    eglTerminate(old->display);
    free(old);
    *offscreen = NULL;
}

static Status make_framebuffer(int width, int height, unsigned *framebuffer, unsigned *colour) {
    glGenFramebuffers(1, framebuffer);
    glGenRenderbuffers(1, colour);
    glBindRenderbuffer(GL_RENDERBUFFER, *colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, *colour);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    TRY(gl_check("making a framebuffer for the window"));
    return complete ? STATUS_OK : fail(STATUS_DEVICE, "OpenGL: cannot draw a window of %dx%d pixels", width, height);
}

Status offscreen_bind(Offscreen *offscreen, int width, int height) {
    Status status = STATUS_OK;
    if (width != offscreen->width || height != offscreen->height) {
        Offscreen made = *offscreen;
        status = make_framebuffer(width, height, &made.framebuffer, &made.colour);
        free_framebuffer(status == STATUS_OK ? offscreen : &made);
        if (status == STATUS_OK) {
            made.width = width;
            made.height = height;
            *offscreen = made;
        }
    }
    glBindFramebuffer(GL_FRAMEBUFFER, offscreen->framebuffer);
    return status;
}

OffscreenSize offscreen_size(const Offscreen *offscreen) {
    return (OffscreenSize){offscreen->width, offscreen->height};
}

void offscreen_read(Offscreen *offscreen, unsigned char *pixels) {
    glBindFramebuffer(GL_FRAMEBUFFER, offscreen->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, offscreen->width, offscreen->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}
