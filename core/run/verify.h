/* verify.h: a level's result held against the reference's.
 * Owns the trial. Inputs are noise from fixed seeds. Every frame is a crop of a larger one, so that the stride exceeds
 * the width. Around the inputs lies noise that must not be read, around the output a guard that must survive. The
 * tests, bench and the window verify by this alone. */
#ifndef GLINT_CORE_RUN_VERIFY_H
#define GLINT_CORE_RUN_VERIFY_H

#include "core/device/backend.h"
#include "core/stage/op.h"

typedef enum VerifyInputs {
    VERIFY_NOISE,      /* over the type's whole range; f32: 0 to 1 */
    VERIFY_NOT_FINITE, /* in f32 pictures, besides, NaN and infinity of both signs here and there */
} VerifyInputs;

/* Runs a level on a stage, of which the shapes and the job are set, and stores its result. Waits. STATUS_DEVICE if it
 * writes outside its frame, which the sentence says; else fails as the level and the backend do. */
Status verify_run(Queue *queue, const Level *level, const Stage *unbound, VerifyInputs inputs, Image **result);

/* A stage with the reference's result. */
typedef struct Verification {
    const Stage *stage; /* borrowed */
    VerifyInputs inputs;
    Image *want;
} Verification;

/* Runs the operation's reference on `cpu`, a device of the backend that has it. */
Status verify_begin(Queue *cpu, const Stage *unbound, VerifyInputs inputs, Verification *verification);
/* Runs a level that accepts the stage, and compares. Fails as verify_run does; a verdict that does not agree is no
 * failure. */
Status verify_level(const Verification *verification, Queue *queue, const Level *level, Verdict *verdict);
void verify_end(Verification *verification); /* accepts a zeroed one */

/* "cpu/convolve/naive 33x17 u8x3 -> f32, 5x5, border clamp"; returns the length as snprintf does. */
size_t verify_describe(const Stage *stage, const Level *level, const char *backend, char *buffer, size_t size);

#endif
