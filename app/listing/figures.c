/* figures.c: the columns, and the measure by which lines are compared. */
#include "app/listing/listing.h"

#include <math.h>
#include <string.h>

static double share(double part, double of) {
    return of > 0 ? part / of : NAN;
}

static double some(uint64_t count) {
    return count > 0 ? (double)count : NAN;
}

#define FIELD(name)                                                                                                    \
    static double name(const EmulatorCount *count) {                                                                   \
        return some(count->name);                                                                                      \
    }
FIELD(warps)
FIELD(global_requests)
FIELD(global_sectors)
FIELD(global_bytes)
FIELD(shared_requests)
FIELD(shared_bytes)
FIELD(constant_requests)
FIELD(constant_bytes)
FIELD(local_requests)
FIELD(local_bytes)
FIELD(barriers)
FIELD(atomic_lanes)

static double lanes(const EmulatorCount *count) {
    return share((double)count->threads_on, EMULATOR_LANES * (double)count->warps);
}
static double sectors_per_request(const EmulatorCount *count) {
    return share((double)count->global_sectors, (double)count->global_requests);
}
static double used(const EmulatorCount *count) {
    return share((double)count->global_used, EMULATOR_SECTOR_BYTES * (double)count->global_sectors);
}
static double conflicts(const EmulatorCount *count) {
    return count->shared_requests > 0 ? (double)count->shared_conflicts : NAN;
}
static double atomic_conflicts(const EmulatorCount *count) {
    return count->atomic_lanes > 0 ? (double)count->atomic_conflicts : NAN;
}

const ListingColumn listing_columns[] = {
    {"instructions", "instr", "instructions", "Instructions of warps.", .value = warps},
    {"lanes", "lanes", "active lanes", "The share of the 32 lanes that work in them.", .share = true, .good = true,
     .value = lanes},
    {"global_requests", "requests", "requests", "Requests of warps to global memory.", .value = global_requests},
    {"global_sectors", "sectors", "sectors", "Sectors of 32 bytes that the requests take.", .value = global_sectors},
    {"sectors_per_request", "sect/req", "sectors a request",
     "Sectors that a request takes; 4 hold a value of four bytes for each lane.", .ratio = true,
     .value = sectors_per_request},
    {"used", "used", "bytes used", "The share of the sectors' bytes that lanes ask for.", .share = true, .good = true,
     .value = used},
    {"shared_requests", "shared", "shared requests", "Requests of warps to shared memory.", .value = shared_requests},
    {"conflicts", "conflicts", "bank conflicts",
     "Passes over shared memory beyond the fewest, as lanes meet in a bank.", .value = conflicts},
    {"constant_requests", "constant", "constant requests", "Requests of warps to constant memory.",
     .value = constant_requests},
    {"local_requests", "local", "local requests", "Requests of warps to local memory.", .value = local_requests},
    {"barriers", "barriers", "barriers", "Times that a warp comes to a barrier of its block.", .value = barriers},
    {"atomics", "atomics", "atomics", "Lanes that carry out atomics.", .value = atomic_lanes},
    {"atomic_conflicts", "met", "lanes that meet",
     "Passes of atomics beyond the first, as lanes of a warp meet at an address.", .value = atomic_conflicts},
    {"global_bytes", "global B", "global bytes", "Bytes that lanes move to and from global memory.",
     .value = global_bytes},
    {"shared_bytes", "shared B", "shared bytes", "Bytes that lanes move to and from shared memory.",
     .value = shared_bytes},
    {"constant_bytes", "const B", "constant bytes", "Bytes that lanes read from constant memory.",
     .value = constant_bytes},
    {"local_bytes", "local B", "local bytes", "Bytes that lanes move to and from local memory.", .value = local_bytes},
};
const size_t listing_column_count = sizeof listing_columns / sizeof *listing_columns;

const ListingColumn *listing_column(const char *name) {
    for (size_t i = 0; i < listing_column_count; i++)
        if (strcmp(listing_columns[i].name, name) == 0)
            return &listing_columns[i];
    return NULL;
}

bool listing_has(const Listing *listing, const ListingColumn *column) {
    const double value = column->value(&listing->sum);
    return !isnan(value) && value != 0;
}

/* The rates of a multiprocessor, for each clock cycle: four schedulers; 64 bytes from the L2 cache; 128 of shared
 * memory. */
double listing_slots(const EmulatorCount *count) {
    return (double)count->warps / 4 + (double)count->global_sectors / 2 + (double)count->shared_wavefronts +
           (double)count->atomic_conflicts + 2 * (double)count->local_requests;
}
