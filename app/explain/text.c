/* text.c: figures in columns, lines of the source next to them, bytes and banks as letters. */
#include "app/explain/text.h"

#include "app/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    FIGURE = 10,
    BAR = 6,
    NEAR_LINES = 4,
    WIDTH_MIN = 60,
    MAX_SECTORS = 12,
    MAX_PASSES = 12,
    MAX_WARPS = 2,
    LITTLE = 10 /* of the work: files that have less are left out */
};

/* Columns for a terminal; the others are in --json and on the page. */
static const char *const shown[] = {"instructions", "lanes",     "global_sectors",    "sectors_per_request",
                                    "used",         "conflicts", "constant_requests", "local_requests",
                                    "barriers",     "atomics",   "atomic_conflicts"};
enum { SHOWN = sizeof shown / sizeof *shown };

typedef struct Printing {
    FILE *to;
    const Listing *listing;
    const TextParts *parts;
    const ListingColumn *columns[SHOWN];
    int column_count;
    double most;         /* instructions of a line */
    int width;           /* of the terminal; 0: of a file, any */
    bool colour, blocks; /* letters of Unicode for bars */
} Printing;

static const char bold[] = "\033[1m", red[] = "\033[1;31m", dim[] = "\033[2m", cyan[] = "\033[36m", plain[] = "\033[0m";

static const char *style(const Printing *printing, const char *code) {
    return printing->colour ? code : "";
}

/* ---- figures ---- */

/* At most five letters: 100 %, 12.5k, 3.25 */
static void spell(const ListingColumn *column, double value, char *text, size_t size) {
    if (isnan(value))
        snprintf(text, size, "%s", "");
    else if (column->share)
        snprintf(text, size, "%.0f %%", 100 * value);
    else if (column->ratio)
        snprintf(text, size, "%.2f", value);
    else if (value < 1e5)
        snprintf(text, size, "%.0f", value);
    else if (value < 1e7)
        snprintf(text, size, "%.0fk", value / 1e3);
    else
        snprintf(text, size, "%.1fM", value / 1e6);
}

/* Eighths of a letter where the terminal knows them. */
static void spell_bar(const Printing *printing, double share, char *text, size_t size) {
    static const char *const eighths[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
    const int units = (int)lround(share * BAR * 8), whole = units / 8;
    const bool part = units % 8 > 0;
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < whole && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s", printing->blocks ? "\u2588" : "#");
    if (part && length < size)
        length += (size_t)snprintf(text + length, size - length, "%s", printing->blocks ? eighths[units % 8] : "-");
    for (int i = whole + part; i < BAR && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, " ");
}

static void print_head(const Printing *printing, const char *name) {
    fprintf(printing->to, "\n%s%s%s\n%s  line %*s", style(printing, bold), name, style(printing, plain),
            style(printing, dim), BAR, "");
    for (int i = 0; i < printing->column_count; i++)
        fprintf(printing->to, "%*s", FIGURE, printing->columns[i]->heading);
    fprintf(printing->to, "%s\n", style(printing, plain));
}

/* The part of a line's text that there is room for; tabs are single blanks. */
static void print_source(const Printing *printing, const char *text) {
    const int before = 7 + BAR + FIGURE * printing->column_count + 2, room = printing->width - before;
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
    if (printing->width > 0 && room > 0 && (int)strlen(copy) > room)
        copy[room] = '\0';
    fprintf(printing->to, "  ");
    say(printing->to, "%s", copy);
}

/* Counts of functions that are inlined into the line stand in parentheses. */
static void print_called(const Printing *printing, const ListingLine *line) {
    char text[32], put[40];
    fprintf(printing->to, " %*s%s", BAR, "", style(printing, dim));
    for (int i = 0; i < printing->column_count; i++) {
        spell(printing->columns[i], printing->columns[i]->value(&line->called), text, sizeof text);
        snprintf(put, sizeof put, text[0] ? "(%s)" : "%s", text);
        fprintf(printing->to, "%*s", FIGURE, put);
    }
    fprintf(printing->to, "%s", style(printing, plain));
}

static void print_row(const Printing *printing, const EmulatorCount *count) {
    char text[32];
    for (int i = 0; i < printing->column_count; i++) {
        spell(printing->columns[i], printing->columns[i]->value(count), text, sizeof text);
        fprintf(printing->to, "%*s", FIGURE, text);
    }
}

static void print_figures(const Printing *printing, const ListingLine *line) {
    char bar[64];
    spell_bar(printing, printing->most > 0 ? (double)line->count.warps / printing->most : 0, bar, sizeof bar);
    fprintf(printing->to, " %s%s%s", style(printing, cyan), bar, style(printing, plain));
    print_row(printing, &line->count);
}

/* ---- lines ---- */

static void print_code(const Printing *printing, int file, int line) {
    const Listing *listing = printing->listing;
    for (size_t i = 0; printing->parts->ptx && i < listing->instruction_count; i++)
        if (listing->instructions[i].file == file && listing->instructions[i].line == line)
            fprintf(printing->to, "%s%*s%s%s\n", style(printing, dim), 24, "", listing->instructions[i].text,
                    style(printing, plain));
    for (size_t i = 0; printing->parts->machine && i < listing->sass_count; i++)
        if (listing->sass[i].file == file && listing->sass[i].line == line)
            fprintf(printing->to, "%s%*s%s%s\n", style(printing, dim), 16, "", listing->sass[i].text,
                    style(printing, plain));
}

static void print_line(const Printing *printing, int file, int number) {
    const ListingLine *line = &printing->listing->files[file].lines[number - 1];
    const ListingOffence *offence = &printing->listing->offence;
    const bool worst = offence->file == file && offence->line == number;
    fprintf(printing->to, "%s%c%5d%s", worst ? style(printing, red) : style(printing, dim), worst ? '>' : ' ', number,
            style(printing, plain));
    if (line->count.warps > 0)
        print_figures(printing, line);
    else if (line->called.warps > 0)
        print_called(printing, line);
    else
        fprintf(printing->to, " %*s", BAR + FIGURE * printing->column_count, "");
    print_source(printing, line->text);
    if (worst)
        fprintf(printing->to, "%s       %s%s\n", style(printing, red), offence->text, style(printing, plain));
    print_code(printing, file, number);
}

static bool has_counts(const ListingFile *file, int number) {
    return number >= 1 && number <= file->count &&
           (file->lines[number - 1].count.warps > 0 || file->lines[number - 1].called.warps > 0);
}

/* Lines without counts are shown between lines that have some. */
static bool is_near(const Printing *printing, const ListingFile *file, int number) {
    int before = number, behind = number;
    while (before >= file->first && !has_counts(file, before))
        before--;
    while (behind <= file->last && !has_counts(file, behind))
        behind++;
    return before >= file->first && behind <= file->last &&
           (behind - before <= NEAR_LINES || printing->parts->everything);
}

static void print_file(const Printing *printing, int index) {
    const ListingFile *file = &printing->listing->files[index];
    bool gap = false;
    print_head(printing, file->name);
    for (int number = file->first; number >= 1 && number <= file->last; number++) {
        if (has_counts(file, number) || is_near(printing, file, number)) {
            if (gap)
                fprintf(printing->to, "%s   ...%s\n", style(printing, dim), style(printing, plain));
            print_line(printing, index, number);
            gap = false;
        } else {
            gap = true;
        }
    }
}

/* ---- lanes on memory ---- */

static char lane_letter(int lane) {
    return "0123456789abcdefghijklmnopqrstuv"[lane];
}

/* A letter for each byte of a sector. */
static void print_sectors(const Printing *printing, const EmulatorAccess *access, const ListingLayout *layout) {
    for (size_t i = 0; i < layout->parts && i < MAX_SECTORS; i++) {
        char bytes[EMULATOR_SECTOR_BYTES + 1] = "................................";
        for (int lane = 0; lane < EMULATOR_LANES; lane++)
            for (uint64_t b = 0; (access->lanes >> lane & 1) && b < access->bytes; b++) {
                const uint64_t at = access->address[lane] + b;
                char *letter = &bytes[at % EMULATOR_SECTOR_BYTES];
                if (at / EMULATOR_SECTOR_BYTES == layout->part[i])
                    *letter = *letter == '.' || *letter == lane_letter(lane) ? lane_letter(lane) : '*';
            }
        fprintf(printing->to, "    sector %+5lld  %s\n", (long long)(layout->part[i] - layout->part[0]), bytes);
    }
    if (layout->parts > MAX_SECTORS)
        fprintf(printing->to, "    and %zu more\n", layout->parts - MAX_SECTORS);
}

/* A column for each bank, a row for each pass. */
static void print_banks(const Printing *printing, const EmulatorAccess *access, const ListingLayout *layout) {
    const int words = (access->bytes + EMULATOR_BANK_BYTES - 1) / EMULATOR_BANK_BYTES;
    for (size_t pass = 0; pass < layout->passes && pass < MAX_PASSES; pass++) {
        char banks[EMULATOR_BANKS + 1] = "................................";
        for (int lane = 0; lane < EMULATOR_LANES; lane++)
            for (int word = 0; layout->place[lane] != LISTING_NONE && layout->pass[lane] == (int)pass && word < words;
                 word++) {
                char *letter = &banks[(layout->place[lane] + word) % EMULATOR_BANKS];
                *letter = *letter == '.' ? lane_letter(lane) : '*';
            }
        fprintf(printing->to, "    pass %6zu    %s\n", pass + 1, banks);
    }
    if (layout->passes > MAX_PASSES)
        fprintf(printing->to, "    and %zu more\n", layout->passes - MAX_PASSES);
}

static void print_access(const Printing *printing, const ListingInstruction *instruction,
                         const EmulatorAccess *access) {
    const ListingKernel *kernel = &printing->listing->kernels[instruction->kernel];
    ListingLayout layout;
    listing_layout(access, &layout);
    fprintf(printing->to, "  block (%u, %u, %u), warp %u: ", kernel->watched[0], kernel->watched[1], kernel->watched[2],
            access->warp);
    if (layout.banks) {
        fprintf(printing->to, "%zu pass%s over the banks, %zu would do\n", layout.passes,
                layout.passes == 1 ? "" : "es", layout.ideal);
        print_banks(printing, access, &layout);
    } else {
        fprintf(printing->to, "%zu sector%s, %zu would hold the bytes\n", layout.parts, layout.parts == 1 ? "" : "s",
                layout.ideal);
        print_sectors(printing, access, &layout);
    }
}

static bool is_pictured(const EmulatorAccess *access) {
    return access->space == EMULATOR_GLOBAL || access->space == EMULATOR_SHARED;
}

/* The first access of the first warps. */
static void print_accesses(const Printing *printing, const ListingInstruction *instruction) {
    const Listing *listing = printing->listing;
    unsigned warps[MAX_WARPS], count = 0;
    for (size_t i = 0; i < instruction->accesses && count < MAX_WARPS; i++) {
        const EmulatorAccess *access = &listing->accesses[instruction->access + i];
        bool again = false;
        for (unsigned k = 0; k < count; k++)
            again |= warps[k] == access->warp;
        if (again || !is_pictured(access))
            continue;
        warps[count++] = access->warp;
        print_access(printing, instruction, access);
    }
}

/* Instructions whose lanes lie alike, as those of an unrolled loop do. */
typedef struct Alike {
    const ListingInstruction *first;
    char *accesses; /* as they are printed */
    size_t count;
} Alike;

/* Free with free; NULL if memory is short. */
static char *spell_accesses(const Printing *printing, const ListingInstruction *instruction) {
    char *text = NULL;
    size_t size;
    Printing into = *printing;
    into.to = open_memstream(&text, &size);
    if (!into.to)
        return NULL;
    print_accesses(&into, instruction);
    if (fclose(into.to) == 0)
        return text;
    free(text);
    return NULL;
}

/* Adds the instruction to those that it is like; false if memory is short. */
static bool add_alike(const Printing *printing, const ListingInstruction *instruction, Alike *list, size_t *count) {
    char *accesses = spell_accesses(printing, instruction);
    size_t at = 0;
    if (!accesses)
        return false;
    while (at < *count && strcmp(list[at].accesses, accesses) != 0)
        at++;
    if (!accesses[0] || at < *count) {
        list[at].count += accesses[0] != '\0';
        free(accesses);
        return true;
    }
    list[(*count)++] = (Alike){instruction, accesses, 1};
    return true;
}

static void print_alike(const Printing *printing, const Alike *alike) {
    char more[64] = "";
    if (alike->count > 1)
        snprintf(more, sizeof more, " (%zu instructions alike)", alike->count);
    fprintf(printing->to, "\n%sline %d: %s%s%s\n%s", style(printing, bold), alike->first->line, alike->first->text,
            style(printing, plain), more, alike->accesses);
}

static void print_key(const Printing *printing) {
    fprintf(printing->to,
            "\n%sLanes are 0 to 9 and a to v; * are several, and a dot is none. A sector is 32 bytes of global "
            "memory; a bank gives a word a pass.%s\n",
            style(printing, dim), style(printing, plain));
}

/* The worst instruction, or all of the line that was asked for. */
static bool is_asked(const Printing *printing, size_t index) {
    const Listing *listing = printing->listing;
    const ListingInstruction *instruction = &listing->instructions[index];
    const int line = printing->parts->line;
    return line == 0 ? listing->offence.file != LISTING_NONE && index == listing->offence.instruction
                     : instruction->file == 0 && instruction->line == line;
}

static Status print_lanes(const Printing *printing) {
    const Listing *listing = printing->listing;
    Alike *list = calloc(listing->instruction_count + 1, sizeof *list);
    size_t count = 0;
    bool fits = list != NULL;
    for (size_t i = 0; i < listing->instruction_count && fits; i++)
        if (is_asked(printing, i))
            fits = add_alike(printing, &listing->instructions[i], list, &count);
    for (size_t i = 0; i < count; i++) {
        print_alike(printing, &list[i]);
        free(list[i].accesses);
    }
    free(list);
    if (!fits)
        return fail(STATUS_DEVICE, "no memory for the lanes of a line");
    if (count > 0)
        print_key(printing);
    return count > 0 || printing->parts->line == 0
               ? STATUS_OK
               : fail(STATUS_USAGE, "--line %d: no load or store of that line was seen in the watched warps",
                      printing->parts->line);
}

/* ---- the whole ---- */

static void print_kernel(const Printing *printing, const ListingKernel *kernel) {
    fprintf(printing->to, "kernel %s%s%s: %u x %u x %u blocks of %u x %u x %u threads", style(printing, bold),
            kernel->name, style(printing, plain), kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
            kernel->block[1], kernel->block[2]);
    if (kernel->shared_bytes > 0)
        fprintf(printing->to, ", %zu bytes of shared memory each", kernel->shared_bytes);
    if (kernel->launches > 1)
        fprintf(printing->to, ", the first of %u launches", kernel->launches);
    fprintf(printing->to, "\n");
}

static int terminal_width(FILE *to) {
    struct winsize size;
    if (!isatty(fileno(to)) || ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_col < WIDTH_MIN)
        return 0;
    return size.ws_col;
}

static bool knows_unicode(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[0])
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

static void choose_columns(Printing *printing) {
    for (int i = 0; i < SHOWN; i++) {
        const ListingColumn *column = listing_column(shown[i]);
        if (column && listing_has(printing->listing, column))
            printing->columns[printing->column_count++] = column;
    }
    for (size_t i = 0; i < printing->listing->file_count; i++)
        for (int k = 0; k < printing->listing->files[i].count; k++)
            printing->most = fmax(printing->most, (double)printing->listing->files[i].lines[k].count.warps);
}

Status text_print(FILE *to, const Explained *explained, const TextParts *parts) {
    const Listing *listing = explained->listing;
    const char *no_colour = getenv("NO_COLOR");
    Printing printing = {.to = to,
                         .listing = listing,
                         .parts = parts,
                         .width = terminal_width(to),
                         .colour = isatty(fileno(to)) && !(no_colour && no_colour[0]),
                         .blocks = knows_unicode()};
    choose_columns(&printing);
    fprintf(to, "%s%s%s\n", style(&printing, bold), listing->title, style(&printing, plain));
    if (!explained->path)
        fprintf(to, "%s\n", explained->level->idea);
    for (size_t i = 0; i < listing->kernel_count; i++)
        print_kernel(&printing, &listing->kernels[i]);
    for (size_t i = 0; i < listing->file_count; i++)
        if (i == 0 || parts->everything || listing->files[i].warps * LITTLE >= listing->sum.warps)
            print_file(&printing, (int)i);
    fprintf(to, "\n%s   all %*s%s", style(&printing, bold), BAR, "", style(&printing, plain));
    print_row(&printing, &listing->sum);
    fprintf(to, "\n");
    const double elsewhere = (double)listing->elsewhere.warps / fmax(1, (double)listing->sum.warps);
    if (elsewhere >= 0.005)
        fprintf(to, "\n%.0f %% of the instructions are of files that are not shown, as NVIDIA's headers\n",
                100 * elsewhere);
    return print_lanes(&printing);
}
