/* recording.c: the pictures' numbers, and reading them. */
#include "app/view/window/recording.h"

#include "app/view/window/recorder.h"
#include "core/base/timing.h"
#include "render/capture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Recording {
    Recorder *recorder;
    Screen *screen; /* borrowed */
    Capture capture;
    int width, height; /* the window */
    size_t x, y;       /* the part's corner in it */
    Shape shape;
    int rate;
    bool by_draws;
    double since;  /* clock_ms, when number `base` began */
    unsigned base; /* by draws: of the next one */
    Image *last;   /* not yet recorded: for how long it stands is not known */
    unsigned last_at, left_out;
    char path[PATH_CAPACITY];
};

static unsigned number_now(const Recording *recording) {
    const double ms = clock_ms() - recording->since;
    return recording->base + (recording->by_draws ? 0 : (unsigned)(ms * recording->rate / 1e3));
}

Status recording_begin(Screen *screen, const char *path, Area part, bool overwrite, bool by_draws,
                       Recording **recording) {
    const Viewer *viewer = screen->viewer;
    const OutputRules rules = {.overwrite = overwrite || viewer->overwrite, .by_hand = !viewer->scripted};
    Recording *made = *recording = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a recording");
    *made = (Recording){.screen = screen,
                        .width = viewer->width,
                        .height = viewer->height,
                        .x = (size_t)part.x,
                        .y = (size_t)part.y,
                        .shape = {(size_t)viewer->width, (size_t)viewer->height, 3, PIXEL_U8},
                        .rate = viewer->rate,
                        .by_draws = by_draws,
                        .since = clock_ms()};
    if (part.width > 0) {
        made->shape.width = (size_t)part.width;
        made->shape.height = (size_t)part.height;
    }
    snprintf(made->path, sizeof made->path, "%s", path);
    const Status status = recorder_begin(path, made->shape, made->rate, rules, &made->recorder);
    if (status != STATUS_OK) {
        free(made);
        *recording = NULL;
    }
    return status;
}

const char *recording_path(const Recording *recording) {
    return recording->path;
}

void recording_go_by(Recording *recording, bool by_draws) {
    if (!recording || recording->by_draws == by_draws)
        return;
    recording->base = number_now(recording);
    recording->since = clock_ms();
    recording->by_draws = by_draws;
}

bool recording_due(const Recording *recording) {
    return recording && (!recording->last || recording->by_draws || number_now(recording) > recording->last_at);
}

Status recording_draws(Recording *recording) {
    const Viewer *viewer = recording->screen->viewer;
    if (viewer->width != recording->width || viewer->height != recording->height)
        return fail(STATUS_USAGE, "the recording has ended: pictures of a film have one size, %dx%d", recording->width,
                    recording->height);
    return capture_begin(&recording->capture, recording->width, recording->height);
}

static Status cut(const Recording *recording, Image **image) {
    const ImageView whole = (*image)->view;
    const Shape shape = recording->shape;
    Image *part;
    if (shape_equal(shape, whole.shape))
        return STATUS_OK;
    TRY(image_create(shape, &part));
    for (size_t y = 0; y < shape.height; y++)
        memcpy(view_row(part->view, y), (char *)view_row(whole, recording->y + y) + 3 * recording->x,
               shape_row_bytes(shape));
    image_destroy(image);
    *image = part;
    return STATUS_OK;
}

/* The last draw stood until this one. A script waits for the encoder; hands do not: then this draw is left out. */
static void follow(Recording *recording, Image *image) {
    const unsigned now = number_now(recording);
    if (recording->last &&
        !recorder_add(recording->recorder, &recording->last, now - recording->last_at, recording->by_draws)) {
        recording->left_out++;
        image_destroy(&image);
        return;
    }
    recording->last = image;
    recording->last_at = now;
    recording->base += recording->by_draws;
}

Status recording_drawn(Recording *recording) {
    Image *image = NULL;
    Status status = capture_read(&recording->capture, &image);
    capture_show(&recording->capture);
    capture_end(&recording->capture);
    if (status == STATUS_OK)
        status = cut(recording, &image);
    if (status == STATUS_OK)
        follow(recording, image);
    else
        image_destroy(&image);
    return status;
}

static unsigned seconds_now(const Recording *recording) {
    return number_now(recording) / (unsigned)recording->rate;
}

bool recording_ticks(const Recording *recording) {
    return recording && !recording->by_draws && seconds_now(recording) != recording->screen->viewer->recorded;
}

void recording_tell(const Recording *recording) {
    if (recording)
        recording->screen->viewer->recorded = seconds_now(recording);
}

Status recording_state(const Recording *recording) {
    return recording ? recorder_state(recording->recorder) : STATUS_OK;
}

Status recording_end(Recording **recording, unsigned *pictures, unsigned *left_out) {
    Recording *old = *recording;
    *pictures = *left_out = 0;
    if (!old)
        return STATUS_OK;
    const unsigned now = number_now(old), times = old->last && now > old->last_at ? now - old->last_at : 1;
    if (old->last)
        (void)recorder_add(old->recorder, &old->last, times, true);
    *pictures = old->last_at + times;
    *left_out = old->left_out;
    const Status status = recorder_end(&old->recorder);
    free(old);
    *recording = NULL;
    return status;
}
