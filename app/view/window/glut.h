/* glut.h: the parts of the window, which its files share. One thread has them. */
#ifndef GLINT_APP_VIEW_WINDOW_GLUT_H
#define GLINT_APP_VIEW_WINDOW_GLUT_H

#include "app/view/window/events.h"
#include "app/view/window/recording.h"
#include "app/view/window/system.h"
#include "app/view/window/words.h"
#include "app/view/window/worker.h"

struct Glut {
    Viewer *viewer; /* borrowed */
    System *system; /* borrowed */
    int id;         /* of the system's window; 0: none */
    char title[256];
    Screen screen;
    Mouse mouse;
    Events events;
    Words words;           /* behind these */
    double kernels_looked; /* clock_ms: at kernel files of the user */
    Recording *recording;  /* or NULL */
    bool scripted;         /* a script runs */
    Worker *worker;
    int wakes;          /* readable when the worker has ended, or another program has sent a picture; -1: none */
    double expected;    /* ms that the run under way takes; 0: not known */
    char held[KEY_MAX]; /* the key by which a hand holds the unfiltered picture; "": none */
    bool walks;         /* one holds a key that moves the camera; a script's has none */
};

#endif
