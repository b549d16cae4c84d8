/* branches.c: a branch that is taken by so many values of a hundred. */
#include "core/math/pcg.h"
#include "cpu/course/machine/machine.h"

#include <stdio.h>
#include <string.h>

enum { VALUES = 1 << 18 /* more than a predictor keeps in mind */, HUNDRED = 100, RANDOM = 0, SORTED, WITHOUT };

typedef struct Job {
    uint8_t *values; /* 0 to 99 */
    unsigned below;
    bool branches;
} Job;

/* Without the barriers compilers would do without the branch, too. */
static uint64_t add_by_branch(const uint8_t *values, unsigned below) {
    uint64_t sum = 0;
    for (size_t i = 0; i < VALUES; i++) {
        if (values[i] < below) {
            __asm__ volatile("");
            sum += values[i];
        } else {
            __asm__ volatile("");
            sum ^= i;
        }
    }
    return sum;
}

static uint64_t add_by_mask(const uint8_t *values, unsigned below) {
    uint64_t sum = 0;
    for (size_t i = 0; i < VALUES; i++) {
        const uint64_t taken = -(uint64_t)(values[i] < below), other = sum ^ i;
        sum = ((sum + values[i]) & taken) | (other & ~taken);
    }
    return sum;
}

static Status run(Queue *queue, void *job) {
    const Job *of = job;
    (void)queue;
    machine_want(of->branches ? add_by_branch(of->values, of->below) : add_by_mask(of->values, of->below));
    return STATUS_OK;
}

/* Every value as often as it is there, the smallest first. */
static void sort(uint8_t *values) {
    size_t counts[HUNDRED] = {0}, at = 0;
    for (size_t i = 0; i < VALUES; i++)
        counts[values[i]]++;
    for (size_t value = 0; value < HUNDRED; at += counts[value++])
        memset(values + at, (int)value, counts[value]);
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    void *memory;
    double ms = 0;
    Pcg pcg = pcg_seed(1, 1);
    TRY(machine_memory(VALUES, &memory));
    Job job = {memory, (unsigned)x, series != WITHOUT};
    for (size_t i = 0; i < VALUES; i++)
        job.values[i] = (uint8_t)(pcg_next(&pcg) % HUNDRED);
    if (series == SORTED)
        sort(job.values);
    const Status status = experiment_time(queue, run, &job, &ms);
    free(memory);
    *y = ms * 1e6 / VALUES;
    return status;
}

static void tell(const Curve *curve, char *text, size_t size) {
    char words[3][32];
    for (size_t i = 0; i < 3; i++)
        axis_format(curve->experiment->y, curve_at(curve, i, 50), words[i], sizeof words[i]);
    snprintf(text, size, "where half of the values take the branch: %s at random, %s sorted, %s without it", words[0],
             words[1], words[2]);
}

const Experiment cpu_machine_branches = {
    .name = "branches",
    .title = "Branches and their predictor",
    .idea = "an if by each value, of values in any order and sorted; and their sum without an if",
    .advice = "Sort or split data that an if asks about, or compute both sides and choose by a mask: a wrong guess "
              "throws begun work away.",
    .x = {"branch taken by", "%", true},
    .y = {"time of a value", "ns", true},
    .series = {"at random", "sorted", "without a branch"},
    .points = {1, 2, 5, 10, 25, 50, 75, 90, 95, 98, 99},
    .measure = measure,
    .tell = tell,
};
