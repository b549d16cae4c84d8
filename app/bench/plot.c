/* plot.c: gnuplot as a function from a script to an SVG. */
#include "app/bench/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for a plot");
}

void plot_put_quoted(FILE *script, const char *text) {
    fputc('\'', script);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', script);
        fputc(*text == '\n' ? ' ' : *text, script);
    }
    fputc('\'', script);
}

void plot_ladder(FILE *script, json_t *list) {
    size_t index;
    json_t *entry;
    fputs("set terminal svg noenhanced size 900,500 font 'sans,13' background 'white'\nset title ", script);
    plot_put_quoted(script, json_string_value(json_object_get(json_array_get(list, 0), "label")));
    fputs("\nset ylabel 'ms (median)'\nset logscale y\nset grid ytics\nset style fill solid 0.8\n"
          "set boxwidth 0.6\nset xtics rotate by -30\nunset key\n$d << E\n",
          script);
    json_array_foreach(list, index, entry)
        fprintf(script, "%zu \"%s\" %g\n", index, json_string_value(json_object_get(entry, "name")),
                json_real_value(json_object_get(entry, "real_time")));
    fputs("E\nplot $d using 1:3:xtic(2) with boxes lc rgb '#3070b0'\n", script);
}

/* A file without a name, from which gnuplot reads its script. */
static FILE *make_script(PlotScript *put, json_t *list) {
    const int descriptor = memfd_create("plot", MFD_CLOEXEC);
    FILE *script = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;
    if (!script && descriptor >= 0)
        close(descriptor);
    if (script) {
        put(script, list);
        rewind(script);
    }
    return script;
}

static Status start(FILE *script, int output, pid_t *child) {
    char name[] = "gnuplot", *arguments[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return no_memory();
    int error = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawnp(child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return fail(STATUS_DEVICE, "--plot: gnuplot is not installed");
    return error == 0 ? STATUS_OK : fail(STATUS_DEVICE, "--plot: gnuplot cannot be started: %s", strerror(error));
}

/* Runs gnuplot on a script, and reads its output to the end. */
static Status run(FILE *script, char **svg, size_t *size) {
    int ends[2], how = 0;
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(STATUS_DEVICE, "--plot: gnuplot cannot be started: %m");
    Status status = start(script, ends[1], &child);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    if (!from)
        close(ends[0]);
    size_t capacity = 0;
    const ssize_t length = status == STATUS_OK && from ? getdelim(svg, &capacity, '\0', from) : -1;
    if (from)
        fclose(from);
    if (status != STATUS_OK)
        return status;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        continue;
    if (length <= 0 || how != 0)
        return fail(STATUS_DEVICE, "--plot: gnuplot failed; version 5 or later draws this");
    *size = (size_t)length;
    return STATUS_OK;
}

Status plot_append(Output *output, PlotScript *put, json_t *list) {
    char *svg = NULL;
    size_t size = 0;
    FILE *script = make_script(put, list);
    Status status = script ? run(script, &svg, &size) : no_memory();
    const char *drawing = status == STATUS_OK ? strstr(svg, "<svg") : NULL; /* behind gnuplot's XML declaration */
    FILE *to = NULL;
    if (status == STATUS_OK && !drawing)
        status = fail(STATUS_DEVICE, "--plot: gnuplot wrote no SVG");
    if (status == STATUS_OK)
        status = output_stream(output, &to);
    if (status == STATUS_OK) {
        fputs(PLOT_OPENING, to);
        fwrite(drawing, 1, size - (size_t)(drawing - svg), to);
    }
    if (script)
        fclose(script);
    free(svg);
    return status;
}
