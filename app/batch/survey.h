/* survey.h: which formats the files of a batch have, as far as their names tell. */
#ifndef GLINT_APP_BATCH_SURVEY_H
#define GLINT_APP_BATCH_SURVEY_H

#include "app/file_plan.h"
#include "core/codec/codec.h"

#define FILM "y4m" /* the one format of films that is none of pictures */

enum { SURVEY_FORMATS = 32 };

/* The format that a path's extension names. */
typedef struct Named {
    const Format *format; /* NULL: none of pictures */
    bool film;            /* FILM */
} Named;

typedef struct Survey {
    Named input, output;                                    /* of the first file */
    size_t inputs[SURVEY_FORMATS], outputs[SURVEY_FORMATS]; /* files by the place of their format in formats[] */
    bool raw; /* all files hold values as they are in memory, before and behind the filter */
} Survey;

Named survey_name(const char *path);
/* Looks at the names of all files once. */
Survey survey_files(const FilePlan *list);
/* How many of `counts`, which are a survey's, are of this format. */
size_t survey_count(const size_t counts[SURVEY_FORMATS], const Format *format);
/* STATUS_USAGE if -o's text decides for all files that none can be written. `format` is --format's, or NULL. */
Status survey_check_output(const FileRules *rules, const char *format);

#endif
