/* output.c: which files may be written, and the way there. */
#include "core/base/output.h"

#include "core/base/draft.h"
#include "core/base/interrupt.h"
#include "core/base/ledger.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kind of place that an output goes to. */
typedef enum Sink {
    SINK_FILE,
    SINK_DEVICE, /* a pipe, a terminal, a device */
    SINK_STDOUT,
    SINK_STDERR, /* /dev/stderr */
} Sink;

typedef struct OutputBytes {
    ByteSink sink; /* first, so that a ByteSink is ours */
    Output *output;
} OutputBytes;

struct Output {
    char *path;
    OutputRules rules;
    LedgerClaim *claim;
    Sink sink;
    Draft *draft;   /* of a file */
    int descriptor; /* of a device, or of standard output's pipe; or -1 */
    FILE *stream;   /* the caller's, once it asked for one */
    bool streamed;  /* something was written through it */
    int error;      /* errno of the first write, or other step, that failed */
    OutputBytes bytes;
};

/* ---- files at the place ---- */

static Status name_exists(const Output *output) {
    const OutputRules *rules = &output->rules;
    if (rules->by_hand)
        return fail(STATUS_USAGE, "%s already exists; choose another name", output->path);
    return rules->opening
               ? fail(STATUS_USAGE, "%s: holds something else than such a report; say --overwrite to replace it",
                      output->path)
               : fail(STATUS_USAGE, "%s exists; say --overwrite to replace it%s", output->path,
                      rules->advice ? rules->advice : "");
}

/* Takes white space out of a text, in place. */
static void squeeze(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
}

/* Whether the file is empty, or begins as reports of this kind do. */
static Status check_opening(const Output *output, bool *same) {
    char start[512], wanted[512];
    const char *below;
    const int from = place_of(output->rules.place, output->path, &below),
              opened = openat(from, below, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    FILE *file = opened >= 0 ? fdopen(opened, "r") : NULL;
    const size_t length = file ? fread(start, 1, sizeof start - 1, file) : 0;
    const bool failed = !file || ferror(file) != 0;
    if (file)
        fclose(file);
    else if (opened >= 0)
        close(opened);
    if (failed)
        return fail(STATUS_DEVICE, "%s: cannot be read, nor replaced: %m", output->path);
    start[length] = '\0';
    snprintf(wanted, sizeof wanted, "%s", output->rules.opening);
    squeeze(start);
    squeeze(wanted);
    *same = length == 0 || strncmp(start, wanted, strlen(wanted)) == 0;
    return STATUS_OK;
}

static bool is_own(const Output *output, const struct stat *info) {
    const FileIdentity own = output->rules.own;
    return own.inode != 0 && S_ISREG(info->st_mode) && file_identity_same(own, file_identity(info));
}

/* The file at the output's place: in the folder that its draft is in by now, if there is one. */
static bool look(const Output *output, bool follow, struct stat *info) {
    const char *below;
    const int from = place_of(output->rules.place, output->path, &below);
    return output->draft ? draft_look(output->draft, info)
                         : fstatat(from, below, info, follow ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether the file at the place now may be replaced. STATUS_USAGE if it neither may nor is to be skipped. */
static Status decide(const Output *output, bool *replace) {
    const OutputRules *rules = &output->rules;
    struct stat info;
    *replace = rules->overwrite;
    if (output->sink != SINK_FILE || !look(output, false, &info))
        return STATUS_OK; /* free, or out of reach: that is for the draft to say */
    *replace |= is_own(output, &info);
    if (look(output, true, &info) && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode))
        return fail(STATUS_DEVICE, "%s: is no regular file and will not be replaced", output->path);
    if (rules->opening && !*replace)
        TRY(check_opening(output, replace));
    return *replace || rules->skip ? STATUS_OK : name_exists(output);
}

static bool same_file(const struct stat *info, int descriptor) {
    struct stat other;
    return fstat(descriptor, &other) == 0 && info->st_dev == other.st_dev && info->st_ino == other.st_ino;
}

/* A report is a stream if its path leads to the file of standard output or error, or to no regular file. */
static Sink sink_of(const char *path, bool report) {
    struct stat info;
    if (strcmp(path, "-") == 0)
        return SINK_STDOUT;
    if (!report || stat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return SINK_FILE;
    if (same_file(&info, STDOUT_FILENO))
        return SINK_STDOUT;
    if (same_file(&info, STDERR_FILENO))
        return SINK_STDERR;
    return S_ISREG(info.st_mode) ? SINK_FILE : SINK_DEVICE;
}

/* Whether the file is an input of this process; a sentence for people names what they did, not the writer. */
static Status check_input(const char *path, const OutputRules *rules, const struct stat *info) {
    const Status status = ledger_check(info, rules->writer);
    return status == STATUS_OK || !rules->by_hand
               ? status
               : fail(STATUS_USAGE, "%s: that is a file you opened; choose another name", path);
}

static Status claim_place(const char *path, const OutputRules *rules, Sink sink, LedgerClaim **claim) {
    struct stat info;
    if (sink == SINK_FILE && rules->by_hand && stat(path, &info) == 0)
        TRY(check_input(path, rules, &info));
    return ledger_claim(sink == SINK_STDOUT ? "-" : path, rules->writer, claim);
}

/* ---- claiming ---- */

Status output_claim(const char *path, OutputRules rules, Output **output) {
    *output = NULL;
    Output *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory to write it", path);
    *made =
        (Output){.path = strdup(path), .rules = rules, .sink = sink_of(path, rules.opening != NULL), .descriptor = -1};
    bool replace;
    Status status = made->path ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory to write it", path);
    if (status == STATUS_OK && (made->sink == SINK_FILE || made->sink == SINK_STDOUT))
        status = claim_place(path, &made->rules, made->sink, &made->claim);
    if (status == STATUS_OK)
        status = decide(made, &replace);
    if (status == STATUS_OK)
        *output = made;
    else
        output_destroy(&made);
    return status;
}

Status output_make_folders(const Output *output) {
    return output->sink == SINK_FILE ? place_make_folders(output->rules.place, output->path, 0777) : STATUS_OK;
}

bool output_exists(const Output *output) {
    struct stat info;
    return output->sink == SINK_FILE && look(output, false, &info);
}

bool output_is_stdout(const Output *output) {
    return output->sink == SINK_STDOUT;
}

const char *output_path(const Output *output) {
    return output->path;
}

/* ---- writing ---- */

static Status cannot(const Output *output) {
    if (output->error != 0)
        errno = output->error;
    return output->sink == SINK_STDOUT ? fail(STATUS_DEVICE, "standard output cannot be written: %m")
                                       : fail(STATUS_DEVICE, "%s: cannot be written: %m", output->path);
}

/* Keeps why. */
static Status note(Output *output, Status status) {
    if (status == STATUS_DEVICE && output->error == 0)
        output->error = errno;
    return status;
}

bool output_disk_is_full(const Output *output) {
    return output->error == ENOSPC || output->error == EDQUOT;
}

int output_descriptor(const Output *output) {
    return output->draft ? draft_descriptor(output->draft) : -1;
}

bool output_stat(const Output *output, struct stat *info) {
    return output->draft && draft_stat(output->draft, info) == STATUS_OK;
}

Status output_begin(Output *output) {
    bool replace;
    if (output->sink == SINK_FILE && !output->draft) {
        TRY(decide(output, &replace));
        const bool follow =
            replace && !output->rules.replaces_links && (output->rules.overwrite || output->rules.opening);
        TRY(note(output, draft_begin(output->rules.place, output->path, follow, &output->draft)));
    }
    if (output->sink == SINK_DEVICE && output->descriptor < 0)
        output->descriptor = open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (output->sink == SINK_STDOUT && output->descriptor < 0) {
        pipe_widen(STDOUT_FILENO);
        output->descriptor = pipe_without_waits(STDOUT_FILENO);
    }
    return output->sink == SINK_DEVICE && output->descriptor < 0 ? cannot(output) : STATUS_OK;
}

static Status append(Output *output, const void *data, size_t size) {
    if (output->draft)
        return note(output, draft_append(output->draft, data, size));
    if (output->sink == SINK_DEVICE)
        return interruptible_write(output->descriptor, output->path, data, size);
    if (fflush(stdout) != 0)
        return cannot(output);
    const int to = output->descriptor >= 0 ? output->descriptor : STDOUT_FILENO;
    return interruptible_write(to, "standard output", data, size);
}

Status output_append(Output *output, Bytes bytes) {
    TRY(output_begin(output));
    return append(output, bytes.data, bytes.size);
}

static Status put(ByteSink *sink, size_t at, const void *data, size_t size) {
    Output *output = ((OutputBytes *)sink)->output;
    return output->draft ? note(output, draft_put(output->draft, at, data, size)) : append(output, data, size);
}

Status output_byte_sink(Output *output, ByteSink **sink) {
    TRY(output_begin(output));
    output->bytes.sink = (ByteSink){.put = put, .seeks = output->draft != NULL};
    output->bytes.output = output;
    *sink = &output->bytes.sink;
    return STATUS_OK;
}

static ssize_t append_from_stream(void *of, const char *text, size_t size) {
    Output *output = of;
    output->streamed = true;
    if (append(output, text, size) == STATUS_OK)
        return (ssize_t)size;
    output->error = errno;
    return 0;
}

Status output_stream(Output *output, FILE **stream) {
    TRY(output_begin(output));
    if (!output->stream) {
        output->stream = output->sink == SINK_STDERR
                             ? stderr
                             : fopencookie(output, "w", (cookie_io_functions_t){.write = append_from_stream});
        if (output->stream && output->sink == SINK_STDOUT)
            setvbuf(output->stream, NULL, _IOLBF, 0); /* someone may be waiting for lines */
    }
    *stream = output->stream;
    return output->stream ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory to write it", output->path);
}

bool output_streamed(const Output *output) {
    return output->stream == stderr || output->streamed;
}

static Status close_stream(Output *output) {
    FILE *stream = output->stream;
    output->stream = NULL;
    if (!stream)
        return STATUS_OK;
    bool failed = fflush(stream) != 0;
    failed |= ferror(stream) != 0;
    failed |= stream != stderr && fclose(stream) != 0;
    return failed ? cannot(output) : STATUS_OK;
}

/* Without a name, if it has none yet. */
static void let_go(Output *output) {
    (void)close_stream(output);
    draft_drop(&output->draft);
    if (output->descriptor >= 0)
        close(output->descriptor);
    output->descriptor = -1;
    ledger_release(&output->claim);
}

Status output_finish(Output *output, bool *skipped) {
    bool replace = false, taken = false;
    struct stat there;
    if (skipped)
        *skipped = false;
    Status status = output_begin(output);
    if (status == STATUS_OK)
        status = close_stream(output);
    if (status == STATUS_OK && output->draft && look(output, false, &there))
        status = check_input(output->path, &output->rules, &there);
    if (status == STATUS_OK && output->draft)
        status = decide(output, &replace);
    if (status == STATUS_OK && output->draft)
        status = note(output, draft_finish(&output->draft, replace, &taken));
    if (taken && output->rules.skip) {
        status = STATUS_OK;
        if (skipped)
            *skipped = true;
    }
    let_go(output);
    return status;
}

void output_give_up(Output *output) {
    let_go(output);
}

void output_destroy(Output **output) {
    Output *old = *output;
    *output = NULL;
    if (!old)
        return;
    let_go(old);
    free(old->path);
    free(old);
}
