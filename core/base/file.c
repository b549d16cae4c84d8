/* file.c: reading whole files, and where the user's are. */
#include "core/base/file.h"

#include "core/base/input.h"
#include "core/base/memory.h"
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(Input *input, Bytes *bytes) {
    *bytes = input->bytes;
    input->bytes = (Bytes){0};
}

Status file_read(const char *path, Bytes *bytes) {
    Input input;
    *bytes = (Bytes){0};
    TRY(input_open(path, &input));
    const Status status = input_read(&input, memory_budget());
    if (status == STATUS_OK)
        take(&input, bytes);
    input_close(&input);
    return status;
}

/* A text that was read takes several times its bytes. */
static size_t text_max(void) {
    const size_t share = memory_budget() / 4;
    return share < FILE_TEXT_MAX ? share : FILE_TEXT_MAX;
}

static Status read_lines(Input *input, bool zeros) {
    const size_t max = text_max();
    Bytes *bytes = &input->bytes;
    if (!zeros && bytes->size > 0 && memchr(bytes->data, '\0', bytes->size))
        return STATUS_OK;
    const Status status = input_read(input, max);
    return status == STATUS_INPUT && (bytes->size > max || (input->size < SIZE_MAX && input->size > max))
               ? fail(status,
                      "%s: more than %.4g MiB; a text has 1 GiB at most, or a quarter of the memory in the "
                      "budget (GLINT_MEMORY sets it)",
                      input->name, (double)max / 0x1p20)
               : status;
}

Status file_read_lines(const char *path, bool zeros, Bytes *bytes) {
    Input input;
    *bytes = (Bytes){0};
    TRY(input_open(path, &input));
    const Status status = read_lines(&input, zeros);
    if (status == STATUS_OK)
        take(&input, bytes);
    input_close(&input);
    return status;
}

Status file_read_text(const char *path, char **text) {
    Bytes file = {0};
    *text = NULL;
    TRY(file_read_lines(path, false, &file));
    const size_t mark = text_mark(file.data, file.size), size = file.size - mark;
    char *copy = malloc(size + 1);
    Status status = copy ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory to read it", path);
    if (copy) {
        if (size > 0)
            memcpy(copy, file.data + mark, size);
        copy[size] = '\0';
        if (strlen(copy) != size)
            status = fail(STATUS_INPUT, "%s: a zero byte at %zu: this is not a text", path, mark + strlen(copy));
    }
    bytes_free(&file);
    if (status == STATUS_OK)
        *text = copy;
    else
        free(copy);
    return status;
}

/* The path below the folder that the variable names, or else below `folder` in the user's home. */
static char *user_path(const char *variable, const char *folder, const char *name) {
    const char *named = getenv(variable), *home = getenv("HOME");
    char *path = NULL;
    int length = -1;
    if (named && named[0] == '/') /* the specification has relative paths ignored */
        length = asprintf(&path, "%s/glint/%s", named, name);
    else if (home && home[0] == '/')
        length = asprintf(&path, "%s/%s/glint/%s", home, folder, name);
    return length < 0 ? NULL : path;
}

char *file_config_path(const char *name) {
    return user_path("XDG_CONFIG_HOME", ".config", name);
}

char *file_state_path(const char *name) {
    return user_path("XDG_STATE_HOME", ".local/state", name);
}
