/* draw_timer.c: timestamps between OpenGL's commands, and a fence behind the last of them. */
#include "render/draw_timer.h"

#include "core/timing.h"

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
        glGenQueries(DRAWS_TIMED * DRAW_MARKS, timer->queries[0]);
}

void draw_timer_destroy(DrawTimer *timer) {
    if (timer->queries[0][0])
        glDeleteQueries(DRAWS_TIMED * DRAW_MARKS, timer->queries[0]);
    if (timer->fence)
        glDeleteSync(timer->fence);
    *timer = (DrawTimer){0};
}

/* What a hand does now is not to wait behind draws that nobody needs any more. */
static void await_draw(DrawTimer *timer) {
    if (timer->fence) {
        glClientWaitSync(timer->fence, GL_SYNC_FLUSH_COMMANDS_BIT, PATIENCE_NS);
        glDeleteSync(timer->fence);
    }
    timer->fence = NULL;
}

void draw_timer_mark(DrawTimer *timer, int mark) {
    const bool first = mark == 0, last = mark == DRAW_PARTS;
    if (timer->software) {
        if (!first)
            glFinish();
        timer->at[mark] = clock_ms();
    } else {
        if (first)
            await_draw(timer);
        glQueryCounter(timer->queries[timer->drawn % DRAWS_TIMED][mark], GL_TIMESTAMP);
        if (last)
            timer->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    timer->drawn += last;
}

bool draw_timer_read(DrawTimer *timer, double parts[DRAW_PARTS]) {
    GLint done = GL_TRUE;
    if (timer->drawn - timer->told >= DRAWS_TIMED) /* the queries of older ones are in use again */
        timer->told = timer->drawn - (DRAWS_TIMED - 1);
    if (timer->told == timer->drawn)
        return false;
    const unsigned *queries = timer->queries[timer->told % DRAWS_TIMED];
    if (!timer->software)
        glGetQueryObjectiv(queries[DRAW_PARTS], GL_QUERY_RESULT_AVAILABLE, &done);
    if (!done)
        return false;
    timer->told++;
    for (int i = 0; i < DRAW_PARTS; i++) {
        GLuint64 from = 0, to = 0;
        if (!timer->software) {
            glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &from);
            glGetQueryObjectui64v(queries[i + 1], GL_QUERY_RESULT, &to);
        }
        parts[i] = timer->software ? timer->at[i + 1] - timer->at[i] : (double)(to - from) / 1e6;
    }
    return true;
}
