/* uploads.h: files that a page in a browser sends, one after the other. Owns the folder where they lie, which nobody
 * else may look into, and which goes with the window, unless that is killed. Knows no network and no lock. Pages are
 * not trusted. */
#ifndef GLINT_APP_VIEW_WINDOW_UPLOADS_H
#define GLINT_APP_VIEW_WINDOW_UPLOADS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    UPLOAD_MAX = 1 << 28,  /* bytes of a file */
    UPLOADS_MAX = 1 << 30, /* bytes of all files of a window */
    UPLOAD_MIN = 8192,     /* bytes that the smallest file counts for: its own folder and a block */
    UPLOAD_NAME_MAX = 200,
    UPLOAD_PATH = 512
};

typedef struct Uploads {
    char folder[UPLOAD_PATH / 2]; /* "" until a file comes */
    unsigned count;               /* folders in it, one for each file, so that two may have the same name */
    int file;                     /* that is being written; -1: none */
    size_t size;                  /* its bytes so far */
    size_t total;                 /* what all whole files count for */
    char path[UPLOAD_PATH];       /* its path */
    char name[UPLOAD_NAME_MAX + 1];
    size_t name_size; /* the message's bytes so far that are its name */
    bool named;       /* the zero behind the name has come */
} Uploads;

void uploads_begin(Uploads *uploads);
/* The next bytes of a message: the file's name, a zero, and what the file holds. STATUS_INPUT for more than UPLOAD_MAX
 * bytes, or more than UPLOADS_MAX with all files before it. STATUS_INPUT also for a name with a / or a control
 * character, with a dot in front, empty or too long. STATUS_DEVICE if the bytes cannot be written. The rest of the
 * message is then of no use. */
Status uploads_take(Uploads *uploads, const char *bytes, size_t size);
/* The message is over: `path` has a whole file. STATUS_INPUT if it has not even a name. */
Status uploads_complete(Uploads *uploads);
/* Forgets the file that is being written, if there is one. */
void uploads_drop(Uploads *uploads);
/* Removes all files. */
void uploads_end(Uploads *uploads);

#endif
