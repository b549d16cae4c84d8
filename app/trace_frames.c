/* trace_frames.c: ranges of frames, and the frame that a picture shows. */
#include "app/trace_frames.h"

enum { BUILD_EVERY = 8 /* moves: boxes that are only refitted grow while particles mix */ };

/* How many pictures the range gives. */
static Status count_pictures(TraceFrames *frames, const char *scene, long along, long *pictures) {
    FrameRange *range = &frames->range;
    const size_t count = trajectory_frames(frames->trajectory), last = range->to > 0 ? range->to : count;
    if (last > count || range->from > count)
        return fail(STATUS_INPUT, "%s: has %zu frame%s, and --frames asks for frame %zu", scene, count,
                    count == 1 ? "" : "s", last > count ? last : range->from);
    range->to = last;
    const size_t stills = (last - range->from) / range->step + 1, each = (size_t)frames->between + 1;
    if (stills - 1 > (FRAMES_MAX - 1) / each)
        return fail(STATUS_USAGE, "--frames: %zu frames with %zu pictures each, want %d pictures at most", stills, each,
                    FRAMES_MAX);
    *pictures = (long)((stills - 1) * each + 1);
    return along == 0 || along == *pictures
               ? STATUS_OK
               : fail(STATUS_USAGE, "--along is %ld, and --frames makes %ld pictures; want --along %ld", along,
                      *pictures, *pictures);
}

Status trace_frames_open(const TraceSettings *settings, TraceFrames *frames, long *pictures) {
    frames->range = settings->frames;
    frames->between = settings->between;
    TRY(trajectory_open(settings->scene, &frames->trajectory));
    if (trajectory_place(settings->scene) > 1)
        return fail(STATUS_USAGE, "%s: frame= chooses one frame and --frames others; want one of the two",
                    settings->scene);
    return count_pictures(frames, settings->scene, settings->along, pictures);
}

Status trace_frames_show(TraceFrames *frames, long picture, Scene **scene) {
    const double share = (double)picture / (double)(frames->between + 1);
    return trajectory_show(frames->trajectory, (double)frames->range.from + share * (double)frames->range.step, scene);
}

Status trace_frames_settle(TraceFrames *frames, Queue *queue, const Scene *scene) {
    size_t bytes;
    if (++frames->moves % BUILD_EVERY != 0)
        return STATUS_OK;
    return queue->device->backend->trace->build(queue, scene, &bytes);
}
