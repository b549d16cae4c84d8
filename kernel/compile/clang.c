/* clang.c: clang without a CUDA toolkit. clang_cuda.h has the part of CUDA C that kernels use. */
#include "kernel/compile/compiler.h"
#include "kernel/compile/places.h"

/* Each clang since 11 knows it. PTX for a lesser device runs on later ones. */
enum { GREATEST = 80 };

static bool find(char path[PATH_MAX], const char **why) {
    static const SearchPlace places[] = {{NULL, "/usr/bin/clang-[1-9][0-9]"}, {NULL, "/usr/lib/llvm-*/bin/clang"}};
    *why = "clang is not in PATH";
    return program_find("clang", path) || places_find(places, sizeof places / sizeof *places, path);
}

static void begin(Arguments *to, const char *file) {
    arguments_add(to, "%s", file);
}

static void compile(Arguments *to, const CompileJob *job) {
    const int capability = job->target->capability;
    arguments_add_words(to, "-x cuda --cuda-device-only -nocudainc -nocudalib -Wno-unknown-cuda-version -Wall -S -O3 "
                            "-std=c++17 -gline-tables-only -Xclang -target-feature -Xclang +ptx70");
    arguments_add(to, "--cuda-gpu-arch=sm_%d", capability < GREATEST ? capability : GREATEST);
    arguments_add_shape(to, job->target);
    arguments_add(to, "-I%s", job->folder);
    arguments_add(to, "-include");
    arguments_add(to, "%s/clang_cuda.h", job->folder);
    arguments_add(to, "-o");
    arguments_add(to, "%s", job->output);
    arguments_add(to, "%s", job->source);
}

const Compiler compiler_clang = {
    .name = "clang",
    .help = "clang with a small header of glint's own: no CUDA toolkit is needed",
    .kind = KERNEL_PTX,
    .find = find,
    .begin = begin,
    .compile = compile,
};
