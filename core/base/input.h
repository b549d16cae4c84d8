/* input.h: a file or stream that is read in two steps: its first bytes, which tell its format, and the rest.
 * Owns the descriptor and the bytes read so far. */
#ifndef GLINT_CORE_BASE_INPUT_H
#define GLINT_CORE_BASE_INPUT_H

#include "core/base/bytes.h"
#include "core/base/status.h"

enum { INPUT_HEAD = 1 << 16 }; /* bytes that are read at first */

typedef struct Input {
    const char *name;     /* for messages; borrowed */
    int descriptor;       /* -1: all bytes are here */
    Bytes bytes;          /* read so far, from the beginning */
    size_t capacity;      /* bytes that are allocated */
    size_t size;          /* in all; SIZE_MAX: a stream whose end was not seen yet */
    bool seekable, owned; /* owned: the bytes are freed, though there is no descriptor */
    Status trouble;       /* of input_peek, where it failed otherwise than by the file's end */
    char reason[160];     /* the sentence of that */
} Input;

/* Opens `path` ("-": standard input), records in the ledger that it is read, and reads its first INPUT_HEAD bytes.
 * STATUS_INPUT if it cannot be read or is a folder, STATUS_USAGE if it is an output under way. STATUS_INTERRUPTED once
 * a signal was caught, STATUS_DEVICE if memory is short; nothing stays open then. */
Status input_open(const char *path, Input *input);
/* Bytes that are in memory already, as an input; borrowed, and nothing to close. */
Input input_of(Bytes bytes);
/* The same of bytes that it takes over; `name` is for messages, and borrowed. */
Input input_own(const char *name, Bytes bytes);

/* Copies bytes `at` to `at` + `count`, wherever they are; of a stream, the bytes before them are read and kept. False
 * if the file ends before them or cannot be read. */
bool input_peek(Input *input, size_t at, void *to, size_t count);
/* The same of a file alone, which is seekable. Several threads may do so at once, and *input stays as it is. */
bool input_copy(const Input *input, size_t at, void *to, size_t count);
/* Returns the status of a reader that used input_peek, unless a read went wrong, which is then to blame. STATUS_INPUT
 * if the file cannot be read or a stream is larger than memory_budget(). STATUS_DEVICE if memory is short,
 * STATUS_INTERRUPTED once a signal was caught. */
Status input_settle(const Input *input, Status status);
/* Reads to the end. STATUS_INPUT if that fails or gives more than `max` bytes, STATUS_DEVICE if memory is short. */
Status input_read(Input *input, size_t max);
void input_close(Input *input); /* accepts a closed one; frees the bytes, unless they were borrowed */

#endif
