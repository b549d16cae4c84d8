/* transfer.h: by which way pictures are best moved to a device and back: the ladder of the operation transfer, as a
 * question. */
#ifndef GLINT_CORE_TRANSFER_H
#define GLINT_CORE_TRANSFER_H

#include "core/backend.h"

/* Where the host's side of a way lies. */
typedef enum TransferMemory {
    TRANSFER_IN_PLACE, /* the device reads what the program has: nothing is moved */
    TRANSFER_PAGEABLE,
    TRANSFER_PINNED,
    TRANSFER_MAPPED,
    TRANSFER_MANAGED,
} TransferMemory;

typedef struct TransferWay {
    const char *level;
    TransferMemory memory;
    int streams, chunks; /* that the picture is cut into, shared out to the streams in turns */
    bool prefetch;       /* managed memory is moved ahead of its use */
} TransferWay;

/* The way that the best level takes for pictures of this shape: by what `glint tune` measured on the device, else the
 * last of the ladder. */
TransferWay transfer_best(const Device *device, Shape shape);
/* The way of a level; of one that is not in the table TRANSFER_IN_PLACE, without a name. */
TransferWay transfer_way(const char *level);

#endif
