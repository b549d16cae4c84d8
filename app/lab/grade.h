/* grade.h: an answer to an exercise, gate by gate. It runs on the emulated GPU, in a process of its own. */
#ifndef GLINT_APP_LAB_GRADE_H
#define GLINT_APP_LAB_GRADE_H

#include "app/lab/exercise.h"

#include <jansson.h>

enum { FINDINGS = 16, FINDING_TEXT = 1024 };

typedef struct Finding {
    const char *gate;
    bool passed;
    bool measured; /* `value` is held against `wanted` */
    double value;
    Wanted wanted;
    char text[FINDING_TEXT]; /* what was found, as a sentence without its full stop */
} Finding;

/* In the gates' order. After a gate that the others need, there are no more. */
typedef struct Grade {
    char kernel[64]; /* "": it does not compile */
    Finding findings[FINDINGS];
    size_t count, failed;
} Grade;

/* `seconds`: after which a run is ended. Gates that are missed are no failure. Fails if the answer cannot be run at
 * all: STATUS_DEVICE without a compiler or without the emulated GPU. Once a process. */
Status grade_answer(const Exercise *exercise, const char *path, double seconds, Grade *grade);
json_t *grade_json(const Grade *grade);

#endif
