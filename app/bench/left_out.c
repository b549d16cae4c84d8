/* left_out.c: sentences about kernel files. */
#include "app/bench/left_out.h"

void left_out_note(const Backend *backend, bool ran[KERNEL_FILES_MAX + 1]) {
    const Backend *of;
    const Level *level;
    const char *path, *name;
    for (size_t i = 0; (level = kernel_rung_at(i, &of)); i++)
        if (of == backend && kernel_rung(level, &path, &name))
            ran[kernel_file_find(path)] = true;
}

void left_out_say(const CommonOptions *common, const bool ran[KERNEL_FILES_MAX + 1]) {
    const char *path;
    for (size_t i = 0; i < KERNEL_FILES_MAX && (path = kernel_file_at(i)); i++) {
        KernelKind kind;
        const bool cuda = kernel_kind(path, &kind) == STATUS_OK && kind == KERNEL_PTX;
        if (!ran[i])
            common_say(common, "%s is left out: no kernel of it runs on %s; %s", path, common->backend,
                       cuda ? "--backend emulated runs it without a GPU" : "--backend cpu runs it");
    }
}
