/* watch.h: whether a file has become another one. Owns the rule that a file which is still being written is left alone:
 * it is taken once two looks have found it alike. */
#ifndef GLINT_APP_VIEW_DATA_WATCH_H
#define GLINT_APP_VIEW_DATA_WATCH_H

#include "core/base/file_identity.h"

#define WATCH_MS 500.0 /* from look to look */

typedef struct Watch {
    bool on;
    unsigned of; /* the shown file's serial; 0: none yet */
    bool there;  /* at the last look; then as it was: */
    FileIdentity last;
    bool other;    /* than the shown file */
    double looked; /* clock_ms */
    int missed;    /* looks, one after the other, that found no file */
} Watch;

/* Looks at `path` if it is time; the shown picture, of this serial, was read from there at least `reading_s` seconds
 * ago. A file that was written since is another one. True once the file is to be read again; if that fails, `serial`
 * stays the same at the next call. */
bool watch_look(Watch *watch, const char *path, unsigned serial, double reading_s);
/* True once when two looks have found no file: it is gone, rather than about to be replaced. */
bool watch_lost(Watch *watch);
/* In how many ms it is time; negative if nothing is watched. */
double watch_waits_ms(const Watch *watch);

#endif
