/* disassemble.c: PTX into machine code by ptxas, and that into text by nvdisasm, which tells lines, or by cuobjdump,
 * which does not. */
#include "app/listing/parts.h"
#include "core/base/array.h"

#include "core/base/file.h"
#include "kernel/compile/child.h"
#include "kernel/compile/places.h"
#include "kernel/compile/workroom.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60 };

typedef struct Tools {
    char ptxas[PATH_MAX], disassembler[PATH_MAX];
    bool lines; /* it is nvdisasm */
} Tools;

static bool find_tool(const char *name, char path[PATH_MAX]) {
    char patterns[4][64];
    static const char *const folders[] = {"/bin/", "/bin/", "/usr/local/cuda/bin/", "/usr/local/cuda-*/bin/"};
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH", NULL, NULL};
    SearchPlace places[4];
    for (int i = 0; i < 4; i++) {
        snprintf(patterns[i], sizeof patterns[i], "%s%s", folders[i], name);
        places[i] = (SearchPlace){variables[i], patterns[i]};
    }
    return program_find(name, path) || places_find(places, 4, path);
}

static Status find_tools(Tools *tools) {
    if (!find_tool("ptxas", tools->ptxas))
        return fail(STATUS_DEVICE, "no machine code: ptxas of the CUDA toolkit is not here");
    tools->lines = find_tool("nvdisasm", tools->disassembler);
    if (!tools->lines && !find_tool("cuobjdump", tools->disassembler))
        return fail(STATUS_DEVICE, "no machine code: neither nvdisasm nor cuobjdump of the CUDA toolkit is here");
    return STATUS_OK;
}

/* Runs a tool in the room; *said is what it says. */
static Status run(const char *program, Arguments *arguments, const Workroom *room, Bytes *said) {
    const Child child = {.program = program, .arguments = arguments, .folder = room->path, .seconds = SECONDS};
    ChildEnd end = {0};
    Status status =
        arguments->failed ? fail(STATUS_DEVICE, "no memory for the arguments of %s", program) : child_run(&child, &end);
    arguments_free(arguments);
    if (status == STATUS_OK && (end.how != 0 || end.late)) {
        const char *words = end.said.data ? (const char *)end.said.data : "";
        status = fail(STATUS_DEVICE, "no machine code: %s fails: %.*s", program, (int)strcspn(words, "\n"), words);
    }
    if (status == STATUS_OK && said)
        *said = end.said;
    else
        bytes_free(&end.said);
    return status;
}

static Status write_ptx(const Workroom *room, const char *text) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/a.ptx", room->path);
    FILE *file = fopen(path, "wx");
    const bool written = file && fputs(text, file) >= 0;
    return (file ? fclose(file) == 0 : false) && written
               ? STATUS_OK
               : fail(STATUS_DEVICE, "%s cannot be written: %s", path, strerror(errno));
}

/* PTX for one architecture alone, as sm_90a, wants that. */
static void choose_target(const char *ptx, int capability, char *target, size_t size) {
    char own[32] = "";
    const char *directive = strstr(ptx, "\n.target ");
    if (directive)
        (void)sscanf(directive, "\n.target %31[a-z0-9_]", own);
    const size_t length = strlen(own);
    if (length > 0 && (own[length - 1] == 'a' || atoi(own + strcspn(own, "0123456789")) > capability))
        snprintf(target, size, "%s", own);
    else
        snprintf(target, size, "sm_%d", capability);
}

static Status assemble(const Tools *tools, const Workroom *room, const ListingKernel *kernel, int capability,
                       Bytes *text) {
    char target[48];
    Arguments assembling = {0}, disassembling = {0};
    choose_target(kernel->ptx, capability, target, sizeof target);
    TRY(write_ptx(room, kernel->ptx));
    arguments_add(&assembling, "%s", tools->ptxas);
    arguments_add(&assembling, "-arch=%s", target);
    arguments_add_words(&assembling, "-lineinfo -e");
    arguments_add(&assembling, "%s", kernel->symbol);
    arguments_add(&assembling, "-o");
    arguments_add(&assembling, "%s/a.cubin", room->path);
    arguments_add(&assembling, "%s/a.ptx", room->path);
    TRY(run(tools->ptxas, &assembling, room, NULL));
    arguments_add(&disassembling, "%s", tools->disassembler);
    arguments_add_words(&disassembling, tools->lines ? "-c -gi" : "-sass");
    arguments_add(&disassembling, "%s/a.cubin", room->path);
    return run(tools->disassembler, &disassembling, room, text);
}

/* ---- its text ---- */

/* `//## File "PATH", line N`, of inlined code followed by more words. */
static bool read_place(const char *line, char path[PATH_MAX], int *number) {
    const char *from = strstr(line, "//## File \"");
    if (!from)
        return false;
    from += strlen("//## File \"");
    const size_t length = strcspn(from, "\"");
    snprintf(path, PATH_MAX, "%.*s", (int)(length < PATH_MAX - 1 ? length : PATH_MAX - 1), from);
    return sscanf(from + length, "\", line %d", number) == 1;
}

/* The file of the listing that a compiler calls so. A user's kernel file is the only one. */
static int file_of(Listing *listing, const char *path) {
    int index;
    for (size_t i = 0; i < listing->file_count; i++) {
        const char *name = listing->files[i].name, *slash = strrchr(name, '/');
        const size_t length = strlen(slash ? slash : name), all = strlen(path);
        if (strcmp(name, path) == 0 ||
            (listing->file_count == 1 && all >= length && strcmp(path + all - length, slash ? slash : name) == 0))
            return (int)i;
    }
    return listing_file(listing, path, NULL, &index) == STATUS_OK ? index : LISTING_NONE;
}

typedef struct Reading {
    Listing *listing;
    ListingSass *lines;
    size_t count, room;
    int kernel, file, line;
    bool places; /* the last lines were places: the first that is shown counts */
} Reading;

static bool is_code(const char *line) {
    const char *text = line + strspn(line, " \t");
    return strncmp(text, "/*", 2) == 0 || strncmp(text, ".L_", 3) == 0;
}

/* Each run of blanks becomes one, and those in front go. */
static void squeeze(char *line) {
    char *to = line;
    for (const char *from = line + strspn(line, " \t"); *from; from++)
        if ((*from != ' ' && *from != '\t') || to[-1] != ' ')
            *to++ = *from == '\t' ? ' ' : *from;
    *to = '\0';
}

static Status take_line(Reading *reading, char *line) {
    char path[PATH_MAX];
    int number;
    if (read_place(line, path, &number)) {
        const int file =
            reading->places && reading->file != LISTING_NONE ? LISTING_NONE : file_of(reading->listing, path);
        if (!reading->places)
            reading->file = LISTING_NONE;
        reading->places = true;
        if (file != LISTING_NONE) {
            reading->file = file;
            reading->line = number;
        }
        return STATUS_OK;
    }
    if (!is_code(line))
        return STATUS_OK;
    squeeze(line);
    reading->places = false;
    if (!ARRAY_ROOM(reading->lines, reading->room, reading->count + 1))
        return fail(STATUS_DEVICE, "no memory for machine code");
    reading->lines[reading->count++] = (ListingSass){line, reading->kernel, reading->file, reading->line};
    return STATUS_OK;
}

/* Cuts the text into lines; their texts point into it. */
static Status take_text(Reading *reading, char *text) {
    Status status = STATUS_OK;
    reading->file = LISTING_NONE;
    reading->places = false;
    for (char *line = text, *next; line && status == STATUS_OK; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        status = take_line(reading, line);
    }
    return status;
}

static Status disassemble_all(Listing *listing, const Tools *tools, int capability, Reading *reading, char **texts) {
    Workroom room;
    TRY(workroom_open(&room));
    Status status = STATUS_OK;
    for (size_t i = 0; i < listing->kernel_count && status == STATUS_OK; i++) {
        Bytes said = {0};
        char path[PATH_MAX + 16];
        status = assemble(tools, &room, &listing->kernels[i], capability, &said);
        snprintf(path, sizeof path, "%s/a.ptx", room.path);
        (void)remove(path);
        texts[i] = (char *)said.data;
        reading->kernel = (int)i;
        if (status == STATUS_OK && texts[i])
            status = take_text(reading, texts[i]);
    }
    workroom_close(&room);
    return status;
}

Status listing_disassemble(Listing *listing, int capability) {
    Tools tools;
    Reading reading = {.listing = listing};
    TRY(find_tools(&tools));
    char **texts = calloc(listing->kernel_count + 1, sizeof *texts);
    if (!texts)
        return fail(STATUS_DEVICE, "no memory for machine code");
    const Status status = disassemble_all(listing, &tools, capability, &reading, texts);
    if (status != STATUS_OK) {
        for (size_t i = 0; i < listing->kernel_count; i++)
            free(texts[i]);
        free(texts);
        free(reading.lines);
        return status;
    }
    listing->sass = reading.lines;
    listing->sass_count = reading.count;
    listing->sass_texts = texts;
    return STATUS_OK;
}
