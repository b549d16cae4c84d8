/* note.h: the kernel that does a level's work, as a student looks at it: noted at each launch, told by `facts`. */
#ifndef GLINT_GPU_NOTE_H
#define GLINT_GPU_NOTE_H

#include "gpu/gpu.h"

/* Notes a launch. `where` is gpu_launch's. */
void gpu_note_launch(GpuQueue *gpu, const char *where, const void *kernel, const Launch *launch);
/* Notes the largest kernel that `enqueue` puts into the queue's stream, where a library launches it, or that it is not
 * known. `enqueue` is carried out into a graph, which never runs. Once after facts were asked for. */
void gpu_note_library(Queue *queue, Status (*enqueue)(cudaStream_t stream, void *job), void *job);
/* The backend's `facts`. */
Status gpu_facts(Queue *queue, LaunchFacts *facts);

#endif
