/* develop.c: one picture after the other: those that are not shown any more are stopped. */
#include "app/view/tools/develop.h"

#include "app/view/session/viewer.h"
#include "core/base/stop.h"
#include "core/codec/format.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NICENESS = 5 };

/* A picture on its way. */
typedef struct Development {
    char *path;
    RawWay raw;
    unsigned of; /* the serial of the subject that stands in for it */
    Stop stop;
    pthread_t thread;
    bool joined;
    atomic_bool ended; /* with these: */
    Status status;
    char why[TOAST_MAX];
    Image *picture;
    FilePart part;
    double ms;
} Development;

typedef struct Develop {
    Development *now; /* NULL: none */
    unsigned failed;  /* the serial of the subject that stays in for one that cannot be developed, */
    char why[TOAST_MAX];
} Develop;

static Develop *develop_of(const Viewer *viewer) {
    return tool_of(viewer, &develop_tool);
}

/* ---- the thread ---- */

static void *work(void *argument) {
    Development *now = argument;
    const double start = clock_ms();
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS); /* Linux has one for each thread */
    (void)stop_heed(&now->stop);
    now->status = subject_decode(now->path, now->raw, &now->part, &now->picture);
    if (now->status != STATUS_OK)
        snprintf(now->why, sizeof now->why, "%s", status_message());
    now->ms = clock_ms() - start;
    atomic_store(&now->ended, true);
    return NULL;
}

static void join(Development *now) {
    if (!now->joined)
        pthread_join(now->thread, NULL);
    now->joined = true;
}

static void drop(Development **place) {
    Development *old = *place;
    if (!old)
        return;
    atomic_store(&old->stop.asked, true);
    join(old);
    image_destroy(&old->picture);
    free(old->path);
    free(old);
    *place = NULL;
}

static void begin(Develop *develop, const Subject *of, RawWay raw) {
    Development *made = calloc(1, sizeof *made);
    if (made)
        *made = (Development){.path = strdup(of->name), .raw = raw, .of = of->serial};
    if (made && made->path && pthread_create(&made->thread, NULL, work, made) == 0) {
        develop->now = made;
        return;
    }
    free(made ? made->path : NULL);
    free(made);
    develop->failed = of->serial;
    snprintf(develop->why, sizeof develop->why, "%s: no thread to develop it", of->name);
}

/* ---- the picture ---- */

/* The picture that stands in for another one; NULL: none does. */
static const Subject *stand_in(const Viewer *viewer) {
    const Subject *open = viewer->open[SUBJECT_PICTURE];
    return open && open->stands_in && open->serial != develop_of(viewer)->failed ? open : NULL;
}

static bool same_way(RawWay a, RawWay b) {
    return a.develop == b.develop && a.highlights == b.highlights && a.linear == b.linear;
}

/* Stops what nobody waits for any more, and begins what is waited for. */
static void go_on(Viewer *viewer, double clock) {
    Develop *develop = develop_of(viewer);
    const Subject *open = stand_in(viewer);
    (void)clock;
    if (develop->now && (!open || develop->now->of != open->serial || !same_way(develop->now->raw, viewer->raw))) {
        atomic_store(&develop->now->stop.asked, true);
        if (atomic_load(&develop->now->ended))
            drop(&develop->now);
    }
    if (open && !develop->now)
        begin(develop, open, viewer->raw);
}

/* Whether the one that is shown is to give way. */
static bool asks(const Viewer *viewer) {
    const Development *now = develop_of(viewer)->now;
    const Subject *open = stand_in(viewer);
    return now && open && viewer->session->subject == open && now->of == open->serial &&
           same_way(now->raw, viewer->raw) && atomic_load(&now->ended);
}

static Status put_in_place(Viewer *viewer, Development *now) {
    const Subject *open = viewer->open[SUBJECT_PICTURE];
    const Shape before = open->picture->view.shape, shape = now->picture->view.shape;
    Subject *made;
    Image *picture = now->picture;
    now->picture = NULL;
    TRY(subject_of_picture(now->path, picture, &now->part, now->ms, &made));
    made->exposure = viewer_exposure(viewer);
    TRY(viewer_ask_of(viewer, made, viewer_request(viewer), FALLBACK_BEST));
    viewer->viewport.fitted |= shape.width != before.width || shape.height != before.height;
    return STATUS_OK;
}

static Status settle(Viewer *viewer) {
    Develop *develop = develop_of(viewer);
    Development *now = develop->now;
    const unsigned of = now->of;
    Status status = now->status == STATUS_OK ? put_in_place(viewer, now) : fail(now->status, "%s", now->why);
    develop->now = NULL;
    drop(&now);
    if (status == STATUS_OK)
        return status;
    develop->failed = of;
    snprintf(develop->why, sizeof develop->why, "%s", status_message());
    return status;
}

/* Files are made of the developed picture. */
static Status await(Viewer *viewer) {
    Develop *develop = develop_of(viewer);
    const Subject *shown = viewer->session->subject;
    while (shown && shown == stand_in(viewer)) {
        go_on(viewer, 0);
        if (develop->now)
            join(develop->now);
        if (asks(viewer))
            return settle(viewer);
    }
    return shown && shown->picture && shown->stands_in ? fail(STATUS_INPUT, "%s", develop->why) : STATUS_OK;
}

bool develop_runs(const Viewer *viewer) {
    return stand_in(viewer) || develop_of(viewer)->now;
}

void develop_by(Viewer *viewer, RawWay raw) {
    Subject *open = viewer->open[SUBJECT_PICTURE];
    if (same_way(viewer->raw, raw))
        return;
    viewer->raw = raw;
    develop_of(viewer)->failed = 0;
    if (open)
        open->stands_in = open->develops;
}

static void end(void *tool) {
    drop(&((Develop *)tool)->now);
}

const ToolKind develop_tool = {.name = "develop",
                               .size = sizeof(Develop),
                               .end = end,
                               .asks = asks,
                               .settle = settle,
                               .await = await,
                               .go_on = go_on};
