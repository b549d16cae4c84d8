/* draw_timer.c: timestamps between OpenGL's commands, and a fence behind the last of them. */
#include "render/draw_timer.h"

#include "core/base/timing.h"

#include <epoxy/gl.h>
#include <string.h>

#define PATIENCE_NS 1000000000u /* for a draw */

static bool draws_in_software(void) {
    static const char *const renderers[] = {"llvmpipe", "softpipe", "swrast", "SWR", "Software"};
    const char *name = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; name && i < sizeof renderers / sizeof renderers[0]; i++)
        if (strstr(name, renderers[i]))
            return true;
    return false;
}

void draw_timer_create(DrawTimer *timer) {
    *timer = (DrawTimer){.software = draws_in_software()};
    if (!timer->software)
        glGenQueries(DRAW_MARKS, timer->queries);
}

void draw_timer_destroy(DrawTimer *timer) {
    if (timer->queries[0])
        glDeleteQueries(DRAW_MARKS, timer->queries);
    if (timer->fence)
        glDeleteSync(timer->fence);
    *timer = (DrawTimer){0};
}

/* A hand's action must not wait behind draws that nobody needs any more. */
void draw_timer_await(DrawTimer *timer) {
    if (!timer->fence)
        return;
    const GLenum end = glClientWaitSync(timer->fence, GL_SYNC_FLUSH_COMMANDS_BIT, PATIENCE_NS);
    timer->known = end == GL_ALREADY_SIGNALED || end == GL_CONDITION_SATISFIED;
    for (int i = 0; i < DRAW_MARKS && timer->known; i++) {
        GLuint64 at;
        glGetQueryObjectui64v(timer->queries[i], GL_QUERY_RESULT, &at);
        timer->at[i] = (double)at / 1e6;
    }
    glDeleteSync(timer->fence);
    timer->fence = NULL;
}

static void mark_in_software(DrawTimer *timer, int mark) {
    if (mark > 0)
        glFinish();
    timer->at[mark] = clock_ms();
    timer->known = mark == DRAW_PARTS;
}

void draw_timer_mark(DrawTimer *timer, int mark) {
    if (timer->software) {
        mark_in_software(timer, mark);
        return;
    }
    if (mark == 0)
        draw_timer_await(timer);
    glQueryCounter(timer->queries[mark], GL_TIMESTAMP);
    if (mark == DRAW_PARTS)
        timer->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool draw_timer_read(DrawTimer *timer, double parts[DRAW_PARTS]) {
    const bool known = timer->known;
    for (int i = 0; i < DRAW_PARTS && known; i++)
        parts[i] = timer->at[i + 1] - timer->at[i];
    timer->known = false;
    return known;
}
