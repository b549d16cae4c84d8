/* note.h: notes of kernels that a library launches. */
#ifndef GLINT_GPU_NOTE_H
#define GLINT_GPU_NOTE_H

#include "gpu/gpu.h"

/* Remembers for `facts` the largest kernel that `enqueue` puts into the queue's stream, where a library launches it.
 * `enqueue` is carried out into a graph, which never runs. Once after facts were asked for; does nothing where the
 * runtime cannot tell. */
void gpu_note_library(Queue *queue, Status (*enqueue)(cudaStream_t stream, void *job), void *job);

#endif
