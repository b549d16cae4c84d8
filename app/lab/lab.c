/* lab.c: glint lab: exercises in CUDA C, and whether an answer passes their gates. No GPU is needed. */
#include "app/command.h"
#include "app/lab/exercise.h"
#include "app/lab/grade.h"
#include "app/verbs.h"
#include "core/base/interrupt.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

/* ---- list, task, hint, new ---- */

static Status run_list(void *own) {
    const VerbOptions *options = own;
    const Exercise *exercise;
    json_t *list = json_array();
    char title[LINE], operation[LINE];
    for (size_t i = 0; (exercise = exercise_at(i)); i++) {
        exercise_title(exercise, title, sizeof title);
        exercise_operation(exercise, operation, sizeof operation);
        say(common_results(&options->common), "%-20s %-10s %s", exercise->name, operation, title);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "exercise", exercise->name, "operation", operation, "title", title));
    }
    return verb_report(options, json_pack("{s:s, s:o}", "glint", "lab", "exercises", list));
}

static Status run_task(void *own) {
    const VerbOptions *options = own;
    const Exercise *exercise;
    TRY(exercise_named(options->words[1], &exercise));
    size_t length;
    const char *task = exercise_task(exercise, &length);
    fprintf(common_results(&options->common), "%.*s", (int)length, task);
    return STATUS_OK;
}

static Status run_hint(void *own) {
    const VerbOptions *options = own;
    const Exercise *exercise;
    char hint[LINE];
    const char *word = options->word_count > 2 ? options->words[2] : "1";
    const int number = (int)strtol(word, NULL, 10);
    int last = 0;
    TRY(exercise_named(options->words[1], &exercise));
    while (exercise_hint(exercise, last + 1, hint, sizeof hint))
        last++;
    if (!exercise_hint(exercise, number, hint, sizeof hint))
        return fail(STATUS_USAGE, "%s has no hint %s; want 1 to %d", exercise->name, word, last);
    say(common_results(&options->common), "%s", hint);
    if (number < last)
        common_say(&options->common, "`glint lab hint %s %d` tells more", exercise->name, number + 1);
    return STATUS_OK;
}

static Status run_new(void *own) {
    const VerbOptions *options = own;
    const Exercise *exercise;
    char path[LINE];
    TRY(exercise_named(options->words[1], &exercise));
    snprintf(path, sizeof path, "%s.cu", exercise->name);
    if (options->word_count > 2)
        snprintf(path, sizeof path, "%s", options->words[2]);
    TRY(verb_write(options, "lab new", path, (Bytes){(unsigned char *)exercise->starter, strlen(exercise->starter)}));
    TRY(run_task(own));
    common_say(&options->common, "%s: begin there; `glint lab check %s` checks it", path, path);
    return STATUS_OK;
}

/* ---- check ---- */

static const char *finding_word(const Finding *finding) {
    return finding->open ? "open" : finding->passed ? "passed" : "FAILED";
}

static void print_grade(const VerbOptions *options, const Exercise *exercise, const Grade *grade) {
    FILE *to = common_results(&options->common);
    say(to, "%s: %s%s%s, on the emulated GPU", options->words[1], exercise->name, grade->kernel[0] ? ", kernel " : "",
        grade->kernel);
    for (size_t i = 0; i < grade->count; i++)
        say(to, "  %-6s gate %s: %s", finding_word(&grade->findings[i]), grade->findings[i].gate,
            grade->findings[i].text);
}

static const Finding *first_failed(const Grade *grade) {
    const Finding *finding = grade->findings;
    while (finding->passed)
        finding++;
    return finding;
}

static Status run_check(void *own) {
    const VerbOptions *options = own;
    const Exercise *exercise;
    Grade grade;
    const char *path = options->words[1];
    const GradeOptions how = {options->common.kernel_time, options->common.backend, options->common.device};
    TRY(exercise_of_file(path, &exercise));
    interrupts_catch(); /* the compiler's folder is removed */
    TRY(grade_answer(exercise, path, &how, &grade));
    if (!options->common.quiet)
        print_grade(options, exercise, &grade);
    TRY(verb_report(options, json_pack("{s:s, s:o, s:s, s:s, s:b, s:o}", "glint", "lab", "file", json_text(path),
                                       "exercise", exercise->name, "kernel", grade.kernel, "passed", grade.failed == 0,
                                       "gates", grade_json(&grade))));
    if (grade.failed == 0)
        return STATUS_OK;
    return fail(STATUS_PARTIAL, "%s: gate %s: %s", path, first_failed(&grade)->gate, first_failed(&grade)->text);
}

/* ---- the command ---- */

static const Verb verbs[] = {
    {"list", "list", 1, 1, run_list},         {"new", "new NAME [FILE]", 2, 3, run_new},
    {"task", "task NAME", 2, 2, run_task},    {"hint", "hint NAME [NUMBER]", 2, 3, run_hint},
    {"check", "check FILE", 2, 2, run_check},
};

Status lab_command(int argc, char **argv) {
    VerbOptions options = {common_defaults, "lab", verbs, sizeof verbs / sizeof *verbs, {verbs[0].name}, 1};
    const CommandLine line = {.arguments = "[list]\nnew NAME [FILE]\ntask NAME\nhint NAME [NUMBER]\ncheck FILE",
                              .help = "Exercises in CUDA C, checked without a GPU.\v"
                                      "A check tells each gate that an answer passes or fails, and by how much. Where "
                                      "there is an NVIDIA GPU, one "
                                      "gate is the answer's speed: --backend cuda insists on it, --backend emulated "
                                      "leaves it out. docs/lab.md tells "
                                      "teachers more. Examples:\n\n"
                                      "  glint lab\n"
                                      "  glint lab new convolve-halo mine.cu\n"
                                      "  glint lab hint convolve-halo 1\n"
                                      "  glint lab check mine.cu --json -",
                              .tables = {common_options},
                              .common = 0,
                              .arguments_read = verbs_take,
                              .check = verbs_check};
    TRY(command_line_read(&line, argc, argv, &options));
    return verbs_run(&options);
}
