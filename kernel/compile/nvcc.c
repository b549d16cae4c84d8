/* nvcc.c: the CUDA toolkit's compiler. It takes its time, since it starts half a dozen programs. */
#include "kernel/compile/compiler.h"
#include "kernel/compile/places.h"

static bool find(char path[PATH_MAX], const char **why) {
    static const SearchPlace places[] = {{"CUDA_HOME", "/bin/nvcc"},
                                         {"CUDA_PATH", "/bin/nvcc"},
                                         {NULL, "/usr/local/cuda/bin/nvcc"},
                                         {NULL, "/usr/local/cuda-*/bin/nvcc"}};
    *why = "nvcc is neither in PATH, CUDA_HOME or CUDA_PATH nor in /usr/local/cuda";
    return program_find("nvcc", path) || places_find(places, sizeof places / sizeof *places, path);
}

static void begin(Arguments *to, const char *file) {
    arguments_add(to, "%s", file);
}

static void compile(Arguments *to, const CompileJob *job) {
    arguments_add_words(to, "-ptx -lineinfo -O3 -std=c++17");
    arguments_add(to, "-arch=compute_%d", job->target->capability);
    arguments_add_shape(to, job->target);
    arguments_add(to, "-I%s", job->folder);
    arguments_add(to, "-o");
    arguments_add(to, "%s", job->output);
    arguments_add(to, "%s", job->source);
}

const Compiler compiler_nvcc = {
    .name = "nvcc",
    .help = "the CUDA toolkit's compiler",
    .kind = KERNEL_PTX,
    .shell = true,
    .find = find,
    .begin = begin,
    .compile = compile,
};
