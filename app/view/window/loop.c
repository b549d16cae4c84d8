/* loop.c: the window's passes: input, work, a draw; and its waits. */
#include "app/view/window/loop.h"

#include "app/view/actions/transcript.h"
#include "app/view/session/keep.h"
#include "app/view/session/near.h"
#include "app/view/session/preview.h"
#include "app/view/session/structure.h"
#include "app/view/tools/every_tool.h"
#include "app/view/window/background.h"
#include "app/view/window/draw.h"
#include "app/view/window/hands.h"
#include "app/view/window/kernels.h"

#include <math.h>

#define LONG_RUN_MS  700.0
#define HOLD_PAUSE   50.0  /* ms between looks at a key that is held */
#define WALK_PAUSE   4.0   /* ms between steps of a camera that moves by itself */
#define EXPORT_PAUSE 100.0 /* ms between draws of its bar */
#define DRAW_PAUSE   30.0  /* ms between draws that show new figures only */

/* ---- waiting ---- */

/* The shorter one of two times to wait; negative: without end. */
static double least_wait(double a, double b) {
    return b < 0 || (a >= 0 && a < b) ? a : b;
}

/* Sleeps until there are events, another program wants to paste, a toast ends, or a held key may be let go. */
static void wait_for_events(Glut *glut) {
    Toast *toast = &glut->viewer->toast;
    const double left = toast->text[0] ? toast->until - clock_ms() : -1;
    const char *doing;
    size_t done, count;
    const bool changes = bulk_goes_on(glut->viewer, &doing, &done, &count);
    const bool exports = export_runs(glut->viewer) || changes;
    bool news;
    const bool works = overlay_waits(glut->screen.overlay, &news);
    const ClickedSlider *clicked = &glut->viewer->ui->clicked;
    const double click = clicked->param ? fmax(clicked->at - clock_ms(), 0) : -1;
    if (toast->text[0] && left <= 0)
        toast->text[0] = '\0';
    else if (!news && (click < 0 || click > 0) && !screen_flickers(&glut->screen)) {
        double max = least_wait(left, viewer_waits_ms(glut->viewer));
        max = least_wait(max, watch_waits_ms(&glut->viewer->watch));
        max = least_wait(max, kernels_wait_ms(glut));
        max = least_wait(max, keep_waits_ms(glut->viewer));
        max = least_wait(max, works || exports || glut->recording || develop_runs(glut->viewer) ? NEWS_PAUSE : -1);
        max = least_wait(max, glut->held[0] ? HOLD_PAUSE : -1);
        max = least_wait(max, changes ? 0 : -1);
        max = least_wait(max, click);
        max = least_wait(max, words_wait_ms(&glut->words, clock_ms()));
        max = least_wait(max, tools_move(glut->viewer) ? WALK_PAUSE : -1);
        if (glut->viewer->compare == COMPARE_FLICKER)
            max = least_wait(max, FLICKER_MS - fmod(clock_ms(), FLICKER_MS));
        background_idle(glut, max < 0 ? -1 : (int)max + 1);
        glut->screen.draw_due |= exports && clock_ms() - glut->screen.drawn_at >= EXPORT_PAUSE;
        return;
    }
    glut->screen.draw_due = true;
}

/* ---- what is kept ---- */

static Status keep_task(Viewer *viewer, void *unused) {
    (void)unused;
    return keep_write(viewer);
}

/* Once hands have rested for so long, on the worker's thread: disks may be slow. */
static void keep(Glut *glut, double rest_ms) {
    if (!keep_due(glut->viewer, rest_ms))
        return;
    const bool draws = glut->screen.draw_due;
    const Status status = background_request(glut, keep_task, NULL);
    glut->screen.draw_due = draws || status != STATUS_OK; /* nothing that is shown has changed */
    if (status != STATUS_OK)
        viewer_say(glut->viewer, true, "%s", status_message());
}

/* ---- work ---- */

/* Announces a long run before it begins; not over an error, which nobody would have read. */
static void announce(Glut *glut) {
    const Viewer *viewer = glut->viewer;
    const double ms = glut->expected, seconds = ms / 1e3, hours = seconds / 3600;
    const bool named = viewer_shows_speed(viewer);
    if (viewer->toast.error && viewer->toast.until > clock_ms())
        return;
    viewer_say(glut->viewer, false, "Computing%s%s … about %.*f %s", named ? " with " : "",
               named ? viewer_level(viewer)->name : "", seconds < 10 || hours >= 2 ? 1 : 0,
               hours >= 2      ? hours
               : seconds < 120 ? seconds
                               : seconds / 60,
               hours >= 2      ? "hours"
               : seconds < 120 ? "s"
                               : "minutes");
    if (draw_frame(glut) == STATUS_OK)
        glut->viewer->toast.until = 0;
}

/* A piece of work on the session that was lent. */
typedef struct Piece {
    Session *session;
    bool announced, done, worked; /* done: there was something to do; worked: by session_work */
    double expected;
    Sight sight; /* of the result in the window */
} Piece;

/* Works, except for long runs that are not announced yet. A run that takes a while has a preview. */
static Status work_task(Viewer *viewer, void *argument) {
    Piece *piece = argument;
    Session *session = piece->session;
    Status status = STATUS_OK;
    (void)viewer;
    piece->expected = session->stale && !piece->announced ? session_expected_ms(session) : piece->expected;
    piece->sight.expected_ms = piece->expected;
    if (piece->expected >= PREVIEW_MS && near_make(session, &piece->sight)) {
        piece->expected = 0;
        piece->done = true;
        return STATUS_OK;
    }
    if (structure_holds(session))
        piece->expected = 0; /* the part stands for the run */
    if (piece->expected >= PREVIEW_MS && preview_due(session)) {
        piece->expected = 0;
        piece->done = true;
        (void)preview_make(session, piece->sight.scale);
        return STATUS_OK;
    }
    session->tells = session->partial && piece->expected >= PREVIEW_MS;
    if (session->tells) {
        session->partial->x = (double)piece->sight.seen.left + (double)piece->sight.seen.width / 2;
        session->partial->y = (double)piece->sight.seen.top + (double)piece->sight.seen.height / 2;
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
    piece->sight = parts_sight(viewer);
    piece->session = viewer_lend(viewer);
    const Status status = background_do(glut, NULL, work_task, piece);
    viewer_take_back(viewer);
    viewer_note_work(viewer, piece->worked, status);
    if (viewer->session->partial)
        partial_close(viewer->session->partial);
}

static bool work(Glut *glut) {
    Piece due = {0};
    const Level *level = viewer_level(glut->viewer);
    glut->expected = glut->viewer->session->stale && level ? viewer_level_time(glut->viewer, level).ms
                                                           : viewer_light_ms(glut->viewer);
    do_piece(glut, &due);
    glut->expected = due.expected;
    if (due.expected >= LONG_RUN_MS && glut->id) {
        keep(glut, 0); /* it may take longer than anybody waits */
        announce(glut);
        due.announced = true;
        do_piece(glut, &due);
    }
    return due.done;
}

/* ---- passes ---- */

bool loop_pass(Glut *glut) {
    Viewer *viewer = glut->viewer;
    Screen *screen = &glut->screen;
    const bool input = screen->input_due;
    screen_take_input(screen);
    tools_go_on(viewer, clock_ms());
    background_settle(glut);
    if (!glut->id)
        return false;
    transcript_look(viewer);
    if (!input)
        keep(glut, KEEP_MS);
    if (!glut->id)
        return false;
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
    if (!input && glut->events.count > 0) /* came meanwhile: the draw that answers shows this, too */
        return true;
    if ((urgent || clock_ms() - screen->drawn_at > DRAW_PAUSE) && draw_frame(glut) != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
        screen->draw_due = false;
    }
    return true;
}

void loop_run(Glut *glut) {
    while (hands_serve(glut))
        if (!loop_pass(glut) && glut->id)
            wait_for_events(glut);
}
