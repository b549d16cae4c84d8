/* emulated.c: kernels in CUDA C on the emulated GPU, of the module glint-emulated.so. It tells no time. */
#include "kernel/host/device.h"

#include "core/base/module.h"
#include "emulator/emulator.h"
#include "kernel/host/launches.h"

#include <dlfcn.h>
#include <string.h>

enum { MEMORIES = TASK_PARAMETERS, CAPABILITY = 90, LINES = 4096, LANES = 32, NEAR = 1 << 20 };

static const Emulator *emulator;
static EmulatorModule *module;
typedef struct Memory {
    const char *parameter;
    unsigned char *bytes;
    size_t count;
} Memory;

static Memory memories[MEMORIES];
static int memory_count;

/* Counts of a run by lines of the kernel's file. Lines behind the last, and those of other files, are line 0. */
static double by_line[LINES][KERNEL_COUNTS];
static KernelRecord *record; /* of the run; or NULL */

static bool emulated_open(int index, KernelAnswer *answer) {
    (void)index;
    void *opened = module_open("glint-emulated.so", false);
    emulator = opened ? dlsym(opened, "glint_emulator") : NULL;
    return (emulator && emulator->version == EMULATOR_VERSION) ||
           host_fault(answer, KERNEL_NO_DEVICE, "cannot run: the module glint-emulated.so is not next to the program");
}

/* How far an address lies outside of a memory. */
static size_t distance(const Memory *memory, uintptr_t address) {
    const uintptr_t from = (uintptr_t)memory->bytes;
    return address < from ? from - address : address - from < memory->count ? 0 : address - from - memory->count + 1;
}

/* An access outside of a parameter's memory, in words of that. */
static void name_parameter(const EmulatorFault *fault, KernelAnswer *answer) {
    const Memory *nearest = NULL;
    const uintptr_t address = (uintptr_t)fault->address;
    for (const Memory *memory = memories; memory < memories + memory_count; memory++)
        if (distance(memory, address) < (nearest ? distance(nearest, address) : NEAR))
            nearest = memory;
    if (fault->kind != EMULATOR_OUT_OF_BOUNDS || !fault->address || !nearest)
        return;
    const bool begins_within = distance(nearest, address) == 0;
    host_astray(answer, fault->writes ? "writes" : "reads", nearest->parameter, nearest->bytes, nearest->count,
                begins_within ? nearest->bytes + nearest->count
                              : nearest->bytes + (ptrdiff_t)(address - (uintptr_t)nearest->bytes));
}

/* As the emulator tells it. */
static bool tell(const EmulatorFault *fault, const KernelTask *task, KernelAnswer *answer) {
    static const KernelFaultKind kinds[] = {
        [EMULATOR_OUT_OF_BOUNDS] = KERNEL_OUT_OF_BOUNDS,
        [EMULATOR_MISALIGNED] = KERNEL_MISALIGNED,
        [EMULATOR_RACE] = KERNEL_RACE,
        [EMULATOR_DIVERGENT_BARRIER] = KERNEL_DIVERGENT_BARRIER,
        [EMULATOR_TIME] = KERNEL_TIME,
        [EMULATOR_TOO_LARGE] = KERNEL_RESOURCES,
        [EMULATOR_OTHER] = KERNEL_NO_FAULT,
    };
    const KernelFaultKind kind = kinds[fault->kind];
    if (kind == KERNEL_TIME)
        host_fault(answer, kind, HOST_LATE, task->seconds);
    else
        host_fault(answer, kind == KERNEL_NO_FAULT ? KERNEL_OTHER : kind, "fails: %s", fault->text);
    name_parameter(fault, answer);
    answer->fault.line = fault->line;
    answer->fault.address = fault->address;
    answer->fault.placed = fault->placed;
    memcpy(answer->fault.block, fault->block, sizeof answer->fault.block);
    memcpy(answer->fault.thread, fault->thread, sizeof answer->fault.thread);
    return false;
}

static bool emulated_load(const KernelTask *task, const void *binary, KernelAnswer *answer) {
    static EmulatorFault fault;
    emulator->module_free(module);
    module = emulator->module(binary, task->binary_bytes, &fault);
    return module || tell(&fault, task, answer);
}

static bool emulated_take(size_t bytes, const char *parameter, void **memory, KernelAnswer *answer) {
    *memory = emulator->memory(bytes, HOST_POISON);
    if (!*memory)
        return host_fault(answer, KERNEL_NO_DEVICE, "cannot have %zu bytes for %s", bytes, parameter);
    memories[memory_count++] = (Memory){parameter, *memory, bytes};
    return true;
}

static void emulated_give_back(void) {
    while (memory_count > 0)
        emulator->memory_free(memories[--memory_count].bytes);
}

static bool emulated_copy(void *to, const void *from, size_t bytes, KernelAnswer *answer) {
    (void)answer;
    memcpy(to, from, bytes);
    return true;
}

static bool emulated_constant(const char *name, const void *values, size_t bytes, KernelAnswer *answer) {
    size_t room;
    void *variable = emulator->variable(module, name, &room);
    if (!variable)
        return true;
    if (!host_fits(answer, name, room, bytes))
        return false;
    memcpy(variable, values, bytes);
    return true;
}

/* ---- counts ---- */

static void count_row(const EmulatorRow *row, double counts[KERNEL_COUNTS]) {
    const EmulatorCount *count = &row->count;
    counts[COUNT_WARPS] += (double)count->warps;
    counts[COUNT_LANES] += (double)count->threads_on;
    counts[COUNT_IDLE] += (double)(LANES * count->warps - count->threads_on);
    counts[COUNT_GLOBAL_REQUESTS] += (double)count->global_requests;
    counts[COUNT_GLOBAL_SECTORS] += (double)count->global_sectors;
    counts[COUNT_GLOBAL_ATOMICS] += count->global_requests > 0 ? (double)count->atomic_lanes : 0;
    counts[COUNT_SHARED_REQUESTS] += (double)count->shared_requests;
    counts[COUNT_SHARED_CONFLICTS] += (double)count->shared_conflicts;
    counts[COUNT_CONSTANT_REQUESTS] += (double)count->constant_requests;
    counts[COUNT_ATOMIC_CONFLICTS] += (double)count->atomic_conflicts;
    counts[COUNT_BARRIERS] += (double)count->barriers;
}

static void count_launch(const EmulatorCounters *counters) {
    EmulatorRow row;
    for (size_t i = 0; emulator->counters_row(counters, i, &row); i++)
        count_row(&row, by_line[row.line > 0 && row.line < LINES ? row.line : 0]);
}

static void tell_counts(KernelFacts *facts) {
    facts->counts = true;
    for (int line = 0; line < LINES; line++)
        for (int c = 0; c < KERNEL_COUNTS; c++) {
            KernelCounted *counted = &facts->counted[c];
            const double here = by_line[line][c];
            counted->sum += here;
            if (line > 0 && here > counted->on_line) {
                counted->line = line;
                counted->on_line = here;
            }
        }
}

static bool launch(const HostLaunch *launch, KernelAnswer *answer) {
    EmulatorFault fault = {0};
    EmulatorCounters *counters = launch->task->counts || record ? emulator->counters() : NULL;
    EmulatorLaunch emulated = {.module = module,
                               .kernel = launch->task->kernel.name,
                               .shared_bytes = launch->shared,
                               .arguments = launch->arguments,
                               .seconds = launch->task->seconds,
                               .races = launch->task->checks,
                               .counters = counters};
    memcpy(emulated.grid, launch->grid, sizeof emulated.grid);
    memcpy(emulated.block, launch->block, sizeof emulated.block);
    if (record)
        emulator->counters_watch(counters, &launch->task->watch);
    const bool ran = emulator->launch(&emulated, &fault);
    if (ran && fault.kind == EMULATOR_NO_VALUE && !answer->facts.no_value) {
        answer->facts.no_value = true;
        answer->facts.no_value_line = fault.line;
    }
    if (ran && counters)
        count_launch(counters);
    if (ran && record)
        kernel_record_add(record, emulator, counters, launch->grid, launch->block,
                          answer->facts.shared_bytes + launch->shared);
    if (counters)
        emulator->counters_free(counters);
    return ran || tell(&fault, launch->task, answer);
}

static bool emulated_run(const HostCall *call, KernelAnswer *answer) {
    EmulatorFacts facts;
    unsigned grid[3];
    size_t shared;
    host_grid(call->task, grid, &shared);
    answer->facts.capability = CAPABILITY;
    if (emulator->facts(module, call->task->kernel.name, &facts)) {
        answer->facts.shared_bytes = facts.shared_bytes + shared;
        answer->facts.max_threads = facts.max_threads;
    }
    for (answer->runs = 0; answer->runs < call->task->runs; answer->runs++) {
        memset(by_line, 0, sizeof by_line); /* the last run counts */
        record = call->record;
        if (record)
            record->launches = 0, record->rows = record->accesses = 0, record->cut = false;
        if (!host_launches(call, launch, answer))
            return false;
        call->ran();
    }
    if (call->task->counts)
        tell_counts(&answer->facts);
    return true;
}

const HostDevice host_emulated = {
    .name = "emulated",
    .open = emulated_open,
    .load = emulated_load,
    .take = emulated_take,
    .put = emulated_copy,
    .get = emulated_copy,
    .give_back = emulated_give_back,
    .constant = emulated_constant,
    .run = emulated_run,
};
