/* gates.c: the tables. */
#include "app/lab/gates.h"

#include <string.h>

enum { LANES = 32 };

const FaultGate fault_gates[] = {
    {"memory", {KERNEL_OUT_OF_BOUNDS, KERNEL_MISALIGNED}, "each access stays inside its memory"},
    {"race", {KERNEL_RACE}, "no threads meet in shared memory without a barrier between them"},
    {"barrier", {KERNEL_DIVERGENT_BARRIER}, "all threads of a block come to its barriers"},
    {"time", {KERNEL_TIME}, "each run ends"},
    {"run", {KERNEL_RESOURCES, KERNEL_CRASH, KERNEL_OTHER}, "each run is possible on a GPU"},
};
const size_t fault_gate_count = sizeof fault_gates / sizeof *fault_gates;

static const CountGate count_gates[] = {
    {"sectors", COUNT_GLOBAL_SECTORS, PER_PIXEL, 1, COUNT_GLOBAL_SECTORS, "sectors of global memory a pixel",
     "neighbouring threads reach for addresses that are far apart, or for values that were there before"},
    {"requests", COUNT_GLOBAL_REQUESTS, PER_PIXEL, LANES, COUNT_GLOBAL_REQUESTS,
     "requests of global memory for 32 pixels",
     "global memory is asked for what a register or shared memory could keep"},
    {"conflicts", COUNT_SHARED_CONFLICTS, COUNT_SHARED_REQUESTS, 1, COUNT_SHARED_CONFLICTS,
     "bank conflicts a request of shared memory", "lanes of a warp reach for different words of the same bank"},
    {"shared", COUNT_SHARED_REQUESTS, PER_PIXEL, LANES, COUNT_SHARED_REQUESTS,
     "requests of shared memory for 32 pixels", "shared memory holds too little of the work, or too much"},
    {"constant", COUNT_CONSTANT_REQUESTS, PER_PIXEL, LANES, COUNT_CONSTANT_REQUESTS,
     "requests of constant memory for 32 pixels", "values that all threads want come from elsewhere"},
    {"lanes", COUNT_LANES, PER_LANE, 1, COUNT_IDLE, "of the lanes work",
     "lanes of a warp wait while others of it go another way"},
    {"instructions", COUNT_WARPS, PER_PIXEL, LANES, COUNT_WARPS, "instructions of warps for 32 pixels",
     "warps are kept busy with more than the work"},
    {"atomics", COUNT_GLOBAL_ATOMICS, PER_PIXEL, 1, COUNT_GLOBAL_ATOMICS, "atomics in global memory a pixel",
     "each value goes to global memory by itself"},
    {"meetings", COUNT_ATOMIC_CONFLICTS, PER_PIXEL, 1, COUNT_ATOMIC_CONFLICTS, "atomics a pixel that wait for another",
     "lanes of a warp add to the same address at once"},
    {"room", COUNT_SHARED_REQUESTS, PER_BLOCK, 1, COUNT_SHARED_REQUESTS, "bytes of shared memory a block",
     "a multiprocessor holds fewer blocks, the more shared memory each of them has"},
    {"barriers", COUNT_BARRIERS, PER_PIXEL, LANES, COUNT_BARRIERS, "barriers for 32 pixels",
     "warps wait for others whose values they do not need"},
};

const CountGate *count_gate_named(const char *name) {
    for (size_t i = 0; i < sizeof count_gates / sizeof *count_gates; i++)
        if (strcmp(count_gates[i].name, name) == 0)
            return &count_gates[i];
    return NULL;
}

double count_gate_value(const CountGate *gate, const KernelFacts *facts, double pixels) {
    if (gate->per == PER_BLOCK)
        return (double)facts->shared_bytes;
    const double per = gate->per == PER_PIXEL  ? pixels
                       : gate->per == PER_LANE ? LANES * facts->counted[COUNT_WARPS].sum
                                               : facts->counted[gate->per].sum;
    return per > 0 ? gate->factor * facts->counted[gate->of].sum / per : 0;
}
