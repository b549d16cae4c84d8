/* input.c: a file or stream that is read in two steps. */
#include "core/base/input.h"

#include "core/base/interrupt.h"
#include "core/base/ledger.h"
#include "core/base/memory.h"
#include "core/base/share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 22 /* bytes that a thread copies at once */ };

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

Input input_own(const char *name, Bytes bytes) {
    Input input = input_of(bytes);
    input.name = name;
    input.owned = true;
    return input;
}

static Status too_large(const Input *input, size_t max) {
    return fail(STATUS_INPUT, "%s: larger than the %.4g MiB of memory in the budget (GLINT_MEMORY sets it)",
                input->name, (double)max / 0x1p20);
}

/* A call may give less than was asked for (read(2)): 2 GiB at most, and only the bytes that a network has sent so
 * far. */
static Status read_at(const Input *input, size_t at, unsigned char *to, size_t count, size_t *got) {
    for (*got = 0; *got < count;) {
        if (interrupted())
            return fail(STATUS_INTERRUPTED, "interrupted");
        const ssize_t piece = pread(input->descriptor, to + *got, count - *got, (off_t)(at + *got));
        if (piece < 0 && errno == EINTR)
            continue;
        if (piece < 0)
            return fail(STATUS_INPUT, "cannot be read: %m");
        if (piece == 0)
            return STATUS_OK;
        *got += (size_t)piece;
    }
    return STATUS_OK;
}

bool input_copy(const Input *input, size_t at, void *to, size_t count) {
    size_t got;
    return read_at(input, at, to, count, &got) == STATUS_OK && got == count;
}

/* A large part of a file, whose pieces threads copy. */
typedef struct Copying {
    const Input *input;
    size_t at, count;
    unsigned char *to;
    atomic_bool *failed;
} Copying;

static void copy_piece(const void *job, size_t piece) {
    const Copying *copying = job;
    const size_t begin = piece * PIECE, rest = copying->count - begin, count = rest < PIECE ? rest : PIECE;
    size_t got;
    if (read_at(copying->input, copying->at + begin, copying->to + begin, count, &got) != STATUS_OK || got < count)
        atomic_store(copying->failed, true);
}

/* The same by all cores; what goes wrong is told by one that tries again. */
static Status read_shared(Input *input, size_t at, unsigned char *to, size_t count, size_t *got) {
    atomic_bool failed = count <= PIECE;
    const Copying copying = {input, at, count, to, &failed};
    if (!failed)
        share_pieces((count + PIECE - 1) / PIECE, copy_piece, &copying);
    *got = count;
    return failed ? read_at(input, at, to, count, got) : STATUS_OK;
}

/* A stream's first bytes, as many as the budget has room for. */
static Status fill_within_budget(Input *input, size_t wanted) {
    const size_t budget = memory_budget();
    TRY(fill(input, wanted <= budget ? wanted + INPUT_HEAD : budget));
    return input->bytes.size < wanted && input->size == SIZE_MAX ? too_large(input, budget) : STATUS_OK;
}

/* Keeps the sentence, but for the name that comes before it: the function that asked for the bytes will say that they
 * lack. */
static bool stumble(Input *input, Status status) {
    const char *said = status_message();
    const size_t length = strlen(input->name);
    const bool named = strncmp(said, input->name, length) == 0 && said[length] == ':' && said[length + 1] == ' ';
    input->trouble = status;
    snprintf(input->reason, sizeof input->reason, "%s", named ? said + length + 2 : said);
    return false;
}

bool input_peek(Input *input, size_t at, void *to, size_t count) {
    size_t got = 0;
    if (count > SIZE_MAX - at || at + count > input->size)
        return false;
    const bool here = at + count <= input->bytes.size;
    const Status status = here              ? STATUS_OK
                          : input->seekable ? read_shared(input, at, to, count, &got)
                                            : fill_within_budget(input, at + count);
    if (status != STATUS_OK)
        return stumble(input, status);
    if (at + count > input->bytes.size)
        return got == count && count > 0;
    memcpy(to, input->bytes.data + at, count);
    return true;
}

Status input_settle(const Input *input, Status status) {
    return input->trouble == STATUS_OK ? status : fail(input->trouble, "%s", input->reason);
}

Status input_read(Input *input, size_t max) {
    if (input->size < SIZE_MAX && input->size > max)
        return too_large(input, max);
    while (input->descriptor >= 0 && input->bytes.size <= max) {
        const size_t held = input->bytes.size, known = input->size < SIZE_MAX && input->size > held;
        /* one more than expected, so that the end is seen without growing */
        size_t wanted = known ? input->size + 1 : 2 * held + INPUT_HEAD;
        wanted = wanted > max ? max + 1 : wanted;
        TRY(fill(input, wanted));
        if (input->bytes.size < wanted)
            return STATUS_OK;
    }
    return input->bytes.size <= max ? STATUS_OK : too_large(input, max);
}

void input_close(Input *input) {
    if (input->descriptor > STDIN_FILENO)
        close(input->descriptor);
    if (input->descriptor >= 0 || input->owned)
        bytes_free(&input->bytes);
    *input = (Input){.descriptor = -1};
}
