/* view_command.c: glint view: the window. */
#include "app/command.h"
#include "app/common_options.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/keymap.h"
#include "app/view/actions/script.h"
#include "app/view/actions/states.h"
#include "app/view/actions/tour.h"
#include "app/view/actions/transcript.h"
#include "app/view/data/film.h"
#include "app/view/session/timings_json.h"
#include "app/view/window/frame_log.h"
#include "app/view/window/window.h"
#include "app/view/window/x11.h"
#include "core/base/text.h"
#include "core/codec/codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 800, WINDOW_MIN = 64, WINDOW_MAX = 16384 };

#define FIRST_SCENE "packed"

typedef struct Options {
    CommonOptions common;
    const char *script, *chain, *keys, *log, *session, *recording;
    int rate;
    FrameLog *frame_log;
    bool list_actions, tour, watch;
    ThemeName theme;
    double scale;
    Shape window;
    char **inputs;
    size_t input_count;
} Options;

static bool is_session(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".script") == 0;
}

static Status read_size(const char *text, void *values) {
    Shape *window = &((Options *)values)->window;
    TRY(shape_parse_size(text, window));
    return window->width >= WINDOW_MIN && window->height >= WINDOW_MIN && window->width <= WINDOW_MAX &&
                   window->height <= WINDOW_MAX
               ? STATUS_OK
               : fail(STATUS_USAGE, "--size %s: want %dx%d to %dx%d", text, WINDOW_MIN, WINDOW_MIN, WINDOW_MAX,
                      WINDOW_MAX);
}

static Status read_record(const char *text, void *values) {
    Options *options = values;
    *(is_session(text) ? &options->session : &options->recording) = text;
    return STATUS_OK;
}

#define AT(member) OPTION_AT(Options, member)

static const Option option_rows[] = {
    {"filter", "CHAIN", "filters to begin with, as in gaussian=2,sharpen", OPTION_TEXT, AT(chain), .letter = 'F'},
    {"size", "WxH", "the window's size in pixels (1280x800)", OPTION_OWN, .letter = 's', .read = read_size},
    {"keys", "FILE", "keys of actions, one a line: ACTION = KEY KEY (~/.config/glint/keys)", OPTION_TEXT, AT(keys),
     .letter = 'K'},
    {"list-actions", NULL, "print all actions as such a file", OPTION_SWITCH, AT(list_actions)},
    {"theme", "NAME", "colours of the panels: dark, light or contrast (dark)", OPTION_CHOICE, AT(theme),
     .words = "dark|light|contrast"},
    {"ui-scale", "N", "how large texts are, from 0.5 to 4 (by the window and Xft.dpi)", OPTION_NUMBER, AT(scale),
     .min = SCALE_MIN, .max = SCALE_MAX},
    {"tour", NULL, "begin with the tour", OPTION_SWITCH, AT(tour), .letter = 'T'},
    {"watch", NULL, "read the file again whenever it changes", OPTION_SWITCH, AT(watch), .letter = 'w'},
    {"log", "FILE", "write a line of CSV for every frame that is shown: its spans, input to swap, power", OPTION_TEXT,
     AT(log)},
    {"record", "FILE", "write your actions to FILE.script, which --script replays; other files: as record does",
     OPTION_OWN, .letter = 'R', .read = read_record},
    {"rate", "N", "pictures a second of recordings, from 1 to 240 (25)", OPTION_WHOLE, AT(rate), .min = 1,
     .max = RATE_MAX},
    {"script", "FILE", "run commands from FILE first, one a line; - is stdin", OPTION_TEXT, AT(script), .letter = 'S'},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    Options *options = values;
    options->inputs = arguments;
    options->input_count = count;
    return STATUS_OK;
}

static Status check(void *values) {
    return !((const Options *)values)->common.explain
               ? STATUS_OK
               : fail(STATUS_USAGE, "view shows its stages in the overlay: --explain goes with batch, trace and bench");
}

/* A command's row, its text in a column of its own: argp would go on in the first. */
static void put_command(FILE *stream, const char *name, const char *argument, const char *help) {
    enum { NAME = 16, INDENT = 28, WIDTH = 78 };
    int at = fprintf(stream, "  %-*s %s", *argument ? NAME : 0, name, argument);
    if (at >= INDENT)
        at = fprintf(stream, "\n") - 1;
    at += fprintf(stream, "%*s", INDENT - at, "");
    for (size_t length; *help; help += length) {
        help += *help == ' ';
        length = strcspn(help, " ");
        if (at > INDENT && at + 1 + (int)length > WIDTH)
            at = fprintf(stream, "\n%*s", INDENT, "") - 1;
        at += fprintf(stream, " %.*s", (int)length, help);
    }
    fputc('\n', stream);
}

/* The script's commands, from their table, behind the options. */
static char *help_filter(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(size_t)text;
    char *help = NULL;
    size_t size;
    FILE *stream = open_memstream(&help, &size);
    if (!stream)
        return NULL;
    fputs("Commands of a script, one a line:\n", stream);
    for (size_t i = 0; i < action_count; i++) {
        const Argument *argument = actions[i].argument;
        put_command(stream, actions[i].name, argument ? argument->name : "", actions[i].help);
    }
    for (size_t i = 0; i < state_count; i++)
        if (states[i].set)
            put_command(stream, states[i].name, states[i].arguments, states[i].help);
    for (size_t i = 0; i < script_command_count; i++)
        put_command(stream, script_commands[i].name, script_commands[i].arguments, script_commands[i].help);
    fclose(stream);
    return help;
}

/* Without inputs the window shows a scene to turn, and the welcome page. */
static Status open_inputs(Viewer *viewer, void *argument) {
    const Options *options = argument;
    const char *first = options->input_count > 0 ? options->inputs[0] : NULL;
    viewer->ui->welcome = !first && !options->script && !options->tour;
    if (options->tour)
        tour_begin(viewer);
    if (!first)
        return options->script ? STATUS_OK : viewer_open_scene(viewer, FIRST_SCENE);
    for (size_t i = 0; i < options->input_count; i++)
        if (scene_text_recognize(options->inputs[i]))
            TRY(viewer_open_scene(viewer, options->inputs[i]));
    return scene_text_recognize(first) || viewer->pictures.count == 0 ? STATUS_OK : viewer_show_first(viewer, 0);
}

/* Lists the pictures. Their heads show whether none can be used, without a window; a stream is read once only. */
static Status list_pictures(Viewer *viewer, const Options *options) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < options->input_count; i++)
        if (!scene_text_recognize(options->inputs[i]))
            TRY(file_list_add(&viewer->pictures, options->inputs[i]));
    for (size_t i = 0; i < viewer->pictures.count; i++) {
        CodecFile file;
        if (strcmp(viewer->pictures.paths[i], "-") == 0)
            return STATUS_OK;
        status = codec_open(viewer->pictures.paths[i], (Pages){0, 1}, &file);
        if (status == STATUS_OK) {
            codec_close(&file);
            return STATUS_OK;
        }
    }
    return status;
}

/* As a file of keys. */
static void print_actions(const Keymap *keymap) {
    for (size_t i = 0; i < action_count; i++) {
        const Action *action = &actions[i];
        printf("%-18s = %-20s # %s%s%s\n", action->name, keymap_keys(keymap, action),
               action->argument ? action->argument->name : "", action->argument ? ": " : "", action->help);
    }
}

static Status show(Options *options, Keymap *keymap) {
    Device *device;
    Viewer *viewer;
    X11Hold *hold = NULL;
    WindowStart start = {.width = (int)options->window.width,
                         .height = (int)options->window.height,
                         .open = open_inputs,
                         .inputs = options,
                         .record = options->recording,
                         .script = options->script};
    CommonOptions silent = options->common; /* the command names the device once there is a display */
    silent.quiet = true;
    TRY(common_open(&silent, &device));
    TRY(viewer_create(device, options->chain, options->common.level, options->common.plan, &viewer));
    viewer->request->device = viewer->session->request.device = options->common.device; /* that was opened */
    viewer->profile_trace = options->common.profile_trace;
    viewer->frame_log = options->frame_log;
    viewer->overwrite = options->common.overwrite;
    viewer->watch.on = options->watch;
    viewer->rate = options->rate;
    viewer->threads = options->common.threads;
    viewer->ui->keymap = keymap;
    viewer->ui->theme = options->theme;
    viewer->ui->scale = options->scale;
    viewer_resize(viewer, start.width, start.height);
    Status status = list_pictures(viewer, options);
    if (status == STATUS_OK)
        status = x11_probe(&start.dpi, &hold);
    if (status == STATUS_OK && options->session)
        status = transcript_begin(viewer, options->session);
    if (status == STATUS_OK) {
        common_say(&options->common, "%s: %s", device->backend->name, device->name);
        status = window_run(viewer, &start, &hold);
    }
    if (viewer->transcript && status == STATUS_OK)
        status = transcript_end(viewer);
    transcript_drop(viewer);
    FILE *stream = NULL;
    if (status == STATUS_OK)
        status = common_open_json(&options->common, &stream);
    if (status == STATUS_OK && stream)
        status = timings_json_write(viewer, stream);
    viewer_destroy(&viewer);
    x11_release(&hold);
    return status;
}

/* The log is kept as --profile's trace is. */
static Status show_logged(Options *options, Keymap *keymap) {
    char why[1024];
    if (options->log)
        TRY(frame_log_open(options->log, options->common.overwrite, &options->frame_log));
    const Status status = show(options, keymap);
    snprintf(why, sizeof why, "%s", status_message());
    const Status closed = frame_log_close(&options->frame_log, status != STATUS_USAGE);
    return status == STATUS_OK ? closed : fail(status, "%s", why);
}

Status view_command(int argc, char **argv) {
    Options options = {.common = common_defaults,
                       .chain = "",
                       .rate = RATE_DEFAULT,
                       .window = {.width = DEFAULT_WIDTH, .height = DEFAULT_HEIGHT}};
    const CommandLine line = {.arguments = "[IMAGE | FOLDER | SCENE]...",
                              .help = "Shows pictures and scenes in a window, with live timings; h lists the keys.\v",
                              .tables = {{OPTION_ROWS(option_rows), 0}, common_options},
                              .common = 1,
                              .arguments_read = take_arguments,
                              .check = check,
                              .help_filter = help_filter};
    TRY(command_line_read(&line, argc, argv, &options));
    Status status = common_start(&options.common, "timings");
    Keymap *keymap = NULL;
    if (status == STATUS_OK)
        status = keymap_open(options.keys, &keymap);
    if (status == STATUS_OK && options.list_actions)
        print_actions(keymap);
    else if (status == STATUS_OK)
        status = show_logged(&options, keymap);
    keymap_close(&keymap);
    return common_finish(&options.common, status);
}
