/* exercise.h: the lab's exercises: a task, hints and gates as text, and a file to begin with (assets/lab/). */
#ifndef GLINT_APP_LAB_EXERCISE_H
#define GLINT_APP_LAB_EXERCISE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define EXERCISE(id, name) extern const char lab_##id##_task[], lab_##id##_starter[];
#include "app/lab/exercises.def"
#undef EXERCISE

typedef struct Exercise {
    const char *name;
    const char *task;    /* task.md: "# TITLE", "Operation: NAME", the task, "## Hints", "## Gates" */
    const char *starter; /* its first line names the exercise: an answer is known by that */
} Exercise;

enum { EXERCISE_GATES = 7 };

/* A line of its gates: "- `sectors` at most 1.3", or "- `speed` at least 0.8 of `shared`". */
typedef struct Wanted {
    char gate[24];
    bool least; /* at least; else at most */
    double value;
    char level[24]; /* of glint's, on a GPU, that the value is a share of; "": none */
} Wanted;

const Exercise *exercise_at(size_t index); /* NULL behind the last */
/* STATUS_USAGE if there is none. */
Status exercise_named(const char *name, const Exercise **exercise);
/* The exercise that a file says it answers: "glint lab: NAME" in it. STATUS_INPUT if it says none. */
Status exercise_of_file(const char *path, const Exercise **exercise);

/* These write a text, shortened to its room. */
void exercise_title(const Exercise *exercise, char *text, size_t size);
void exercise_operation(const Exercise *exercise, char *text, size_t size);
/* Hint `number`, from 1 on; false: there are no more. */
bool exercise_hint(const Exercise *exercise, int number, char *text, size_t size);
/* The task without hints, and its length. */
const char *exercise_task(const Exercise *exercise, size_t *length);
size_t exercise_gates(const Exercise *exercise, Wanted wanted[EXERCISE_GATES]);

#endif
