/* output.h: every file that a command writes.
 * Owns the rule that all commands share: outputs are distinct and none is an input (core/base/ledger.h). A file that
 * exists is replaced only where that was said, or if it is an earlier report of the same kind. A file appears whole or
 * not at all (core/base/draft.h). */
#ifndef GLINT_CORE_BASE_OUTPUT_H
#define GLINT_CORE_BASE_OUTPUT_H

#include "core/base/bytes.h"
#include "core/base/file_identity.h"
#include "core/base/place.h"

#include <stdint.h>
#include <stdio.h>

typedef struct Output Output;

/* The texts are borrowed for as long as the output lives. */
typedef struct OutputRules {
    const char *writer;  /* how messages call the option or list that named it: "-o", "--json", an input of a batch */
    const char *opening; /* of reports: how files of this kind begin, white space aside; NULL: no report */
    bool overwrite;      /* a file that exists is replaced, whatever it is */
    bool replaces_links; /* with `overwrite`, a link is replaced, not the file it leads to */
    bool skip;           /* a file that exists is left alone, and that is no failure */
    const char *advice;  /* further help where a file exists, besides --overwrite: " or --skip-existing"; or NULL */
    bool by_hand;        /* a window's, where people choose names and give no options: messages say so */
    FileIdentity own;    /* the one that may be replaced in any case, while it is like this, and no link */
    Place *place;        /* the place from which the path is looked up, or NULL */
} OutputRules;

/* Decides whether `path` may be written; nothing is touched yet. "-" is standard output; a report may also go to a
 * pipe, a terminal or a device, as a stream. STATUS_USAGE if the path is an input or another output, or if a file is
 * there that the rules do not give up. Without `overwrite` or `skip` that is any file; with an `opening`, one that is
 * neither empty nor begins like that. STATUS_DEVICE for a folder, or a device where a picture should go. */
Status output_claim(const char *path, OutputRules rules, Output **output);
/* Makes the folders above it that are missing. STATUS_DEVICE if one cannot be made. */
Status output_make_folders(const Output *output);
/* Whether something is at its place now; never for streams. */
bool output_exists(const Output *output);
/* Whether the output is standard output. */
bool output_is_stdout(const Output *output);
/* The path that was claimed. */
const char *output_path(const Output *output);

/* Opens the draft, or the stream; functions that need it open do this by themselves. For outputs at the end of long
 * work: STATUS_DEVICE now rather than then. */
Status output_begin(Output *output);
/* Adds bytes. STATUS_DEVICE if they cannot be written. */
Status output_append(Output *output, Bytes bytes);
/* Begins it, as a sink (borrowed) for an encoder's bytes: in their order only, unless it seeks. */
Status output_byte_sink(Output *output, ByteSink **sink);
/* The descriptor of a begun file's draft, for another program to write to, borrowed; else -1. */
int output_descriptor(const Output *output);
/* Asks fstat() of a file that was begun; false for streams. */
bool output_stat(const Output *output, struct stat *info);
/* Whether the output could not be written because the disk, or the user's share of it, is full. */
bool output_disk_is_full(const Output *output);
/* A stream to add to, begun; output_finish reports its errors and closes it. */
Status output_stream(Output *output, FILE **stream);
/* Whether the stream of output_stream is standard output or error, or was written to and flushed: an empty report is
 * none. */
bool output_streamed(const Output *output);
/* Makes the file appear. Fails as output_claim does if, meanwhile, a file came to be there or is read; STATUS_DEVICE if
 * it cannot be written. With `skip` and a file that is there by now, nothing is written and *skipped is true (it may be
 * NULL). Whether it fails or not, the output is done with. */
Status output_finish(Output *output, bool *skipped);
/* Gives the output up: nothing appears, and nothing is left behind; the struct lives on. */
void output_give_up(Output *output);
/* An output that is not finished leaves nothing behind. Accepts NULL, nulls the pointer. */
void output_destroy(Output **output);

#endif
