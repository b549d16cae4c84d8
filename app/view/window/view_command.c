/* view_command.c: glint view: its options, and the window that they open. */
#include "app/common_options.h"
#include "app/tev/listen.h"
#include "app/tev/packet.h"
#include "app/trace_devices.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/keymap.h"
#include "app/view/actions/script.h"
#include "app/view/actions/states.h"
#include "app/view/actions/tour.h"
#include "app/view/actions/transcript.h"
#include "app/view/data/film.h"
#include "app/view/module.h"
#include "app/view/session/keep.h"
#include "app/view/session/timings_json.h"
#include "app/view/tools/bulk.h"
#include "app/view/tools/kernel_files.h"
#include "app/view/window/browser.h"
#include "app/view/window/frame_log.h"
#include "app/view/window/glut_system.h"
#include "app/view/window/window.h"
#include "core/base/text.h"
#include "core/chain/sidecar.h"
#include "core/codec/codec.h"
#include "core/image/icc.h"
#include "kernel/rungs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 800, WINDOW_MIN = 64, WINDOW_MAX = 16384 };

#define FIRST_SCENE "packed"
#define REFUSED_MS  600e3 /* that the window says why no input can be shown */

typedef struct Options {
    CommonOptions common;
    const char *script, *chain, *keys, *log, *session, *recording, *profile;
    int rate, port; /* port -1: a window on a display */
    FrameLog *frame_log;
    bool list_actions, tour, watch, no_sidecars, keeps;
    bool takes_kernel;       /* the first kernel's level, by itself or once it compiles */
    char refused[TOAST_MAX]; /* why no input can be shown, for the window to say; or "" */
    ThemeName theme;         /* THEMES: as it was kept */
    double scale;
    Shape window; /* without a width: as it was kept */
    ColourSpace *monitor;
    RawWay raw;
    const char *listen, *token; /* listen: an address, or NULL; token: that is asked for, or NULL */
    const char *devices;        /* "all" or "0,2"; NULL: the one of --device */
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

static Status read_listen(const char *text, void *values) {
    ((Options *)values)->listen = text ? text : "";
    return STATUS_OK;
}

#define AT(member) OPTION_AT(Options, member)

static Status read_devices(const char *text, void *values) {
    ((Options *)values)->devices = text;
    return device_list_check(text);
}

static const Option option_rows[] = {
    {"filter", "CHAIN", "filters to begin with, as in gaussian=2,sharpen", OPTION_TEXT, AT(chain), .letter = 'F'},
    {"size", "WxH", "the window's size in pixels (as it was; 1280x800)", OPTION_OWN, .letter = 's', .read = read_size},
    {"keys", "FILE", "keys of actions, one a line: ACTION = KEY KEY (~/.config/glint/keys)", OPTION_TEXT, AT(keys),
     .letter = 'K'},
    {"list-actions", NULL, "print all actions as such a file", OPTION_SWITCH, AT(list_actions)},
    {"theme", "NAME", "colours of the panels: dark, light or contrast (as they were; dark)", OPTION_CHOICE, AT(theme),
     .words = "dark|light|contrast"},
    {"ui-scale", "N", "how large texts are, from 0.5 to 4 (by the window and Xft.dpi)", OPTION_NUMBER, AT(scale),
     .min = SCALE_MIN, .max = SCALE_MAX},
    {"display-profile", "FILE",
     "the monitor's ICC profile, which colours are shown by (the desktop's, _ICC_PROFILE; sRGB)", OPTION_TEXT,
     AT(profile)},
    {"devices", "LIST", "devices of the backend that gather the light of scenes together: all, or numbers as in 0,2",
     OPTION_OWN, .read = read_devices},
    {"tour", NULL, "begin with the tour", OPTION_SWITCH, AT(tour), .letter = 'T'},
    {"watch", NULL, "read the file again whenever it changes", OPTION_SWITCH, AT(watch), .letter = 'w'},
    {"listen", "HOST:PORT",
     "show pictures that other programs send by tev's protocol while they make them (127.0.0.1:" TEV_PORT ")",
     OPTION_OWN, .optional = true, .read = read_listen},
    {"listen-token", "TEXT", "take them only from programs that send this token first; other machines need one",
     OPTION_TEXT, AT(token)},
    {"log", "FILE", "write a line of CSV for every frame that is shown: its spans, input to swap, power", OPTION_TEXT,
     AT(log)},
    {"record", "FILE", "write your actions to FILE.script, which --script replays; other files: as record does",
     OPTION_OWN, .letter = 'R', .read = read_record},
    {"rate", "N", "pictures a second of recordings, from 1 to 240 (25)", OPTION_WHOLE, AT(rate), .min = 1,
     .max = RATE_MAX},
    {"no-sidecars", NULL, "neither keep edits next to the pictures (photo.jpg.glint) nor read them", OPTION_SWITCH,
     AT(no_sidecars)},
    {"keep", NULL, "with --script: keep edits, recent files and the window's state, as without a script", OPTION_SWITCH,
     AT(keeps)},
    {"serve", "PORT", "show the window in a browser, without a display: on this port of 127.0.0.1, or on a free one",
     OPTION_WHOLE, AT(port), .optional = true, .max = 65535},
    {"script", "FILE", "run commands from FILE first, one a line; - is stdin", OPTION_TEXT, AT(script), .letter = 'S'},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    Options *options = values;
    options->inputs = arguments;
    options->input_count = count;
    return STATUS_OK;
}

/* Whether an input is none, but has a port behind a colon. */
static bool is_address(const char *input) {
    const char *colon = strrchr(input, ':');
    const size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits > 0 && !colon[1 + digits] && access(input, F_OK) != 0;
}

static Status check(void *values) {
    const Options *options = values;
    if (options->profile && !icc_available())
        return fail(STATUS_USAGE, "--display-profile needs Little CMS (lcms2), which glint was built without");
    if (options->token && !options->listen)
        return fail(STATUS_USAGE, "--listen-token: nobody can send it without --listen");
    for (size_t i = 0; options->listen && !options->listen[0] && i < options->input_count; i++)
        if (is_address(options->inputs[i]))
            return fail(STATUS_USAGE, "--listen takes its address behind =, as in --listen=%s", options->inputs[i]);
    return !options->common.explain
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
    const Action *action;
    for (size_t i = 0; (action = action_at(action_table, i)); i++)
        put_command(stream, action->name, action->argument ? action->argument->name : "", action->help);
    for (size_t i = 0; i < state_count; i++)
        if (states[i].set)
            put_command(stream, states[i].name, states[i].arguments, states[i].help);
    for (size_t i = 0; i < script_command_count; i++)
        put_command(stream, script_commands[i].name, script_commands[i].arguments, script_commands[i].help);
    fclose(stream);
    return help;
}

/* Nobody reads stderr where a file manager has started the program: it is /dev/null, or a log's socket. */
static bool stderr_is_unread(void) {
    struct stat of;
    return fstat(STDERR_FILENO, &of) == 0 && (S_ISSOCK(of.st_mode) || (S_ISCHR(of.st_mode) && !isatty(STDERR_FILENO)));
}

/* Whether the window opens without its inputs, to say there why they cannot be shown. */
static bool goes_on_without(const Options *options, Status status) {
    return status == STATUS_INPUT && !options->script && stderr_is_unread();
}

/* A scene to turn, below the welcome page, which offers to open files. */
static Status open_none(Viewer *viewer, const Options *options, const char *refused) {
    TRY(options->script ? STATUS_OK : viewer_open_scene(viewer, FIRST_SCENE));
    if (!refused[0])
        return STATUS_OK;
    viewer_say(viewer, true, "%s", refused);
    viewer->toast.until += REFUSED_MS;
    viewer->ui->welcome = true;
    return STATUS_OK;
}

static Status open_pictures(Viewer *viewer, const Options *options) {
    char refused[TOAST_MAX];
    const Status status = viewer_show_first(viewer, 0);
    if (!goes_on_without(options, status))
        return status;
    snprintf(refused, sizeof refused, "%s", status_message());
    return open_none(viewer, options, refused);
}

/* Without inputs the window shows a scene to turn, and the welcome page. */
static Status open_inputs(Viewer *viewer, const Options *options) {
    const char *first = options->input_count > 0 ? options->inputs[0] : NULL;
    if (strcmp(options->common.level, "best") != 0 || (options->script && viewer->mode == MODE_UNDECIDED))
        viewer->mode = MODE_SPEED;
    viewer->ui->welcome = !first && !options->script && !options->tour;
    if (options->tour)
        TRY(tour_go(viewer, 0));
    if (!first)
        return open_none(viewer, options, options->refused);
    for (size_t i = 0; i < options->input_count; i++)
        if (scene_text_recognize(options->inputs[i]))
            TRY(viewer_open_scene(viewer, options->inputs[i]));
    return scene_text_recognize(first) || viewer->pictures.count == 0 ? STATUS_OK : open_pictures(viewer, options);
}

static Status open_all(Viewer *viewer, void *argument) {
    const Options *options = argument;
    TRY(open_inputs(viewer, options));
    if (kernel_file_at(0) && viewer->mode == MODE_UNDECIDED)
        viewer->mode = MODE_SPEED;
    return kernel_files_begin(viewer, options->common.kernel_time, options->takes_kernel);
}

/* Lists the pictures. Their heads show whether none can be used, without a window; a stream is read once only. */
static Status list_pictures(Viewer *viewer, const Options *options) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < options->input_count; i++)
        if (!scene_text_recognize(options->inputs[i]))
            TRY(file_list_add(&viewer->pictures, options->inputs[i], NULL));
    for (size_t i = 0; i < viewer->pictures.count; i++) {
        CodecFile file;
        if (viewer->pictures.marks[i].scene || strcmp(viewer->pictures.paths[i], "-") == 0)
            return STATUS_OK;
        status = codec_open(viewer->pictures.paths[i], (Pages){.count = 1, .partial = true}, &file);
        if (status == STATUS_OK) {
            codec_close(&file);
            return STATUS_OK;
        }
    }
    return status;
}

/* As a file of keys. */
static void print_actions(const Keymap *keymap) {
    const Action *action;
    for (size_t i = 0; (action = action_at(action_table, i)); i++)
        printf("%-18s = %-20s # %s%s%s\n", action->name, keymap_keys(keymap, action),
               action->argument ? action->argument->name : "", action->argument ? ": " : "", action->help);
}

/* Takes the state of the last run, and over it whatever the command line says. A script keeps nothing unless asked. */
static Status set_up(Viewer *viewer, Options *options, Keymap *keymap, WindowStart *start) {
    viewer->profile_trace = options->common.profile_trace;
    viewer->frame_log = options->frame_log;
    viewer->overwrite = options->common.overwrite;
    viewer->watch.on = options->watch;
    viewer->rate = options->rate;
    viewer->raw = options->raw;
    viewer->threads = options->common.threads;
    viewer->ui->keymap = keymap;
    viewer->ui->scale = options->scale;
    viewer_resize(viewer, DEFAULT_WIDTH, DEFAULT_HEIGHT);
    if (!options->script || options->keeps)
        TRY(keep_begin(viewer, !options->no_sidecars));
    if (options->theme < THEMES)
        viewer->ui->theme = options->theme;
    if (options->window.width > 0)
        viewer_resize(viewer, (int)options->window.width, (int)options->window.height);
    start->width = viewer->width;
    start->height = viewer->height;
    const Status status = list_pictures(viewer, options);
    if (!goes_on_without(options, status))
        return status;
    snprintf(options->refused, sizeof options->refused, "%s", status_message());
    options->input_count = 0;
    file_list_shorten(&viewer->pictures, 0);
    return STATUS_OK;
}

/* Edits and state are written whatever became of the window. */
static Status end_keeping(Viewer *viewer, Status status) {
    char why[1024];
    snprintf(why, sizeof why, "%s", status_message());
    const Status changed = bulk_await(viewer), kept = keep_end(viewer);
    TRY(status == STATUS_OK ? changed : STATUS_OK);
    return status == STATUS_OK ? kept : fail(status, "%s", why);
}

/* The emulated GPU, if kernels run there and not on the device that opened by itself; else NULL. */
static const char *backend_of_kernels(const Device *device) {
    const Backend *backend;
    const char *emulated = NULL;
    for (size_t i = 0; kernel_rung_at(i, &backend); i++) {
        if (backend == device->backend)
            return NULL;
        emulated = backend->timeless && !emulated ? backend->name : emulated;
    }
    return emulated;
}

/* A backend that has no levels but kernels waits until one of them compiles. */
static Status open_device(CommonOptions *common, Device **device) {
    const Backend *asked = backend_by_name(common->backend), *of;
    const bool kernels = kernel_file_at(0) != NULL;
    if (kernels && asked && asked->level_count == 0 && !kernel_rung_at(0, &of))
        common->backend = "auto";
    TRY(common_open(common, device));
    const char *other = kernels && strcmp(common->backend, "auto") == 0 ? backend_of_kernels(*device) : NULL;
    if (!other)
        return STATUS_OK;
    device_close(device);
    common->backend = other;
    return common_open(common, device);
}

/* The level to begin with, and whether the first kernel's is to be taken: by itself, or once it compiles. */
static const char *first_level(const CommonOptions *common, const Device *device, bool *takes) {
    const Backend *of;
    const Level *kernel = kernel_rung_at(0, &of);
    const bool best = strcmp(common->level, "best") == 0;
    *takes = kernel_file_at(0) && (best || !ladder_knows(device->backend, common->level));
    if (*takes && kernel && device->backend->level_count == 0)
        return kernel->name;
    return *takes ? "best" : common->level;
}

/* Opens the further devices of --devices. */
static Status open_crew(const Options *options, const Device *first, int number, Session *session) {
    TraceDevices devices = {.threads = options->common.threads};
    if (!options->devices)
        return STATUS_OK;
    session->crew_backend = first->backend;
    session->crew_first = number;
    TRY(device_list_numbers(options->devices, first->backend, devices.numbers, &devices.count));
    TRY(crew_create(&session->crew));
    return trace_devices_open(&devices, first->backend, session->crew);
}

static Status show(Options *options, Keymap *keymap) {
    Device *device;
    Viewer *viewer;
    System *system = NULL;
    Listener *listener = NULL;
    char address[128];
    WindowStart start = {.open = open_all,
                         .inputs = options,
                         .record = options->recording,
                         .script = options->script,
                         .monitor = options->monitor};
    CommonOptions silent = options->common; /* the command names the device once there is a display */
    silent.quiet = true;
    if (options->devices)
        silent.device = device_list_first(options->devices);
    TRY(open_device(&silent, &device));
    const char *level = first_level(&silent, device, &options->takes_kernel);
    TRY(viewer_create(device, silent.device, options->chain, level, options->common.plan, &viewer));
    Status status = open_crew(options, device, silent.device, viewer->session);
    if (status == STATUS_OK)
        status = set_up(viewer, options, keymap, &start);
    if (status == STATUS_OK)
        status = options->port < 0 ? glut_system_create(&system) : browser_create(options->port, &system);
    if (status == STATUS_OK && options->session)
        status = transcript_begin(viewer, options->session);
    if (status == STATUS_OK && options->listen)
        status = listener_begin(options->listen, options->token, address, sizeof address, &listener);
    if (status == STATUS_OK) {
        common_say(&options->common, "%s: %s", device->backend->name, device->name);
        if (listener)
            common_say(&options->common, "listening on %s for tev's protocol", address);
        status = window_run(viewer, system, &start);
    }
    if (viewer->transcript && status == STATUS_OK)
        status = transcript_end(viewer);
    transcript_drop(viewer);
    FILE *stream = NULL;
    if (status == STATUS_OK)
        status = common_open_json(&options->common, &stream);
    if (status == STATUS_OK && stream)
        status = timings_json_write(viewer, stream);
    status = end_keeping(viewer, status);
    viewer_destroy(&viewer);
    listener_end(&listener);
    if (system)
        system->kind->destroy(system);
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

static Status run(int argc, char **argv) {
    Options options = {.common = common_defaults, .chain = "", .rate = RATE_DEFAULT, .port = -1, .theme = THEMES};
    const CommandLine line = {
        .arguments = "[IMAGE | FOLDER | SCENE]...",
        .help = "Shows pictures and scenes in a window, with live timings; h lists the keys.\v",
        .tables = {{OPTION_ROWS(option_rows), 0}, raw_way_table(offsetof(Options, raw)), common_options},
        .common = 2,
        .arguments_read = take_arguments,
        .check = check,
        .help_filter = help_filter};
    TRY(command_line_read(&line, argc, argv, &options));
    options.common.keeps_broken = true;
    Status status = common_start(&options.common, "timings");
    Keymap *keymap = NULL;
    char *kept = NULL; /* the chain of a sidecar that --filter names */
    if (status == STATUS_OK)
        status = sidecar_take(options.chain, &options.common.plan, &kept);
    options.chain = kept ? kept : options.chain;
    if (status == STATUS_OK && options.profile)
        status = colour_space_of_file(options.profile, &options.monitor);
    if (status == STATUS_OK)
        status = keymap_open(action_table, options.keys, &keymap);
    if (status == STATUS_OK && options.list_actions)
        print_actions(keymap);
    else if (status == STATUS_OK)
        status = show_logged(&options, keymap);
    keymap_close(&keymap);
    colour_space_release(&options.monitor);
    free(kept);
    return common_finish(&options.common, status);
}

const ViewModule glint_view = {GLINT_VERSION, run};
