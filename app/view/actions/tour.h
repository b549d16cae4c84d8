/* tour.h: ten steps from a blurred photograph to a traced scene; each waits until it was done.
 * Owns the table of steps: the task, and how the viewer's state tells that it was done. */
#ifndef GLINT_APP_VIEW_ACTIONS_TOUR_H
#define GLINT_APP_VIEW_ACTIONS_TOUR_H

#include "app/view/session/viewer.h"

typedef struct TourStep {
    const char *title, *words;           /* the task, and the things to see */
    const char *actions;                 /* that do it, by their names, separated by blanks */
    bool (*needs)(const Viewer *viewer); /* the state it begins from; NULL: any */
    const char *provide;                 /* the command that provides it */
    bool (*done)(const Viewer *viewer);
} TourStep;

extern const TourStep tour_steps[];
extern const size_t tour_step_count;

/* NULL: the tour is over, or was not begun. */
const TourStep *tour_step(const Viewer *viewer);
void tour_begin(Viewer *viewer);
void tour_leave(Viewer *viewer);
void tour_go(Viewer *viewer, int steps); /* back, or on; behind the last step the tour is over */
/* Goes on if the step was done, and asks for the state that the next begins from. To be called whenever the viewer may
 * have changed. */
void tour_follow(Viewer *viewer);
/* "F2", "A or Edit": the keys of the step's actions. */
void tour_keys(const Viewer *viewer, char *buffer, size_t size);

#endif
