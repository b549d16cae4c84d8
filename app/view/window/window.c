/* window.c: freeglut and the loop. */
#include "app/view/window/window.h"

#include "app/say.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/script.h"
#include "app/view/actions/transcript.h"
#include "app/view/data/key_names.h"
#include "app/view/session/preview.h"
#include "app/view/window/clipboard.h"
#include "app/view/window/command_line.h"
#include "app/view/window/drop.h"
#include "app/view/window/frame_log.h"
#include "app/view/window/letters.h"
#include "app/view/window/mouse.h"
#include "app/view/window/recording.h"
#include "app/view/window/warm.h"
#include "app/view/window/worker.h"
#include "app/view/window/x11.h"
#include "core/base/stop.h"

#include <GL/freeglut.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESIZE_MS    3000.0 /* how long a window manager may take */
#define LONG_RUN_MS  700.0
#define HOLD_PAUSE   50.0  /* ms between looks at a key that is held */
#define WALK_PAUSE   4.0   /* ms between steps of a camera that moves by itself */
#define DRAW_PAUSE   30.0  /* ms between draws that show new figures only */
#define QUICK_MS     8.0   /* since it listened last, the window waits for quick work, so that it draws once */
#define STOP_MS      100.0 /* a change stops runs that have taken this long */
#define SHORT_MS     500.0 /* but not runs that are known to take less: a drag shows a result now and then */
#define NEWS_PAUSE   50.0  /* ms between looks for thumbnails */
#define BAR_MS       200.0 /* longer work shows a bar */
#define BAR_PAUSE    100   /* ms between its draws */
#define WIPE_SECONDS 3.0

enum { EVENTS_MAX = 256, STROKE_STEPS = 4 };

/* Events that freeglut reports, kept until the window has the viewer. */
typedef enum EventKind { EVENT_KEY, EVENT_SIZE, EVENT_MOVE, EVENT_BUTTON, EVENT_WHEEL, EVENT_LEAVE } EventKind;
typedef struct Event {
    EventKind kind;
    int x, y;            /* of the pointer; of EVENT_SIZE the width and height */
    Heard heard;         /* on clock_ms */
    char key[KEY_MAX];   /* EVENT_KEY */
    bool pressed;        /* that, or EVENT_BUTTON */
    MouseButton button;  /* EVENT_BUTTON */
    bool shift, control; /* EVENT_BUTTON, EVENT_WHEEL */
    int direction;       /* EVENT_WHEEL */
} Event;

typedef struct Glut {
    Viewer *viewer;
    int id; /* of freeglut's window; 0: none */
    Screen screen;
    Mouse mouse;
    Clipboard *clipboard;
    Drop *drop;
    Letters *letters;     /* or NULL */
    Recording *recording; /* or NULL */
    bool scripted;        /* a script runs */
    Worker *worker;
    Warm *warm;      /* or NULL */
    double expected; /* ms that the run under way takes; 0: not known */
    Event events[EVENTS_MAX];
    size_t event_count;
    Heard heard;        /* the event that freeglut reports */
    char held[KEY_MAX]; /* the key by which a hand holds the unfiltered picture; "": none */
    bool walks;         /* one holds a key that moves the camera; a script's has none */
    jmp_buf refused;    /* where freeglut's fatal errors lead instead of exit() */
    char refusal[256], title[256];
} Glut;

/* ---- drawing ---- */

static void set_title(Glut *glut) {
    char title[sizeof glut->title], path[SCENE_TEXT_MAX] = "";
    const Subject *subject = glut->viewer->session->request.subject;
    if (subject)
        (void)subject_file(subject, path, sizeof path);
    const char *slash = strrchr(path, '/');
    snprintf(title, sizeof title, "%.200s%sglint", slash ? slash + 1 : path, path[0] ? " - " : "");
    if (strcmp(title, glut->title) == 0)
        return;
    memcpy(glut->title, title, sizeof title);
    glutSetWindowTitle(title);
}

static Status request(Glut *glut, ViewerTask *task, void *argument);

static Status reduce_task(Viewer *viewer, void *screen) {
    (void)viewer;
    return screen_reduce(screen);
}

/* `whole`: nobody else has the viewer, and the draw showed all of it. */
static void swap(Glut *glut, bool whole) {
    Viewer *viewer = glut->viewer;
    Pacing *pacing = viewer->pacing;
    const double start = clock_ms();
    glutSwapBuffers();
    const double end = clock_ms();
    if (whole)
        screen_await_sent(&glut->screen);
    const bool asks = whole && (viewer_asks(viewer) || viewer->ui->asked_count > 0);
    const bool awaits =
        !whole || (asks && !(pacing->later.at > 0)) || viewer->session->stale || screen_result_due(&glut->screen);
    pacing_swap(pacing, start, end, !awaits);
    if (whole && viewer->session->totals.count > 0)
        viewer_record(viewer, "swap", end - start);
    if (whole && viewer->frame_log)
        viewer_ask_power(viewer);
    frame_log_add(viewer->frame_log, viewer, whole);
}

typedef struct Ending {
    Recording *recording;
    unsigned pictures, left_out;
} Ending;

static Status end_task(Viewer *viewer, void *argument) {
    Ending *ending = argument;
    (void)viewer;
    return recording_end(&ending->recording, &ending->pictures, &ending->left_out);
}

/* Ends the recording behind the pictures that wait to be encoded. The window goes on meanwhile, or waits: in a draw,
 * and when it closes. */
static Status end_recording(Glut *glut, bool waits) {
    Ending ending = {.recording = glut->recording};
    char words[64] = "";
    glut->viewer->recording = false;
    glut->recording = NULL;
    TRY(waits || !glut->id ? end_task(glut->viewer, &ending) : request(glut, end_task, &ending));
    const unsigned pictures = ending.pictures, left_out = ending.left_out;
    if (left_out > 0)
        snprintf(words, sizeof words, "; %u draws were left out, for encoding takes longer", left_out);
    viewer_say(glut->viewer, false, "recorded: %u pictures, %.1f s%s", pictures, (double)pictures / glut->viewer->rate,
               words);
    return STATUS_OK;
}

/* Whether the recording goes on; a failure ends it. */
static bool keep_recording(Glut *glut, Status status) {
    char why[TOAST_MAX];
    if (status == STATUS_OK)
        return true;
    snprintf(why, sizeof why, "%s", status_message());
    if (end_recording(glut, true) == STATUS_OK)
        viewer_say(glut->viewer, true, "%s", why);
    else
        viewer_say(glut->viewer, true, "%s", status_message());
    return false;
}

static Status show(Glut *glut) {
    glutSetWindow(glut->id);
    set_title(glut);
    screen_begin(&glut->screen);
    if (screen_reduces(&glut->screen))
        TRY(request(glut, reduce_task, &glut->screen));
    if (!glut->id)
        return STATUS_OK;
    glutSetWindow(glut->id);
    const bool recorded = recording_due(glut->recording) && keep_recording(glut, recording_draws(glut->recording));
    TRY(screen_end(&glut->screen));
    if (recorded)
        keep_recording(glut, recording_drawn(glut->recording));
    swap(glut, true);
    return STATUS_OK;
}

/* ---- while the worker has the viewer ---- */

static void listens(Glut *glut) {
    stalls_listen(&glut->viewer->stalls, (double[STALL_CLOCKS]){clock_ms(), clock_thread_ms()});
}

static void wakes(Glut *glut) {
    stalls_wake(&glut->viewer->stalls, (double[STALL_CLOCKS]){clock_ms(), clock_thread_ms()});
}

/* ms since the thread last began or ended a rest. */
static double deaf_ms(const Glut *glut) {
    return clock_ms() - glut->viewer->stalls.since[STALL_WALL];
}

static void rest(Glut *glut, int ms) {
    listens(glut);
    if (!x11_has_events() && !drop_due(glut->drop)) /* in this order: reading events may find dropped files */
        x11_wait(clipboard_descriptor(glut->clipboard), worker_descriptor(glut->worker), ms);
    wakes(glut);
}

/* Rests, and counts the rest as a time without anything to do. */
static void idle(Glut *glut, int ms) {
    const double start = clock_ms();
    rest(glut, ms);
    pacing_rest(glut->viewer->pacing, clock_ms() - start);
}

/* Keeps freeglut's, and answers other programs. */
static void take_events(Glut *glut) {
    listens(glut);
    if (x11_has_events())
        worker_rouse(glut->worker);
    const double now = clock_ms();
    glut->heard = (Heard){x11_input_ms(now), now};
    letters_find(glut->letters);
    letters_hold(true);
    glutMainLoopEvent();
    if (glut->id)
        letters_hold(false);
    clipboard_serve(glut->clipboard);
    if (glut->id)
        drop_serve(glut->drop);
}

static bool of_mouse(const Event *event) {
    return event->kind != EVENT_KEY && event->kind != EVENT_SIZE;
}

static void apply(Glut *glut, const Event *event);

/* While the session is lent, the view and the panels are the window's own; their requests wait. *first: the first event
 * that was followed. */
static bool follow_mouse(Glut *glut, Heard *first) {
    size_t applied = 0;
    if (!glut->viewer->lent)
        return false;
    *first = glut->events[0].heard;
    while (applied < glut->event_count && of_mouse(&glut->events[applied]))
        apply(glut, &glut->events[applied++]);
    glut->event_count -= applied;
    memmove(glut->events, glut->events + applied, glut->event_count * sizeof glut->events[0]);
    return applied > 0;
}

static void go_on(Glut *glut) {
    const double busy = worker_busy_ms(glut->worker);
    rest(glut, BAR_PAUSE);
    take_events(glut);
    if (!glut->id)
        return;
    Heard first = {0};
    const bool follows = follow_mouse(glut, &first), bar = busy > BAR_MS;
    if (follows && (viewer_asks(glut->viewer) || glut->viewer->ui->asked_count > 0))
        pacing_later(glut->viewer->pacing, first);
    const bool brief = glut->expected > 0 && glut->expected < SHORT_MS;
    if (glut->viewer->lent && busy > STOP_MS && !brief &&
        (glut->event_count > 0 || viewer_asks(glut->viewer) || glut->viewer->ui->asked_count > 0))
        atomic_store(&glut->viewer->session->stop->asked, true);
    if (glut->viewer->lent && glut->event_count > 0 && atomic_load(&glut->viewer->session->stop->gives_way))
        atomic_store(&glut->viewer->session->stop->asked, true);
    if (!follows && !(bar && clock_ms() - glut->screen.drawn_at >= BAR_PAUSE))
        return;
    Partial *partial = glut->viewer->lent ? glut->viewer->session->partial : NULL;
    const double share = partial && partial_open(partial) ? partial_progress(partial)
                         : glut->expected > busy          ? busy / glut->expected
                                                          : fmod(busy / 1e3, 1);
    glutSetWindow(glut->id);
    if (screen_redraw(&glut->screen, follows, bar ? share : -1) != STATUS_OK)
        return;
    swap(glut, false);
    if (follows && !viewer_asks(glut->viewer))
        pacing_follow(glut->viewer->pacing, first);
}

/* The worker does the task, with all of the viewer or, if that is NULL, with the session that was lent; meanwhile the
 * window goes on. Not from within freeglut's callbacks. */
static Status in_background(Glut *glut, Viewer *viewer, ViewerTask *task, void *argument) {
    Status status = STATUS_OK;
    const PortAhead ahead = present_ahead(glut->viewer->present), left = present_ahead(glut->viewer->left_present);
    atomic_store(&glut->viewer->session->stop->asked, false);
    worker_begin(glut->worker, viewer, task, argument);
    if (glut->id && viewer) { /* a draw will show its outcome */
        screen_prepare(&glut->screen);
        present_map(ahead);
    }
    bool ended = worker_end(glut->worker, fmax(QUICK_MS - deaf_ms(glut), 0), &status);
    if (ended && deaf_ms(glut) > QUICK_MS / 2) /* a draw may follow, which takes longer */
        take_events(glut);
    if (!ended) { /* draws follow, and OpenGL must not use a mapped buffer, maybe of the task before this one */
        present_release(ahead);
        present_release(left);
    }
    while (!ended) {
        go_on(glut);
        ended = worker_end(glut->worker, 0, &status);
    }
    glut->screen.draw_due = true; /* draws meanwhile had the bar */
    return status;
}

/* Meanwhile all of the viewer is the worker's. */
static Status request(Glut *glut, ViewerTask *task, void *argument) {
    glut->viewer->postpones = false;
    const Status status = in_background(glut, glut->viewer, task, argument);
    glut->viewer->postpones = true;
    return status;
}

/* Settles a change, and runs it at once where that is quick. */
static Status settle_task(Viewer *viewer, void *unused) {
    (void)unused;
    TRY(viewer_settle(viewer));
    (void)viewer_start_run(viewer);
    return STATUS_OK;
}

/* Carries out the requests of panels and the mouse. */
static void settle(Glut *glut) {
    pacing_begin(glut->viewer->pacing);
    if (viewer_asks(glut->viewer))
        viewer_answer(glut->viewer, TOAST_REQUEST, request(glut, settle_task, NULL));
}

static Status finish_task(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_finish(viewer);
}

/* A picture of the whole window, once nothing is left to be done. */
static Status capture(Glut *glut, const char *path, bool overwrite) {
    for (int i = 0; i < SETTLING_BUILDS; i++) {
        settle(glut);
        TRY(request(glut, finish_task, NULL));
        if (!glut->id)
            return fail(STATUS_INTERRUPTED, "the window was closed");
        glut->screen.input.still = true; /* fonts come first */
        screen_build(&glut->screen);
        glut->screen.input.still = false;
    }
    glutSetWindow(glut->id);
    return screen_capture(&glut->screen, path, overwrite);
}

/* ---- wishes ---- */

static Status copy_command_line(Glut *glut) {
    char line[2 * PATH_CAPACITY];
    if (chain_format(glut->viewer->request->chain, NULL, 0) >= PATH_CAPACITY) /* a part of a mask is another mask */
        return fail(STATUS_USAGE, "the chain is too long for a command line; a mask may be in a file: file=PATH");
    command_line_format(glut->viewer, line, sizeof line);
    say(stdout, "%s", line);
    fflush(stdout);
    TRY(clipboard_offer(glut->clipboard, line));
    viewer_say(glut->viewer, false, "copied: %s", line);
    return STATUS_OK;
}

static Status encode_task(Viewer *viewer, void *png) {
    return viewer_encode_result(viewer, png);
}

static Status copy_image(Glut *glut) {
    Bytes png = {0};
    settle(glut);
    TRY(request(glut, encode_task, &png));
    viewer_say(glut->viewer, false, "the image is copied: %.1f MB as PNG", (double)png.size / 1e6);
    clipboard_offer_image(glut->clipboard, png);
    return STATUS_OK;
}

static Status record(Glut *glut, const char *path, Area part) {
    if (glut->recording)
        return fail(STATUS_USAGE, "a recording goes on already: stop-recording ends it");
    TRY(recording_begin(&glut->screen, path, part, part.width > 0 || glut->scripted, &glut->recording));
    glut->viewer->recording = true;
    return STATUS_OK;
}

/* The part of the picture that the window shows, in whole pixels. */
static Area part_of_picture(const Viewer *viewer) {
    const Viewport at = viewer_viewport(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    const double left = fmax(ceil(at.x), 0), top = fmax(ceil(at.y), 0);
    const double right = fmin(floor(at.x + (double)shape.width * at.scale), viewer->width);
    const double bottom = fmin(floor(at.y + (double)shape.height * at.scale), viewer->height);
    return (Area){left, top, right - left, bottom - top};
}

/* From one side of the picture to the other and back, slowly at both. */
static Status wipe_over(Glut *glut, Area part) {
    const int steps = (int)(WIPE_SECONDS * glut->viewer->rate);
    Status status = STATUS_OK;
    for (int i = 0; i < steps && status == STATUS_OK && glut->recording; i++) {
        const double share = 0.5 - 0.5 * cos(2 * M_PI * i / steps);
        glut->viewer->split = (part.x + share * part.width) / glut->viewer->width;
        rest(glut, 0);
        take_events(glut);
        if (!glut->id)
            return fail(STATUS_INTERRUPTED, "the window was closed");
        status = show(glut);
    }
    return status;
}

/* Before and after, without panels. */
static Status wipe(Glut *glut, const char *path) {
    Viewer *viewer = glut->viewer;
    const struct {
        Compare compare;
        OverlayMode overlay;
        double split;
    } was = {viewer->compare, viewer->overlay, viewer->split};
    unsigned serial;
    settle(glut);
    TRY(request(glut, finish_task, NULL));
    if (!glut->id || !viewer_source(viewer, &serial))
        return fail(STATUS_USAGE, "there is no before and after: open a picture and pick a filter");
    viewer->compare = COMPARE_SPLIT;
    viewer->overlay = OVERLAY_OFF;
    viewer->toast.text[0] = '\0';
    for (int i = 0; i < SETTLING_BUILDS; i++)
        screen_build(&glut->screen);
    const Area part = part_of_picture(viewer);
    Status status = part.width >= 1 && part.height >= 1 ? record(glut, path, part)
                                                        : fail(STATUS_USAGE, "nothing of the picture is in the window");
    if (status == STATUS_OK)
        status = wipe_over(glut, part);
    viewer->compare = was.compare;
    viewer->overlay = was.overlay;
    viewer->split = was.split;
    screen_touch(&glut->screen);
    const Status ended = glut->recording ? end_recording(glut, false) : STATUS_OK;
    return status == STATUS_OK ? ended : status;
}

static Status serve(Glut *glut) {
    WindowRequests *asked = glut->viewer->requests, requests = *asked;
    *asked = (WindowRequests){.quit = requests.quit};
    if (requests.toggle_fullscreen)
        glutFullScreenToggle();
    if (requests.copy_command)
        TRY(copy_command_line(glut));
    if (requests.copy_image)
        TRY(copy_image(glut));
    if (requests.forget_latency)
        pacing_forget(glut->viewer->pacing);
    if (requests.paste)
        clipboard_ask(glut->clipboard);
    if (requests.stop_recording)
        TRY(end_recording(glut, false));
    if (requests.record[0])
        TRY(requests.wipe ? wipe(glut, requests.record) : record(glut, requests.record, (Area){0}));
    if (requests.screenshot[0]) {
        TRY(capture(glut, requests.screenshot, false));
        viewer_say(glut->viewer, false, "the window is in %s", requests.screenshot);
    }
    return STATUS_OK;
}

/* ---- events ---- */

/* Ends a recording that cannot be written, with its reason; scripts fail. */
static void follow_recording(Glut *glut) {
    if (!glut->id || glut->scripted || recording_state(glut->recording) == STATUS_OK)
        return;
    viewer_answer(glut->viewer, TOAST_REQUEST, end_recording(glut, false));
    screen_touch(&glut->screen);
}

typedef struct Press {
    const char *key;
    bool pressed;
} Press;

static Status press_task(Viewer *viewer, void *argument) {
    const Press *press = argument;
    TRY(action_press(viewer, press->key, press->pressed));
    (void)viewer_start_run(viewer);
    return STATUS_OK;
}

static void press(Glut *glut, const char *key, bool pressed) {
    screen_take_clicks(&glut->screen);
    screen_touch_by_key(&glut->screen);
    if (!action_knows_key(glut->viewer, key))
        return; /* modifiers and keys that mean nothing here */
    Press of = {key, pressed};
    settle(glut); /* an earlier request is a change of its own */
    Status status = glut->id ? request(glut, press_task, &of) : STATUS_OK;
    if (status == STATUS_OK && glut->id)
        status = serve(glut);
    if (!glut->viewer->unfiltered)
        glut->held[0] = '\0';
    else if (pressed && !glut->held[0])
        snprintf(glut->held, sizeof glut->held, "%s", key);
    glut->walks = glut->viewer->tools->walk->held;
    viewer_answer(glut->viewer, TOAST_REQUEST, status);
}

static Status reload_task(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_reload(viewer);
}

/* Reads a file again that has become another one; if it cannot be shown, the picture before stays. */
static void follow_file(Glut *glut) {
    Viewer *viewer = glut->viewer;
    const Subject *subject = viewer->session->request.subject;
    char path[SCENE_TEXT_MAX];
    if (!glut->id || !subject || subject_file(subject, path, sizeof path) >= sizeof path)
        return;
    const bool other = watch_look(&viewer->watch, path, subject->serial, subject->decode_ms / 1e3 + WATCH_MS / 1e3);
    const bool lost = watch_lost(&viewer->watch);
    if (other)
        viewer_answer(viewer, TOAST_REQUEST, request(glut, reload_task, NULL));
    else if (lost)
        viewer_say(viewer, true, "%s is gone: its picture stays until it is back", path);
    if (other || lost)
        screen_touch(&glut->screen);
}

static Status paste_task(Viewer *viewer, void *text) {
    return action_paste(viewer, text);
}

static Status drop_task(Viewer *viewer, void *list) {
    return action_open_list(viewer, list, "\r\n");
}

/* Carries out a text from another program, if there is one; frees it. */
static void do_task(Glut *glut, ViewerTask *task, char *text) {
    if (text && glut->id) {
        viewer_answer(glut->viewer, TOAST_REQUEST, request(glut, task, text));
        screen_touch(&glut->screen);
    }
    free(text);
}

static Status asked_task(Viewer *viewer, void *unused) {
    (void)unused;
    return action_do_asked(viewer);
}

/* Carries out requests of panels. Earlier steps of sliders are a change of their own; new requests come next. */
static void do_asked(Glut *glut) {
    for (size_t left = glut->viewer->ui->asked_count; left > 0 && glut->id; left--) {
        settle(glut);
        Status status = glut->id ? request(glut, asked_task, NULL) : STATUS_OK;
        if (status == STATUS_OK && glut->id)
            status = serve(glut);
        viewer_answer(glut->viewer, TOAST_REQUEST, status);
        screen_touch(&glut->screen);
    }
}

static void apply(Glut *glut, const Event *event) {
    Mouse *mouse = &glut->mouse;
    if (of_mouse(event))
        screen_take_clicks(&glut->screen); /* panels see where buttons went down, however soon the pointer moves on */
    if (event->kind == EVENT_KEY)
        press(glut, event->key, event->pressed);
    else if (event->kind == EVENT_SIZE)
        viewer_resize(glut->viewer, event->x, event->y);
    else if (event->kind == EVENT_LEAVE)
        mouse_leave(mouse);
    else
        mouse_move(mouse, event->x, event->y);
    if (event->kind == EVENT_BUTTON)
        mouse_button(mouse, event->button, event->pressed, event->shift, event->control);
    else if (event->kind == EVENT_WHEEL)
        mouse_wheel(mouse, event->direction, event->control);
    if (event->kind != EVENT_MOVE && event->kind != EVENT_LEAVE)
        viewer_delay_measurements(glut->viewer, REST_MS);
    if (event->kind == EVENT_KEY)
        screen_touch_by_key(&glut->screen);
    else
        screen_touch(&glut->screen);
}

/* Letting go of a key that does nothing more changes nothing. */
static bool means_something(const Glut *glut, const Event *event) {
    return event->kind != EVENT_KEY || event->pressed || action_lets_go(glut->viewer, event->key);
}

static void apply_all(Glut *glut) {
    while (glut->id && glut->event_count > 0) {
        const Event event = glut->events[0];
        memmove(glut->events, glut->events + 1, --glut->event_count * sizeof glut->events[0]);
        if (!means_something(glut, &event))
            continue;
        pacing_event(glut->viewer->pacing, event.heard);
        apply(glut, &event);
    }
}

/* Keeps an event. The last of moves in sequence counts, and so of sizes. A full list drops presses; it keeps room for
 * releases. */
static void keep(Glut *glut, Event event) {
    Event *last = glut->event_count > 0 ? &glut->events[glut->event_count - 1] : NULL;
    const bool ends = !event.pressed && (event.kind == EVENT_KEY || event.kind == EVENT_BUTTON);
    const bool again = last && last->kind == event.kind && (event.kind == EVENT_MOVE || event.kind == EVENT_SIZE);
    event.heard = again ? last->heard : glut->heard;
    if (again)
        *last = event;
    else if (glut->event_count < (ends ? EVENTS_MAX : EVENTS_MAX / 2))
        glut->events[glut->event_count++] = event;
}

static void keep_key(Glut *glut, const char *key, bool pressed) {
    Event event = {.kind = EVENT_KEY, .pressed = pressed};
    snprintf(event.key, sizeof event.key, "%s", key);
    keep(glut, event);
}

/* A key that is let go over another window is never reported. */
static void let_go_of_lost_key(Glut *glut) {
    if (glut->viewer->tools->walk->held && glut->walks && !x11_holds_a_key())
        walk_stop(glut->viewer);
    if (glut->held[0] && !x11_holds_a_key()) {
        keep_key(glut, glut->held, false);
        glut->held[0] = '\0';
    }
}

/* ---- freeglut's events ---- */

static void on_key(unsigned char code, int x, int y, void *glut) {
    char key[KEY_MAX];
    (void)x, (void)y;
    if (key_of_character(code, glutGetModifiers(), key))
        keep_key(glut, key, true);
}

static void on_key_up(unsigned char code, int x, int y, void *glut) {
    char key[KEY_MAX];
    (void)x, (void)y;
    if (key_of_character(code, glutGetModifiers(), key))
        keep_key(glut, key, false);
}

/* Each character is a key of its own, by itself as its name. */
static void keep_letters(Glut *glut, const char *text) {
    for (char key[KEY_MAX]; *text;) {
        size_t length = 0;
        do
            key[length++] = *text++;
        while (((unsigned char)*text & 0xc0) == 0x80 && length + 1 < sizeof key); /* the other bytes of the character */
        key[length] = '\0';
        keep_key(glut, key, true);
    }
}

static void on_special(int code, int x, int y, void *user) {
    char key[KEY_MAX], text[LETTERS_MAX];
    Glut *glut = user;
    (void)x, (void)y;
    if (letters_take(glut->letters, code, glutGetModifiers(), text))
        keep_letters(glut, text);
    else if (key_of_special(code, glutGetModifiers(), key))
        keep_key(glut, key, true);
}

static void on_motion(int x, int y, void *user) {
    keep(user, (Event){.kind = EVENT_MOVE, .x = x, .y = y});
}

static void on_button(int button, int state, int x, int y, void *user) {
    static const MouseButton buttons[] = {
        [GLUT_LEFT_BUTTON] = MOUSE_LEFT, [GLUT_MIDDLE_BUTTON] = MOUSE_MIDDLE, [GLUT_RIGHT_BUTTON] = MOUSE_RIGHT};
    const int modifiers = glutGetModifiers();
    if (button >= 0 && button < MOUSE_BUTTONS)
        keep(user, (Event){.kind = EVENT_BUTTON,
                           .x = x,
                           .y = y,
                           .button = buttons[button],
                           .pressed = state == GLUT_DOWN,
                           .shift = modifiers & GLUT_ACTIVE_SHIFT,
                           .control = modifiers & GLUT_ACTIVE_CTRL});
}

static void on_wheel(int wheel, int direction, int x, int y, void *user) {
    (void)wheel;
    keep(user, (Event){.kind = EVENT_WHEEL,
                       .x = x,
                       .y = y,
                       .direction = direction,
                       .control = glutGetModifiers() & GLUT_ACTIVE_CTRL});
}

static void on_entry(int state, void *user) {
    if (state == GLUT_LEFT)
        keep(user, (Event){.kind = EVENT_LEAVE});
}

static void on_reshape(int width, int height, void *user) {
    keep(user, (Event){.kind = EVENT_SIZE, .x = width > 0 ? width : 1, .y = height > 0 ? height : 1});
}

static void on_display(void *user) {
    Glut *glut = user;
    screen_touch(&glut->screen);
}

/* The window goes, however it came to that; its context is still current. */
static void on_close(void *user) {
    Glut *glut = user;
    if (glut->viewer->lent)
        atomic_store(&glut->viewer->session->stop->asked, true);
    worker_await(glut->worker);
    screen_destroy(&glut->screen);
    letters_destroy(&glut->letters);
    glut->id = 0;
    glut->viewer->requests->quit = true;
}

static void on_refusal(const char *format, va_list arguments, void *user) {
    Glut *glut = user;
    vsnprintf(glut->refusal, sizeof glut->refusal, format, arguments);
    longjmp(glut->refused, 1);
}

/* ---- the loop ---- */

/* The shorter one of two times to wait; negative: without end. */
static double least_wait(double a, double b) {
    return b < 0 || (a >= 0 && a < b) ? a : b;
}

/* Sleeps until there are events, another program wants to paste, a toast ends, or a held key may be let go. */
static void wait_for_events(Glut *glut) {
    Toast *toast = &glut->viewer->toast;
    const double left = toast->text[0] ? toast->until - clock_ms() : -1;
    bool news;
    const bool works = overlay_waits(glut->screen.overlay, &news);
    if (toast->text[0] && left <= 0)
        toast->text[0] = '\0';
    else if (!news && !screen_flickers(&glut->screen)) {
        double max = least_wait(left, viewer_waits_ms(glut->viewer));
        max = least_wait(max, watch_waits_ms(&glut->viewer->watch));
        max = least_wait(max, works || glut->recording ? NEWS_PAUSE : -1);
        max = least_wait(max, glut->held[0] ? HOLD_PAUSE : -1);
        max = least_wait(max, walk_goes(glut->viewer) ? WALK_PAUSE : -1);
        if (glut->viewer->compare == COMPARE_FLICKER)
            max = least_wait(max, FLICKER_MS - fmod(clock_ms(), FLICKER_MS));
        idle(glut, max < 0 ? -1 : (int)max + 1);
        return;
    }
    glut->screen.draw_due = true;
}

/* Announces a long run before it begins. */
static void announce(Glut *glut) {
    const double ms = glut->expected, seconds = ms / 1e3, hours = seconds / 3600;
    viewer_say(glut->viewer, false, "running %s: about %.*f %s", viewer_level(glut->viewer)->name,
               seconds < 10 || hours >= 2 ? 1 : 0,
               hours >= 2      ? hours
               : seconds < 120 ? seconds
                               : seconds / 60,
               hours >= 2      ? "hours"
               : seconds < 120 ? "s"
                               : "minutes");
    if (show(glut) == STATUS_OK)
        glut->viewer->toast.until = 0;
}

/* A piece of work on the session that was lent. */
typedef struct Piece {
    Session *session;
    bool announced, done, worked; /* done: there was something to do; worked: by session_work */
    double expected;
    double scale, x, y; /* of the result in the window; the middle of its visible part */
} Piece;

/* Works, except for long runs that are not announced yet. A run that takes a while has a preview. */
static Status work_task(Viewer *viewer, void *argument) {
    Piece *piece = argument;
    Session *session = piece->session;
    Status status = STATUS_OK;
    (void)viewer;
    piece->expected = session->stale && !piece->announced ? session_expected_ms(session) : piece->expected;
    if (piece->expected >= PREVIEW_MS && preview_due(session)) {
        piece->expected = 0;
        piece->done = true;
        (void)preview_make(session, piece->scale);
        return STATUS_OK;
    }
    session->tells = session->partial && piece->expected >= PREVIEW_MS;
    if (session->tells) {
        session->partial->x = piece->x;
        session->partial->y = piece->y;
    }
    if (piece->announced || piece->expected < LONG_RUN_MS) {
        status = session_work(session, &piece->worked);
        piece->done = piece->worked;
    }
    session->tells = false;
    return status;
}

static void do_piece(Glut *glut, Piece *piece) {
    Viewer *viewer = glut->viewer;
    piece->scale = viewer_viewport(viewer).scale;
    parts_middle(viewer, &piece->x, &piece->y);
    piece->session = viewer_lend(viewer);
    const Status status = in_background(glut, NULL, work_task, piece);
    viewer_take_back(viewer);
    viewer_note_work(viewer, piece->worked, status);
    if (viewer->session->partial)
        partial_close(viewer->session->partial);
}

static bool work(Glut *glut) {
    Piece due = {0};
    const Level *level = viewer_level(glut->viewer);
    glut->expected = glut->viewer->session->stale && level ? viewer_level_time(glut->viewer, level).ms : 0;
    do_piece(glut, &due);
    glut->expected = due.expected;
    if (due.expected >= LONG_RUN_MS && glut->id) {
        announce(glut);
        due.announced = true;
        do_piece(glut, &due);
    }
    return due.done;
}

/* Runs the changes of the input before the draw, so that each draw shows the latest result. False if there is nothing
 * left to do. */
static bool pass(Glut *glut) {
    Viewer *viewer = glut->viewer;
    Screen *screen = &glut->screen;
    const bool input = screen->input_due;
    screen_take_input(screen);
    walk_go_on(viewer, clock_ms());
    settle(glut);
    if (!glut->id)
        return false;
    transcript_look(viewer);
    if (input) /* is answered first */
        viewer_delay_measurements(viewer, QUICK_MS);
    const bool answered =
        input ? screen_result_due(screen) && !viewer->session->stale : screen->panels_due && screen->draw_due;
    const bool due = screen->draw_due, worked = !answered && work(glut);
    if (!glut->id)
        return false;
    screen->draw_due = due || worked;
    const bool urgent = input || !worked || (screen_result_due(screen) && !viewer->measuring);
    if (!screen->draw_due)
        return false;
    if (!input && glut->event_count > 0) /* came meanwhile: the draw that answers shows this, too */
        return true;
    if ((urgent || clock_ms() - screen->drawn_at > DRAW_PAUSE) && show(glut) != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
        screen->draw_due = false;
    }
    return true;
}

static bool serve_events(Glut *glut) {
    take_events(glut);
    if (glut->id)
        let_go_of_lost_key(glut);
    do_task(glut, paste_task, clipboard_take(glut->clipboard));
    do_task(glut, drop_task, drop_take(glut->drop));
    apply_all(glut); /* keys that follow are meant for the dropped files */
    do_asked(glut);
    follow_file(glut);
    follow_recording(glut);
    return glut->id && !glut->viewer->requests->quit;
}

static void loop(Glut *glut) {
    while (serve_events(glut))
        if (!pass(glut) && glut->id)
            wait_for_events(glut);
}

/* ---- scripts ---- */

/* So that panels lie where a script expects them. */
static void await_fonts(Glut *glut) {
    const bool waits = overlay_makes_fonts(glut->screen.overlay);
    while (overlay_makes_fonts(glut->screen.overlay)) {
        rest(glut, 2);
        screen_build(&glut->screen);
    }
    if (!waits)
        return;
    screen_touch(&glut->screen);
    screen_take_input(&glut->screen); /* panels find their sizes */
    screen_build(&glut->screen);
}

static Status host_draw(void *self) {
    Glut *glut = self;
    serve_events(glut);
    TRY(recording_state(glut->recording));
    if (glut->id)
        await_fonts(glut);
    return glut->id ? show(glut) : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status host_work(void *self, ViewerTask *task, void *argument) {
    Glut *glut = self;
    settle(glut);
    const Status status = request(glut, task, argument);
    return glut->id || status != STATUS_OK ? status : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status host_screenshot(void *self, const char *path) {
    Glut *glut = self;
    return capture(glut, path, glut->viewer->overwrite);
}

static Status host_serve(void *self) {
    return serve(self);
}

static Status host_resize(void *self, int width, int height) {
    Glut *glut = self;
    const Viewer *viewer = glut->viewer;
    const double start = clock_ms();
    glutReshapeWindow(width, height);
    while (glut->id && (viewer->width != width || viewer->height != height)) {
        if (clock_ms() - start > RESIZE_MS)
            return fail(STATUS_DEVICE, "size %dx%d: the window manager insists on %dx%d", width, height, viewer->width,
                        viewer->height);
        serve_events(glut);
        poll(NULL, 0, 2);
    }
    return STATUS_OK;
}

static Status scripted_pass(Glut *glut, bool *goes_on) {
    if (!serve_events(glut))
        return fail(STATUS_INTERRUPTED, "the window was closed");
    TRY(recording_state(glut->recording));
    *goes_on = pass(glut);
    if (glut->id)
        await_fonts(glut);
    return glut->id ? STATUS_OK : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status drag_pass(Glut *glut) {
    bool goes_on;
    return scripted_pass(glut, &goes_on);
}

/* An event that a script makes up. */
static void happens_now(Glut *glut) {
    const double now = clock_ms();
    pacing_event(glut->viewer->pacing, (Heard){now, now});
}

static Status host_drag(void *self, const char *param, double from, double to, int steps) {
    Glut *glut = self;
    const Area slider = overlay_slider(glut->screen.overlay, param);
    const double y = slider.y + slider.height / 2;
    if (!(slider.width > 0))
        return fail(STATUS_USAGE, "drag %s: no slider of this name is shown", param);
    mouse_move(&glut->mouse, slider.x + from * slider.width, y);
    mouse_button(&glut->mouse, MOUSE_LEFT, true, false, false);
    Status status = drag_pass(glut);
    for (int i = 1; i <= steps && status == STATUS_OK; i++) {
        happens_now(glut);
        mouse_move(&glut->mouse, slider.x + (from + (to - from) * i / steps) * slider.width, y);
        status = drag_pass(glut);
    }
    mouse_button(&glut->mouse, MOUSE_LEFT, false, false, false);
    if (status == STATUS_OK)
        status = drag_pass(glut);
    mouse_leave(&glut->mouse);
    return status;
}

/* As if nobody touched it for so long. */
static Status host_rest(void *self, double ms) {
    Glut *glut = self;
    const double end = clock_ms() + ms;
    recording_go_by(glut->recording, false);
    while (clock_ms() < end) {
        bool goes_on, news;
        TRY(scripted_pass(glut, &goes_on));
        if (!goes_on)
            idle(glut, (int)fmin(NEWS_PAUSE, ms));
        (void)overlay_waits(glut->screen.overlay, &news);
        glut->screen.draw_due |= news;
    }
    recording_go_by(glut->recording, glut->scripted);
    return STATUS_OK;
}

static Status host_mouse(void *self, MouseWay way) {
    Glut *glut = self;
    const MouseButton button = way.right ? MOUSE_RIGHT : MOUSE_LEFT;
    const double across = way.x - way.from_x, down = way.y - way.from_y;
    const int steps = across != 0 || down != 0 ? STROKE_STEPS : 0;
    TRY(drag_pass(glut)); /* panels lie where the last build put them */
    happens_now(glut);
    mouse_move(&glut->mouse, way.from_x, way.from_y);
    if (way.presses)
        mouse_button(&glut->mouse, button, true, false, way.control);
    for (int i = 1; i <= steps; i++) {
        TRY(drag_pass(glut)); /* panels see the drag's beginning, and the places between */
        mouse_move(&glut->mouse, way.from_x + across * i / steps, way.from_y + down * i / steps);
    }
    if (steps > 0)
        TRY(drag_pass(glut));
    if (way.presses)
        mouse_button(&glut->mouse, button, false, false, way.control);
    return drag_pass(glut);
}

/* ---- opening ---- */

static void listen(Glut *glut) {
    glutDisplayFuncUcall(on_display, glut);
    glutReshapeFuncUcall(on_reshape, glut);
    glutKeyboardFuncUcall(on_key, glut);
    glutKeyboardUpFuncUcall(on_key_up, glut);
    glutSpecialFuncUcall(on_special, glut);
    glutMouseFuncUcall(on_button, glut);
    glutMotionFuncUcall(on_motion, glut);
    glutPassiveMotionFuncUcall(on_motion, glut);
    glutMouseWheelFuncUcall(on_wheel, glut);
    glutEntryFuncUcall(on_entry, glut);
    glutCloseFuncUcall(on_close, glut);
}

/* freeglut answers fatal errors with exit(); here they come back as a status. */
static Status open_window(Glut *glut, int width, int height) {
    int argc = 1;
    char name[] = "glint", *argv[] = {name, NULL};
    if (setjmp(glut->refused))
        return fail(STATUS_DEVICE, "view: no window: %s", glut->refusal);
    glutInitErrorFuncUcall(on_refusal, glut);
    glutInit(&argc, argv);
    glutInitContextVersion(3, 3);
    glutInitContextProfile(GLUT_CORE_PROFILE);
    glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
    glutInitWindowSize(width, height);
    glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_CONTINUE_EXECUTION);
    glut->id = glutCreateWindow("glint");
    listen(glut);
    x11_hold_keys();
    x11_forgive_lost_windows();
    glut->letters = letters_create();
    return STATUS_OK;
}

static Status open_inputs(Glut *glut, const WindowStart *start) {
    const FileList *pictures = &glut->viewer->pictures;
    Toast *toast = &glut->viewer->toast;
    if (pictures->count > 0)
        viewer_say(glut->viewer, false, "opening %s", pictures->paths[0]);
    TRY(show(glut));
    toast->text[0] = '\0';
    TRY(request(glut, start->open, start->inputs));
    return glut->id ? show(glut) : STATUS_OK;
}

static Status run_script(Glut *glut, const char *script) {
    const ScriptHost host = {glut,      host_draw, host_screenshot, host_resize, host_serve,
                             host_drag, host_work, host_mouse,      host_rest};
    TRY(host_draw(glut));
    glut->scripted = true;
    const Status status = script_run(glut->viewer, &host, script);
    glut->scripted = false;
    recording_go_by(glut->recording, false);
    return status;
}

Status window_run(Viewer *viewer, const WindowStart *start, X11Hold **hold) {
    Glut *glut = calloc(1, sizeof *glut);
    if (!glut)
        return fail(STATUS_DEVICE, "no memory for the window");
    *glut = (Glut){.viewer = viewer};
    glut->mouse.screen = &glut->screen;
    const double asked = viewer->ui->scale; /* in place of the scale that suits the window */
    Fonts *fonts = overlay_begin_fonts(asked > 0 ? asked : screen_text_scale(start->height, start->dpi));
    Status status = open_window(glut, start->width, start->height);
    x11_release(hold);
    if (status == STATUS_OK)
        status = screen_create(viewer, start->dpi, fonts, &glut->screen);
    else
        overlay_drop_fonts(fonts);
    if (status == STATUS_OK)
        status = clipboard_create(&glut->clipboard);
    if (status == STATUS_OK)
        status = drop_create(&glut->drop);
    if (status == STATUS_OK)
        status = worker_create(&glut->worker);
    if (status == STATUS_OK)
        glut->warm = warm_begin();
    wakes(glut);
    viewer->postpones = true;
    if (status == STATUS_OK)
        status = open_inputs(glut, start);
    if (status == STATUS_OK && start->record && glut->id) {
        glut->scripted = start->script != NULL;
        status = record(glut, start->record, (Area){0});
    }
    if (status == STATUS_OK && start->script && glut->id)
        status = run_script(glut, start->script);
    if (status == STATUS_OK && !start->script && !viewer->toast.text[0])
        viewer_say(viewer, false, "h shows the keys");
    if (status == STATUS_OK)
        loop(glut);
    if (glut->recording) {
        char why[TOAST_MAX];
        snprintf(why, sizeof why, "%s", status_message());
        const Status ended = end_recording(glut, true);
        status = status == STATUS_OK ? ended : fail(status, "%s", why);
    }
    clipboard_destroy(&glut->clipboard);
    drop_destroy(&glut->drop);
    if (glut->id) {
        glutDestroyWindow(glut->id);
        glutMainLoopEvent(); /* freeglut destroys windows in its loop */
    }
    worker_destroy(&glut->worker);
    warm_end(&glut->warm);
    viewer->postpones = false;
    free(glut);
    return status;
}
