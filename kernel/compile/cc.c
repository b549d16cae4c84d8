/* cc.c: the C compiler, CC or cc, into a shared object for this processor. CFLAGS come behind glint's own flags. */
#include "kernel/compile/compiler.h"
#include "kernel/compile/places.h"

#include <stdlib.h>
#include <string.h>

static const char *command(void) {
    const char *set = getenv("CC");
    return set && set[strspn(set, " \t\n")] ? set : "cc";
}

static bool find(char path[PATH_MAX], const char **why) {
    Arguments words = {0};
    *why = "the C compiler is not in PATH; the variable CC may name one";
    arguments_add_words(&words, command());
    const bool found = words.count > 0 && program_find(words.list[0], path);
    arguments_free(&words);
    return found;
}

static void begin(Arguments *to, const char *file) {
    (void)file;
    arguments_add_words(to, command());
}

static void compile(Arguments *to, const CompileJob *job) {
    arguments_add_words(to, "-O3 -march=native -Wall");
    arguments_add_words(to, getenv("CFLAGS"));
    arguments_add_words(to, "-shared -fPIC -Wl,-z,defs");
    arguments_add_shape(to, job->target);
    arguments_add(to, "-I%s", job->folder);
    arguments_add(to, "-o");
    arguments_add(to, "%s", job->output);
    arguments_add(to, "%s", job->source);
    arguments_add(to, "-lm");
}

const Compiler compiler_cc = {
    .name = "cc",
    .help = "the C compiler, of kernels for the CPU: CC and CFLAGS hold",
    .kind = KERNEL_CPU,
    .find = find,
    .begin = begin,
    .compile = compile,
};
