/* draw_timer.h: how long the parts of a draw take on the GPU, without a wait for it, and draws that do not run ahead.
 * Where OpenGL draws in software, whose timer queries tell nothing, parts end one after the other on the host's clock.
 */
#ifndef GLINT_RENDER_DRAW_TIMER_H
#define GLINT_RENDER_DRAW_TIMER_H

#include <stdbool.h>

enum { DRAW_PARTS = 2, DRAW_MARKS = DRAW_PARTS + 1 };

typedef struct DrawTimer {
    bool software;
    bool known;            /* the times of a draw, which nobody was told yet */
    double at[DRAW_MARKS]; /* the times, ms */
    unsigned queries[DRAW_MARKS];
    void *fence; /* behind the last draw; NULL: none */
} DrawTimer;

/* All functions need a current OpenGL 3.3 core context. */
void draw_timer_create(DrawTimer *timer);
void draw_timer_destroy(DrawTimer *timer);
/* Waits until the draw before is done, if it is not known to be: sooner than mark 0 would. */
void draw_timer_await(DrawTimer *timer);
/* Mark 0 is before the first part of a draw, and waits until the draw before is done; the others are behind each part.
 */
void draw_timer_mark(DrawTimer *timer, int mark);
/* The parts of the last draw that is done, ms, once. Behind mark 0 it is the draw before, in software this draw behind
 * its last mark. False if there is none. */
bool draw_timer_read(DrawTimer *timer, double parts[DRAW_PARTS]);

#endif
