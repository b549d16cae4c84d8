/* nvrtc.c: NVIDIA's compiler as a library. This program, started again, loads it and calls it: a compiler that crashes,
 * or takes too long, ends alone. */
#include "kernel/compile/nvrtc.h"

#include "kernel/compile/compiler.h"
#include "kernel/compile/places.h"

#include "core/base/file.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The name that the program is executed by, from which it knows its task. */
#define NVRTC_SERVER "glint: nvrtc"

enum { ARGUMENT_LIBRARY = 1, ARGUMENT_TASK, ARGUMENT_SOURCE, ARGUMENT_OUTPUT, ARGUMENT_OPTIONS };
enum { END_DONE, END_ERRORS, END_NO_LIBRARY };

/* ---- the asking side ---- */

static bool find(char path[PATH_MAX], const char **why) {
#define PYTHON "/python3*/site-packages/nvidia/*/lib/libnvrtc.so*"
    static const SearchPlace named[] = {{"GLINT_NVRTC", ""}, {"GLINT_NVRTC", "/libnvrtc.so*"}};
    static const SearchPlace places[] = {
        {"LD_LIBRARY_PATH", "/libnvrtc.so*"},
        {"CUDA_HOME", "/lib64/libnvrtc.so*"},
        {"CUDA_PATH", "/lib64/libnvrtc.so*"},
        {NULL, "/usr/local/cuda/lib*/libnvrtc.so*"},
        {NULL, "/usr/local/cuda/targets/*-linux/lib/libnvrtc.so*"},
        {NULL, "/usr/local/cuda-*/lib*/libnvrtc.so*"},
        {NULL, "/usr/lib/*-linux-gnu/libnvrtc.so*"},
        {NULL, "/usr/lib64/libnvrtc.so*"},
        {"VIRTUAL_ENV", "/lib" PYTHON}, /* PyPI's nvidia-cuda-nvrtc */
        {"CONDA_PREFIX", "/lib" PYTHON},
        {"CONDA_PREFIX", "/lib/libnvrtc.so*"},
        {"PATH", "/../lib" PYTHON},
        {"HOME", "/.local/lib" PYTHON},
        {NULL, "/usr/local/lib/python3*/dist-packages/nvidia/*/lib/libnvrtc.so*"},
    };
#undef PYTHON
    if (getenv("GLINT_NVRTC")) {
        *why = "GLINT_NVRTC names neither the library nor its folder";
        return places_find(named, sizeof named / sizeof *named, path);
    }
    *why = "libnvrtc.so is neither in LD_LIBRARY_PATH nor in a CUDA toolkit nor in Python's packages; the variable "
           "GLINT_NVRTC may name it";
    return places_find(places, sizeof places / sizeof *places, path);
}

static void begin(Arguments *to, const char *file) {
    arguments_add(to, NVRTC_SERVER);
    arguments_add(to, "%s", file);
}

static void compile(Arguments *to, const CompileJob *job) {
    const char *slash = strrchr(job->file, '/');
    arguments_add(to, "%d", job->target->capability);
    arguments_add(to, "%s", job->source);
    arguments_add(to, "%s", job->output);
    arguments_add_words(to, "--generate-line-info --std=c++17");
    arguments_add_shape(to, job->target);
    arguments_add(to, "-I%s", job->home);
    if (slash) /* the toolkit's headers: cuda_fp16.h, mma.h */
        arguments_add(to, "-I%.*s/../include", (int)(slash - job->file), job->file);
}

/* ---- the process that compiles ---- */

typedef struct Program Program;

/* The functions of the library. */
typedef struct Library {
    int (*version)(int *major, int *minor);
    int (*arch_count)(int *count);
    int (*archs)(int *list);
    int (*create)(Program **program, const char *text, const char *name, int count, const char *const *headers,
                  const char *const *names);
    int (*compile)(Program *program, int count, const char *const *options);
    int (*log_size)(Program *program, size_t *size);
    int (*log)(Program *program, char *log);
    int (*ptx_size)(Program *program, size_t *size);
    int (*ptx)(Program *program, char *ptx);
} Library;

static bool load(const char *path, Library *library) {
    static const struct {
        const char *name;
        size_t place;
    } symbols[] = {
        {"nvrtcVersion", offsetof(Library, version)},
        {"nvrtcGetNumSupportedArchs", offsetof(Library, arch_count)},
        {"nvrtcGetSupportedArchs", offsetof(Library, archs)},
        {"nvrtcCreateProgram", offsetof(Library, create)},
        {"nvrtcCompileProgram", offsetof(Library, compile)},
        {"nvrtcGetProgramLogSize", offsetof(Library, log_size)},
        {"nvrtcGetProgramLog", offsetof(Library, log)},
        {"nvrtcGetPTXSize", offsetof(Library, ptx_size)},
        {"nvrtcGetPTX", offsetof(Library, ptx)},
    };
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle && i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(handle, symbols[i].name);
        memcpy((char *)library + symbols[i].place, &symbol, sizeof symbol);
        if (!symbol)
            handle = NULL;
    }
    if (!handle)
        fprintf(stderr, "%s\n", dlerror());
    return handle != NULL;
}

/* The greatest that the library knows, up to the one that is wanted. */
static int capability_for(const Library *library, int wanted) {
    int count = 0, best = wanted, list[256];
    if (library->arch_count(&count) != 0 || count < 1 || count > (int)(sizeof list / sizeof *list) ||
        library->archs(list) != 0)
        return wanted;
    for (int i = 0; i < count; i++) /* in rising order */
        if (i == 0 || list[i] <= wanted)
            best = list[i];
    return best;
}

/* All of a text that the library gives, in memory that is never freed: the process ends behind it. */
static char *text_of(Program *program, int (*size_of)(Program *, size_t *), int (*get)(Program *, char *)) {
    size_t size = 0;
    char *text = size_of(program, &size) == 0 ? calloc(size + 1, 1) : NULL;
    return text && get(program, text) == 0 ? text : NULL;
}

static bool write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

static int compile_file(const Library *library, int count, char **argv) {
    const char *headers[] = {kernel_header_text}, *names[] = {"glint/kernel.h"};
    const char *options[ARGUMENTS_MAX + 1];
    char architecture[48], *source = NULL;
    Program *program;
    if (file_read_text(argv[ARGUMENT_SOURCE], &source) != STATUS_OK ||
        library->create(&program, source, argv[ARGUMENT_SOURCE], 1, headers, names) != 0) {
        fprintf(stderr, "%s\n", source ? "NVRTC takes no program" : status_message());
        return END_NO_LIBRARY;
    }
    snprintf(architecture, sizeof architecture, "--gpu-architecture=compute_%d",
             capability_for(library, atoi(argv[ARGUMENT_TASK])));
    int options_count = 0;
    options[options_count++] = architecture;
    for (int i = ARGUMENT_OPTIONS; i < count && i < ARGUMENTS_MAX; i++)
        options[options_count++] = argv[i];
    const bool compiled = library->compile(program, options_count, options) == 0;
    const char *log = text_of(program, library->log_size, library->log);
    fputs(log ? log : "", stderr);
    if (!compiled)
        return END_ERRORS;
    const char *ptx = text_of(program, library->ptx_size, library->ptx);
    return ptx && write_file(argv[ARGUMENT_OUTPUT], ptx) ? END_DONE : END_NO_LIBRARY;
}

/* The first compilation in a process touches most of the library. */
static void warm_up(const Library *library) {
    static const char text[] = "#include <glint/kernel.h>\nKERNEL(point, warm, 32, 8, 1, 1, 0) {}\n";
    static const char *const options[] = {"--std=c++17", "-DGLINT_TYPE=u8", "-DGLINT_CHANNELS=3"};
    const char *headers[] = {kernel_header_text}, *names[] = {"glint/kernel.h"};
    Program *program;
    if (library->create(&program, text, "warm.cu", 1, headers, names) == 0)
        (void)library->compile(program, sizeof options / sizeof *options, options);
}

/* Waits for the other arguments on standard input (Child.ahead); without any, nobody needs this process any more. */
static int await_task(char **argv, char *all[ARGUMENTS_MAX + 1]) {
    static char text[1 << 16];
    size_t length = 0;
    int count = 0;
    for (ssize_t got = 1; got > 0 && length<sizeof text - 1; length += got> 0 ? (size_t)got : 0)
        got = read(STDIN_FILENO, text + length, sizeof text - 1 - length);
    for (; argv[count]; count++)
        all[count] = argv[count];
    for (char *at = text; at < text + length && count < ARGUMENTS_MAX; at += strlen(at) + 1)
        all[count++] = at;
    if (count <= ARGUMENT_OUTPUT)
        _exit(END_DONE);
    all[count] = NULL;
    return count;
}

void nvrtc_serve_if_asked(char **argv) {
    Library library;
    char *all[ARGUMENTS_MAX + 1];
    int count = 0, major, minor;
    if (!argv[0] || strcmp(argv[0], NVRTC_SERVER) != 0)
        return;
    while (argv[count])
        count++;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)prctl(PR_SET_NAME, NVRTC_SERVER);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    if (count <= ARGUMENT_LIBRARY || !load(argv[ARGUMENT_LIBRARY], &library))
        _exit(END_NO_LIBRARY);
    if (count == ARGUMENT_TASK) {
        warm_up(&library);
        count = await_task(argv, all);
        argv = all;
    }
    int end = END_NO_LIBRARY;
    if (count > ARGUMENT_OUTPUT)
        end = compile_file(&library, count, argv);
    else if (library.version(&major, &minor) == 0)
        end = printf("%d.%d\n", major, minor) > 0 ? END_DONE : END_NO_LIBRARY;
    fflush(NULL);
    _exit(end); /* the library's own end would take as long as half a compilation */
}

const Compiler compiler_nvrtc = {
    .name = "nvrtc",
    .help = "NVIDIA's compiler as a library: of the CUDA toolkit, or PyPI's nvidia-cuda-nvrtc",
    .kind = KERNEL_PTX,
    .find = find,
    .program = "/proc/self/exe",
    .ahead = ARGUMENT_TASK,
    .begin = begin,
    .compile = compile,
};
