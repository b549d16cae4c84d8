/* message.h: what the processes of a cluster tell the first one, which makes one report of it. */
#ifndef GLINT_APP_BATCH_MESSAGE_H
#define GLINT_APP_BATCH_MESSAGE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { MESSAGE_TEXTS = 3, MESSAGE_SHARES = 4 };

/* What became of a file; or the last message of a process, about all that it did. The texts are borrowed; NULL goes as
 * "". */
typedef struct Message {
    bool last;
    int outcome; /* of the file */
    Status status;
    unsigned lost;                 /* last: what outputs could not hold */
    size_t file;                   /* its place in the list */
    double shares[MESSAGE_SHARES]; /* last: of the time in which decoders, encoders, devices, the disk were busy */
    const char *error;             /* why it failed, or "" */
    const char *line;              /* for people, or "" */
    const char *record;            /* a line of JSON, or "" */
} Message;

/* To process 0. False without memory. */
bool message_send(const Message *message);
/* A message that has come; its texts point into `data`, behind which is room for another byte. False for what is none.
 */
bool message_read(char *data, size_t size, Message *message);

#endif
