/* speed.h: how fast an answer is on an NVIDIA GPU, held against a level of glint's. Both run there in turns, on a large
 * job of the exercise's operation. */
#ifndef GLINT_APP_LAB_SPEED_H
#define GLINT_APP_LAB_SPEED_H

#include "core/device/backend.h"

#include <stddef.h>

enum { SPEED_ROUNDS = 3 }; /* an answer that is too slow is timed again: other programs may have been in its way */

/* The medians of a round, in ms. */
typedef struct SpeedRound {
    double ours, answer;
} SpeedRound;

/* The answer's speed as a share of our level's, in the round that is best for the answer; 0 without a time. */
double speed_share(const SpeedRound *rounds, size_t count, SpeedRound *best);
/* Whether there shall be one more round. */
bool speed_again(const SpeedRound *rounds, size_t count, double wanted);

typedef struct SpeedTimes {
    size_t count;
    SpeedRound rounds[SPEED_ROUNDS];
    char job[64]; /* "4096x4096, f32x1" */
} SpeedTimes;

/* Times `answer`, a level of the queue's backend, and the level named `ours`, until a share of `wanted` is reached.
 * STATUS_INPUT if the answer fails there. STATUS_DEVICE if there is no such level, or it refuses the job. */
Status speed_measure(Queue *queue, const Level *answer, const char *ours, double wanted, SpeedTimes *times);

#endif
