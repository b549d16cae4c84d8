/* stages.h: stages of pipelines as tasks of kernels, and back. */
#ifndef GLINT_KERNEL_STAGES_H
#define GLINT_KERNEL_STAGES_H

#include "core/stage/stage.h"
#include "kernel/host/task.h"

/* The operation that kernels of this number carry out in pipelines. */
const Op *kernel_op(int operation);
/* Whether kernels can do the stage's job at all; a static phrase why not, as Level.accepts has it. */
bool kernel_stage_accepts(const Stage *stage, const char **why_not);
/* How far sums that are added in f32 may be off, as a share of the sum: as its rounding is apart in any order. Errors
 * of n additions at random grow with the square root of n (Higham, The accuracy of floating point summation, 1993). */
double kernel_stage_allows(const Stage *stage);
/* The pixels that a kernel file is compiled for, of this stage. */
Shape kernel_stage_shape(const Stage *stage);
/* Fills in the parameters of a task whose kernel and channels are set, with places from `used` on; returns the bytes
 * used then. No values yet. */
size_t kernel_stage_describe(const Stage *stage, KernelTask *task, size_t used);
/* The frame whose pixels are this parameter's: an input, or the result. NULL: it has none. */
const Frame *kernel_stage_frame(const Stage *stage, const KernelTask *task, int parameter);
/* Whether the rows of this frame's pixels lie the other way round for the kernel: a transposed picture is mirrored so.
 */
bool kernel_stage_flips(const Stage *stage, const Frame *frame);
/* How a parameter's pixels lie in the common memory: row behind row. */
ImageView kernel_stage_view(const Stage *stage, const KernelTask *task, int parameter, unsigned char *memory);
/* Writes the values of parameters that are no frames; STATUS_DEVICE without memory. Later reads the results that are
 * none into the view, in host memory, of the stage's result. */
Status kernel_stage_fill(const Stage *stage, const KernelTask *task, unsigned char *memory);
void kernel_stage_read(const Stage *stage, const KernelTask *task, const unsigned char *memory, ImageView result);

#endif
