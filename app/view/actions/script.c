/* script.c: the commands that scripts have besides actions; the table is at the bottom. */
#include "app/view/actions/script.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/states.h"
#include "app/view/actions/transcript.h"
#include "app/view/data/key_names.h"
#include "app/view/session/timings_json.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/codec/codec.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_MAX = 3600, FRAMES_MAX = 100000, WINDOW_MAX = 16384, TRY_MAX = 4096 };

static Status press(Viewer *viewer, void *key) {
    char plain[KEY_MAX];
    return action_press(viewer, key_of_shown(key, plain), true);
}

static Status press_key(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    TRY(host->work(host->self, press, (void *)(uintptr_t)argument));
    return host->serve(host->self);
}

static Status release(Viewer *viewer, void *key) {
    char plain[KEY_MAX];
    return action_press(viewer, key_of_shown(key, plain), false);
}

static Status release_key(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return host->work(host->self, release, (void *)(uintptr_t)argument);
}

static Status run_once(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_run(viewer);
}

static Status run_frames(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    const char *end;
    double frames;
    if (!text_number(argument, &end, &frames) || *end != '\0' || frames != floor(frames) || frames < 1 ||
        frames > FRAMES_MAX)
        return fail(STATUS_USAGE, "frames \"%s\", want a whole number from 1 to %d", argument, FRAMES_MAX);
    for (int i = 0; i < (int)frames; i++) {
        TRY(host->work(host->self, run_once, NULL));
        TRY(host->draw(host->self));
    }
    return STATUS_OK;
}

/* One of the numbers behind a command; `*text` moves behind it. */
static bool next_number(const char **text, double *number) {
    *text += strspn(*text, " \t");
    return text_number(*text, text, number) && (**text == '\0' || strchr(" \t", **text));
}

static Status drag_slider(Viewer *viewer, const ScriptHost *host, const char *argument) {
    char param[64];
    double from, to, steps;
    const char *at = argument + strcspn(argument, " \t");
    (void)viewer;
    snprintf(param, sizeof param, "%.*s", (int)(at - argument), argument);
    if (!next_number(&at, &from) || !next_number(&at, &to) || !next_number(&at, &steps) || *at != '\0' || from < 0 ||
        to < 0 || from > 100 || to > 100 || steps != floor(steps) || steps < 1 || steps > FRAMES_MAX)
        return fail(STATUS_USAGE,
                    "drag \"%s\", want PARAM FROM TO STEPS: percent of the slider and a whole number, as in "
                    "sigma 20 40 60",
                    argument);
    return host->drag(host->self, param, from / 100, to / 100, (int)steps);
}

static Status take_way(const ScriptHost *host, const char *argument, const char *want, bool drags, MouseWay way) {
    const char *at = argument;
    const bool complete = next_number(&at, &way.from_x) && next_number(&at, &way.from_y);
    way.x = way.from_x;
    way.y = way.from_y;
    const bool all = complete && (!drags || (next_number(&at, &way.x) && next_number(&at, &way.y)));
    at += complete ? strspn(at, " \t") : 0;
    way.right = all && way.presses && !way.control && strcmp(at, "right") == 0;
    if (!all || (*at != '\0' && !way.right))
        return fail(STATUS_USAGE, "\"%s\", want %s in pixels of the window", argument, want);
    return host->mouse(host->self, way);
}

static Status move_pointer(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return take_way(host, argument, "X Y", false, (MouseWay){0});
}

static Status click(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return take_way(host, argument, "X Y or X Y right", false, (MouseWay){.presses = true});
}

static Status mark(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return take_way(host, argument, "X Y X Y", true, (MouseWay){.presses = true, .control = true});
}

static Status drop(Viewer *viewer, void *list) {
    return action_open_list(viewer, list, " \t");
}

static Status drop_files(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return host->work(host->self, drop, (void *)(uintptr_t)argument);
}

static Status stroke(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return take_way(host, argument, "X Y X Y or X Y X Y right", true, (MouseWay){.presses = true});
}

static Status hold_task(Viewer *viewer, void *on) {
    viewer->held = on != NULL;
    viewer->movement += viewer->held;
    return STATUS_OK;
}

static Status press_button(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)argument;
    return host->work(host->self, hold_task, viewer);
}

static Status release_button(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer, (void)argument;
    return host->work(host->self, hold_task, NULL);
}

static Status by_hand_task(Viewer *viewer, void *line) {
    viewer->typing = false;
    return action_command(viewer, line, false);
}

static Status by_hand(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    TRY(host->work(host->self, by_hand_task, (void *)(uintptr_t)argument));
    return host->serve(host->self);
}

static Status wait_for(Viewer *viewer, const ScriptHost *host, const char *argument) {
    const char *end;
    double seconds;
    (void)viewer;
    if (!text_number(argument, &end, &seconds) || *end != '\0' || !(seconds > 0) || seconds > WAIT_MAX)
        return fail(STATUS_USAGE, "wait \"%s\", want seconds, at most %d", argument, WAIT_MAX);
    return host->rest(host->self, 1e3 * seconds);
}

static Status run_command(Viewer *viewer, const ScriptHost *host, char *line);

/* Passes over a command that makes no sense here. */
static Status try_command(Viewer *viewer, const ScriptHost *host, const char *argument) {
    char line[TRY_MAX];
    if ((size_t)snprintf(line, sizeof line, "%s", argument) >= sizeof line)
        return fail(STATUS_USAGE, "try: want at most %d characters", TRY_MAX - 1);
    const Status status = run_command(viewer, host, line);
    return status == STATUS_USAGE || status == STATUS_INPUT ? STATUS_OK : status;
}

static Status print_text(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer, (void)host;
    puts(argument);
    fflush(stdout);
    return STATUS_OK;
}

static Status end_after(Viewer *viewer, const ScriptHost *host, const char *argument) {
    const char *end;
    double seconds;
    (void)host;
    if (!text_number(argument, &end, &seconds) || *end != '\0')
        return fail(STATUS_USAGE, "end-after \"%s\", want seconds", argument);
    viewer->requests->quit |= clock_ms() - viewer->began > 1e3 * seconds;
    return STATUS_OK;
}

static Status print_draws(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)host, (void)argument;
    Draws *draws = &viewer->draws;
    Stalls *stalls = &viewer->stalls;
    printf("draws %u results %u shown %u seconds %.3f draw_ms %.2f stall_ms %.2f stalls %u busy_ms %.2f busy %u "
           "averaged %.0f\n",
           draws->count, viewer->session->result_serial - draws->from_result, viewer->shown - draws->from_shown,
           (clock_ms() - draws->since) / 1e3, history_median(&draws->ms), stalls->longest[STALL_WALL],
           stalls->count[STALL_WALL], stalls->longest[STALL_THREAD], stalls->count[STALL_THREAD], draws->averaged);
    fflush(stdout);
    *draws = (Draws){.since = clock_ms(), .from_shown = viewer->shown, .from_result = viewer->session->result_serial};
    stalls_forget(stalls);
    return STATUS_OK;
}

static Status finish(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_finish(viewer);
}

static Status take_screenshot(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return host->screenshot(host->self, argument);
}

static Status save(Viewer *viewer, void *path) {
    return viewer_save_result(viewer, path, viewer->overwrite);
}

static Status save_frame(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    return host->work(host->self, save, (void *)(uintptr_t)argument);
}

static Status save_timings(Viewer *viewer, const ScriptHost *host, const char *argument) {
    TRY(host->work(host->self, finish, NULL));
    return timings_json_save(viewer, argument);
}

static Status set_size(Viewer *viewer, const ScriptHost *host, const char *argument) {
    (void)viewer;
    Shape shape = {0};
    TRY(shape_parse_size(argument, &shape));
    if (shape.width > WINDOW_MAX || shape.height > WINDOW_MAX)
        return fail(STATUS_USAGE, "size %s, want at most %dx%d", argument, WINDOW_MAX, WINDOW_MAX);
    return host->resize(host->self, (int)shape.width, (int)shape.height);
}

static Status no_such_command(const char *name, size_t length) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < script_command_count; i++)
        if (text_closer(name, length, script_commands[i].name, &best))
            close = script_commands[i].name;
    for (size_t i = 0; i < state_count; i++)
        if (text_closer(name, length, states[i].name, &best))
            close = states[i].name;
    const Action *action = action_closest(action_table, name, length, &best);
    close = action ? action->name : close;
    if (close)
        return fail(STATUS_USAGE, "no command \"%.*s\"; did you mean \"%s\"?", (int)length, name, close);
    return fail(STATUS_USAGE, "no command \"%.*s\"; `glint view --help` lists them", (int)length, name);
}

/* A line of a script takes the place of one that is typed. */
static Status command_task(Viewer *viewer, void *line) {
    viewer->typing = false;
    return action_command(viewer, line, true);
}

typedef struct SetState {
    const State *state;
    const char *text;
} SetState;

static Status state_task(Viewer *viewer, void *change) {
    const SetState *set = change;
    return set->state->set(viewer, set->text);
}

/* A command of this table, a state, or an action. */
static Status run_command(Viewer *viewer, const ScriptHost *host, char *line) {
    const size_t length = strcspn(line, " \t");
    const char *argument = line + length + strspn(line + length, " \t");
    for (size_t i = 0; i < script_command_count; i++) {
        const ScriptCommand *command = &script_commands[i];
        if (strlen(command->name) != length || strncmp(command->name, line, length) != 0)
            continue;
        if (command->arguments[0] == '\0' && *argument)
            return fail(STATUS_USAGE, "%s takes nothing behind it", command->name);
        if (command->arguments[0] && !*argument)
            return fail(STATUS_USAGE, "want %s %s", command->name, command->arguments);
        return command->run(viewer, host, argument);
    }
    for (size_t i = 0; i < state_count; i++)
        if (states[i].set && strlen(states[i].name) == length && strncmp(states[i].name, line, length) == 0) {
            SetState change = {&states[i], argument};
            return host->work(host->self, state_task, &change);
        }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    if (!action_by_name(name))
        return no_such_command(line, length);
    TRY(host->work(host->self, command_task, line));
    return host->serve(host->self);
}

/* Runs one line, which is taken apart in place. */
static Status run_line(Viewer *viewer, const ScriptHost *host, char *line) {
    char *end = line + strlen(line);
    while (end > line && strchr(" \t\r", end[-1]))
        *--end = '\0';
    char *name = line + strspn(line, " \t");
    if (*name == '\0' || *name == '#')
        return STATUS_OK;
    TRY(run_command(viewer, host, name));
    transcript_look(viewer);
    return STATUS_OK;
}

Status script_run(Viewer *viewer, const ScriptHost *host, const char *path) {
    char *text;
    TRY(file_read_text(path, &text));
    Status status = STATUS_OK;
    int number = 1;
    for (char *line = text; status == STATUS_OK && line && !viewer->requests->quit; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        status = run_line(viewer, host, line);
        if (status != STATUS_OK)
            status = fail_within(status, "%s:%d: ", path, number);
        line = next;
    }
    free(text);
    return status;
}

const ScriptCommand script_commands[] = {
    {"key", "KEY", "presses a key of the help page: Up, F5, [, ...", press_key},
    {"release", "KEY", "lets go of a key that is held: Space", release_key},
    {"frames", "N", "runs and draws N times", run_frames},
    {"drag", "PARAM FROM TO STEPS", "drags a slider by the mouse, from percent to percent", drag_slider},
    {"pointer", "X Y", "moves the pointer there, in pixels of the window", move_pointer},
    {"click", "X Y [right]", "clicks there, or does so with the right button", click},
    {"mark", "X Y X Y", "drags from one point to the other with Ctrl", mark},
    {"drop", "URL...", "opens files as if they were dragged here: file:///a%20b.png", drop_files},
    {"stroke", "X Y X Y [right]", "drags from one point to the other: a handle, a mask's cells, the picture", stroke},
    {"press-button", "", "holds a button down: until release-button, steps of one parameter are one change",
     press_button},
    {"release-button", "", "lets the button go", release_button},
    {"by-hand", "COMMAND", "carries an action out; the best level takes over from one that does not support it",
     by_hand},
    {"wait", "SECONDS", "lets the window go on for so long", wait_for},
    {"try", "COMMAND", "carries the command out, if it makes sense here", try_command},
    {"print", "TEXT", "prints the text", print_text},
    {"end-after", "SECONDS", "ends the program if it has run for longer", end_after},
    {"draws", "", "prints draws and results since the last time, a draw's median, and stalls of the window's thread",
     print_draws},
    {"size", "WxH", "makes the window this large", set_size},
    {"screenshot", "FILE", "saves the whole window in the monitor's colours, once all measurements are done",
     take_screenshot},
    {"frame", "FILE", "saves the result's own pixels, as batch and trace do", save_frame},
    {"timings", "FILE", "saves the timings as JSON", save_timings},
};
const size_t script_command_count = sizeof script_commands / sizeof script_commands[0];
