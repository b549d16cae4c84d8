/* trace_send.c: when pictures are sent. */
#include "app/trace_send.h"

#include "app/tev/packet.h"
#include "core/base/timing.h"

#include <math.h>

#define LEAST_MS 100.0 /* from picture to picture */
#define SHARE    0.1   /* of the time, that sending may take */

#define AT(member) OPTION_AT(TraceSendOptions, member)

static const Option rows[] = {
    {"send", "HOST:PORT",
     "show the picture elsewhere while it is traced: a tev, or a glint view --listen, there (as in 127.0.0.1:" TEV_PORT
     ")",
     OPTION_TEXT, AT(address), .neutral = true},
    {"send-token", "TEXT", "the token of that glint view --listen", OPTION_TEXT, AT(token), .neutral = true},
};

#undef AT

OptionTable trace_send_table(size_t offset) {
    return (OptionTable){OPTION_ROWS(rows), offset};
}

Status trace_send_check(const TraceSendOptions *options) {
    return !options->token || options->address
               ? STATUS_OK
               : fail(STATUS_USAGE, "--send-token: nobody gets it without --send HOST:PORT");
}

Status trace_send_begin(const TraceSendOptions *options, const CommonOptions *common, const char *name,
                        TraceSend *sending) {
    *sending = (TraceSend){.common = common};
    return options->address ? sender_open(options->address, options->token, name, &sending->sender) : STATUS_OK;
}

/* The picture is traced all the same. */
static void give_up(TraceSend *sending) {
    common_say(sending->common, "%s; the picture is traced on, and not sent any more", status_message());
    sender_close(&sending->sender);
}

bool trace_send_wants(TraceSend *sending) {
    bool ready;
    if (!sending->sender || clock_ms() < sending->due)
        return false;
    if (sender_go_on(sending->sender, &ready) == STATUS_OK)
        return ready;
    give_up(sending);
    return false;
}

void trace_send_progress(TraceSend *sending, const Image *image, double start) {
    if (sender_put(sending->sender, image->view) != STATUS_OK)
        give_up(sending);
    sending->due = clock_ms() + fmax(LEAST_MS, (clock_ms() - start) * (1 / SHARE - 1));
}

void trace_send_picture(TraceSend *sending, const Image *image) {
    if (!sending->sender)
        return;
    const Status status = sender_put(sending->sender, image->view);
    if (status != STATUS_OK || sender_finish(sending->sender) == STATUS_DEVICE)
        give_up(sending);
}

void trace_send_end(TraceSend *sending) {
    sender_close(&sending->sender);
}
