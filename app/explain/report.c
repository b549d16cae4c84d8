/* report.c: a listing as JSON. Addresses of global memory are told from the lowest sector of their instruction on, so
 * that two runs make the same report. */
#include "app/explain/report.h"

#include "app/say.h"

#include <math.h>
#include <string.h>

enum {
    WARPS = 32,    /* of a block */
    AROUND = 12,   /* lines of the first file in front of those with counts, and behind them */
    NEAR = 4,      /* the same of other files */
    SHOWN = 6,     /* lines around each that has counts; page.html has these numbers, too */
    SHOWN_NEAR = 2 /* the same of other files */
};

static const char *const spaces[] = {[EMULATOR_GLOBAL] = "global",
                                     [EMULATOR_SHARED] = "shared",
                                     [EMULATOR_LOCAL] = "local",
                                     [EMULATOR_CONSTANT] = "constant"};
static const char *const works[EMULATOR_WORKS] = {
    [EMULATOR_WORK_INTEGER] = "integer", [EMULATOR_WORK_FP16] = "fp16",
    [EMULATOR_WORK_FP32] = "fp32",       [EMULATOR_WORK_FP64] = "fp64",
    [EMULATOR_WORK_MOVE] = "move",       [EMULATOR_WORK_CONVERSION] = "conversion",
    [EMULATOR_WORK_MEMORY] = "memory",   [EMULATOR_WORK_EXCHANGE] = "exchange",
    [EMULATOR_WORK_MATRIX] = "matrix",   [EMULATOR_WORK_CONTROL] = "control"};

/* Shares to four digits; counts as they are. */
static json_t *figure(const ListingColumn *column, double value) {
    return column->share || column->ratio ? json_real(round(value * 1e4) / 1e4) : json_integer((json_int_t)value);
}

/* Requests and bytes are left out where a page shall be small: sectors tell most of it. */
static bool is_wanted(const ListingColumn *column, const ReportParts *parts) {
    static const char *const spare[] = {"global_requests", "shared_requests", "global_bytes",
                                        "shared_bytes",    "constant_bytes",  "local_bytes"};
    bool is_spare = false;
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++)
        is_spare |= strcmp(spare[i], column->name) == 0;
    return parts->ptx || !is_spare;
}

static json_t *figures_of(const EmulatorCount *count, const ReportParts *parts) {
    json_t *object = json_object();
    for (size_t i = 0; i < listing_column_count; i++) {
        const double value = listing_columns[i].value(count);
        if (!isnan(value) && is_wanted(&listing_columns[i], parts))
            json_object_set_new(object, listing_columns[i].name, figure(&listing_columns[i], value));
    }
    if (!parts->compact && count->shared_wavefronts > 0)
        json_object_set_new(object, "shared_wavefronts", json_integer((json_int_t)count->shared_wavefronts));
    return object;
}

static json_t *columns(const Listing *listing, const ReportParts *parts) {
    json_t *list = json_array();
    for (size_t i = 0; i < listing_column_count; i++) {
        const ListingColumn *column = &listing_columns[i];
        if (listing_has(listing, column) && is_wanted(column, parts))
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b}", "name", column->name, "heading",
                                            column->heading, "title", column->title, "help", column->help, "share",
                                            column->share, "ratio", column->ratio, "good", column->good));
    }
    return list;
}

static json_t *triple(const unsigned of[3]) {
    return json_pack("[i, i, i]", (int)of[0], (int)of[1], (int)of[2]);
}

static json_t *kernels(const Listing *listing, const ReportParts *parts) {
    json_t *list = json_array();
    for (size_t i = 0; i < listing->kernel_count; i++) {
        const ListingKernel *kernel = &listing->kernels[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:o, s:o, s:I, s:o, s:i, s:i, s:o, s:b}", "name",
                                              kernel->name, "symbol", kernel->symbol, "launches", (int)kernel->launches,
                                              "grid", triple(kernel->grid), "block", triple(kernel->block),
                                              "shared_bytes", (json_int_t)kernel->shared_bytes, "watched",
                                              triple(kernel->watched), "file", kernel->file, "line", kernel->line,
                                              "sum", figures_of(&kernel->sum, parts), "cut", kernel->cut));
    }
    return list;
}

static json_t *line_json(const ListingLine *line, const ReportParts *parts) {
    json_t *entry = json_pack("{s:o}", "text", json_text(line->text));
    if (line->count.warps > 0) {
        json_object_set_new(entry, "counts", figures_of(&line->count, parts));
        if (parts->ptx)
            json_object_set_new(entry, "instructions", json_integer((json_int_t)line->instructions));
    }
    if (line->called.warps > 0)
        json_object_set_new(entry, "called", figures_of(&line->called, parts));
    if (line->block_sectors > 0 && parts->ptx) {
        json_object_set_new(entry, "block_sectors", json_integer((json_int_t)line->block_sectors));
        json_object_set_new(entry, "block_fresh", json_integer((json_int_t)line->block_fresh));
    }
    return entry;
}

/* Whether a line has counts, or one that is near: the page shows no others. */
static bool is_shown(const ListingFile *file, int line, bool own) {
    const int near = own ? SHOWN : SHOWN_NEAR;
    bool shown = false;
    for (int i = line - near > 1 ? line - near : 1; i <= line + near && i <= file->count; i++)
        shown |= file->lines[i - 1].count.warps > 0 || file->lines[i - 1].called.warps > 0;
    return shown;
}

/* The lines that have counts, with some around them that a reader wants. In a small page, 0 stands for the others. */
static json_t *file_json(const ListingFile *file, bool own, const ReportParts *parts) {
    const int around = own ? AROUND : NEAR;
    const int from = file->first > around ? file->first - around : 1;
    const int to = file->last + around < file->count ? file->last + around : file->count;
    json_t *lines = json_array();
    for (int i = from; i <= to; i++)
        json_array_append_new(lines, parts->ptx || is_shown(file, i, own) ? line_json(&file->lines[i - 1], parts)
                                                                          : json_integer(0));
    return json_pack("{s:o, s:i, s:i, s:i, s:o}", "name", json_text(file->name), "first", file->first, "last",
                     file->last, "from", from, "lines", lines);
}

/* Files keep their places: one that is left out is null. */
static json_t *files(const Listing *listing, const ReportParts *parts) {
    const unsigned most = parts->most;
    json_t *list = json_array();
    for (size_t i = 0; i < listing->file_count; i++) {
        const bool holds = (int)i == listing->offence.file || i == 0;
        const bool much =
            (most == 0 && listing->files[i].first > 0) || listing->files[i].warps * most >= listing->sum.warps;
        json_array_append_new(list, holds || much ? file_json(&listing->files[i], i == 0, parts) : json_null());
    }
    return list;
}

/* ---- accesses ---- */

/* The lowest sector that the instruction's accesses begin in; other spaces have addresses of their own. */
static uint64_t origin_of(const Listing *listing, const ListingInstruction *instruction) {
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < instruction->accesses; i++) {
        const EmulatorAccess *access = &listing->accesses[instruction->access + i];
        if (access->space == EMULATOR_SHARED || access->space == EMULATOR_LOCAL)
            return 0;
        for (int lane = 0; lane < EMULATOR_LANES; lane++)
            if ((access->lanes >> lane & 1) && access->address[lane] < lowest)
                lowest = access->address[lane];
    }
    return lowest / EMULATOR_SECTOR_BYTES * EMULATOR_SECTOR_BYTES;
}

/* Whether the lanes that take part lie a step apart each. */
static bool in_step(const EmulatorAccess *access, int64_t *first, int64_t *step) {
    int lanes[2] = {LISTING_NONE, LISTING_NONE};
    bool same = true;
    for (int lane = EMULATOR_LANES - 1; lane >= 0; lane--)
        if (access->lanes >> lane & 1) {
            lanes[1] = lanes[0];
            lanes[0] = lane;
        }
    if (lanes[0] == LISTING_NONE)
        return false;
    const int64_t apart =
        lanes[1] == LISTING_NONE ? 0 : (int64_t)(access->address[lanes[1]] - access->address[lanes[0]]);
    *step = lanes[1] == LISTING_NONE ? 0 : apart / (lanes[1] - lanes[0]);
    *first = (int64_t)access->address[lanes[0]] - lanes[0] * *step;
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        same &= !(access->lanes >> lane & 1) || (int64_t)access->address[lane] == *first + lane * *step;
    return same;
}

static json_t *addresses(const EmulatorAccess *access, uint64_t origin, bool compact) {
    json_t *list = json_array();
    int64_t first, step;
    if (compact && in_step(access, &first, &step)) {
        json_array_append_new(list, json_integer(first - (int64_t)origin));
        json_array_append_new(list, json_integer(step));
        json_array_append_new(list, json_integer(access->lanes));
        return list;
    }
    for (int lane = 0; lane < EMULATOR_LANES; lane++)
        json_array_append_new(
            list, access->lanes >> lane & 1 ? json_integer((json_int_t)(access->address[lane] - origin)) : json_null());
    return list;
}

static json_t *access_json(const EmulatorAccess *access, uint64_t origin, bool compact) {
    ListingLayout layout;
    listing_layout(access, &layout);
    return json_pack("{s:i, s:i, s:s, s:i, s:b, s:b, s:i, s:i, s:i, s:o}", "warp", (int)access->warp, "barriers",
                     (int)access->barriers, "space", spaces[access->space], "bytes", (int)access->bytes, "writes",
                     access->writes, "atomic", access->atomic, "parts", (int)layout.parts, "passes", (int)layout.passes,
                     "ideal", (int)layout.ideal, "address", addresses(access, origin, compact));
}

static json_t *accesses(const Listing *listing, const ListingInstruction *instruction, const ReportParts *parts) {
    const uint64_t origin = origin_of(listing, instruction);
    json_t *list = json_array();
    unsigned of_warp[WARPS] = {0};
    for (size_t i = 0; i < instruction->accesses; i++) {
        const EmulatorAccess *access = &listing->accesses[instruction->access + i];
        if (access->warp < WARPS && of_warp[access->warp]++ < parts->kept)
            json_array_append_new(list, access_json(access, origin, parts->compact));
    }
    return list;
}

/* Whether an instruction's accesses are in the report: an unrolled loop has many that are alike. */
static bool has_accesses(const Listing *listing, size_t index, const ReportParts *parts) {
    const ListingInstruction *instruction = &listing->instructions[index];
    size_t before = 0;
    for (size_t i = instruction->accesses > 0 ? 0 : index; i < index; i++)
        before += listing->instructions[i].file == instruction->file &&
                  listing->instructions[i].line == instruction->line && listing->instructions[i].accesses > 0;
    return instruction->accesses > 0 && (before < parts->loads || index == listing->offence.instruction);
}

static json_t *instructions(const Listing *listing, const ReportParts *parts) {
    json_t *list = json_array();
    for (size_t i = 0; i < listing->instruction_count; i++) {
        const ListingInstruction *instruction = &listing->instructions[i];
        const bool reaches = has_accesses(listing, i, parts);
        if (!parts->ptx && !reaches)
            continue;
        json_t *entry = json_pack("{s:I, s:i, s:i, s:i, s:i, s:s, s:o, s:o}", "index", (json_int_t)i, "kernel",
                                  instruction->kernel, "file", instruction->file, "line", instruction->line, "ptx_line",
                                  instruction->ptx_line, "work", works[instruction->work], "text",
                                  json_text(instruction->text), "counts", figures_of(&instruction->count, parts));
        if (instruction->caller_file != LISTING_NONE)
            json_object_set_new(entry, "caller",
                                json_pack("[i, i]", instruction->caller_file, instruction->caller_line));
        if (reaches)
            json_object_set_new(entry, "accesses", accesses(listing, instruction, parts));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *machine(const Listing *listing) {
    json_t *list = json_array();
    for (size_t i = 0; i < listing->sass_count; i++)
        json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:o}", "kernel", listing->sass[i].kernel, "file",
                                              listing->sass[i].file, "line", listing->sass[i].line, "text",
                                              json_text(listing->sass[i].text)));
    return list;
}

static json_t *offence(const ListingOffence *of) {
    return of->file == LISTING_NONE
               ? json_null()
               : json_pack("{s:i, s:i, s:I, s:s, s:s}", "file", of->file, "line", of->line, "instruction",
                           (json_int_t)of->instruction, "reason", listing_reason_names[of->reason], "text", of->text);
}

json_t *report_json(const Explained *explained, const ReportParts *parts) {
    const Listing *listing = explained->listing;
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "glint", "explain", "version",
                  GLINT_VERSION, "operation", explained->level->op->name, "level", explained->level->name, "title",
                  listing->title, "idea", json_text(explained->level->idea), "columns", columns(listing, parts),
                  "kernels", kernels(listing, parts), "sum", figures_of(&listing->sum, parts), "elsewhere",
                  figures_of(&listing->elsewhere, parts), "offence", offence(&listing->offence), "files",
                  files(listing, parts), "instructions", instructions(listing, parts));
    if (root && parts->machine && listing->sass_count > 0)
        json_object_set_new(root, "machine", machine(listing));
    return root;
}
