/* transfer.c: the ways as a table. */
#include "core/transfer.h"

#include "core/op.h"
#include "core/ops/transfer.h"

#include <string.h>

static const TransferWay ways[] = {
    {"pageable", TRANSFER_PAGEABLE, 1, 1, false},
    {"managed", TRANSFER_MANAGED, 1, 1, false},
    {"prefetched", TRANSFER_MANAGED, 1, 1, true},
    {"mapped", TRANSFER_MAPPED, 1, 1, false},
    {"pinned", TRANSFER_PINNED, 1, 1, false},
    {"streams-1", TRANSFER_PINNED, 1, TRANSFER_CHUNKS, false},
    {"streams-2", TRANSFER_PINNED, 2, TRANSFER_CHUNKS, false},
    {"streams-4", TRANSFER_PINNED, 4, TRANSFER_CHUNKS, false},
    {"streams-8", TRANSFER_PINNED, 8, TRANSFER_CHUNKS, false},
};

TransferWay transfer_way(const char *level) {
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(ways[i].level, level) == 0)
            return ways[i];
    return (TransferWay){NULL, TRANSFER_IN_PLACE, 0, 0, false};
}

TransferWay transfer_best(const Device *device, Shape shape) {
    const TransferJob job = {NULL};
    Stage stage = {.op = &op_transfer, .label = op_transfer.name, .job = &job};
    stage.in[0].shape = stage.out.shape = shape;
    const Level *level = level_best(device, &stage);
    return transfer_way(level ? level->name : "");
}
