/* live_pictures.c: wishes of other programs, and the shown picture's changes, as requests. */
#include "app/view/tools/live_pictures.h"

#include "app/tev/live.h"
#include "app/view/session/viewer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct LivePictures {
    LiveEvent events[LIVE_WISHES]; /* that wait for the worker */
    size_t count;
    unsigned failed; /* the changes of the shown picture that could not be shown */
} LivePictures;

static LivePictures *live_of(const Viewer *viewer) {
    return tool_of(viewer, &live_pictures_tool);
}

static void go_on(Viewer *viewer, double clock) {
    LivePictures *live = live_of(viewer);
    (void)clock;
    live_hear();
    while (live->count < LIVE_WISHES && live_take(&live->events[live->count]))
        live->count++;
}

/* ---- the shown picture ---- */

/* Its changes, if they are others than when it was copied; else 0, as of a file. */
static unsigned news_of_shown(const Viewer *viewer) {
    const Subject *shown = viewer->session->subject;
    const unsigned now = shown && shown->live > 0 ? live_changes(shown->name) : 0;
    return now > 0 && now != shown->live && now != live_of(viewer)->failed ? now : 0;
}

/* A run that is due comes first, so that each change that was taken is shown. */
static bool asks(const Viewer *viewer) {
    const Session *session = viewer->session;
    const bool works = session->stale && !session->halted && !session->interrupted;
    return live_of(viewer)->count > 0 || (!viewer->lent && !works && news_of_shown(viewer) > 0);
}

static Status show_news(Viewer *viewer) {
    const Subject *shown = viewer->session->subject;
    const Shape before = shown->picture->view.shape;
    Subject *made;
    TRY(subject_open_picture(shown->name, viewer->raw, false, &made));
    const Shape shape = made->picture->view.shape;
    made->exposure = viewer_exposure(viewer);
    TRY(viewer_ask_of(viewer, made, viewer_request(viewer), FALLBACK_BEST));
    viewer->viewport.fitted |= shape.width != before.width || shape.height != before.height;
    return STATUS_OK;
}

/* ---- wishes ---- */

static size_t find_listed(const FileList *list, const char *path) {
    size_t index = 0;
    while (index < list->count && strcmp(list->paths[index], path) != 0)
        index++;
    return index < list->count ? index : file_list_find(list, path);
}

static Status show(Viewer *viewer, const LiveEvent *event) {
    size_t entry;
    if (live_changes(event->text) == 0)
        return STATUS_OK; /* it is closed by now */
    TRY(file_list_add(&viewer->pictures, event->text, &entry));
    return event->focus || !viewer->open[SUBJECT_PICTURE] ? viewer_open_picture(viewer, entry) : STATUS_OK;
}

/* One picture at least stays in the list, as when files are taken off it by hand. */
static Status take_off(Viewer *viewer, const LiveEvent *event) {
    FileList *list = &viewer->pictures;
    const size_t index = find_listed(list, event->text);
    if (index >= list->count || list->count == 1)
        return STATUS_OK;
    if (index == list->current)
        TRY(viewer_open_picture(viewer, index + 1 < list->count ? index + 1 : index - 1));
    if (index != list->current)
        file_list_remove(list, index);
    return STATUS_OK;
}

/* The path, or the part of it before a colon, behind which the oldest type of packet has channels. */
static Status open_file(Viewer *viewer, const LiveEvent *event) {
    char *colon = strrchr(event->text, ':');
    if (access(event->text, F_OK) != 0 && colon)
        *colon = '\0';
    if (access(event->text, F_OK) != 0)
        return fail(STATUS_INPUT, "%s: %m", event->text);
    return event->focus || !viewer->open[SUBJECT_PICTURE] ? viewer_open(viewer, event->text)
                                                          : file_list_add(&viewer->pictures, event->text, NULL);
}

static Status reload(Viewer *viewer, const LiveEvent *event) {
    const FileList *list = &viewer->pictures;
    const size_t index = find_listed(list, event->text);
    if (index >= list->count)
        return fail(STATUS_INPUT, "%s is not open: it cannot be reloaded", event->text);
    const bool shown = index == list->current && viewer_shows_listed(viewer);
    return shown || event->focus ? viewer_open_picture(viewer, index) : STATUS_OK;
}

static Status say(Viewer *viewer, const LiveEvent *event) {
    (void)viewer;
    return fail(STATUS_INPUT, "%s", event->text);
}

static Status (*const wishes[])(Viewer *viewer, const LiveEvent *event) = {
    [LIVE_SHOW] = show, [LIVE_LEAVE] = take_off, [LIVE_OPEN] = open_file, [LIVE_RELOAD] = reload, [LIVE_SAY] = say};

/* Failures are said; the wishes behind it are carried out. */
static Status settle(Viewer *viewer) {
    LivePictures *live = live_of(viewer);
    for (size_t i = 0; i < live->count; i++) {
        if (wishes[live->events[i].wish](viewer, &live->events[i]) != STATUS_OK)
            viewer_say(viewer, true, "%s", status_message());
        free(live->events[i].text);
    }
    live->count = 0;
    const unsigned news = news_of_shown(viewer);
    const Status status = news > 0 ? show_news(viewer) : STATUS_OK;
    live->failed = status == STATUS_OK ? 0 : news;
    return status;
}

static void end(void *tool) {
    LivePictures *live = tool;
    while (live->count > 0)
        free(live->events[--live->count].text);
}

const ToolKind live_pictures_tool = {
    .name = "live-pictures", .size = sizeof(LivePictures), .end = end, .asks = asks, .settle = settle, .go_on = go_on};
