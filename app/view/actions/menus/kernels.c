/* kernels.c: kernel files of the user: opening, closing, beginning them, and their text; the rows are at the bottom. */
#include "app/view/actions/menus/menus.h"

#include "app/view/actions/menus/choosing.h"
#include "app/view/session/paths.h"
#include "app/view/tools/kernel_files.h"

#include <stdio.h>

static Status open_kernel(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    return kernel_files_open(viewer, path_expand(text, path, sizeof path));
}

static Status new_kernel(Viewer *viewer, const char *text) {
    char path[PATH_CAPACITY];
    TRY(kernel_files_new(viewer, path_expand(text, path, sizeof path)));
    viewer_say_file(viewer, "Edit and save", path, ": every save is compiled and shown");
    return STATUS_OK;
}

static Status toggle_source(Viewer *viewer) {
    kernel_files_toggle_section(viewer);
    return action_reveal(viewer, kernel_files_section(viewer), OVERLAY_COMPACT);
}

static bool has_kernels(const Viewer *viewer) {
    bool open = false;
    for (size_t i = 0; i < kernel_files_count(viewer); i++)
        open |= kernel_files_at(viewer, i)->open;
    return open;
}

static Status choose_kernel(const Viewer *viewer, const char *text, Choices *choices) {
    (void)viewer;
    return paths_choose(text, PATHS_KERNELS, choices);
}

static Status choose_open(const Viewer *viewer, const char *text, Choices *choices) {
    const KernelSource *shown = kernel_files_shown(viewer);
    choices->wanted = text;
    for (size_t i = 0; i < kernel_files_count(viewer); i++) {
        const KernelSource *source = kernel_files_at(viewer, i);
        if (source->open)
            TRY(choose_word(
                choices, source->path,
                (Choice){.help = choice_borrows(source->why[0] ? source->why : NULL), .current = source == shown}));
    }
    return STATUS_OK;
}

static size_t format_new(const Viewer *viewer, char *buffer, size_t size) {
    (void)viewer;
    return (size_t)snprintf(buffer, size, "mine.cu");
}

static const Argument argument_kernel = {.name = "FILE", .words = "a kernel file, .cu or .c", .choose = choose_kernel};
static const Argument argument_open = {
    .name = "FILE", .words = "a kernel file that is open", .choose = choose_open, .listed = true};
static const Argument argument_new = {.name = "FILE",
                                      .words = "a new file: .cu for GPUs, .c for the processor",
                                      .format = format_new,
                                      .choose = choose_folder,
                                      .proposes = true};

static const Action rows[] = {
    {"open-kernel", "Ctrl+Shift+M", "opens a kernel file of your own, whose kernels become levels; each save is shown",
     .label = "open a kernel", .take = open_kernel, .argument = &argument_kernel,
     .flags = ACTION_OF_SPEED | ACTION_RULE | ACTION_UNWRITTEN},
    {"new-kernel", "Ctrl+Shift+F1", "writes a kernel file to begin with, for the operation that is shown, and opens it",
     .label = "begin a kernel", .take = new_kernel, .argument = &argument_new,
     .flags = ACTION_OF_SPEED | ACTION_UNWRITTEN},
    {"close-kernel", "Ctrl+Shift+F2", "takes the levels of a kernel file off the ladder", .label = "close a kernel",
     .take = kernel_files_close, .argument = &argument_open, .flags = ACTION_OF_SPEED | ACTION_UNWRITTEN | ACTION_RARE,
     .can = has_kernels},
    {"source", "Ctrl+Shift+G", "shows the text of the level's kernel file, with what each line does",
     .act = toggle_source, .on = kernel_files_section, .flags = ACTION_OF_SPEED},
};

const Menu kernels_menu = {"Levels", rows, sizeof rows / sizeof rows[0]};
