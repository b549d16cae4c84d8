/* trace_send.h: glint trace --send: a picture that is watched elsewhere while it is traced. */
#ifndef GLINT_APP_TRACE_SEND_H
#define GLINT_APP_TRACE_SEND_H

#include "app/common_options.h"
#include "app/tev/send.h"
#include "core/image/image.h"

typedef struct TraceSendOptions {
    const char *address, *token; /* NULL: nothing is sent; none is asked for */
} TraceSendOptions;

/* The options' rows; the struct lies `offset` bytes into the command's. */
OptionTable trace_send_table(size_t offset);
Status trace_send_check(const TraceSendOptions *options); /* STATUS_USAGE */

typedef struct TraceSend {
    const CommonOptions *common;
    Sender *sender; /* NULL: nothing is sent, or not any more */
    double due;     /* clock_ms of the next picture */
} TraceSend;

/* Connects, where an address is given; the viewer calls the picture `name`. Fails as sender_open does. */
Status trace_send_begin(const TraceSendOptions *options, const CommonOptions *common, const char *name,
                        TraceSend *sending);
/* Whether it is time for a picture of the light so far, and the viewer has taken what was sent before. A viewer that is
 * gone is said, once, and no failure. */
bool trace_send_wants(TraceSend *sending);
/* Sends that picture, whose making began at `start`. Making and sending take a tenth of the time at most. */
void trace_send_progress(TraceSend *sending, const Image *image, double start);
/* Sends a picture that is done, and waits until all is sent. */
void trace_send_picture(TraceSend *sending, const Image *image);
void trace_send_end(TraceSend *sending);

#endif
