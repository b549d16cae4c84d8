/* workroom.c: mkdtemp, two headers, and a walk that removes everything. */
#include "kernel/compile/workroom.h"

#include "kernel/compile/compiler.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool put_file(const Workroom *room, const char *name, const char *text) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", room->path, name);
    FILE *file = fopen(path, "we");
    const bool put = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && put;
}

static bool furnish(const Workroom *room) {
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/glint", room->path);
    return mkdir(path, 0700) == 0 && put_file(room, "glint/kernel.h", kernel_header_text) &&
           put_file(room, "clang_cuda.h", clang_header_text);
}

Status workroom_open(Workroom *room) {
    const char *above = getenv("TMPDIR");
    const int length =
        snprintf(room->path, sizeof room->path, "%s/glint-kernel-XXXXXX", above && above[0] == '/' ? above : "/tmp");
    const bool made = length < (int)sizeof room->path && mkdtemp(room->path);
    if (made && furnish(room))
        return STATUS_OK;
    const Status status = fail(STATUS_DEVICE, "no folder for a compiler's files, %s: %m", room->path);
    if (made)
        workroom_close(room);
    return status;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk) {
    (void)info, (void)kind, (void)walk;
    (void)remove(path);
    return 0;
}

void workroom_close(Workroom *room) {
    enum { DESCRIPTORS = 8 };
    if (room->path[0])
        (void)nftw(room->path, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    room->path[0] = '\0';
}
