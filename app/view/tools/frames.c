/* frames.c: each place is a request of its own, with the frame in the scene's text. */
#include "app/view/tools/frames.h"

#include "app/view/session/viewer.h"
#include "core/scene/particles/trajectory.h"

#include <math.h>
#include <stdio.h>

#define FRAME_MS  100.0 /* that a frame is shown while they play */
#define LATEST_MS 400.0 /* of a step: after a long one, nothing leaps */

typedef struct Frames {
    bool plays, between;
    double from; /* clock_ms of the last step */
    Param param; /* of the slider */
} Frames;

static Frames *frames_of(const Viewer *viewer) {
    return tool_of(viewer, &frames_tool);
}

size_t frames_count(const Viewer *viewer) {
    return subject_frames(viewer->subject);
}

bool frames_are_several(const Viewer *viewer) {
    return frames_count(viewer) > 1;
}

double frames_place(const Viewer *viewer) {
    return fmin(trajectory_place(viewer->request->scene), (double)frames_count(viewer));
}

Status frames_go_to(Viewer *viewer, double place) {
    char text[SCENE_TEXT_MAX];
    Request next = viewer_request(viewer);
    if (!frames_are_several(viewer))
        return fail(STATUS_USAGE, "the shown scene has no frames");
    TRY(trajectory_set_place(next.scene, fmin(fmax(place, 1), (double)frames_count(viewer)), text));
    snprintf(next.scene, sizeof next.scene, "%s", text);
    return viewer_ask(viewer, next, FALLBACK_BEST);
}

const Param *frames_param(const Viewer *viewer) {
    Frames *frames = frames_of(viewer);
    frames->param = (Param){.name = "frame",
                            .help = "the file's frame that is shown; 2.5 is half way from 2 to 3",
                            .unit = "",
                            .kind = frames->between ? PARAM_NUMBER : PARAM_WHOLE,
                            .min = 1,
                            .default_value = 1,
                            .max = (double)frames_count(viewer),
                            .step = 1};
    return &frames->param;
}

static double around(double place, double count) {
    return place - 1 - count * floor((place - 1) / count) + 1;
}

Status frames_step(Viewer *viewer, int by) {
    const double place = frames_place(viewer), below = floor(place);
    frames_of(viewer)->plays = false;
    const double next = by < 0 && place > below ? below : below + by;
    return frames_go_to(viewer, around(next, (double)frames_count(viewer)));
}

bool frames_play(const Viewer *viewer) {
    return frames_of(viewer)->plays && frames_are_several(viewer);
}

void frames_toggle_play(Viewer *viewer) {
    viewer->movement++; /* all that is played until it stops is one edit */
    frames_of(viewer)->plays = !frames_play(viewer);
    frames_of(viewer)->from = clock_ms();
}

bool frames_go_between(const Viewer *viewer) {
    return frames_of(viewer)->between;
}

void frames_toggle_between(Viewer *viewer) {
    frames_of(viewer)->between = !frames_of(viewer)->between;
}

/* Whether the place that was asked for last is shown. */
static bool is_shown(const Viewer *viewer) {
    const Session *session = viewer->session;
    return !viewer->asks && session->subject == viewer->subject && !session->stale;
}

static void go_on(Viewer *viewer, double now) {
    Frames *frames = frames_of(viewer);
    const double least = frames->between ? FRAME_MS / 4 : FRAME_MS, passed = now - frames->from;
    if (!frames_play(viewer) || passed < least || !is_shown(viewer))
        return;
    frames->from = now;
    const double step = frames->between ? fmin(passed, LATEST_MS) / FRAME_MS : 1;
    const double count = (double)frames_count(viewer), next = frames_place(viewer) + step;
    if (frames_go_to(viewer, next <= count ? next : 1) == STATUS_OK)
        return;
    frames->plays = false;
    viewer_say(viewer, true, "%s", status_message());
}

const ToolKind frames_tool = {.name = "frames", .size = sizeof(Frames), .moves = frames_play, .go_on = go_on};
