/* capture.c: a framebuffer for screenshots. */
#include "render/capture.h"

#include "render/gl.h"

#include <epoxy/gl.h>
#include <string.h>

Status capture_begin(Capture *capture, int width, int height) {
    GLint was;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &was);
    *capture = (Capture){.width = width, .height = height, .before = (GLuint)was};
    glGenFramebuffers(1, &capture->framebuffer);
    glGenRenderbuffers(1, &capture->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, capture->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, capture->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, capture->colour);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    Status status = gl_check("making a framebuffer for the screenshot");
    if (status == STATUS_OK && !complete)
        status = fail(STATUS_DEVICE, "OpenGL: cannot draw a screenshot of %dx%d pixels", width, height);
    if (status != STATUS_OK)
        capture_end(capture);
    return status;
}

Status capture_read(const Capture *capture, Image **image) {
    const Shape shape = {(size_t)capture->width, (size_t)capture->height, 3, PIXEL_U8};
    Image *bottom_up = NULL;
    *image = NULL;
    Status status = image_create(shape, &bottom_up);
    if (status == STATUS_OK)
        status = image_create(shape, image);
    if (status != STATUS_OK)
        goto done;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, capture->width, capture->height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up->view.pixels);
    status = gl_check("reading the screenshot");
    for (size_t y = 0; status == STATUS_OK && y < shape.height; y++)
        memcpy(view_row((*image)->view, y), view_row(bottom_up->view, shape.height - 1 - y), shape_row_bytes(shape));
done:
    if (status != STATUS_OK)
        image_destroy(image);
    image_destroy(&bottom_up);
    return status;
}

void capture_show(const Capture *capture) {
    const int width = capture->width, height = capture->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, capture->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, capture->before);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void capture_end(Capture *capture) {
    if (!capture->framebuffer)
        return;
    glBindFramebuffer(GL_FRAMEBUFFER, capture->before);
    glDeleteFramebuffers(1, &capture->framebuffer);
    glDeleteRenderbuffers(1, &capture->colour);
    *capture = (Capture){0};
}
