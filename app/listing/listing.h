/* listing.h: kernels as a run on the emulated GPU shows them. A listing has their text line by line with counters, the
 * PTX of each line, and the addresses of a few warps. It serves glint explain and the window; nothing here draws.
 * Counts are those of emulator/counters.h; a listing has no times. */
#ifndef GLINT_APP_LISTING_LISTING_H
#define GLINT_APP_LISTING_LISTING_H

#include "core/device/backend.h"
#include "kernel/record.h"

enum { LISTING_NAME = 96, LISTING_SENTENCE = 240, LISTING_NONE = -1 };

/* A line of a file. Lines whose code the compiler dropped or moved elsewhere have no counts. */
typedef struct ListingLine {
    const char *text;                    /* without its line break */
    EmulatorCount count;                 /* of the instructions that were made of this line, wherever it was inlined */
    EmulatorCount called;                /* of those that were made of functions inlined into this line */
    size_t instructions;                 /* of the PTX, in `count` */
    uint64_t block_sectors, block_fresh; /* as EmulatorRow has them */
} ListingLine;

typedef struct ListingFile {
    char *name;         /* "gpu/convolve/naive.cu"; of a kernel file its path */
    char *text;         /* that the lines point into */
    ListingLine *lines; /* line 1 is the first */
    int count;          /* of them */
    int first, last;    /* the first and the last line that has instructions, from 1 */
    uint64_t warps;     /* sum of the lines' count.warps */
} ListingFile;

/* An instruction of the PTX. */
typedef struct ListingInstruction {
    const char *text; /* without blanks in front of it, with its semicolon */
    int kernel;       /* its index */
    int file, line;   /* the place that it was made of, among the listing's files; LISTING_NONE: in none of them */
    int caller_file, caller_line; /* the place that this one is inlined into; LISTING_NONE: into none of the files */
    int ptx_line;                 /* of its module's PTX, from 1 */
    EmulatorWork work;
    EmulatorCount count;
    uint64_t block_sectors, block_fresh;
    size_t access, accesses; /* its first among the listing's accesses, and how many it has */
} ListingInstruction;

/* A kernel of the run, with all of its launches. */
typedef struct ListingKernel {
    char name[LISTING_NAME];       /* "convolve_naive", without types */
    char symbol[2 * LISTING_NAME]; /* in the PTX; cut where it is longer */
    char *ptx;                     /* the text of its module; kernels of one module have one */
    unsigned launches;
    unsigned grid[3], block[3]; /* of the first launch */
    size_t shared_bytes;        /* of a block */
    unsigned watched[3];        /* the block whose accesses are kept */
    size_t first, count;        /* its instructions */
    int file, line;             /* where its first instruction was made; LISTING_NONE: in none of the files */
    EmulatorCount sum;
    bool cut; /* there was no room for all of its instructions or accesses */
} ListingKernel;

/* The reason why a line is the worst, most weight first where several hold. */
typedef enum ListingReason {
    LISTING_UNUSED,    /* sectors of which it uses few bytes */
    LISTING_AGAIN,     /* sectors that the block has loaded before */
    LISTING_CONFLICTS, /* banks of shared memory */
    LISTING_IDLE,      /* lanes */
    LISTING_ATOMICS,   /* lanes that meet at an address */
    LISTING_LOCAL,     /* memory */
    LISTING_BUSY,      /* nothing is wasted: the line has most of the instructions */
    LISTING_REASONS
} ListingReason;
extern const char *const listing_reason_names[LISTING_REASONS]; /* "bytes not used", ... */

/* The worst line, by the slots of a multiprocessor that it wastes: listing_slots. */
typedef struct ListingOffence {
    int file, line;     /* LISTING_NONE: no line is known */
    size_t instruction; /* the worst one of that line */
    ListingReason reason;
    char text[LISTING_SENTENCE]; /* one sentence, with its full stop: what it does, and what to do about it */
} ListingOffence;

/* A line of the machine code, which a GPU's own compiler makes of the PTX. */
typedef struct ListingSass {
    const char *text;
    int kernel;
    int file, line; /* as ListingInstruction has them */
} ListingSass;

typedef struct Listing {
    char title[160]; /* "convolve naive, dense 5x5, border clamp, u8x3, 64x64"; or "" */
    ListingKernel *kernels;
    size_t kernel_count; /* in the order of their first launches */
    ListingFile *files;
    size_t file_count; /* that of the kernel with most instructions first, then by their instructions */
    ListingInstruction *instructions;
    size_t instruction_count;
    EmulatorAccess *accesses; /* by instruction; EmulatorAccess.row is the index of that in the listing */
    size_t access_count;
    EmulatorCount sum;
    EmulatorCount elsewhere; /* of instructions that were made in none of the files */
    ListingOffence offence;
    ListingSass *sass; /* listing_disassemble */
    size_t sass_count;
    char *texts;       /* that the instructions point into */
    char **sass_texts; /* the machine code of each kernel */
} Listing;

/* The block whose warps are watched, how many of these, and how many accesses of each in each instruction. */
extern const EmulatorWatch listing_watch_default; /* the first block; 4 warps, 8 accesses */

/* Runs a level of the emulated GPU on a stage with its frames, and makes a listing of it. Kernels that only prepare
 * what later runs find are not in it. `queue` is of a device of the backend "emulated". Runs a level that is not a
 * kernel file's twice. Waits. STATUS_USAGE if the level does not accept the stage, STATUS_DEVICE without memory or if
 * nothing was launched; else fails as the level does. Free with listing_free. */
Status listing_of_level(const Level *level, Queue *queue, const Stage *stage, const EmulatorWatch *watch,
                        Listing **listing);
void listing_free(Listing **listing); /* accepts NULL */

/* A kernel's record with the PTX that it is of, both borrowed. Its text is in the kernel file at `path`, or for NULL in
 * glint's own sources, as the PTX names them. A listing is made of several. Fails as listing_of_level does. */
typedef struct ListingRun {
    const KernelRecord *record;
    const char *symbol, *ptx, *path;
} ListingRun;
Status listing_of_runs(const ListingRun *runs, size_t count, const EmulatorWatch *watch, Listing **listing);

/* ---- figures ---- */

/* A column of figures: a counter, or a share of two. */
typedef struct ListingColumn {
    const char *name;                            /* "sectors", as in JSON: "sectors_per_request" */
    const char *heading;                         /* short: "sect/req" */
    const char *title;                           /* "sectors a request" */
    const char *help;                            /* one sentence with its full stop */
    bool share;                                  /* of 1, shown in percent */
    bool ratio;                                  /* or another quotient, for which there is no bar over lines */
    bool good;                                   /* the more the better */
    double (*value)(const EmulatorCount *count); /* NaN: the line has none of it */
} ListingColumn;
extern const ListingColumn listing_columns[];
extern const size_t listing_column_count;
/* NULL: there is none of that name. */
const ListingColumn *listing_column(const char *name);
/* Whether any line has a figure other than 0 in this column. */
bool listing_has(const Listing *listing, const ListingColumn *column);

/* The work of a multiprocessor's units in slots, by which lines are compared. A slot is four instructions of warps, or
 * two sectors of global memory, or a pass over shared memory, or a pass of atomics. It is no time. */
double listing_slots(const EmulatorCount *count);

/* ---- lanes on memory ---- */

enum { LISTING_PARTS = 2 * EMULATOR_LANES };

/* How the lanes of an access lie on sectors, or on banks. */
typedef struct ListingLayout {
    bool banks;                   /* of shared memory; else sectors */
    size_t passes;                /* banks: over them (wavefronts); sectors: 1, or of atomics as many as lanes meet */
    size_t ideal;                 /* banks: passes without a conflict; sectors: how many would hold the bytes */
    size_t parts;                 /* sectors that are touched; banks: 32 */
    uint64_t part[LISTING_PARTS]; /* sectors: its address, by 32, ascending */
    uint32_t used[LISTING_PARTS]; /* sectors: a bit for each byte that a lane touches */
    int place[EMULATOR_LANES];    /* of each lane: its part's index, its bank; LISTING_NONE: it takes no part */
    int offset[EMULATOR_LANES];   /* sectors: bytes into the part; banks: the word's row, from the lowest one */
    int pass[EMULATOR_LANES];     /* banks: the pass that serves it, from 0 */
} ListingLayout;
void listing_layout(const EmulatorAccess *access, ListingLayout *layout);

/* ---- machine code ---- */

/* Adds the machine code of all kernels, for a compute capability as 90, by ptxas with nvdisasm or cuobjdump.
 * STATUS_DEVICE if they are not here, or fail: the sentence says which. The listing then stays as it was. */
Status listing_disassemble(Listing *listing, int capability);

#endif
