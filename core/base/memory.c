/* memory.c: one budget of memory for the process, and the shares that jobs take of it. */
#include "core/base/memory.h"

#include "core/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

static Status parse(const char *variable, const char *text, size_t *bytes) {
    double number;
    if (text_bytes(text, &number)) {
        *bytes = number < (double)SIZE_MAX ? (size_t)number : SIZE_MAX;
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "%s is \"%s\", want bytes, or a number with K, M, G or T, as in 512M or 1.5G", variable,
                text);
}

/* The bytes that the variable names, or `otherwise` if it is empty or not set. */
static Status read_variable(const char *name, size_t otherwise, size_t *bytes) {
    const char *text = getenv(name);
    *bytes = otherwise;
    return text && *text ? parse(name, text, bytes) : STATUS_OK;
}

#define HOST   "GLINT_MEMORY"
#define DEVICE "GLINT_DEVICE_MEMORY"

Status memory_check(void) {
    size_t bytes;
    TRY(read_variable(HOST, 0, &bytes));
    return read_variable(DEVICE, 0, &bytes);
}

/* The limit of this process's control group, of versions 2 and 1; SIZE_MAX without one. */
static size_t group_limit(void) {
    static const char *const paths[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        FILE *file = fopen(paths[i], "re");
        unsigned long long limit;
        const bool known = file && fscanf(file, "%llu", &limit) == 1; /* "max" is none */
        if (file)
            fclose(file);
        if (known)
            return limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
    }
    return SIZE_MAX;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* The address space that the process may map. */
static size_t process_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (size_t)limit.rlim_cur : SIZE_MAX;
}

/* Read once, as every image is checked against it. */
static size_t default_budget;

static void measure_machine(void) {
    struct sysinfo info;
    const size_t machine = sysinfo(&info) == 0 ? (size_t)info.totalram * info.mem_unit : SIZE_MAX;
    default_budget = smaller(smaller(machine, group_limit()), process_limit()) / 2;
}

size_t memory_budget(void) {
    static pthread_once_t measured = PTHREAD_ONCE_INIT;
    size_t bytes;
    if (read_variable(HOST, 0, &bytes) == STATUS_OK && bytes > 0)
        return bytes;
    pthread_once(&measured, measure_machine);
    return default_budget;
}

size_t memory_of_device(void) {
    size_t bytes;
    return read_variable(DEVICE, SIZE_MAX, &bytes) == STATUS_OK ? bytes : SIZE_MAX;
}

static _Thread_local const char *spill_folder;

void memory_spill(const char *folder) {
    spill_folder = folder;
}

const char *memory_spill_folder(void) {
    return spill_folder;
}

Status memory_lacks(size_t bytes, size_t max, const char *what) {
    return fail(STATUS_INPUT,
                "%s needs %.4g MiB of memory, more than the %.4g MiB of the budget (GLINT_MEMORY sets it)", what,
                (double)bytes / 0x1p20, (double)max / 0x1p20);
}

Status memory_fits(size_t bytes, const char *what) {
    const size_t budget = memory_budget();
    return bytes <= budget || spill_folder ? STATUS_OK : memory_lacks(bytes, budget, what);
}

void budget_init(Budget *budget, size_t total) {
    *budget = (Budget){.total = total, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
}

void budget_destroy(Budget *budget) {
    pthread_mutex_destroy(&budget->lock);
    pthread_cond_destroy(&budget->changed);
}

bool budget_try(Budget *budget, size_t *share, size_t bytes) {
    pthread_mutex_lock(&budget->lock);
    const size_t others = budget->taken - *share;
    const bool fits = budget->next_ticket == budget->serving && bytes <= budget->total - others;
    if (fits) {
        budget->taken = others + bytes;
        *share = bytes;
    }
    pthread_mutex_unlock(&budget->lock);
    return fits;
}

Status budget_wait(Budget *budget, size_t *share, size_t bytes) {
    budget_return(budget, share);
    if (bytes > budget->total)
        return memory_lacks(bytes, budget->total, "this job");
    pthread_mutex_lock(&budget->lock);
    const unsigned long ticket = budget->next_ticket++;
    while (ticket != budget->serving || bytes > budget->total - budget->taken)
        pthread_cond_wait(&budget->changed, &budget->lock);
    budget->serving++;
    budget->taken += bytes;
    *share = bytes;
    pthread_cond_broadcast(&budget->changed);
    pthread_mutex_unlock(&budget->lock);
    return STATUS_OK;
}

void budget_return(Budget *budget, size_t *share) {
    pthread_mutex_lock(&budget->lock);
    budget->taken -= *share;
    *share = 0;
    pthread_cond_broadcast(&budget->changed);
    pthread_mutex_unlock(&budget->lock);
}
