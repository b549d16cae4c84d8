/* watch.h: whether a file has become another one.
 * Owns the rule that what is still being written is left alone: a file is taken once two looks have found it alike. */
#ifndef GLINT_APP_VIEW_DATA_WATCH_H
#define GLINT_APP_VIEW_DATA_WATCH_H

#include <stdbool.h>
#include <sys/stat.h>

#define WATCH_MS 500.0 /* from look to look */

typedef struct Watch {
    bool on;
    unsigned of; /* what is shown, by a serial; 0: nothing yet */
    bool there;  /* at the last look; then as it was: */
    struct stat last;
    bool other;    /* than what is shown */
    double looked; /* clock_ms */
    int missed;    /* looks, one after the other, that found no file */
} Watch;

/* Looks at `path`, which what is shown, of this serial, was read from, if it is time. `reading_s`: how long ago it was
 * read, at least: what was written since is another one. True once the file is to be read again; the next time,
 * `serial` is the same where that failed. */
bool watch_look(Watch *watch, const char *path, unsigned serial, double reading_s);
/* True once when two looks have found no file: it is gone, rather than about to be replaced. */
bool watch_lost(Watch *watch);
/* In how many ms it is time; negative if nothing is watched. */
double watch_waits_ms(const Watch *watch);

#endif
