/* offence.c: the line that wastes the most, and the advice for its kind of waste. */
#include "app/listing/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const listing_reason_names[LISTING_REASONS] = {
    [LISTING_UNUSED] = "bytes not used", [LISTING_AGAIN] = "loaded again",   [LISTING_CONFLICTS] = "bank conflicts",
    [LISTING_IDLE] = "idle lanes",       [LISTING_ATOMICS] = "atomics meet", [LISTING_LOCAL] = "local memory",
    [LISTING_BUSY] = "most of the work"};

#define LITTLE 0.04 /* of all slots: less waste than that is no offence */

typedef struct Waste {
    double slots[LISTING_REASONS];
} Waste;

/* Sectors that would do for the bytes that lanes ask for: one a request at least. */
static double useful_sectors(const EmulatorCount *count) {
    return fmax((double)count->global_used / EMULATOR_SECTOR_BYTES, (double)count->global_requests);
}

/* Sectors that loads take from memory again, though the block has had them. */
static double again_of(const ListingInstruction *instruction) {
    const double share =
        instruction->block_sectors > 0 ? 1 - (double)instruction->block_fresh / (double)instruction->block_sectors : 0;
    return share * fmin(useful_sectors(&instruction->count), (double)instruction->count.global_sectors);
}

/* In slots, as listing_slots has them; but sectors that were loaded before most often lie in the L1 cache, which gives
 * four at once. */
static Waste waste_of(const ListingInstruction *instruction) {
    const EmulatorCount *count = &instruction->count;
    Waste waste = {0};
    if (count->atomic_lanes == 0)
        waste.slots[LISTING_UNUSED] = fmax(0, (double)count->global_sectors - useful_sectors(count)) / 2;
    waste.slots[LISTING_AGAIN] = again_of(instruction) / 4;
    waste.slots[count->atomic_lanes > 0 ? LISTING_ATOMICS : LISTING_CONFLICTS] = (double)count->shared_conflicts;
    waste.slots[LISTING_IDLE] = ((double)count->warps - (double)count->threads_on / EMULATOR_LANES) / 4;
    waste.slots[LISTING_ATOMICS] += (double)count->atomic_conflicts;
    waste.slots[LISTING_LOCAL] = 2 * (double)count->local_requests;
    return waste;
}

/* ---- sentences ---- */

static void say_unused(const ListingLine *line, char *text, size_t size) {
    const EmulatorCount *count = &line->count;
    snprintf(text, size,
             "A request takes %.1f sectors and uses %.0f %% of their bytes: let neighbouring threads reach for "
             "neighbouring addresses.",
             (double)count->global_sectors / (double)count->global_requests,
             100 * (double)count->global_used / (EMULATOR_SECTOR_BYTES * (double)count->global_sectors));
}

static void say_again(const ListingLine *line, char *text, size_t size) {
    snprintf(text, size,
             "%.0f %% of the sectors that a block loads here were loaded before: keep them in shared memory or in "
             "registers.",
             100 * (1 - (double)line->block_fresh / (double)line->block_sectors));
}

static void say_conflicts(const ListingLine *line, char *text, size_t size) {
    snprintf(text, size,
             "Lanes meet in banks, for %.1f passes too many a request: make rows of the array an element longer, or "
             "reorder threads.",
             (double)line->count.shared_conflicts / (double)line->count.shared_requests);
}

static void say_idle(const ListingLine *line, char *text, size_t size) {
    snprintf(text, size,
             "%.1f of 32 lanes work here while the others wait: give all threads of a warp the same way to go.",
             (double)line->count.threads_on / (double)line->count.warps);
}

static void say_atomics(const ListingLine *line, char *text, size_t size) {
    const EmulatorCount *count = &line->count;
    const uint64_t atomics = count->global_requests + count->shared_requests;
    const double more = (double)(count->atomic_conflicts + count->shared_conflicts);
    snprintf(text, size,
             "Lanes of a warp meet, for %.1f passes too many an atomic: add up within the warp first, or give each "
             "warp its own counters.",
             atomics > 0 ? more / (double)atomics : 0.0);
}

static void say_local(const ListingLine *line, char *text, size_t size) {
    (void)line;
    snprintf(text, size,
             "An array lies in local memory, far from the registers: index it by constants alone, as an unrolled loop "
             "does.");
}

static void say_busy(const ListingLine *line, char *text, size_t size) {
    (void)line;
    snprintf(text, size,
             "No line wastes much; most of the instructions are spent here, so give each thread more results "
             "to share them.");
}

static void (*const sentences[LISTING_REASONS])(const ListingLine *line, char *text, size_t size) = {
    [LISTING_UNUSED] = say_unused, [LISTING_AGAIN] = say_again,     [LISTING_CONFLICTS] = say_conflicts,
    [LISTING_IDLE] = say_idle,     [LISTING_ATOMICS] = say_atomics, [LISTING_LOCAL] = say_local,
    [LISTING_BUSY] = say_busy,
};

/* ---- the choice ---- */

static double weight_of(const ListingInstruction *instruction, ListingReason reason) {
    return reason == LISTING_BUSY ? (double)instruction->count.warps : waste_of(instruction).slots[reason];
}

/* The sums of the lines of a file, by reason. */
static void sum_lines(const Listing *listing, int file, Waste *lines) {
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const ListingInstruction *instruction = &listing->instructions[i];
        if (instruction->file != file)
            continue;
        const Waste waste = waste_of(instruction);
        for (int reason = 0; reason < LISTING_BUSY; reason++)
            lines[instruction->line - 1].slots[reason] += waste.slots[reason];
        lines[instruction->line - 1].slots[LISTING_BUSY] += (double)instruction->count.warps;
    }
}

typedef struct Worst {
    int file, line;
    ListingReason reason;
    double slots;
} Worst;

static void look_at_file(const Listing *listing, int file, Worst *wasteful, Worst *busy) {
    Waste *lines = calloc((size_t)listing->files[file].count + 1, sizeof *lines);
    if (!lines)
        return;
    sum_lines(listing, file, lines);
    for (int line = 0; line < listing->files[file].count; line++)
        for (int reason = 0; reason < LISTING_REASONS; reason++) {
            Worst *worst = reason == LISTING_BUSY ? busy : wasteful;
            if (lines[line].slots[reason] > worst->slots)
                *worst = (Worst){file, line + 1, (ListingReason)reason, lines[line].slots[reason]};
        }
    free(lines);
}

static size_t worst_instruction(const Listing *listing, const Worst *worst) {
    size_t found = 0;
    double most = -1;
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const ListingInstruction *instruction = &listing->instructions[i];
        if (instruction->file != worst->file || instruction->line != worst->line)
            continue;
        const double weight = weight_of(instruction, worst->reason);
        if (weight > most) {
            most = weight;
            found = i;
        }
    }
    return found;
}

void listing_find_offence(Listing *listing) {
    Worst wasteful = {.file = LISTING_NONE}, busy = {.file = LISTING_NONE};
    for (int file = 0; file < (int)listing->file_count; file++)
        look_at_file(listing, file, &wasteful, &busy);
    const Worst *worst = wasteful.slots < LITTLE * listing_slots(&listing->sum) ? &busy : &wasteful;
    listing->offence = (ListingOffence){.file = worst->file, .line = worst->line, .reason = worst->reason};
    if (worst->file == LISTING_NONE)
        return;
    listing->offence.instruction = worst_instruction(listing, worst);
    sentences[worst->reason](&listing->files[worst->file].lines[worst->line - 1], listing->offence.text,
                             sizeof listing->offence.text);
}
