/* exercise.c: the table, and the parts of a task's text. */
#include "app/lab/exercise.h"

#include "core/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "glint lab: "

static const Exercise exercises[] = {
#define EXERCISE(id, name) {name, lab_##id##_task, lab_##id##_starter},
#include "app/lab/exercises.def"
#undef EXERCISE
};
enum { EXERCISES = sizeof exercises / sizeof *exercises, HEAD = 4096 };

const Exercise *exercise_at(size_t index) {
    return index < EXERCISES ? &exercises[index] : NULL;
}

Status exercise_named(const char *name, const Exercise **exercise) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < EXERCISES; i++) {
        *exercise = &exercises[i];
        if (strcmp(name, exercises[i].name) == 0)
            return STATUS_OK;
        if (text_closer(name, strlen(name), exercises[i].name, &best))
            close = exercises[i].name;
    }
    return close ? fail(STATUS_USAGE, "no exercise \"%s\"; did you mean \"%s\"?", name, close)
                 : fail(STATUS_USAGE, "no exercise \"%s\"; `glint lab` lists all", name);
}

Status exercise_of_file(const char *path, const Exercise **exercise) {
    char head[HEAD];
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(STATUS_INPUT, "%s: %m", path);
    head[fread(head, 1, sizeof head - 1, file)] = '\0';
    fclose(file);
    char *mark = strstr(head, MARK);
    if (!mark)
        return fail(STATUS_INPUT, "%s: names no exercise; want a line like /* " MARK "%s */", path, exercises[0].name);
    mark += strlen(MARK);
    mark[strspn(mark, "abcdefghijklmnopqrstuvwxyz0123456789-")] = '\0';
    return exercise_named(mark, exercise);
}

/* ---- parts of the text ---- */

static void copy_line(const char *from, char *text, size_t size) {
    snprintf(text, size, "%.*s", (int)strcspn(from, "\n"), from);
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* The line behind the one that begins so; the text's end where there is none. */
static const char *behind(const char *text, const char *heading) {
    while (*text && strncmp(text, heading, strlen(heading)) != 0)
        text = next_line(text);
    return next_line(text);
}

void exercise_title(const Exercise *exercise, char *text, size_t size) {
    copy_line(exercise->task + strlen("# "), text, size);
}

void exercise_operation(const Exercise *exercise, char *text, size_t size) {
    const char *word = strstr(exercise->task, "Operation: ");
    copy_line(word ? word + strlen("Operation: ") : "", text, size);
}

/* A hint may go on in lines that are indented. */
bool exercise_hint(const Exercise *exercise, int number, char *text, size_t size) {
    char begin[16];
    size_t length = (size_t)snprintf(begin, sizeof begin, "%d. ", number);
    const char *line = behind(exercise->task, "## Hints");
    while (*line && *line != '#' && strncmp(line, begin, length) != 0)
        line = next_line(line);
    if (*line == '\0' || *line == '#')
        return false;
    copy_line(line + length, text, size);
    for (line = next_line(line); strncmp(line, "   ", 3) == 0; line = next_line(line)) {
        length = strlen(text);
        copy_line(line + 2, text + length, size - length);
    }
    return true;
}

const char *exercise_task(const Exercise *exercise, size_t *length) {
    const char *hints = strstr(exercise->task, "\n## Hints");
    *length = hints ? (size_t)(hints - exercise->task) : strlen(exercise->task);
    return exercise->task;
}

size_t exercise_gates(const Exercise *exercise, Wanted wanted[EXERCISE_GATES]) {
    size_t count = 0;
    char bound[8];
    for (const char *line = behind(exercise->task, "## Gates"); *line && count < EXERCISE_GATES;
         line = next_line(line)) {
        Wanted *row = &wanted[count];
        int at = 0;
        char *rest;
        if (sscanf(line, "- `%23[a-z]` at %7[a-z] %n", row->gate, bound, &at) != 2 || at == 0)
            continue;
        row->least = strcmp(bound, "least") == 0;
        row->value = strtod(line + at, &rest);
        if (sscanf(rest, " of `%23[a-z0-9-]`", row->level) != 1)
            row->level[0] = '\0';
        count++;
    }
    return count;
}
