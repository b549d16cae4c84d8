/* trace_frames.h: the frames of a file of particles as pictures of a film. */
#ifndef GLINT_APP_TRACE_FRAMES_H
#define GLINT_APP_TRACE_FRAMES_H

#include "app/trace_settings.h"
#include "core/device/backend.h"
#include "core/scene/particles/trajectory.h"

typedef struct TraceFrames {
    Trajectory *trajectory; /* NULL: no frames were asked for */
    FrameRange range;       /* which the file has */
    long between;
    unsigned long moves; /* of the scene on its way */
} TraceFrames;

/* Opens the trajectory that the settings ask for; *pictures is how many there will be. STATUS_INPUT if the file has
 * fewer frames, STATUS_USAGE for more than FRAMES_MAX pictures. Fails else as trajectory_open. */
Status trace_frames_open(const TraceSettings *settings, TraceFrames *frames, long *pictures);
/* Puts the scene where it is in a picture, from 0 on. Fails as trajectory_show, and leaves *scene as that does. */
Status trace_frames_show(TraceFrames *frames, long picture, Scene **scene);
/* After a show that moved the scene: devices refit their BVHs by themselves, and now and then the queue's builds its
 * own again. STATUS_DEVICE. */
Status trace_frames_settle(TraceFrames *frames, Queue *queue, const Scene *scene);

#endif
