/* pin.c: keeping a result, and what tells it from others. */
#include "app/view/actions/actions.h"
#include "core/scene/look.h"

#include <stdio.h>
#include <string.h>

/* Serials of results that are kept, and of frames before the chain; those of pictures and of their stand-ins have other
 * first bits. */
#define PIN_SERIAL        (1u << 30)
#define UNFILTERED_SERIAL (1u << 29)

static Side side_of(const Viewer *viewer) {
    const Session *session = &viewer->session;
    const Request *request = &session->request;
    const Level *level = viewer_level(viewer);
    const char *path = viewer_title(viewer);
    const size_t length = strlen(path), kept = length < SIDE_WORDS ? length : SIDE_WORDS - 1;
    Side side = {.ms = history_median(&session->totals)};
    snprintf(side.parts[SIDE_FILE], SIDE_WORDS, "%s", path + length - kept);
    snprintf(side.parts[SIDE_LOOK], SIDE_WORDS, "%s", viewer_scene(viewer) ? looks[request->look].name : "");
    if (chain_format(request->chain, side.parts[SIDE_CHAIN], SIDE_WORDS) == 0)
        snprintf(side.parts[SIDE_CHAIN], SIDE_WORDS, "no filter");
    border_format(request->options.border, side.parts[SIDE_BORDER], SIDE_WORDS);
    snprintf(side.parts[SIDE_LEVEL], SIDE_WORDS, "%s", level ? level->name : "");
    snprintf(side.parts[SIDE_BACKEND], SIDE_WORDS, "%s", request->backend);
    if (!session->device->backend->host_frames)
        snprintf(side.parts[SIDE_DEVICE], SIDE_WORDS, "device %d", request->device);
    return side;
}

Status viewer_pin(Viewer *viewer) {
    const Session *session = &viewer->session;
    if (session->stale || !session->has_result)
        TRY(viewer_run(viewer));
    TRY(viewer_fetch(viewer));
    image_destroy(&viewer->pin.image);
    viewer->pin = (Pin){image_retain(session->result), ((viewer->pin.serial + 1) & (PIN_SERIAL - 1)) | PIN_SERIAL,
                        side_of(viewer)};
    return STATUS_OK;
}

void viewer_unpin(Viewer *viewer) {
    image_destroy(&viewer->pin.image);
}

/* ---- before the chain ---- */

/* What is compared is of one result; thumbnails and curves are of any since they were asked for. */
static bool wants_unfiltered(const Viewer *viewer, unsigned *since) {
    size_t link;
    const bool compares = !viewer->pin.image && (viewer->compare != COMPARE_NONE || viewer->unfiltered);
    *since = compares || viewer->ui.looks_since == 0 ? viewer->session.result_serial : viewer->ui.looks_since;
    return compares || (viewer->typing && viewer->ui.entry_for->argument->preview) ||
           (viewer->editing && viewer_selected_param(viewer, PARAM_CURVE, &link));
}

bool unfiltered_wanted(const Viewer *viewer) {
    unsigned since;
    return viewer_scene(viewer) && wants_unfiltered(viewer, &since);
}

bool unfiltered_due(const Viewer *viewer) {
    const Session *session = &viewer->session;
    unsigned since;
    return viewer_scene(viewer) && session->on_device && wants_unfiltered(viewer, &since) &&
           (int)(session->unfiltered_of - since) < 0;
}

/* A new image each time: others may look at the one before. Where that fails, it is not tried again. */
Status unfiltered_fetch(Viewer *viewer) {
    Session *session = &viewer->session;
    const Frame frame = pipeline_unfiltered(session->pipeline);
    image_destroy(&session->unfiltered);
    session->unfiltered_of = session->result_serial;
    TRY(image_create_unfilled(frame.shape, &session->unfiltered));
    const Status status =
        session->device->backend->download(pipeline_queue(session->pipeline), frame, session->unfiltered->view);
    if (status != STATUS_OK)
        image_destroy(&session->unfiltered);
    return status;
}

Image *viewer_unfiltered(const Viewer *viewer, unsigned *serial) {
    const Session *session = &viewer->session;
    const Subject *subject = session->request.subject;
    unsigned since;
    *serial = subject && subject->picture ? subject->serial : UNFILTERED_SERIAL | session->unfiltered_of;
    if (!subject || subject->picture)
        return subject ? subject->picture : NULL;
    return wants_unfiltered(viewer, &since) && (int)(session->unfiltered_of - since) >= 0 ? session->unfiltered : NULL;
}

/* ---- the two sides ---- */

const Image *viewer_source(const Viewer *viewer, unsigned *serial) {
    const Pin *pin = &viewer->pin;
    const Image *unfiltered = viewer_unfiltered(viewer, serial);
    *serial = pin->image ? pin->serial : *serial;
    return pin->image ? pin->image : unfiltered;
}

/* The path from so many folders above the file on. */
static const char *tail_of(const char *path, int folders) {
    const char *at = path + strlen(path);
    for (; at > path; at--)
        if (at[-1] == '/' && folders-- == 0)
            break;
    return at;
}

/* A file by its name, with as many folders as tell it from the other side's. */
static const char *part_words(const Side *side, const Side *other, int part) {
    const char *words = side->parts[part], *tail = words;
    for (int folders = 0; part == SIDE_FILE; folders++) {
        tail = tail_of(words, folders);
        if (tail == words || strcmp(tail, tail_of(other->parts[part], folders)) != 0)
            break;
    }
    return tail;
}

const char *viewer_side_words(const Viewer *viewer, bool source, char *buffer, size_t size) {
    const Side now = side_of(viewer), *kept = &viewer->pin.side, *side = source ? kept : &now,
               *other = source ? &now : kept;
    size_t length = 0;
    if (!viewer->pin.image) {
        snprintf(buffer, size, "%s", source ? "unfiltered" : now.parts[SIDE_CHAIN]);
        return buffer;
    }
    buffer[0] = '\0';
    for (int i = 0; i < SIDE_PARTS && length < size; i++)
        if (strcmp(kept->parts[i], now.parts[i]) != 0 && side->parts[i][0])
            length += (size_t)snprintf(buffer + length, size - length, "%s%s", length > 0 ? " · " : "",
                                       part_words(side, other, i));
    if (length == 0)
        snprintf(buffer, size, "%s%s", side->parts[SIDE_LEVEL], source ? ", kept" : "");
    return buffer;
}

double viewer_side_ms(const Viewer *viewer, bool source) {
    return !source ? history_median(&viewer->session.totals) : viewer->pin.image ? viewer->pin.side.ms : 0;
}
