/* main.c: the table of subcommands; the only place that ends the program. */
#include "app/backends.h"
#include "app/command.h"
#include "app/emulated/emulated.h"
#include "app/say.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/codec/sandbox_server.h"
#include "kernel/compile/nvrtc.h"
#include "kernel/host/server.h"

#include <argp.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const Command commands[] = {
    {"view", "[IMAGE | FOLDER | SCENE]...", "the window: filters and scenes with live timings", view_command},
    {"batch", "CHAIN INPUT... -o OUTPUT", "filter files without a window", batch_command},
    {"serve", "--socket PATH | --port N", "filter pictures of requests (HTTP), with plans and devices that are warm",
     serve_command},
    {"trace", "SCENE -o FILE", "ray trace without a window", trace_command},
    {"compare", "A B", "how far two pictures are apart: PSNR, SSIM, correlation, heat map", compare_command},
    {"bench", "OPERATION", "run a ladder, check it against the reference, time it", bench_command},
    {"tune", "", "time the ladders on this machine, so that best knows it (a minute)", tune_command},
    {"kernel", "new OPERATION FILE | compile FILE | check FILE",
     "kernel files of your own: begin, compile and check them", kernel_command},
    {"lab", "[list] | new NAME [FILE] | task NAME | hint NAME [NUMBER] | check FILE",
     "exercises in CUDA C, checked without a GPU", lab_command},
    {"explain", "OPERATION/LEVEL | LEVEL | FILE.cu", "a kernel line by line: counters, lanes on memory, its worst line",
     explain_command},
    {"list", "filters|presets|levels|borders|backends|scenes|cameras|looks|formats|operations|experiments|compilers",
     "print the rows of a table", list_command},
    {"help", "[SUBCOMMAND | FILTER | OPERATION | LEVEL | @PRESET]", "explain one of them", help_command},
};
const size_t command_count = sizeof commands / sizeof commands[0];

const Command *command_by_name(const char *name) {
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static Status no_such_command(const char *name) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < command_count; i++)
        if (text_closer(name, strlen(name), commands[i].name, &best))
            close = commands[i].name;
    if (close)
        return fail(STATUS_USAGE, "no subcommand \"%s\"; did you mean \"%s\"?", name, close);
    return fail(STATUS_USAGE, "no subcommand \"%s\"; `glint help` shows all subcommands", name);
}

static Status run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "help";
    TRY(memory_check());
    TRY(backends_register());
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("glint " GLINT_VERSION);
        return STATUS_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const Command *command = command_by_name(name);
    if (!command)
        return no_such_command(name);
    TRY(emulated_register());
    char title[32];
    snprintf(title, sizeof title, "glint %s", command->name);
    argv += argc > 1;
    argc -= argc > 1;
    argv[0] = title;
    return command->run(argc, argv);
}

/* A file opened while 0, 1 or 2 is closed would take its number, and get the text that is printed there. They are taken
 * by /dev/null, opened the wrong way round: reading and printing still fail, as they do on a closed descriptor. */
static bool open_standard_descriptors(void) {
    static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", wrong_way[descriptor]) != descriptor)
            return false;
    return true;
}

int main(int argc, char **argv) {
    sandbox_serve_if_asked(argv);
    nvrtc_serve_if_asked(argv);
    kernel_host_serve_if_asked(argv);
    if (!open_standard_descriptors()) {
        fputs("glint: /dev/null cannot be opened\n", stderr);
        return STATUS_DEVICE;
    }
    argp_program_version = "glint " GLINT_VERSION;
    argp_err_exit_status = STATUS_USAGE;
    interrupts_begin();
    Status status = run(argc, argv);
    if (status != STATUS_OK && status != STATUS_PARTIAL && status_message()[0] != '\0')
        say(stderr, "glint: %s", status_message());
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK) {
        fprintf(stderr, "glint: standard output cannot be written: %m\n");
        status = STATUS_DEVICE;
    }
    return (int)status;
}
