/* verbs.c: words of the command line as verbs. */
#include "app/verbs.h"

#include <stdio.h>
#include <string.h>

Status verbs_take(void *options, char **words, size_t count) {
    VerbOptions *own = options;
    if (count > VERB_WORDS)
        return fail(STATUS_USAGE, "\"%s\" is one word too many", words[VERB_WORDS]);
    for (size_t i = 0; i < count; i++)
        own->words[i] = words[i];
    own->word_count = count > 0 ? count : own->word_count;
    return STATUS_OK;
}

static const Verb *verb_of(const VerbOptions *options) {
    for (size_t i = 0; i < options->verb_count && options->word_count > 0; i++)
        if (strcmp(options->verbs[i].name, options->words[0]) == 0)
            return &options->verbs[i];
    return NULL;
}

/* "want `new OPERATION FILE`, `compile FILE` or `check FILE`" */
static Status want_verb(const VerbOptions *options) {
    char list[256] = "";
    for (size_t i = 0; i < options->verb_count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s`%s`",
                 i == 0                        ? ""
                 : i + 1 < options->verb_count ? ", "
                                               : " or ",
                 options->verbs[i].arguments);
    return options->word_count > 0 ? fail(STATUS_USAGE, "no \"%s\"; want %s", options->words[0], list)
                                   : fail(STATUS_USAGE, "want %s", list);
}

Status verbs_check(void *options) {
    const VerbOptions *own = options;
    const Verb *verb = verb_of(own);
    if (!verb)
        return want_verb(own);
    return own->word_count >= verb->least && own->word_count <= verb->most
               ? STATUS_OK
               : fail(STATUS_USAGE, "want `%s`", verb->arguments);
}

Status verbs_run(VerbOptions *options) {
    Status status = common_start(&options->common, options->command);
    if (status == STATUS_OK)
        status = verb_of(options)->run(options);
    return common_finish(&options->common, status);
}

Status verb_write(const VerbOptions *options, const char *writer, const char *path, Bytes bytes) {
    const OutputRules rules = {.writer = writer, .overwrite = options->common.overwrite};
    Output *output;
    TRY(output_claim(path, rules, &output));
    Status status = output_append(output, bytes);
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    return status;
}

Status verb_report(const VerbOptions *options, json_t *record) {
    FILE *json;
    const Status status = common_open_json(&options->common, &json);
    if (status != STATUS_OK || !json) {
        json_decref(record);
        return status;
    }
    return json_put(json, record, JSON_COMPACT) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the report");
}
