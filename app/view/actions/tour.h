/* tour.h: the tour, from a blurred photograph to a traced scene. Each step sets what it needs, tells when its task was
 * done, and waits until one goes on. Owns the table of steps. */
#ifndef GLINT_APP_VIEW_ACTIONS_TOUR_H
#define GLINT_APP_VIEW_ACTIONS_TOUR_H

#include "app/view/session/viewer.h"

typedef enum TourChapter { CHAPTER_PHOTOGRAPH, CHAPTER_LADDER, CHAPTER_GPU, CHAPTER_SCENE, TOUR_CHAPTERS } TourChapter;
typedef enum TourChain { TOUR_ANY_CHAIN, TOUR_NO_FILTER, TOUR_GAUSSIAN } TourChain;

typedef struct TourStep {
    TourChapter chapter;
    const char *title, *words; /* the task, and the things to see */
    const char *actions;       /* that do it, by their names, separated by blanks */
    /* The state that it begins from; comparisons are off, and no race runs. */
    bool picture; /* one is shown */
    TourChain chain;
    const char *level; /* NULL: any */
    bool recorded;     /* figures of another machine are shown where there is no GPU */
    bool (*done)(const Viewer *viewer);
} TourStep;

extern const TourStep tour_steps[];
extern const size_t tour_step_count;
extern const char *const tour_chapters[TOUR_CHAPTERS]; /* their titles */

/* NULL: the tour is over, or was not begun. */
const TourStep *tour_step(const Viewer *viewer);
/* Begins this step, with the state that it needs. Behind the last one the tour is over: no filter, the best level. */
Status tour_go(Viewer *viewer, size_t step);
size_t tour_chapter_begin(TourChapter chapter); /* its first step */
void tour_leave(Viewer *viewer);                /* the step stays, to be gone on with */
/* Notes that the step was done. To be called whenever the viewer may have changed. */
void tour_follow(Viewer *viewer);
/* "F2", "A or Edit": the keys of the step's actions. */
void tour_keys(const Viewer *viewer, char *buffer, size_t size);
/* Whether the step shows the recorded ladder of a GPU (app/view/data/recorded.h), for want of one. */
bool tour_shows_record(const Viewer *viewer);

#endif
