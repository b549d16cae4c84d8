/* pin.c: keeping a result, and its differences from others. */
#include "app/view/tools/pin.h"

#include "app/view/session/viewer.h"
#include "core/scene/look.h"

#include <stdio.h>
#include <string.h>

/* Marks serials of results that are kept; those of pictures, their stand-ins and frames before the filters have other
 * first bits. */
#define PIN_SERIAL (1u << 30)

typedef enum SidePart {
    SIDE_FILE,
    SIDE_LOOK,
    SIDE_CHAIN,
    SIDE_BORDER,
    SIDE_LEVEL,
    SIDE_BACKEND,
    SIDE_DEVICE,
    SIDE_PARTS
} SidePart;

/* A side's file, chain, level and the like, and the time of its run. */
typedef struct Side {
    char parts[SIDE_PARTS][SIDE_WORDS];
    double ms; /* all stages; 0: not known */
} Side;

typedef struct Pin {
    Image *image; /* NULL: nothing is kept */
    unsigned serial;
    Side side;
    ResultPlace place;
    PictureColours colours;
} Pin;

static Pin *pin_of(const Viewer *viewer) {
    return tool_of(viewer, &pin_tool);
}

static Side side_of(const Viewer *viewer) {
    const Session *session = viewer->session;
    const Request *request = session->request;
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

static void let_go(Pin *pin) {
    image_destroy(&pin->image);
    colour_space_release(&pin->colours.space);
}

Status viewer_pin(Viewer *viewer) {
    const Session *session = viewer->session;
    if (session->stale || !session->has_result)
        TRY(viewer_run(viewer));
    TRY(viewer_fetch(viewer));
    const PictureColours colours = session->subject->colours;
    const unsigned serial = ((pin_of(viewer)->serial + 1) & (PIN_SERIAL - 1)) | PIN_SERIAL;
    let_go(pin_of(viewer));
    *pin_of(viewer) = (Pin){image_retain(session->result),
                            serial,
                            side_of(viewer),
                            session->place,
                            {colour_space_retain(colours.space), colours.coded}};
    return STATUS_OK;
}

void viewer_unpin(Viewer *viewer) {
    let_go(pin_of(viewer));
}

PictureColours viewer_pin_colours(const Viewer *viewer) {
    return pin_of(viewer)->colours;
}

bool viewer_has_pin(const Viewer *viewer) {
    return pin_of(viewer)->image;
}

static void wish(const Viewer *viewer, Wishes *wishes) {
    const Pin *pin = pin_of(viewer);
    if (!pin->image)
        return;
    wishes->kept = pin->image;
    wishes->kept_serial = pin->serial;
    wishes->kept_place = pin->place;
}

static void end(void *tool) {
    let_go(tool);
}

const ToolKind pin_tool = {.name = "pin", .size = sizeof(Pin), .end = end, .wish = wish};

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
    const Side now = side_of(viewer), *kept = &pin_of(viewer)->side, *side = source ? kept : &now,
               *other = source ? &now : kept;
    size_t length = 0;
    bool differ = false;
    if (!pin_of(viewer)->image) {
        snprintf(buffer, size, "%s", source ? "original" : now.parts[SIDE_CHAIN]);
        return buffer;
    }
    buffer[0] = '\0';
    for (int i = 0; i < SIDE_PARTS && length < size; i++) {
        const bool differs = strcmp(kept->parts[i], now.parts[i]) != 0;
        differ |= differs;
        if (differs && side->parts[i][0])
            length += (size_t)snprintf(buffer + length, size - length, "%s%s", length > 0 ? " · " : "",
                                       part_words(side, other, i));
    }
    if (length == 0)
        snprintf(buffer, size, "%s", source ? "snapshot" : differ ? "now" : "unchanged since");
    return buffer;
}

double viewer_side_ms(const Viewer *viewer, bool source) {
    return !source ? history_median(&viewer->session->totals) : pin_of(viewer)->image ? pin_of(viewer)->side.ms : 0;
}
