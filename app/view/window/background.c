/* background.c: rests, events, and requests while the window goes on. */
#include "app/view/window/background.h"

#include "app/tev/live.h"
#include "app/view/actions/dispatch.h"
#include "app/view/window/swap.h"
#include "core/base/stop.h"

#include <math.h>
#include <sys/epoll.h>
#include <unistd.h>

#define STOP_MS   100.0 /* a change stops runs that have taken this long */
#define SHORT_MS  500.0 /* but not runs that are known to take less: a drag shows a result now and then */
#define BAR_MS    200.0 /* longer work shows a bar */
#define BAR_PAUSE 100   /* ms between its draws */

/* ---- rests ---- */

static bool wakes_by(const Glut *glut, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN};
    return descriptor < 0 || epoll_ctl(glut->wakes, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

Status background_begin(Glut *glut) {
    glut->wakes = epoll_create1(EPOLL_CLOEXEC);
    return glut->wakes >= 0 && wakes_by(glut, worker_descriptor(glut->worker)) && wakes_by(glut, live_descriptor())
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no descriptor for the window's rests: %m");
}

void background_end(Glut *glut) {
    if (glut->wakes >= 0)
        close(glut->wakes);
    glut->wakes = -1;
}

static void listens(Glut *glut) {
    stalls_listen(&glut->viewer->stalls, (double[STALL_CLOCKS]){clock_ms(), clock_thread_ms()});
}

void background_wake(Glut *glut) {
    stalls_wake(&glut->viewer->stalls, (double[STALL_CLOCKS]){clock_ms(), clock_thread_ms()});
}

/* ms since the thread last began or ended a rest. */
static double deaf_ms(const Glut *glut) {
    return clock_ms() - glut->viewer->stalls.since[STALL_WALL];
}

void background_rest(Glut *glut, int ms) {
    listens(glut);
    if (!glut->system->kind->has_events(glut->system))
        glut->system->kind->wait(glut->system, glut->wakes, ms);
    live_hear(); /* the pass that follows takes what has come */
    background_wake(glut);
}

void background_idle(Glut *glut, int ms) {
    const double start = clock_ms();
    background_rest(glut, ms);
    pacing_rest(glut->viewer->pacing, clock_ms() - start);
}

void background_take_events(Glut *glut) {
    listens(glut);
    if (glut->system->kind->has_events(glut->system))
        worker_rouse(glut->worker);
    glut->events.looked = clock_ms();
    glut->system->kind->take_events(glut->system);
}

/* ---- while the worker has the viewer ---- */

/* While the session is lent, the view and the panels are the window's own; their requests wait. *first: the first event
 * that was followed. */
static bool follow_mouse(Glut *glut, Heard *first) {
    if (!glut->viewer->lent || glut->words.count > 0) /* letters come first */
        return false;
    *first = glut->events.list[0].heard;
    return events_follow_mouse(&glut->events, &glut->mouse) > 0;
}

/* Whether a person or a panel wants something that the session's work holds up. */
static bool hands_wait(const Glut *glut) {
    const Viewer *viewer = glut->viewer;
    return glut->events.count > 0 || glut->words.count > 0 || viewer_changes_result(viewer) ||
           viewer->ui->asked_count > 0 || viewer->requests->quit;
}

static void go_on(Glut *glut) {
    const double busy = worker_busy_ms(glut->worker);
    background_rest(glut, BAR_PAUSE);
    background_take_events(glut);
    if (!glut->id)
        return;
    Heard first = {0};
    const bool follows = follow_mouse(glut, &first), bar = busy > BAR_MS;
    const bool ticks = glut->viewer->lent && recording_ticks(glut->recording);
    if (follows && (viewer_asks(glut->viewer) || glut->viewer->ui->asked_count > 0))
        pacing_later(glut->viewer->pacing, first);
    const bool brief = glut->expected > 0 && glut->expected < SHORT_MS;
    if (glut->viewer->lent && busy > STOP_MS && !brief && hands_wait(glut))
        atomic_store(&glut->viewer->session->stop->asked, true);
    if (glut->viewer->lent && glut->events.count > 0 && atomic_load(&glut->viewer->session->stop->gives_way))
        atomic_store(&glut->viewer->session->stop->asked, true);
    if (!follows && !ticks && !(bar && clock_ms() - glut->screen.drawn_at >= BAR_PAUSE))
        return;
    Partial *partial = glut->viewer->lent ? glut->viewer->session->partial : NULL;
    const double share = partial && partial_open(partial) ? partial_progress(partial)
                         : glut->expected > busy          ? busy / glut->expected
                                                          : fmod(busy / 1e3, 1);
    glut->system->kind->begin_draw(glut->system);
    if (ticks)
        recording_tell(glut->recording);
    if (screen_redraw(&glut->screen, follows || ticks, bar ? share : -1) != STATUS_OK)
        return;
    swap_draw(glut, false);
    if (follows && !viewer_asks(glut->viewer))
        pacing_follow(glut->viewer->pacing, first);
}

Status background_do(Glut *glut, Viewer *viewer, ViewerTask *task, void *argument) {
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
        background_take_events(glut);
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

Status background_request(Glut *glut, ViewerTask *task, void *argument) {
    glut->viewer->postpones = false;
    const Status status = background_do(glut, glut->viewer, task, argument);
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

void background_settle(Glut *glut) {
    pacing_begin(glut->viewer->pacing);
    if (viewer_asks(glut->viewer))
        viewer_answer(glut->viewer, TOAST_REQUEST, background_request(glut, settle_task, NULL));
}
