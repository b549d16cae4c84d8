/* input.c: a file or stream that is read in two steps. */
#include "core/input.h"

#include "core/interrupt.h"
#include "core/ledger.h"
#include "core/memory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads until there are `wanted` bytes or the file ends. STATUS_INTERRUPTED once a signal was caught. */
static Status fill(Input *input, size_t wanted) {
    if (wanted > input->capacity) {
        unsigned char *grown = realloc(input->bytes.data, wanted);
        if (!grown)
            return fail(STATUS_DEVICE, "%s: no memory to read it", input->name);
        input->bytes.data = grown;
        input->capacity = wanted;
    }
    while (input->bytes.size < wanted) {
        size_t count;
        TRY(interruptible_read(input->descriptor, input->name, input->bytes.data + input->bytes.size,
                               wanted - input->bytes.size, &count));
        input->bytes.size += count;
        if (count == 0) {
            input->size = input->bytes.size;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

static Status open_file(const char *path, Input *input) {
    struct stat info;
    /* A FIFO that nobody writes to would wait here, where no signal ends it; so it waits in the first read. */
    input->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (input->descriptor < 0 || fstat(input->descriptor, &info) != 0)
        return fail(STATUS_INPUT, "%s: cannot be read: %m", path);
    if (S_ISDIR(info.st_mode))
        return fail(STATUS_INPUT, "%s: is a folder; want a file", path);
    TRY(ledger_read_open(&info, path));
    input->seekable = S_ISREG(info.st_mode) && info.st_size > 0; /* size 0: one that the kernel makes up */
    if (input->seekable)
        input->size = (size_t)info.st_size;
    return STATUS_OK;
}

Status input_open(const char *path, Input *input) {
    const bool standard = strcmp(path, "-") == 0;
    *input = (Input){.name = standard ? "standard input" : path, .descriptor = STDIN_FILENO, .size = SIZE_MAX};
    Status status = standard ? ledger_read(path) : open_file(path, input);
    if (status == STATUS_OK)
        status = fill(input, input->size < INPUT_HEAD ? input->size + 1 : INPUT_HEAD); /* one more: the end is seen */
    if (status != STATUS_OK)
        input_close(input);
    return status;
}

Input input_of(Bytes bytes) {
    return (Input){.name = "", .descriptor = -1, .bytes = bytes, .size = bytes.size};
}

bool input_peek(Input *input, size_t at, void *to, size_t count) {
    if (count > SIZE_MAX - at || at + count > input->size)
        return false;
    if (at + count > input->bytes.size && input->seekable)
        return pread(input->descriptor, to, count, (off_t)at) == (ssize_t)count;
    if (at + count > input->bytes.size &&
        (at + count > memory_budget() || fill(input, at + count + INPUT_HEAD) != STATUS_OK))
        return false;
    if (at + count > input->bytes.size)
        return false;
    memcpy(to, input->bytes.data + at, count);
    return true;
}

Status input_read(Input *input, size_t max) {
    while (input->descriptor >= 0 && input->bytes.size <= max) {
        const size_t held = input->bytes.size, known = input->size < SIZE_MAX && input->size > held;
        /* one more than expected, so that the end is seen without growing */
        size_t wanted = known ? input->size + 1 : 2 * held + INPUT_HEAD;
        wanted = wanted > max ? max + 1 : wanted;
        TRY(fill(input, wanted));
        if (input->bytes.size < wanted)
            return STATUS_OK;
    }
    return input->bytes.size <= max
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s: larger than the %.4g MiB of memory in the budget (GLINT_MEMORY sets it)",
                      input->name, (double)max / 0x1p20);
}

void input_close(Input *input) {
    if (input->descriptor > STDIN_FILENO)
        close(input->descriptor);
    if (input->descriptor >= 0)
        bytes_free(&input->bytes);
    *input = (Input){.descriptor = -1};
}
