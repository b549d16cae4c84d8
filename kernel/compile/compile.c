/* compile.c: a file, the compilers that may take it, and what becomes of their results. */
#include "kernel/compile/compile.h"

#include "core/base/file.h"
#include "core/base/timing.h"
#include "kernel/compile/cache.h"
#include "kernel/compile/compiler.h"
#include "kernel/compile/diagnostics.h"
#include "kernel/compile/entries.h"
#include "kernel/compile/includes.h"
#include "kernel/compile/workroom.h"
#include "kernel/operations.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* By preference, for each kind of file. */
static const Compiler *const compilers[] = {&compiler_nvrtc, &compiler_nvcc, &compiler_clang, &compiler_cc};
enum { COMPILERS = sizeof compilers / sizeof *compilers, OUTPUT_MAX = 64 << 20, VERSION_SECONDS = 10 };

static const char *const endings[] = {[KERNEL_PTX] = ".cu", [KERNEL_CPU] = ".c"};

Status kernel_kind(const char *path, KernelKind *kind) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (int i = KERNEL_PTX; i <= KERNEL_CPU; i++)
        if (dot && strcmp(dot, endings[i]) == 0) {
            *kind = (KernelKind)i;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "%s: want a kernel file: .cu for CUDA C, .c for C on the CPU", path);
}

void arguments_add_shape(Arguments *to, const KernelTarget *target) {
    arguments_add(to, "-DGLINT_TYPE=%s", target->type);
    arguments_add(to, "-DGLINT_CHANNELS=%d", target->channels);
}

/* ---- one run ---- */

static Status run(const Compiler *compiler, const char *file, const Arguments *arguments, const char *folder,
                  double seconds, const KernelTarget *target, ChildEnd *end) {
    const Child child = {.program = compiler->program ? compiler->program : file,
                         .arguments = arguments,
                         .folder = folder,
                         .seconds = seconds,
                         .stop = target ? target->stop : NULL,
                         .ahead = target && target->again ? compiler->ahead : 0};
    return child_run(&child, end);
}

/* Takes the first number with a dot out of a program's words about itself. */
static void take_version(const char *name, const char *said, char *version, size_t size) {
    snprintf(version, size, "%s", name);
    for (const char *at = said; *at; at++) {
        const size_t whole = strspn(at, "0123456789"), all = strspn(at, "0123456789.");
        if (whole > 0 && at[whole] == '.' && isdigit((unsigned char)at[whole + 1])) {
            snprintf(version, size, "%s %.*s", name, (int)all, at);
            return;
        }
        at += whole > 0 ? whole - 1 : 0;
    }
}

static Status ask_version(const Compiler *compiler, const char *file, const char *folder, char *version, size_t size) {
    Arguments arguments = {0};
    ChildEnd end;
    compiler->begin(&arguments, file);
    arguments_add(&arguments, "--version");
    Status status = run(compiler, file, &arguments, folder, VERSION_SECONDS, NULL, &end);
    const char *said = end.said.data ? (const char *)end.said.data : "";
    if (status == STATUS_OK && (end.how != 0 || end.late))
        status = fail(STATUS_DEVICE, "%s does not tell its version: %.*s", file, (int)strcspn(said, "\n"), said);
    if (status == STATUS_OK)
        take_version(compiler->name, said, version, size);
    bytes_free(&end.said);
    arguments_free(&arguments);
    return status;
}

/* Distinguishes compilers, and versions of each, without a start of one. */
static CacheName compiler_identity(const Compiler *compiler, const char *file) {
    struct stat info = {0};
    char *real = realpath(file, NULL);
    CacheName name = cache_name_add_text(0, compiler->name);
    (void)stat(file, &info);
    const int64_t facts[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
    name = cache_name_add(cache_name_add_text(name, real), facts, sizeof facts);
    free(real);
    return name;
}

/* Its name and version, as in "nvcc 13.0": from the cache if it was asked before. */
static Status version_of(const Compiler *compiler, const char *file, const char *folder, char *version, size_t size) {
    KernelBinary kept = {0};
    char none[] = "";
    const CacheName name = cache_name_add_text(compiler_identity(compiler, file), "version");
    if (cache_find(name, &kept)) {
        snprintf(version, size, "%s", kept.compiler);
        kernel_binary_free(&kept);
        return STATUS_OK;
    }
    TRY(ask_version(compiler, file, folder, version, size));
    kept.log = none;
    snprintf(kept.compiler, sizeof kept.compiler, "%s", version);
    cache_keep(name, &kept);
    return STATUS_OK;
}

/* ---- one file, one compiler ---- */

/* The name of a result, out of all that it depends on. */
static CacheName result_name(const Compiler *compiler, const CompileJob *job, CacheName source) {
    struct utsname machine;
    Arguments arguments = {0};
    CacheName name = cache_name_add(compiler_identity(compiler, job->file), &source, sizeof source);
    compiler->begin(&arguments, job->file);
    compiler->compile(&arguments, job);
    for (size_t i = 0; i < arguments.count; i++)
        name = cache_name_add_text(name, arguments.list[i]);
    arguments_free(&arguments);
    name = cache_name_add_text(cache_name_add_text(name, kernel_header_text), clang_header_text);
    if (compiler->kind == KERNEL_CPU && uname(&machine) == 0) /* -march=native */
        name = cache_name_add_text(name, machine.nodename);
    return name;
}

static Status read_output(const char *path, Bytes *bytes) {
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > OUTPUT_MAX) {
        if (file >= 0)
            close(file);
        return fail(STATUS_DEVICE, "the compiler's result cannot be read, or is larger than %d MiB", OUTPUT_MAX >> 20);
    }
    const size_t size = (size_t)info.st_size;
    *bytes = (Bytes){calloc(size + 1, 1), size};
    size_t at = 0;
    for (ssize_t got = 1; bytes->data && at < size && got > 0; at += got > 0 ? (size_t)got : 0)
        got = read(file, bytes->data + at, size - at);
    close(file);
    return bytes->data && at == size ? STATUS_OK : fail(STATUS_DEVICE, "the compiler's result cannot be read");
}

/* Whether the text includes <NAME>, as programs of the host do. */
static bool is_host_header(const char *text, const char *name) {
    char included[80];
    snprintf(included, sizeof included, "<%s>", name);
    return strstr(text, included) != NULL;
}

/* Causes that no compiler can name: an operation that there is not, KERNEL without its header, a header of the host's.
 * Else empty. */
static void tell_cause(const char *path, const char *said, char *cause, size_t size) {
    const char *number = strstr(said, "GLINT_");
    const char *missing = strstr(said, "cannot open source file");
    char operation[32], header[64], *text = NULL;
    int known;
    cause[0] = '\0';
    if (number && sscanf(number, "GLINT_%31[a-z0-9_]", operation) == 1 &&
        kernel_operation_named(operation, &known) != STATUS_OK)
        snprintf(cause, size, ": %s", status_message());
    else if (file_read_text(path, &text) == STATUS_OK && strstr(text, "KERNEL(") && !strstr(text, "glint/kernel.h") &&
             !strstr(text, "#include \""))
        snprintf(cause, size, "; a kernel file begins with #include <glint/kernel.h>");
    else if (text && missing && sscanf(missing, "cannot open source file \"%63[^\"]", header) == 1 &&
             is_host_header(text, header))
        snprintf(cause, size, "; a kernel needs no headers of C's and C++'s libraries, also for printf");
    free(text);
}

/* NVRTC names a switch for functions of the host, which no option of glint's has. */
static bool is_host_code(const char *said) {
    return strstr(said, "is considered a host function") != NULL;
}

/* The first error as a sentence. */
static Status complain(const char *path, const KernelDiagnostic *error) {
    char cause[256];
    if (is_host_code(error->text))
        return fail(
            STATUS_INPUT,
            "%s:%d: host code, as main, is no part of a kernel file: glint calls its KERNEL by itself; functions "
            "that it calls begin with __device__",
            error->file, error->line);
    tell_cause(path, error->text, cause, sizeof cause);
    if (error->line == 0)
        return fail(STATUS_INPUT, "%s: %s%s", path, error->text, cause);
    if (error->column == 0)
        return fail(STATUS_INPUT, "%s:%d: %s%s", error->file, error->line, error->text, cause);
    return fail(STATUS_INPUT, "%s:%d:%d: %s%s", error->file, error->line, error->column, error->text, cause);
}

/* How the compiler ended: STATUS_INPUT for errors in the file, STATUS_DEVICE if it has not worked. */
static Status judge(const CompileJob *job, const ChildEnd *end, double seconds, KernelBinary *binary) {
    binary->log = strdup((const char *)end->said.data);
    if (!binary->log)
        return fail(STATUS_DEVICE, "no memory for a compiler's words");
    TRY(diagnostics_parse(binary->log, &binary->diagnostics, &binary->diagnostic_count));
    const KernelDiagnostic *error = diagnostics_error(binary->diagnostics, binary->diagnostic_count);
    if (end->late)
        return fail(STATUS_INPUT, "%s: %s was ended after %g s", job->source, job->file, seconds);
    if (WIFSIGNALED(end->how))
        return fail(STATUS_DEVICE, "%s was ended by a signal: %s", job->file, strsignal(WTERMSIG(end->how)));
    if (WEXITSTATUS(end->how) == 0)
        return STATUS_OK;
    if (error)
        return complain(job->source, error);
    return fail(STATUS_DEVICE, "%s failed: %.*s", job->file, (int)strcspn(binary->log, "\n"), binary->log);
}

/* A name that a shell would take for a command is not for compilers that ask one. */
static Status check_names(const Compiler *compiler, const CompileJob *job) {
    static const char active[] = "$`\"\\!\n";
    return compiler->shell && (strpbrk(job->source, active) || strpbrk(job->folder, active))
               ? fail(STATUS_DEVICE, "%s would have a shell read the name %s", compiler->name, job->source)
               : STATUS_OK;
}

static Status compile_in(const Compiler *compiler, CompileJob job, Workroom *room, KernelBinary *binary) {
    char output[PATH_MAX + 16];
    const double seconds = job.target->seconds > 0 ? job.target->seconds : COMPILE_SECONDS;
    Arguments arguments = {0};
    ChildEnd end;
    snprintf(output, sizeof output, "%s/output", room->path);
    job.folder = room->path;
    job.output = output;
    TRY(check_names(compiler, &job));
    TRY(version_of(compiler, job.file, room->path, binary->compiler, sizeof binary->compiler));
    compiler->begin(&arguments, job.file);
    compiler->compile(&arguments, &job);
    Status status = run(compiler, job.file, &arguments, room->path, seconds, job.target, &end);
    arguments_free(&arguments);
    if (status == STATUS_OK)
        status = judge(&job, &end, seconds, binary);
    bytes_free(&end.said);
    return status == STATUS_OK ? read_output(output, &binary->bytes) : status;
}

/* Takes the result from the cache, or has the compiler make it. */
static Status compile_by(const Compiler *compiler, const char *file, const char *path, const KernelTarget *target,
                         CacheName source, KernelBinary *binary) {
    char home[PATH_MAX];
    Workroom room;
    const CompileJob job = {.file = file,
                            .source = path,
                            .home = path_folder(path, home, sizeof home),
                            .folder = "",
                            .output = "",
                            .target = target};
    const CacheName name = result_name(compiler, &job, source);
    binary->cached = !target->fresh && cache_find(name, binary);
    if (binary->cached)
        return diagnostics_parse(binary->log, &binary->diagnostics, &binary->diagnostic_count);
    TRY(workroom_open(&room));
    const Status status = compile_in(compiler, job, &room, binary);
    workroom_close(&room);
    if (status == STATUS_OK)
        cache_keep(name, binary);
    return status;
}

/* As compile_by; no compiler takes the file for an option. */
static Status compile_safely(const Compiler *compiler, const char *file, const char *path, const KernelTarget *target,
                             CacheName source, KernelBinary *binary) {
    char *plain = NULL;
    if (asprintf(&plain, "%s%s", path[0] == '-' ? "./" : "", path) < 0)
        return fail(STATUS_DEVICE, "no memory for a path");
    const Status status = compile_by(compiler, file, plain, target, source, binary);
    free(plain);
    return status;
}

/* ---- all compilers ---- */

static const Compiler *compiler_named(const char *name) {
    for (size_t i = 0; i < COMPILERS; i++)
        if (strcmp(compilers[i]->name, name) == 0)
            return compilers[i];
    return NULL;
}

static Status check_target(const char *path, const KernelTarget *target) {
    const Compiler *named = target->compiler ? compiler_named(target->compiler) : NULL;
    KernelKind kind = KERNEL_PTX;
    TRY(kernel_kind(path, &kind));
    if (target->compiler && !named)
        return fail(STATUS_USAGE, "no compiler \"%s\"; `glint list compilers` shows all", target->compiler);
    if (kind != target->kind || (named && named->kind != kind))
        return fail(STATUS_USAGE, "%s: %s compiles %s files, want a %s file", path, named ? named->name : "this device",
                    endings[named ? named->kind : target->kind], endings[named ? named->kind : target->kind]);
    return STATUS_OK;
}

/* Goes on to the next compiler where one does not work. */
static Status compile_by_any(const char *path, const KernelTarget *target, CacheName source, KernelBinary *binary) {
    char file[PATH_MAX];
    const char *why;
    Status status = STATUS_DEVICE;
    for (size_t i = 0; i < COMPILERS && status == STATUS_DEVICE; i++) {
        const Compiler *compiler = compilers[i];
        if (compiler->kind != target->kind || (target->compiler && strcmp(target->compiler, compiler->name) != 0))
            continue;
        kernel_binary_free(binary);
        status = compiler->find(file, &why) ? compile_safely(compiler, file, path, target, source, binary)
                                            : fail(STATUS_DEVICE, "%s", why);
    }
    return status == STATUS_DEVICE ? fail_within(status, "%s: no compiler works, see `glint list compilers`: ", path)
                                   : status;
}

Status kernel_compile(const char *path, const KernelTarget *target, KernelBinary *binary) {
    const double start = clock_ms();
    CacheName source = cache_name_add_text(0, GLINT_VERSION);
    *binary = (KernelBinary){0};
    TRY(check_target(path, target));
    TRY(includes_name(path, &source));
    Status status = compile_by_any(path, target, source, binary);
    if (status == STATUS_OK)
        status = entries_read(path, target->kind, binary->bytes, &binary->kernels, &binary->kernel_count);
    binary->ms = clock_ms() - start;
    return status;
}

void kernel_binary_free(KernelBinary *binary) {
    bytes_free(&binary->bytes);
    diagnostics_free(binary->diagnostics, binary->diagnostic_count);
    free(binary->kernels);
    free(binary->log);
    *binary = (KernelBinary){0};
}

size_t kernel_compiler_count(void) {
    return COMPILERS;
}

void kernel_compiler_info(size_t index, KernelCompilerInfo *info) {
    const Compiler *compiler = compilers[index];
    char file[PATH_MAX];
    const char *why;
    Workroom room;
    *info = (KernelCompilerInfo){.name = compiler->name, .help = compiler->help, .kind = compiler->kind};
    info->found = compiler->find(file, &why);
    snprintf(info->where, sizeof info->where, "%s", info->found ? file : why);
    if (!info->found)
        return;
    info->found = workroom_open(&room) == STATUS_OK &&
                  version_of(compiler, file, room.path, info->version, sizeof info->version) == STATUS_OK;
    workroom_close(&room);
    if (!info->found)
        snprintf(info->where, sizeof info->where, "%s", status_message());
}
