/* build.c: instructions with their counts, put to the lines that they were made of. */
#include "app/listing/listing.h"

#include "app/listing/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const EmulatorWatch listing_watch_default = {{0, 0, 0}, 4, 8};

enum { DEPTH = 64 }; /* of calls that are inlined into each other */

/* A run as it is added. */
typedef struct Adding {
    Listing *listing;
    const ListingRun *run;
    PtxPlaces places;
    int files[PTX_FILES]; /* of the PTX: in the listing, or LISTING_NONE; -2: not asked yet */
    int kernel;
} Adding;

enum { NOT_ASKED = -2 };

/* ---- places ---- */

/* The listing's file of a file of the PTX. A listing of a user's kernel has its file alone. */
static Status file_of(Adding *adding, int number, int own, int *index) {
    *index = LISTING_NONE;
    if (number < 0 || number >= PTX_FILES || !adding->places.files[number])
        return STATUS_OK;
    if (adding->run->path && number != own)
        return STATUS_OK;
    if (adding->files[number] == NOT_ASKED)
        TRY(listing_file(adding->listing, adding->places.files[number], adding->run->path, &adding->files[number]));
    *index = adding->files[number];
    return STATUS_OK;
}

/* The line of a place; NULL: its file is none of the listing's. */
static Status line_of(Adding *adding, const PtxPlace *place, int own, int *file, ListingLine **line) {
    *line = NULL;
    TRY(file_of(adding, place->file, own, file));
    if (*file == LISTING_NONE)
        return STATUS_OK;
    const ListingFile *of = &adding->listing->files[*file];
    if (place->line <= of->count)
        *line = &of->lines[place->line - 1];
    return STATUS_OK;
}

static void add_to_line(ListingLine *line, ListingInstruction *instruction) {
    listing_add(&line->count, &instruction->count);
    line->instructions++;
    line->block_sectors += instruction->block_sectors;
    line->block_fresh += instruction->block_fresh;
}

/* An instruction's way from the innermost line that is shown to those that call it. */
typedef struct Way {
    const ListingLine *counted[DEPTH];
    int depth;
} Way;

static void count_to_line(Way *way, int file, int number, ListingLine *line, ListingInstruction *instruction) {
    for (int i = 0; i < way->depth; i++)
        if (way->counted[i] == line)
            return;
    if (way->depth == 0) {
        instruction->file = file;
        instruction->line = number;
        add_to_line(line, instruction);
    } else {
        listing_add(&line->called, &instruction->count);
    }
    if (way->depth == 1) {
        instruction->caller_file = file;
        instruction->caller_line = number;
    }
    way->counted[way->depth++] = line;
}

static Status follow(Adding *adding, const PtxLine *ptx, int from, Way *way, ListingInstruction *instruction) {
    for (int at = from; at >= 0 && way->depth < DEPTH; at = adding->places.places[at].caller) {
        const PtxPlace *place = &adding->places.places[at];
        ListingLine *line;
        int file;
        TRY(line_of(adding, place, ptx->own, &file, &line));
        if (line)
            count_to_line(way, file, place->line, line, instruction);
    }
    return STATUS_OK;
}

static Status place_instruction(Adding *adding, const PtxLine *ptx, ListingInstruction *instruction) {
    Way way = {.depth = 0};
    TRY(follow(adding, ptx, ptx->place, &way, instruction));
    if (way.depth == 0)
        TRY(follow(adding, ptx, ptx->before, &way, instruction));
    if (way.depth == 0)
        listing_add(&adding->listing->elsewhere, &instruction->count);
    return STATUS_OK;
}

/* ---- instructions ---- */

/* Every lane that comes to a branch works: the predicate says only which way the lane goes. */
static EmulatorCount count_of(const EmulatorRow *row) {
    EmulatorCount count = row->count;
    if (row->work == EMULATOR_WORK_CONTROL)
        count.threads_on = count.threads;
    return count;
}

static Status add_instruction(Adding *adding, const EmulatorRow *row) {
    Listing *listing = adding->listing;
    ListingKernel *kernel = &listing->kernels[adding->kernel];
    ListingInstruction *instruction = &listing->instructions[listing->instruction_count++];
    *instruction = (ListingInstruction){.text = "",
                                        .kernel = adding->kernel,
                                        .file = LISTING_NONE,
                                        .caller_file = LISTING_NONE,
                                        .ptx_line = row->ptx_line,
                                        .work = row->work,
                                        .count = count_of(row),
                                        .block_sectors = row->block_sectors,
                                        .block_fresh = row->block_fresh};
    listing_add(&kernel->sum, &instruction->count);
    listing_add(&listing->sum, &instruction->count);
    if (row->ptx_line < 1 || (size_t)row->ptx_line > adding->places.line_count)
        return STATUS_OK;
    const PtxLine *ptx = &adding->places.lines[row->ptx_line - 1];
    instruction->text = ptx->text; /* until its text is copied */
    TRY(place_instruction(adding, ptx, instruction));
    if (kernel->file == LISTING_NONE) {
        kernel->file = instruction->file;
        kernel->line = instruction->line;
    }
    return STATUS_OK;
}

/* Accesses in the order of their instructions, for each as they came. */
static void add_accesses(Adding *adding) {
    Listing *listing = adding->listing;
    const KernelRecord *record = adding->run->record;
    const ListingKernel *kernel = &listing->kernels[adding->kernel];
    size_t next[RECORD_ROWS + 1] = {0};
    for (size_t i = 0; i < record->accesses; i++)
        next[record->access[i].row + 1]++;
    for (size_t i = 0; i < record->rows; i++) {
        ListingInstruction *instruction = &listing->instructions[kernel->first + i];
        instruction->accesses = next[i + 1];
        next[i + 1] += next[i];
        instruction->access = listing->access_count + next[i];
    }
    for (size_t i = 0; i < record->accesses; i++) {
        EmulatorAccess *access = &listing->accesses[listing->access_count + next[record->access[i].row]++];
        *access = record->access[i];
        access->row += (uint32_t)kernel->first;
    }
    listing->access_count += record->accesses;
}

static void begin_kernel(Listing *listing, const ListingRun *run, const EmulatorWatch *watch) {
    const KernelRecord *record = run->record;
    ListingKernel *kernel = &listing->kernels[listing->kernel_count++];
    *kernel = (ListingKernel){.launches = record->launches,
                              .shared_bytes = record->shared_bytes,
                              .first = listing->instruction_count,
                              .count = record->rows,
                              .file = LISTING_NONE,
                              .cut = record->cut};
    listing_function_name(run->symbol, kernel->name, sizeof kernel->name);
    snprintf(kernel->symbol, sizeof kernel->symbol, "%s", run->symbol);
    for (int k = 0; k < 3; k++) {
        kernel->grid[k] = record->grid[k];
        kernel->block[k] = record->block[k];
        kernel->watched[k] = watch->block[k] < record->grid[k] ? watch->block[k] : record->grid[k] - 1;
    }
}

/* Kernels of one module share its text. */
static Status copy_module(Listing *listing, const ListingRun *run, const ListingRun *runs) {
    ListingKernel *kernel = &listing->kernels[run - runs];
    for (const ListingRun *other = runs; other < run; other++)
        if (other->ptx == run->ptx)
            kernel->ptx = listing->kernels[other - runs].ptx;
    if (!kernel->ptx)
        kernel->ptx = strdup(run->ptx);
    return kernel->ptx ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a kernel's listing");
}

static Status add_run(Listing *listing, const ListingRun *run, const ListingRun *runs, const EmulatorWatch *watch) {
    Adding *adding = calloc(1, sizeof *adding);
    if (!adding)
        return fail(STATUS_DEVICE, "no memory for a kernel's listing");
    *adding = (Adding){.listing = listing, .run = run, .kernel = (int)listing->kernel_count};
    for (int i = 0; i < PTX_FILES; i++)
        adding->files[i] = NOT_ASKED;
    begin_kernel(listing, run, watch);
    Status status = ptx_places_read(run->ptx, &adding->places);
    if (status == STATUS_OK)
        status = copy_module(listing, run, runs);
    for (size_t i = 0; i < run->record->rows && status == STATUS_OK; i++)
        status = add_instruction(adding, &run->record->row[i]);
    if (status == STATUS_OK)
        add_accesses(adding);
    ptx_places_free(&adding->places);
    free(adding);
    return status;
}

/* ---- the whole ---- */

static size_t text_of(const char *text, const char **from) {
    *from = text + strspn(text, " \t");
    return strcspn(*from, "\n");
}

/* Instructions have texts of their own, so that the PTX need not live as long. */
static Status copy_texts(Listing *listing) {
    size_t bytes = 0;
    const char *from;
    for (size_t i = 0; i < listing->instruction_count; i++)
        bytes += text_of(listing->instructions[i].text, &from) + 1;
    char *to = listing->texts = malloc(bytes + 1);
    if (!to)
        return fail(STATUS_DEVICE, "no memory for a kernel's listing");
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const size_t length = text_of(listing->instructions[i].text, &from);
        memcpy(to, from, length);
        to[length] = '\0';
        listing->instructions[i].text = to;
        to += length + 1;
    }
    return STATUS_OK;
}

static void find_range(ListingFile *file) {
    for (int i = 0; i < file->count; i++) {
        if (file->lines[i].instructions == 0 && file->lines[i].called.warps == 0)
            continue;
        file->first = file->first ? file->first : i + 1;
        file->last = i + 1;
        file->warps += file->lines[i].count.warps;
    }
}

/* The file of the kernel that has most of the work goes first. */
static int first_file(const Listing *listing) {
    const ListingKernel *most = listing->kernels;
    for (size_t i = 1; i < listing->kernel_count; i++)
        if (listing->kernels[i].sum.warps > most->sum.warps)
            most = &listing->kernels[i];
    return most->file;
}

static void swap_files(Listing *listing, int a, int b) {
    const ListingFile kept = listing->files[a];
    listing->files[a] = listing->files[b];
    listing->files[b] = kept;
    for (size_t i = 0; i < listing->instruction_count; i++) {
        int *file = &listing->instructions[i].file, *caller = &listing->instructions[i].caller_file;
        *file = *file == a ? b : *file == b ? a : *file;
        *caller = *caller == a ? b : *caller == b ? a : *caller;
    }
    for (size_t i = 0; i < listing->kernel_count; i++) {
        int *file = &listing->kernels[i].file;
        *file = *file == a ? b : *file == b ? a : *file;
    }
}

static void order_files(Listing *listing) {
    const int count = (int)listing->file_count, first = first_file(listing);
    for (int i = 0; i < count; i++)
        find_range(&listing->files[i]);
    if (first > 0)
        swap_files(listing, 0, first);
    for (int i = first == LISTING_NONE ? 0 : 1; i < count; i++) {
        int most = i;
        for (int k = i + 1; k < count; k++)
            most = listing->files[k].warps > listing->files[most].warps ? k : most;
        if (most != i)
            swap_files(listing, i, most);
    }
}

static Status make(Listing *listing, const ListingRun *runs, size_t count, const EmulatorWatch *watch) {
    size_t rows = 0, accesses = 0;
    for (size_t i = 0; i < count; i++) {
        rows += runs[i].record->rows;
        accesses += runs[i].record->accesses;
    }
    listing->kernels = calloc(count + 1, sizeof *listing->kernels);
    listing->instructions = calloc(rows + 1, sizeof *listing->instructions);
    listing->accesses = calloc(accesses + 1, sizeof *listing->accesses);
    if (!listing->kernels || !listing->instructions || !listing->accesses)
        return fail(STATUS_DEVICE, "no memory for a kernel's listing");
    for (size_t i = 0; i < count; i++)
        TRY(add_run(listing, &runs[i], runs, watch));
    TRY(copy_texts(listing));
    order_files(listing);
    listing_find_offence(listing);
    return STATUS_OK;
}

Status listing_of_runs(const ListingRun *runs, size_t count, const EmulatorWatch *watch, Listing **listing) {
    *listing = calloc(1, sizeof **listing);
    if (!*listing)
        return fail(STATUS_DEVICE, "no memory for a kernel's listing");
    const Status status = make(*listing, runs, count, watch);
    if (status != STATUS_OK)
        listing_free(listing);
    return status;
}

void listing_free(Listing **listing) {
    Listing *freed = *listing;
    if (!freed)
        return;
    for (size_t i = 0; i < freed->file_count; i++) {
        free(freed->files[i].name);
        free(freed->files[i].text);
        free(freed->files[i].lines);
    }
    for (size_t i = 0; i < freed->kernel_count; i++) {
        bool shared = false;
        for (size_t k = 0; k < i; k++)
            shared |= freed->kernels[k].ptx == freed->kernels[i].ptx;
        if (!shared)
            free(freed->kernels[i].ptx);
    }
    free(freed->files);
    free(freed->kernels);
    free(freed->instructions);
    free(freed->accesses);
    free(freed->sass);
    for (size_t i = 0; freed->sass_texts && i < freed->kernel_count; i++)
        free(freed->sass_texts[i]);
    free(freed->sass_texts);
    free(freed->texts);
    free(freed);
    *listing = NULL;
}
