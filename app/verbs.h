/* verbs.h: subcommands whose first word says what they do, as glint kernel and glint lab. */
#ifndef GLINT_APP_VERBS_H
#define GLINT_APP_VERBS_H

#include "app/common_options.h"

#include <jansson.h>

enum { VERB_WORDS = 3 };

typedef struct Verb {
    const char *name, *arguments;
    size_t least, most; /* words, with its name */
    Status (*run)(void *options);
} Verb;

/* At the beginning of the command's options. */
typedef struct VerbOptions {
    CommonOptions common;
    const char *command; /* "lab" */
    const Verb *verbs;
    size_t verb_count;
    const char
        *words[VERB_WORDS]; /* "new", "convolve-halo", "mine.cu"; those that are set before stand where none are */
    size_t word_count;
} VerbOptions;

/* The two functions of a CommandLine: they take the words, and check that a verb takes them. STATUS_USAGE. */
Status verbs_take(void *options, char **words, size_t count);
Status verbs_check(void *options);
/* Runs the verb between common_start and common_finish. */
Status verbs_run(VerbOptions *options);

/* Writes bytes to a file, as `writer`. Fails as output_claim and output_finish do. */
Status verb_write(const VerbOptions *options, const char *writer, const char *path, Bytes bytes);
/* Adds a record to the report of --json, if there is one; takes it over. */
Status verb_report(const VerbOptions *options, json_t *record);

#endif
