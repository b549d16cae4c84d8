/* copied.c: copying a chain, choosing of it, and its places in other chains. */
#include "app/view/tools/copied.h"

#include "app/view/session/keep.h"
#include "app/view/session/viewer.h"
#include "app/view/tools/brush.h"
#include "app/view/tools/bulk.h"
#include "app/view/tools/crop_turn.h"
#include "core/chain/filters/filters.h"
#include "core/codec/codec.h"
#include "core/plan/geometry.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Copied {
    bool open;
    Chain *chain; /* NULL: nothing was copied */
    Border border;
    Shape shape;               /* of the picture */
    char from[EDIT_WORDS / 2]; /* the picture's name, or its begin */
    bool ticked[CHAIN_MAX];
} Copied;

static Copied *copied_of(const Viewer *viewer) {
    return tool_of(viewer, &copied_tool);
}

static void end(void *tool) {
    chain_destroy(&((Copied *)tool)->chain);
}

static bool close_list(Viewer *viewer) {
    const bool open = copied_of(viewer)->open;
    copied_of(viewer)->open = false;
    return open;
}

const ToolKind copied_tool = {.name = "copied", .size = sizeof(Copied), .end = end, .close = close_list};

/* ---- the copy ---- */

Status copied_take(Viewer *viewer) {
    Copied *copied = copied_of(viewer);
    const char *path = viewer_title(viewer), *slash = strrchr(path, '/');
    Chain *chain;
    TRY(brush_keep(viewer));
    TRY(chain_copy(viewer->request->chain, &chain));
    (void)chain_make_paths_whole(chain); /* a file that is gone keeps its name */
    chain_destroy(&copied->chain);
    *copied = (Copied){
        .open = true, .chain = chain, .border = viewer->request->options.border, .shape = viewer_shape(viewer)};
    snprintf(copied->from, sizeof copied->from, "%s", slash ? slash + 1 : path);
    return copied_tick(viewer, "all");
}

const Chain *copied_chain(const Viewer *viewer) {
    return copied_of(viewer)->chain;
}

const char *copied_from(const Viewer *viewer) {
    return copied_of(viewer)->from;
}

bool copied_ticked(const Viewer *viewer, size_t link) {
    return copied_of(viewer)->ticked[link];
}

bool copied_is_open(const Viewer *viewer) {
    return copied_of(viewer)->open;
}

void copied_close(Viewer *viewer) {
    copied_of(viewer)->open = false;
}

/* ---- ticks ---- */

static Status no_copy(void) {
    return fail(STATUS_USAGE, "nothing was copied: copy the edits of a picture first");
}

Status copied_tick(Viewer *viewer, const char *text) {
    Copied *copied = copied_of(viewer);
    const bool all = strcmp(text, "all") == 0, word = all || strcmp(text, "none") == 0;
    bool ticked[CHAIN_MAX] = {false};
    if (!copied->chain)
        return no_copy();
    for (size_t i = 0; i < copied->chain->count; i++)
        ticked[i] = all;
    for (const char *at = text + strspn(text, " "); !word && (*at || at == text); at += strspn(at, " ")) {
        char *behind;
        const unsigned long number = isdigit((unsigned char)*at) ? strtoul(at, &behind, 10) : 0;
        if (number < 1 || number > copied->chain->count || (*behind && *behind != ' '))
            return fail(STATUS_USAGE, "filters \"%.60s\", want numbers from 1 to %zu, as in 1 3, or all, or none", text,
                        copied->chain->count);
        ticked[number - 1] = true;
        at = behind;
    }
    memcpy(copied->ticked, ticked, sizeof ticked);
    return STATUS_OK;
}

static size_t count_ticked(const Copied *copied) {
    size_t count = 0;
    for (size_t i = 0; i < copied->chain->count; i++)
        count += copied->ticked[i];
    return count;
}

/* ---- pasting ---- */

/* Puts a copy of the link there; what stood there goes. Behind the last it is one more. */
static Status put_link(Chain *chain, size_t at, ChainLink link) {
    const Chain view = {.count = 1, .links = {link}};
    Chain *one;
    if (at == CHAIN_MAX)
        return fail(STATUS_USAGE, "the chain would have more than %d filters", CHAIN_MAX);
    TRY(chain_copy(&view, &one));
    const ChainLink before = chain->links[at];
    chain->links[at] = one->links[0];
    one->links[0] = before;
    one->count = at < chain->count;
    chain->count += at == chain->count;
    chain_destroy(&one);
    return STATUS_OK;
}

/* The first link of this filter that nothing was put at; the chain's end if there is none. */
static size_t link_place(const Chain *chain, const Filter *filter, const bool taken[CHAIN_MAX]) {
    size_t at = 0;
    while (at < chain->count && (taken[at] || chain->links[at].filter != filter))
        at++;
    return at;
}

/* The picture that the link gets; none where that cannot be told. */
static Shape shape_before(const Chain *chain, size_t link, Shape picture, Border border) {
    Geometry before;
    const PlanOptions options = {.border = border};
    return picture.width > 0 && chain_geometry(chain, 0, link, picture, options, &before) == STATUS_OK ? before.result
                                                                                                       : (Shape){0};
}

/* A file's head tells it; none of one that cannot be read. */
static Shape shape_of_file(const char *path) {
    CodecFile file;
    Shape shape = {0};
    if (codec_open(path, (Pages){.count = 1, .partial = true}, &file) == STATUS_OK) {
        shape = codec_shape(&file);
        codec_close(&file);
    }
    return shape;
}

/* Crops that keep a ratio, and lie in pictures that lie or stand in those that stand, do so in the other kind, too. */
static void turn_crops(const Copied *copied, Shape picture, Chain *next, const size_t places[CHAIN_MAX]) {
    for (size_t i = 0; i < copied->chain->count; i++)
        if (places[i] < next->count && next->links[places[i]].filter == &filter_crop)
            crop_turn(&next->links[places[i]], shape_before(copied->chain, i, copied->shape, copied->border),
                      shape_before(next, places[i], picture, copied->border));
}

static Status put_ticked(const Copied *copied, Chain *next, size_t places[CHAIN_MAX]) {
    bool taken[CHAIN_MAX + 1] = {false};
    for (size_t i = 0; i < copied->chain->count; i++) {
        places[i] = SIZE_MAX;
        if (!copied->ticked[i])
            continue;
        places[i] = link_place(next, copied->chain->links[i].filter, taken);
        TRY(put_link(next, places[i], copied->chain->links[i]));
        taken[places[i]] = true;
    }
    return STATUS_OK;
}

/* For keep_edit_other, too. */
static Status paste_into(void *context, const char *picture, const Chain *now, Chain **next, Border *border) {
    const Copied *copied = context;
    size_t places[CHAIN_MAX];
    Status status = STATUS_OK;
    const bool all = count_ticked(copied) == copied->chain->count;
    TRY(chain_copy(all ? copied->chain : now, next));
    for (size_t i = 0; i < CHAIN_MAX; i++)
        places[i] = i;
    if (all)
        *border = copied->border;
    else
        status = put_ticked(copied, *next, places);
    if (status == STATUS_OK)
        turn_crops(copied, shape_of_file(picture), *next, places);
    else
        chain_destroy(next);
    return status;
}
/* The copy as it is when pasting begins; another one may be made before the last picture has this. */
typedef struct Pasting {
    Copied copied;
    char words[EDIT_WORDS];
} Pasting;

static Status paste_here(Viewer *viewer, Pasting *pasting) {
    Request next = viewer_request(viewer);
    const size_t at = viewer->edits.at;
    TRY(paste_into(&pasting->copied, viewer_title(viewer), viewer->request->chain, &next.chain, &next.options.border));
    next.set_aside = 0;
    const Status status = viewer_ask(viewer, next, FALLBACK_BEST);
    chain_destroy(&next.chain);
    if (status == STATUS_OK && viewer->edits.at == at + 1)
        snprintf(viewer->edits.list[at + 1].words, EDIT_WORDS, "%s", pasting->words);
    return status;
}

static Status paste_one(Viewer *viewer, void *what, const char *path, SidecarGroup *group, size_t number, bool *waits) {
    Pasting *pasting = what;
    const bool shown = viewer_picture(viewer) && strcmp(viewer_title(viewer), path) == 0;
    *waits = false;
    return shown ? paste_here(viewer, pasting)
                 : keep_edit_other(viewer, path, (EditOfOthers){pasting->words, paste_into, &pasting->copied}, group,
                                   number, waits);
}

static void say_pasted(Viewer *viewer, const void *what, size_t done, size_t count) {
    const Pasting *pasting = what;
    if (done < count)
        viewer_say(viewer, false, "Stopped: %zu of %zu pictures have the edits of %s", done, count,
                   pasting->copied.from);
    else
        viewer_say(viewer, false, "Pasted the edits of %s onto %zu picture%s", pasting->copied.from, count,
                   count == 1 ? "" : "s");
}

static void destroy_pasting(void *what) {
    chain_destroy(&((Pasting *)what)->copied.chain);
    free(what);
}

static const BulkKind pasting_kind = {
    .doing = "Pasting", .failed = "can't paste", .change = paste_one, .say = say_pasted, .destroy = destroy_pasting};

Status copied_paste(Viewer *viewer) {
    const Copied *copied = copied_of(viewer);
    if (!copied->chain)
        return no_copy();
    if (copied->chain->count > 0 && count_ticked(copied) == 0)
        return fail(STATUS_USAGE, "no filter is ticked");
    Pasting *pasting = calloc(1, sizeof *pasting);
    if (!pasting)
        return fail(STATUS_DEVICE, "no memory to paste edits");
    pasting->copied = *copied;
    snprintf(pasting->words, sizeof pasting->words, "Paste edits of %s", copied->from);
    const Status status = chain_copy(copied->chain, &pasting->copied.chain);
    if (status != STATUS_OK) {
        free(pasting);
        return status;
    }
    return bulk_begin(viewer, &pasting_kind, pasting);
}
