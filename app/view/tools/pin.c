/* pin.c: keeping a result, and its differences from others. */
#include "app/view/tools/pin.h"

#include "app/view/session/viewer.h"
#include "core/scene/look.h"

#include <stdio.h>
#include <string.h>

/* Marks serials of results that are kept; those of pictures, their stand-ins and frames before the filters have other
 * first bits. */
#define PIN_SERIAL (1u << 30)

static Side side_of(const Viewer *viewer) {
    const Session *session = viewer->session;
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
    const Session *session = viewer->session;
    if (session->stale || !session->has_result)
        TRY(viewer_run(viewer));
    TRY(viewer_fetch(viewer));
    image_destroy(&viewer->tools->pin->image);
    *viewer->tools->pin = (Pin){image_retain(session->result),
                                ((viewer->tools->pin->serial + 1) & (PIN_SERIAL - 1)) | PIN_SERIAL, side_of(viewer)};
    return STATUS_OK;
}

void viewer_unpin(Viewer *viewer) {
    image_destroy(&viewer->tools->pin->image);
}

static void wish(const Viewer *viewer, Wishes *wishes) {
    const Pin *pin = viewer->tools->pin;
    if (!pin->image)
        return;
    wishes->kept = pin->image;
    wishes->kept_serial = pin->serial;
}

static void end(void *tool) {
    image_destroy(&((Pin *)tool)->image);
}

const ToolKind pin_tool = {.name = "pin", .place = offsetof(Tools, pin), .size = sizeof(Pin), .end = end, .wish = wish};

/* ---- the two sides ---- */

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
    const Side now = side_of(viewer), *kept = &viewer->tools->pin->side, *side = source ? kept : &now,
               *other = source ? &now : kept;
    size_t length = 0;
    if (!viewer->tools->pin->image) {
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
    return !source                     ? history_median(&viewer->session->totals)
           : viewer->tools->pin->image ? viewer->tools->pin->side.ms
                                       : 0;
}
