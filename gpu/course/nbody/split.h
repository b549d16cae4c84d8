/* split.h: into how many parts the bodies that pull are divided, so that a few bodies fill a large device. */
#ifndef GLINT_GPU_COURSE_NBODY_SPLIT_H
#define GLINT_GPU_COURSE_NBODY_SPLIT_H

static const unsigned split_least = 64 /* bodies a part */, split_few = 8;

/* The number of parts for `across` blocks of bodies that are pulled by `count`, on a device of `processors`
 * multiprocessors that hold `resident` blocks each. At least half as many blocks run with it as the device holds. It is
 * the smallest that then leaves the fewest multiprocessors idle at the end. At least 1. */
static inline unsigned split_parts(unsigned across, unsigned count, unsigned processors, unsigned resident) {
    const unsigned room = processors * resident / across, few = (count + split_least - 1) / split_least;
    const unsigned wanted = room > split_few ? room : split_few, most = wanted < few ? wanted : few;
    const unsigned least = room / 2 < most ? room / 2 : most;
    unsigned best = 1;
    double filled = 0;
    for (unsigned parts = least > 1 ? least : 1; parts <= most; parts++) {
        const unsigned long long blocks = (unsigned long long)across * parts;
        const unsigned long long turns = (blocks + processors - 1) / processors;
        const double here = (double)blocks / (double)(turns * processors);
        if (here > filled) {
            filled = here;
            best = parts;
        }
    }
    return best;
}

#endif
