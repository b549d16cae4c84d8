/* grade.h: an answer to an exercise, gate by gate. It runs on the emulated GPU, in a process of its own, and, where
 * there is an NVIDIA GPU, on that for its speed. */
#ifndef GLINT_APP_LAB_GRADE_H
#define GLINT_APP_LAB_GRADE_H

#include "app/lab/exercise.h"
#include "app/lab/speed.h"

#include <jansson.h>

enum { FINDINGS = 16, FINDING_TEXT = 1024 };

typedef struct Finding {
    const char *gate;
    bool passed;
    bool open;     /* neither passed nor failed: nothing here can tell */
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

typedef struct GradeOptions {
    double seconds;      /* after which a run is ended */
    const char *backend; /* "cuda": the speed has to be measured; "auto": where it can be; any other: it is not */
    int device;          /* of cuda */
} GradeOptions;

/* Gates that are missed are no failure. Fails if the answer cannot be run at all. STATUS_DEVICE tells that there is no
 * compiler, no emulated GPU, or not the GPU that the options insist on. Once a process. */
Status grade_answer(const Exercise *exercise, const char *path, const GradeOptions *options, Grade *grade);
/* Adds the finding of a gate of speed: from the times, or, where there are none, `why_not`. */
void grade_speed(const Wanted *wanted, const SpeedTimes *times, const char *why_not, Grade *grade);
json_t *grade_json(const Grade *grade);

#endif
