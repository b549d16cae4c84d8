/* hands.c: events, texts and files from outside, and requests of panels, one after the other. */
#include "app/view/window/hands.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/question.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/background.h"
#include "app/view/window/filming.h"
#include "app/view/window/kernels.h"
#include "app/view/window/serve.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- panels ---- */

static Status asked_task(Viewer *viewer, void *unused) {
    (void)unused;
    return action_do_asked(viewer);
}

/* Carries out requests of panels. Earlier steps of sliders are a change of their own; new requests come next. */
static void do_asked(Glut *glut) {
    for (size_t left = glut->viewer->ui->asked_count; left > 0 && glut->id; left--) {
        background_settle(glut);
        Status status = glut->id ? background_request(glut, asked_task, NULL) : STATUS_OK;
        if (status == STATUS_OK && glut->id)
            status = serve_requests(glut);
        viewer_answer(glut->viewer, TOAST_REQUEST, status);
        screen_touch(&glut->screen);
    }
}

/* ---- events ---- */

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
    if (glut->viewer->ui->clicked.param)
        viewer_answer(glut->viewer, TOAST_REQUEST, viewer_take_click(glut->viewer));
    background_settle(glut); /* an earlier request is a change of its own */
    Status status = glut->id ? background_request(glut, press_task, &of) : STATUS_OK;
    if (status == STATUS_OK && glut->id)
        status = serve_requests(glut);
    if (!glut->viewer->unfiltered)
        glut->held[0] = '\0';
    else if (pressed && !glut->held[0])
        snprintf(glut->held, sizeof glut->held, "%s", key);
    glut->walks = walk_is_held(glut->viewer);
    viewer_answer(glut->viewer, TOAST_REQUEST, status);
}

static void apply(Glut *glut, const Event *event) {
    if (event_is_of_mouse(event)) {
        event_move_mouse(event, &glut->mouse);
        return;
    }
    if (event->kind == EVENT_KEY)
        press(glut, event->key, event->pressed);
    else
        viewer_resize(glut->viewer, event->x, event->y);
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

static void apply_one(Glut *glut, const Event *event) {
    if (!glut->id || !means_something(glut, event))
        return;
    pacing_event(glut->viewer->pacing, event->heard);
    apply(glut, event);
}

static void apply_letters(Glut *glut) {
    for (Event event; words_take(&glut->words, &event);)
        apply_one(glut, &event);
}

static Status search_task(Viewer *viewer, void *word) {
    viewer_begin_entry(viewer, action_by_name("palette"));
    viewer_set_entry(viewer, word);
    return STATUS_OK;
}

/* Letters that are no keys are words to search for. */
static void search(Glut *glut) {
    char word[WORD_LETTERS * KEY_MAX];
    words_spell(&glut->words, word);
    background_settle(glut);
    if (glut->id)
        viewer_answer(glut->viewer, TOAST_REQUEST, background_request(glut, search_task, word));
    screen_touch_by_key(&glut->screen);
}

static bool letters_are_keys(const Viewer *viewer) {
    return !viewer->typing && !viewer->menu && !question_open(viewer);
}

static void hear(Glut *glut, const Event *event) {
    Words *words = &glut->words;
    if (words_end_before(words, event))
        apply_letters(glut);
    if (event_waits(event, &glut->screen))
        do_asked(glut);
    const bool keys = letters_are_keys(glut->viewer);
    const Hearing hearing = words_hear(words, event, keys);
    if (hearing == HEARD_WORD || (hearing == HEARD_KEPT && event->pressed && glut->viewer->ui->missed))
        search(glut);
    if (hearing == HEARD_AFTER)
        apply_letters(glut);
    if (hearing == HEARD_AFTER || hearing == HEARD_APART)
        apply_one(glut, event);
}

static void apply_all(Glut *glut) {
    for (Event event; glut->id && events_take(&glut->events, &event);)
        hear(glut, &event);
    const double left = words_wait_ms(&glut->words, glut->events.looked); /* others may have come since */
    if (left >= 0 && left <= 0)
        apply_letters(glut);
}

static bool holds_a_key(Glut *glut) {
    return glut->system->kind->holds_a_key(glut->system);
}

/* A key that is let go over another window is never reported. */
static void let_go_of_lost_key(Glut *glut) {
    if (walk_is_held(glut->viewer) && glut->walks && !holds_a_key(glut))
        walk_stop(glut->viewer);
    if (glut->held[0] && !holds_a_key(glut)) {
        events_keep_key(&glut->events, glut->held, false);
        glut->held[0] = '\0';
    }
}

/* ---- other programs and files ---- */

static Status paste_task(Viewer *viewer, void *text) {
    return action_paste(viewer, text);
}

static Status drop_task(Viewer *viewer, void *list) {
    return action_open_list(viewer, list, "\r\n");
}

/* Carries out a text from another program, if there is one; frees it. */
static void do_task(Glut *glut, ViewerTask *task, char *text) {
    if (text && glut->id) {
        viewer_answer(glut->viewer, TOAST_REQUEST, background_request(glut, task, text));
        screen_touch(&glut->screen);
    }
    free(text);
}

static Status reload_task(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_reload(viewer);
}

/* Reads a file again that has become another one; if it cannot be shown, the picture before stays. */
static void follow_file(Glut *glut) {
    Viewer *viewer = glut->viewer;
    const Subject *subject = viewer->session->subject;
    char path[SCENE_TEXT_MAX];
    if (!glut->id || !subject || subject_file(subject, path, sizeof path) >= sizeof path)
        return;
    const bool other = watch_look(&viewer->watch, path, subject->serial, subject->decode_ms / 1e3 + WATCH_MS / 1e3);
    const bool lost = watch_lost(&viewer->watch);
    if (other)
        viewer_answer(viewer, TOAST_REQUEST, background_request(glut, reload_task, NULL));
    else if (lost)
        viewer_answer(viewer, TOAST_FILE, fail(STATUS_INPUT, "%s is gone: its picture stays until it is back", path));
    const bool back = viewer->watch.there && viewer->toast.kind == TOAST_FILE;
    if (back)
        viewer_answer(viewer, TOAST_FILE, STATUS_OK);
    if (other || lost || back)
        screen_touch(&glut->screen);
}

bool hands_serve(Glut *glut) {
    System *system = glut->system;
    background_take_events(glut);
    if (glut->id)
        let_go_of_lost_key(glut);
    do_task(glut, paste_task, system->kind->take_text(system));
    do_task(glut, drop_task, system->kind->take_files(system));
    apply_all(glut); /* keys that follow are meant for the dropped files */
    do_asked(glut);
    follow_file(glut);
    kernels_follow(glut);
    filming_follow(glut);
    return glut->id && !glut->viewer->requests->quit;
}
