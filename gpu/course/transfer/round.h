/* round.h: the parts that the ways of a picture through the device share. They are buffers on both sides, streams, the
 * kernel, and the clock of the timeline. Each level is a sequence of these calls.
 * A picture is packed: its rows one after the other, without gaps. A part of it is a range of its bytes that begins at
 * a multiple of ROUND_ALIGNMENT. */
#ifndef GLINT_GPU_COURSE_TRANSFER_ROUND_H
#define GLINT_GPU_COURSE_TRANSFER_ROUND_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/ops/transfer.h"
#include "gpu/gpu.h"

enum { ROUND_ALIGNMENT = 4096 };

/* Where the host's side of a way lies. */
typedef enum TransferMemory {
    TRANSFER_PAGEABLE,
    TRANSFER_PINNED,
    TRANSFER_MAPPED,
    TRANSFER_MANAGED,
} TransferMemory;

/* One run. */
typedef struct Round {
    Queue *queue;
    const Stage *stage;
    size_t bytes;                   /* of the packed picture */
    char *host, *device;            /* the same memory where that is managed; host: NULL of pageable memory */
    const cudaStream_t *streams;    /* TRANSFER_STREAMS */
    cudaEvent_t begin, (*marks)[4]; /* of each chunk: before H, behind it, behind the kernel, behind D */
    bool marked[TRANSFER_CHUNKS][4];
    int stream_of[TRANSFER_CHUNKS];
    double start; /* clock_ms */
} Round;

typedef struct Part {
    size_t begin, end;
    int chunk, stream; /* both from 0 on */
} Part;

/* Whether the device has this memory. */
bool round_accepts(const Device *device, TransferMemory memory, const char **why_not);
/* Waits for the queue's earlier work, and makes buffers of that kind, which are kept, if those that are there are too
 * small. */
Status round_begin(Queue *queue, const Stage *stage, TransferMemory memory, Round *round);
Part round_whole(const Round *round);
/* Part `chunk` of TRANSFER_CHUNKS, empty where the picture is small, for one of so many streams. */
Part round_part(const Round *round, int chunk, int streams);

/* The host copies between the stage's frames and its buffer. */
void round_pack(Round *round, Part part);
void round_unpack(Round *round, Part part);
/* Enqueued on the part's stream: from the host's buffer to the device's, the kernel, and back. */
Status round_to_device(Round *round, Part part);
Status round_kernel(Round *round, Part part);
Status round_from_device(Round *round, Part part);
/* Enqueues a mark of the part: 0 to 3, as Round.marks has them. The three functions above set theirs. */
Status round_mark(Round *round, Part part, int mark);
/* Waits until the part's last mark has passed. */
Status round_wait(Round *round, Part part);
/* The parts of the device's side, told to the timeline. All is done. */
Status round_end(Round *round);

/* The kernel alone, in memory that both sides reach. */
Status round_without_copies(Queue *queue, const Stage *stage, TransferMemory memory);
/* Chunks in turns on so many streams: one copies while another computes. */
Status round_in_chunks(Queue *queue, const Stage *stage, int streams);

#ifdef __cplusplus
}
#endif

#endif
