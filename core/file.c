/* file.c: reading whole files. */
#include "core/file.h"

#include "core/input.h"
#include "core/memory.h"

Status file_read(const char *path, Bytes *bytes) {
    Input input;
    *bytes = (Bytes){0};
    TRY(input_open(path, &input));
    const Status status = input_read(&input, memory_budget());
    if (status == STATUS_OK) {
        *bytes = input.bytes;
        input.bytes = (Bytes){0};
    }
    input_close(&input);
    return status;
}
