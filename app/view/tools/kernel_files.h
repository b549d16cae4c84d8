/* kernel_files.h: kernel files of the user in the window, with the words of compilers and faults at their lines.
 * Owns copies of texts and words, which panels draw. Files come from the command line and from hands alone: scripts,
 * sessions and pictures bring none. */
#ifndef GLINT_APP_VIEW_TOOLS_KERNEL_FILES_H
#define GLINT_APP_VIEW_TOOLS_KERNEL_FILES_H

#include "app/view/session/tool.h"

enum { KERNEL_NOTE_TEXT = 480 };

/* Words about a line: of a compiler, or about the fault of a run. */
typedef struct KernelNote {
    int line, column; /* 1 is the first; 0: not known */
    bool error;       /* else a warning */
    char text[KERNEL_NOTE_TEXT];
} KernelNote;

typedef struct KernelSource {
    const char *path;   /* borrowed of the program's list */
    char *text;         /* as it was when the notes were made; "" if it cannot be read */
    const char **lines; /* of it, each ended by a zero */
    size_t line_count;
    KernelNote *notes;
    size_t note_count;
    bool compiled;
    char why[KERNEL_NOTE_TEXT]; /* the first error or the last fault as a sentence, or "" */
    bool open;
} KernelSource;

/* The files of the command line are there. `seconds`: after which a run of a kernel that hands open is ended. `takes`:
 * the first one's level is taken, now or as soon as it compiles. */
Status kernel_files_begin(Viewer *viewer, double seconds, bool takes);
/* Takes the news of files that were compiled, or have failed. The window's thread alone calls this, not while the
 * viewer is lent. */
void kernel_files_follow(Viewer *viewer);

/* Compiles a file, and takes the level of its first kernel that can do the job. A file with errors stays open, and is
 * watched. Where nothing is done to the picture yet, a filter of the kernel's operation is. Fails as kernel_rungs_add
 * does, except for such errors; STATUS_USAGE in a script. */
Status kernel_files_open(Viewer *viewer, const char *path);
/* Its levels leave the ladder; the best takes over. STATUS_USAGE if none of that path is open. */
Status kernel_files_close(Viewer *viewer, const char *path);
/* Writes the file to begin with of the shown operation, a convolution if nothing is done, and opens it. Fails as
 * outputs do, and as kernel_files_open. */
Status kernel_files_new(Viewer *viewer, const char *path);

size_t kernel_files_count(const Viewer *viewer);
const KernelSource *kernel_files_at(const Viewer *viewer, size_t index);
/* The file of the section SOURCE: the one that does not compile or has failed, else that of the shown level; NULL:
 * there is none. */
const KernelSource *kernel_files_shown(const Viewer *viewer);
/* Whether the section is to be seen without an error, too. */
bool kernel_files_section(const Viewer *viewer);
void kernel_files_toggle_section(Viewer *viewer);

/* The line of the listing that is looked at closely: one of its accesses, and whether its PTX and its machine code are
 * shown. */
typedef struct PickedLine {
    int line;      /* 1 is the first; 0: none */
    size_t access; /* of those of the line, in their order; more than there are: the last */
    bool ptx, sass;
    unsigned barriers; /* that the block has passed, where its shared memory is shown */
} PickedLine;
PickedLine *kernel_files_picked(const Viewer *viewer);

/* Notes that a file is about to be compiled, which was saved at `at`, clock_ms. */
void kernel_files_note_saved(Viewer *viewer, double at);
/* The ms from then to `now` if this draw is the first that shows the checked result; else negative. */
double kernel_files_take_saved(const Viewer *viewer, double now);
extern const ToolKind kernel_files_tool;

#endif
