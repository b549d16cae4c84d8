/* partition.c: a thread's note, as a thread has a message (core/base/status.c): a launch is far below the code that
 * asks. */
#include "core/device/partition.h"

static _Thread_local Partition noted;

void partition_begin(void) {
    noted = (Partition){.launches = 0};
}

void partition_note(Partition launched) {
    launched.launches = noted.launches + 1;
    noted = launched;
}

Partition partition_noted(void) {
    return noted;
}
