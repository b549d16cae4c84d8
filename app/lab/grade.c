/* grade.c: compiles, runs the cases, then measures one. The picture of the last case of an operation is measured:
 * blocks of common sizes divide it. */
#include "app/lab/grade.h"

#include "app/kernel_case.h"
#include "app/lab/gates.h"
#include "app/say.h"
#include "core/stage/op.h"
#include "kernel/rungs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const KernelCase cases[] = {
    {"convolve", "f32x1", 33, 17, {BORDER_CLAMP, 0}, "5", NULL, NULL, 0},
    {"convolve", "f32x1", 100, 1, {BORDER_MIRROR, 0}, "9", NULL, NULL, 0},
    {"convolve", "f32x1", 1, 1, {BORDER_WRAP, 0}, "3", NULL, NULL, 0},
    {"convolve", "f32x1", 127, 65, {BORDER_CONSTANT, 0.5F}, "7x3", NULL, NULL, 0},
    {"convolve", "f32x1", 128, 128, {BORDER_CLAMP, 0}, "5", NULL, NULL, 0},
    {"reduce", "f32x1", 71, 67, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"reduce", "f32x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"reduce", "f32x1", 513, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"reduce", "f32x1", 256, 256, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 71, 67, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 257, 2, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 256, 256, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 33, 33, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 64, 64, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"move", "f32x1", 64, 100, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 2},
    {"move", "f32x1", 1, 70, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 2},
    {"move", "f32x1", 33, 17, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 2},
    {"move", "f32x1", 128, 128, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 2},
    {"histogram", "u8x1", 33, 17, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"histogram", "u8x1", 1, 1, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"histogram", "u8x1", 257, 129, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"histogram", "u8x1", 256, 256, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"trace", "u8x3", 65, 41, {BORDER_CLAMP, 0}, NULL, NULL, CASE_SPHERES, 0},
    {"trace", "u8x3", 64, 48, {BORDER_CLAMP, 0}, NULL, NULL, CASE_SPHERES, 0},
};
/* An exercise that has rows here is run on these alone. */
static const struct {
    const char *exercise;
    KernelCase row;
} own_cases[] = {
    {"convolve-separable", {"convolve", "f32x1", 33, 17, {BORDER_CLAMP, 0}, NULL, "gaussian=1:radius=2", NULL, 0}},
    {"convolve-separable", {"convolve", "f32x1", 100, 1, {BORDER_MIRROR, 0}, NULL, "box=9", NULL, 0}},
    {"convolve-separable", {"convolve", "f32x1", 1, 1, {BORDER_WRAP, 0}, NULL, "box=3", NULL, 0}},
    {"convolve-separable",
     {"convolve", "f32x1", 127, 65, {BORDER_ZERO, 0}, NULL, "convolve=1 2 4 3; 5 10 20 15; 2 4 8 6", NULL, 0}},
    {"convolve-separable", {"convolve", "f32x1", 128, 128, {BORDER_CLAMP, 0}, NULL, "gaussian=1:radius=2", NULL, 0}},
};
enum { CASES = sizeof cases / sizeof *cases, OWN_CASES = sizeof own_cases / sizeof *own_cases };

typedef struct Grading {
    const GradeOptions *options;
    const Level *level;
    Queue *queue, *reference; /* of the emulated GPU, and of the CPU, which has the references */
    Grade *grade;
    size_t done, agreed;
    char first[FINDING_TEXT]; /* the first case that does not agree */
    const KernelCase *last;
} Grading;

__attribute__((format(printf, 4, 5))) static Finding *note(Grade *grade, const char *gate, bool passed,
                                                           const char *format, ...) {
    Finding *finding = &grade->findings[grade->count++];
    va_list arguments;
    *finding = (Finding){.gate = gate, .passed = passed};
    grade->failed += !passed;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
    return finding;
}

/* ---- devices ---- */

/* The first kernel of the exercise's operation on a backend. */
static const Level *find_level(const char *operation, const char *on, Grade *grade) {
    const Backend *backend;
    const Level *level;
    const char *path, *name;
    for (size_t i = 0; (level = kernel_rung_at(i, &backend)); i++)
        if (strcmp(level->op->name, operation) == 0 && strcmp(backend->name, on) == 0) {
            kernel_rung(level, &path, &name);
            snprintf(grade->kernel, sizeof grade->kernel, "%s", name);
            return level;
        }
    return NULL;
}

static Status open_queue(const char *backend, int index, Device **device, Queue **queue) {
    const char *passed_over;
    TRY(backend_open(backend, index, 0, device, &passed_over));
    return queue_open(*device, queue);
}

/* ---- cases ---- */

static Status judge_stage(Grading *grading, const Stage *stage) {
    char job[256], how[512] = "";
    Verdict verdict = {0};
    TRY(kernel_case_judge(stage, grading->level, grading->queue, grading->reference, &verdict, how, sizeof how));
    grading->done++;
    grading->agreed += verdict.agrees;
    if (!verdict.agrees && grading->first[0] == '\0') {
        verify_describe(stage, grading->level, "emulated", job, sizeof job);
        snprintf(grading->first, sizeof grading->first, "%s: %s", job, how);
    }
    return STATUS_OK;
}

static Status run_case(Grading *grading, const KernelCase *row) {
    CaseStage opened;
    grading->last = row;
    Status status = kernel_case_open(row, &opened);
    if (status == STATUS_OK)
        status = judge_stage(grading, opened.stage);
    kernel_case_close(&opened);
    return status;
}

static Status run_cases(Grading *grading, const Exercise *exercise) {
    for (size_t i = 0; i < OWN_CASES; i++)
        if (strcmp(own_cases[i].exercise, exercise->name) == 0)
            TRY(run_case(grading, &own_cases[i].row));
    const bool has_own = grading->last != NULL;
    for (size_t i = 0; i < CASES && !has_own; i++)
        if (strcmp(cases[i].operation, grading->level->op->name) == 0)
            TRY(run_case(grading, &cases[i]));
    return STATUS_OK;
}

static bool is_of(const FaultGate *gate, KernelFaultKind kind) {
    bool is = false;
    for (size_t i = 0; i < sizeof gate->kinds / sizeof *gate->kinds; i++)
        is |= gate->kinds[i] != KERNEL_NO_FAULT && gate->kinds[i] == kind;
    return is;
}

/* The gates of faults, up to the one that the kernel's fault misses. */
static void note_faults(Grade *grade, KernelFaultKind kind) {
    for (size_t i = 0; i < fault_gate_count; i++) {
        if (is_of(&fault_gates[i], kind)) {
            note(grade, fault_gates[i].name, false, "%s", status_message());
            return;
        }
        note(grade, fault_gates[i].name, true, "%s", fault_gates[i].passed);
    }
}

static void note_result(Grading *grading) {
    if (grading->agreed == grading->done)
        note(grading->grade, "result", true, "%zu of %zu cases agree with the reference", grading->agreed,
             grading->done);
    else
        note(grading->grade, "result", false, "%zu of %zu cases agree with the reference; wrong first in %s",
             grading->agreed, grading->done, grading->first);
}

/* ---- counts ---- */

static void note_count(Grade *grade, const Wanted *wanted, const KernelFacts *facts, double pixels) {
    const CountGate *gate = count_gate_named(wanted->gate);
    const double value = count_gate_value(gate, facts, pixels);
    const bool passed = wanted->least ? value >= wanted->value : value <= wanted->value;
    const int line = facts->counted[gate->worst].line;
    char place[48] = "";
    if (line > 0 && gate->per != PER_BLOCK && !wanted->least == !(gate->worst == COUNT_IDLE))
        snprintf(place, sizeof place, "; most in line %d", line);
    Finding *finding = note(grade, gate->name, passed, "%.4g %s, want at %s %g%s%s%s", value, gate->unit,
                            wanted->least ? "least" : "most", wanted->value, passed ? "" : ": ",
                            passed ? "" : gate->why, passed ? "" : place);
    finding->measured = true;
    finding->value = value;
    finding->wanted = *wanted;
}

static double pixels_of(const Stage *stage) {
    const bool results = strcmp(stage->op->name, "trace") == 0 || strcmp(stage->op->name, "multiply") == 0;
    const Shape shape = results ? stage->out.shape : stage->in[0].shape;
    return (double)shape.width * (double)shape.height;
}

/* The last case's run left its counts. */
static Status note_counts(const Grading *grading, const Exercise *exercise) {
    Wanted wanted[EXERCISE_GATES];
    CaseStage opened;
    const size_t count = exercise_gates(exercise, wanted);
    const Status status = kernel_case_open(grading->last, &opened);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (wanted[i].level[0] == '\0')
            note_count(grading->grade, &wanted[i], &kernel_rung_answer(grading->level)->facts, pixels_of(opened.stage));
    kernel_case_close(&opened);
    return status;
}

/* ---- speed ---- */

void grade_speed(const Wanted *wanted, const SpeedTimes *times, const char *why_not, Grade *grade) {
    SpeedRound best;
    const double share = speed_share(times->rounds, times->count, &best);
    if (times->count == 0) {
        note(grade, "speed", true, "not measured: %s", why_not)->open = true;
        return;
    }
    Finding *finding = note(grade, "speed", share >= wanted->value,
                            "%.3g of the speed of %s, want at least %g: %.4g ms, and %s %.4g ms; %s", share,
                            wanted->level, wanted->value, best.answer, wanted->level, best.ours, times->job);
    finding->measured = true;
    finding->value = share;
    finding->wanted = *wanted;
}

/* Its result has to be right there, too. */
static Status measure_speed(const Grading *grading, const Wanted *wanted, Queue *queue, SpeedTimes *times) {
    char how[512] = "";
    Verdict verdict = {0};
    CaseStage opened;
    const Level *answer = find_level(grading->level->op->name, "cuda", grading->grade);
    Status status = kernel_case_open(grading->last, &opened);
    if (status == STATUS_OK)
        status = kernel_case_judge(opened.stage, answer, queue, grading->reference, &verdict, how, sizeof how);
    kernel_case_close(&opened);
    if (status == STATUS_OK && !verdict.agrees)
        status = fail(STATUS_INPUT, "on the GPU: %s", how);
    return status == STATUS_OK ? speed_measure(queue, answer, wanted->level, wanted->value, times) : status;
}

/* A kernel that fails on the GPU misses the gate. Other failures leave it open, unless the user insists on a GPU. */
static Status note_speed(const Grading *grading, const Wanted *wanted) {
    const char *backend = grading->options->backend;
    const bool insists = strcmp(backend, "cuda") == 0;
    SpeedTimes times = {0};
    Device *device = NULL;
    Queue *queue = NULL;
    if (!insists && strcmp(backend, "auto") != 0) {
        grade_speed(wanted, &times, "a GPU was not asked for", grading->grade);
        return STATUS_OK;
    }
    Status status = open_queue("cuda", grading->options->device, &device, &queue);
    if (status == STATUS_OK)
        status = measure_speed(grading, wanted, queue, &times);
    queue_close(&queue);
    device_close(&device);
    if (status == STATUS_INPUT)
        note(grading->grade, "speed", false, "%s", status_message());
    else if (status == STATUS_OK || (status == STATUS_DEVICE && !insists))
        grade_speed(wanted, &times, status_message(), grading->grade);
    else
        return status;
    return STATUS_OK;
}

static Status note_speeds(const Grading *grading, const Exercise *exercise) {
    Wanted wanted[EXERCISE_GATES];
    const size_t count = exercise_gates(exercise, wanted);
    for (size_t i = 0; i < count; i++)
        if (wanted[i].level[0] != '\0')
            TRY(note_speed(grading, &wanted[i]));
    return STATUS_OK;
}

/* ---- an answer ---- */

static Status grade_level(Grading *grading, const Exercise *exercise) {
    const Status status = run_cases(grading, exercise);
    const KernelFaultKind fault = kernel_rung_answer(grading->level)->fault.kind;
    if (status != STATUS_OK && status != STATUS_INPUT)
        return status;
    note_faults(grading->grade, status == STATUS_OK ? KERNEL_NO_FAULT : fault);
    if (status != STATUS_OK)
        return STATUS_OK;
    note_result(grading);
    if (grading->agreed < grading->done)
        return STATUS_OK;
    TRY(note_counts(grading, exercise));
    return note_speeds(grading, exercise);
}

static bool backend_known(const char *name) {
    return strcmp(name, "auto") == 0 || strcmp(name, "cuda") == 0 || strcmp(name, "emulated") == 0;
}

Status grade_answer(const Exercise *exercise, const char *path, const GradeOptions *options, Grade *grade) {
    char operation[32];
    KernelKind kind;
    Device *emulated = NULL, *cpu = NULL;
    Grading grading = {.options = options, .grade = grade};
    *grade = (Grade){0};
    TRY(kernel_kind(path, &kind));
    if (!backend_known(options->backend))
        return fail(STATUS_USAGE, "--backend is \"%s\", want auto, cuda or emulated", options->backend);
    if (kind != KERNEL_PTX)
        return fail(STATUS_USAGE, "%s: want CUDA C, in a file that ends in .cu", path);
    kernel_rungs_count();
    Status status = kernel_rungs_add(path, options->seconds);
    if (status == STATUS_INPUT)
        note(grade, "compiles", false, "%s", status_message());
    if (status != STATUS_OK)
        return status == STATUS_INPUT ? STATUS_OK : status;
    exercise_operation(exercise, operation, sizeof operation);
    grading.level = find_level(operation, "emulated", grade);
    note(grade, "compiles", grading.level != NULL, grading.level ? "a kernel of %s" : "no kernel of %s is in the file",
         operation);
    if (!grading.level)
        return STATUS_OK;
    status = open_queue("emulated", 0, &emulated, &grading.queue);
    if (status == STATUS_OK)
        status = open_queue("cpu", 0, &cpu, &grading.reference);
    if (status == STATUS_OK)
        status = grade_level(&grading, exercise);
    queue_close(&grading.queue);
    queue_close(&grading.reference);
    device_close(&emulated);
    device_close(&cpu);
    return status;
}

json_t *grade_json(const Grade *grade) {
    json_t *list = json_array();
    for (size_t i = 0; i < grade->count; i++) {
        const Finding *finding = &grade->findings[i];
        json_t *entry =
            json_pack("{s:s, s:o, s:o}", "gate", finding->gate, "passed",
                      finding->open ? json_null() : json_boolean(finding->passed), "text", json_text(finding->text));
        if (finding->measured) {
            json_object_set_new(entry, "value", json_real(finding->value));
            json_object_set_new(entry, finding->wanted.least ? "at_least" : "at_most",
                                json_real(finding->wanted.value));
            if (finding->wanted.level[0] != '\0')
                json_object_set_new(entry, "of", json_string(finding->wanted.level));
        }
        json_array_append_new(list, entry);
    }
    return list;
}
