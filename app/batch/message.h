/* message.h: messages by which the processes of a cluster report to the first one, which makes one report of them. */
#ifndef GLINT_APP_BATCH_MESSAGE_H
#define GLINT_APP_BATCH_MESSAGE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { MESSAGE_TEXTS = 4, MESSAGE_SHARES = 4 };

/* A file's outcome; or the last message of a process, about all its work. The texts are borrowed; NULL goes as "". */
typedef struct Message {
    bool last;
    int outcome; /* of the file */
    Status status;
    unsigned lost;                 /* last: data that outputs could not hold */
    double shares[MESSAGE_SHARES]; /* last: of the time in which decoders, encoders, devices, the disk were busy */
    const char *input;             /* its name; "" of the last message */
    const char *error;             /* why it failed, or "" */
    const char *line;              /* for people, or "" */
    const char *record;            /* a line of JSON, or "" */
} Message;

/* To process 0. False without memory. */
bool message_send(const Message *message);
/* A message that has come; its texts point into `data`, behind which is room for another byte. False if `data` holds no
 * message. */
bool message_read(char *data, size_t size, Message *message);

#endif
