/* draw_timer.h: how long the parts of a draw take on the GPU, without a wait for it, and draws that do not run ahead.
 * Where OpenGL draws in software, whose timer queries tell nothing, parts end one after the other on the host's clock.
 */
#ifndef GLINT_RENDER_DRAW_TIMER_H
#define GLINT_RENDER_DRAW_TIMER_H

#include <stdbool.h>

enum { DRAW_PARTS = 2, DRAW_MARKS = DRAW_PARTS + 1, DRAWS_TIMED = 4 /* that may be on their way */ };

typedef struct DrawTimer {
    bool software;
    unsigned drawn, told;  /* draws */
    double at[DRAW_MARKS]; /* ms, of the last draw, in software */
    unsigned queries[DRAWS_TIMED][DRAW_MARKS];
    void *fence; /* behind the last draw; NULL: none */
} DrawTimer;

/* These need a current OpenGL 3.3 core context. */
void draw_timer_create(DrawTimer *timer);
void draw_timer_destroy(DrawTimer *timer);
/* Mark 0 is before the first part of a draw, and waits until the draw before is done; the others are behind each part.
 */
void draw_timer_mark(DrawTimer *timer, int mark);
/* The parts of the oldest draw that is done and was not told yet, ms; false if there is none. */
bool draw_timer_read(DrawTimer *timer, double parts[DRAW_PARTS]);

#endif
