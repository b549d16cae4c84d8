/* motion.c: a clock that runs while it is looked at. */
#include "app/view/data/motion.h"

void motion_toggle(Motion *motion) {
    motion->on = !motion->on;
    motion->seen = 0;
}

double motion_time(Motion *motion, double now) {
    const double step = motion->on && motion->seen > 0 ? now - motion->seen : 0;
    motion->seen = now;
    motion->time += (step < MOTION_STEP_MAX ? step : MOTION_STEP_MAX) / 1e3;
    return motion->time;
}
