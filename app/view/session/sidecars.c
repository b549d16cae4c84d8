/* sidecars.c: the functions of keep.h: the edits of the shown picture, from its sidecar and into it. */
#include "app/view/session/keep.h"

#include "app/view/session/mask_store.h"
#include "app/view/session/sidecar_file.h"
#include "app/view/session/state_file.h"
#include "app/view/session/tool.h"
#include "app/view/session/viewer.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/chain/sidecar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EDITS_KEPT = 256 };

struct Keep {
    bool sidecars;
    const Request *begin; /* a picture without a sidecar begins with its chain and options */
    SidecarFile held;     /* of the picture that was shown last */
    const Request *seen;  /* the edit that was shown when changes were looked for last */
    size_t seen_count, seen_at;
    bool due;
    double changed; /* clock_ms */
    StateFile state;
};

/* ---- reading ---- */

static Status take_edit(const Request *as, const SidecarEdit *from, Edit *edit) {
    Request values = *as;
    TRY(chain_parse(from->chain, &values.chain));
    values.options.border = from->border;
    const Status status = request_make(&values, &edit->request);
    chain_destroy(&values.chain);
    text_escape(from->words, TEXT_PRINTABLE, edit->words, sizeof edit->words);
    return status;
}

/* The sidecar's edits, of requests that are like `as` in all else. */
static Status take_edits(Request as, const Sidecar *sidecar, Edits *edits) {
    Status status = STATUS_OK;
    as.set_aside = 0;
    as.options.linear = sidecar->linear;
    as.options.alpha = sidecar->alpha;
    *edits = (Edits){.list = calloc(sidecar->count, sizeof *edits->list), .at = sidecar->shown};
    if (!edits->list)
        return fail(STATUS_DEVICE, "no memory for edits");
    while (edits->count < sidecar->count && status == STATUS_OK) {
        status = take_edit(&as, &sidecar->edits[edits->count], &edits->list[edits->count]);
        edits->count += status == STATUS_OK;
    }
    if (status != STATUS_OK)
        edits_free(edits);
    return status;
}

/* Shows the picture with these edits, which are taken over; without any, as all pictures begin. */
static Status show_with(Viewer *viewer, Subject *opened, Edits edits, Fallback fallback) {
    const Edits before = viewer->edits;
    Request next = viewer_request(viewer);
    next.chain = viewer->keep->begin->chain;
    next.options = viewer->keep->begin->options;
    next.set_aside = 0;
    if (edits.count > 0)
        next = *edits.list[edits.at].request;
    viewer->edits = edits;
    const Status status = viewer_ask_of(viewer, opened, next, edits.count > 0 ? FALLBACK_BEST : fallback);
    Edits gone = status == STATUS_OK ? before : viewer->edits;
    viewer->edits = status == STATUS_OK ? viewer->edits : before;
    edits_free(&gone);
    viewer->selected = status == STATUS_OK ? SIZE_MAX : viewer->selected;
    return status;
}

/* Nothing is written over a sidecar that could not be used. */
static void block(Viewer *viewer) {
    viewer->keep->held.blocked = true;
    viewer_say(viewer, true, "%s. That file stays as it is, and new edits of the picture are not kept.",
               status_message());
}

/* Shows it with the edits of its sidecar. */
static Status show_restored(Viewer *viewer, Subject *opened, const Sidecar *sidecar) {
    Edits edits;
    Status status = take_edits(viewer_request(viewer), sidecar, &edits);
    if (status == STATUS_OK)
        status = show_with(viewer, opened, edits, FALLBACK_BEST);
    else
        subject_close(&opened);
    const SidecarFile *held = &viewer->keep->held;
    if (status != STATUS_OK)
        return fail_within(status, "%s: ", sidecar_file_path(held));
    if (viewer->edits.count > 1)
        viewer_say(viewer, false, "Restored the edits of %s", sidecar_picture_name(held->picture));
    return status;
}

static Status show(Viewer *viewer, Subject *opened, Fallback fallback) {
    const Sidecar *sidecar = viewer->keep->held.blocked ? NULL : viewer->keep->held.read;
    if (!sidecar || sidecar->count == 0)
        return show_with(viewer, opened, (Edits){0}, fallback);
    if (show_restored(viewer, opened, sidecar) == STATUS_OK)
        return STATUS_OK;
    block(viewer);
    TRY(subject_open_picture(viewer->keep->held.picture, &opened));
    return show_with(viewer, opened, (Edits){0}, fallback);
}

Status keep_show(Viewer *viewer, Subject *opened, Fallback fallback) {
    Keep *keep = viewer->keep;
    if (!keep || !keep->sidecars || (keep->held.picture && strcmp(keep->held.picture, opened->name) == 0))
        return viewer_ask_of(viewer, opened, viewer_request(viewer), fallback);
    keep_write_before(viewer);
    SidecarFile before = keep->held;
    if (sidecar_file_find(opened->name, keep->sidecars, &keep->held) != STATUS_OK)
        block(viewer);
    const Status status = show(viewer, opened, fallback);
    SidecarFile gone = status == STATUS_OK ? before : keep->held;
    keep->held = status == STATUS_OK ? keep->held : before;
    sidecar_file_free(&gone);
    return status;
}

/* The request of the edit that the sidecar shows; as `as` in all else. */
static Status take_shown(Request as, const Sidecar *sidecar, const Request **request) {
    Sidecar shown = *sidecar;
    Edits edits;
    shown.edits += shown.shown;
    shown.count = 1;
    shown.shown = 0;
    TRY(take_edits(as, &shown, &edits));
    *request = request_retain(edits.list[0].request);
    edits_free(&edits);
    return STATUS_OK;
}

Status keep_request(const Viewer *viewer, const char *picture, const Request **request) {
    const Keep *keep = viewer->keep;
    const Subject *shown = viewer->session->subject;
    SidecarFile file;
    if (!keep || !keep->sidecars || (shown && shown->picture && strcmp(shown->name, picture) == 0)) {
        *request = request_retain(viewer->request);
        return STATUS_OK;
    }
    Request as = viewer_request(viewer);
    as.chain = keep->begin->chain;
    as.options = keep->begin->options;
    as.set_aside = 0;
    Status status = sidecar_file_find(picture, true, &file);
    if (status == STATUS_OK && file.edited) {
        status = take_shown(as, file.read, request);
        if (status != STATUS_OK)
            status = fail_within(status, "%s: ", sidecar_file_path(&file));
    } else if (status == STATUS_OK) {
        status = request_make(&as, request);
    }
    sidecar_file_free(&file);
    return status;
}

/* ---- writing ---- */

static bool border_same(Border a, Border b) {
    return a.mode == b.mode && !(a.value < b.value) && !(a.value > b.value);
}

/* Whether a sidecar holds the same of both: levels, devices and scenes are not the picture's. */
static bool looks_same(const Request *a, const Request *b) {
    return chain_same(a->chain, b->chain) && border_same(a->options.border, b->options.border);
}

/* The last edits, of which each changes the picture. */
static size_t choose_edits(const Edits *edits, const Edit *chosen[EDITS_KEPT], size_t *shown) {
    size_t count = 0, from = edits->count > EDITS_KEPT ? edits->count - EDITS_KEPT : 0;
    from = from < edits->at ? from : edits->at;
    for (size_t i = from; i < edits->count && count < EDITS_KEPT; i++) {
        const Edit *edit = &edits->list[i];
        if (count == 0 || !looks_same(edit->request, chosen[count - 1]->request))
            chosen[count++] = edit;
        *shown = i <= edits->at ? count - 1 : *shown;
    }
    return count;
}

/* The text of these edits with all that the sidecar has besides; NULL without memory. */
static char *format_chosen(const SidecarFile *held, const Edit *const chosen[], size_t count, size_t shown) {
    SidecarEdit edits[EDITS_KEPT];
    Sidecar sidecar = {.picture = sidecar_picture_name(held->picture), .rating = held->rating, .edits = edits};
    char *text = NULL;
    size_t made = 0;
    for (; made < count; made++) {
        const Request *request = chosen[made]->request;
        edits[made] = (SidecarEdit){chosen[made]->words, chain_whole_text(request->chain), request->options.border};
        if (!edits[made].chain)
            break;
    }
    if (count > 0) {
        sidecar.linear = chosen[shown]->request->options.linear;
        sidecar.alpha = chosen[shown]->request->options.alpha;
        sidecar.count = count;
        sidecar.shown = shown;
    }
    if (held->read) {
        sidecar.other_count = held->read->other_count;
        sidecar.others = held->read->others;
    }
    if (made == count)
        text = sidecar_format(&sidecar);
    while (made > 0)
        free((char *)(uintptr_t)edits[--made].chain);
    return text;
}

/* The sidecar's text; NULL where the picture has neither edits nor a rating, or without memory. *edited: it has
 * edits. */
static char *format_edits(const Viewer *viewer, bool *edited) {
    const SidecarFile *held = &viewer->keep->held;
    const Edit *chosen[EDITS_KEPT];
    size_t shown = 0;
    const size_t count = choose_edits(&viewer->edits, chosen, &shown);
    *edited = count > 1 || (count == 1 && held->edited);
    return *edited || held->text || held->rating != 0 ? format_chosen(held, chosen, *edited ? count : 0, shown) : NULL;
}

bool keep_holds_edits(const Viewer *viewer) {
    const SidecarFile *held = viewer->keep ? &viewer->keep->held : NULL;
    return held && held->picture && sidecar_file_is_kept(held) && viewer_picture(viewer) &&
           strcmp(viewer_title(viewer), held->picture) == 0;
}

static Status write_edits(Viewer *viewer) {
    SidecarFile *held = &viewer->keep->held;
    bool edited;
    char *text = keep_holds_edits(viewer) ? format_edits(viewer, &edited) : NULL;
    if (!text)
        return STATUS_OK;
    viewer->keep->state.passed &= held->text && strcmp(held->text, text) == 0;
    held->edited = edited;
    return sidecar_file_write(held, text);
}

Status keep_write(Viewer *viewer) {
    Keep *keep = viewer->keep;
    char why[TOAST_MAX];
    if (!keep)
        return STATUS_OK;
    keep->due = false;
    const Status edits = write_edits(viewer);
    snprintf(why, sizeof why, "%s", status_message());
    (void)state_file_follow(&keep->state, viewer);
    const Status state = state_file_write(&keep->state);
    return edits == STATUS_OK ? state : fail(edits, "%s", why);
}

void keep_write_before(Viewer *viewer) {
    Keep *keep = viewer->keep;
    if (keep && write_edits(viewer) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
}

/* ---- ratings ---- */

bool keep_has_sidecars(const Viewer *viewer) {
    return viewer->keep && viewer->keep->sidecars;
}

static bool is_same_path(const char *one, const char *other) {
    char *a = realpath(one, NULL), *b = realpath(other, NULL);
    const bool same = a && b && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}

/* Whether it is the picture that is shown, by any of its names; hard links have sidecars of their own. */
static bool is_held(const Viewer *viewer, const char *picture) {
    struct stat one, other;
    const char *held = viewer->keep->held.picture;
    return keep_holds_edits(viewer) && stat(picture, &one) == 0 && stat(held, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino && is_same_path(picture, held);
}

int keep_rating(const Viewer *viewer, const char *picture) {
    SidecarFile file;
    if (!keep_has_sidecars(viewer))
        return 0;
    if (is_held(viewer, picture))
        return viewer->keep->held.rating;
    const Status status = sidecar_file_find(picture, true, &file);
    const int rating = status == STATUS_OK ? file.rating : 0;
    sidecar_file_free(&file);
    return rating;
}

static Status take_rating(Sidecar *sidecar, void *rating) {
    sidecar->rating = *(const int *)rating;
    return STATUS_OK;
}

Status keep_rate(Viewer *viewer, const char *picture, int rating, SidecarGroup *group, size_t number, bool *waits) {
    *waits = keep_has_sidecars(viewer) && !is_held(viewer, picture);
    if (!keep_has_sidecars(viewer))
        return STATUS_OK;
    if (*waits)
        return sidecar_group_change(group, number, picture, take_rating, &rating);
    const int before = viewer->keep->held.rating;
    viewer->keep->held.rating = rating;
    const Status status = write_edits(viewer);
    viewer->keep->held.rating = status == STATUS_OK ? rating : before;
    return status;
}

/* ---- other pictures ---- */

typedef struct OtherEdit {
    const Request *begin; /* a picture without edits begins with */
    const char *picture, *words;
    EditMaker *make;
    void *context;
    char *first, *text; /* chains of the sidecar's edits */
} OtherEdit;

/* Behind the edit that is shown: those that were undone are gone, as are those of long ago. */
static void append(Sidecar *sidecar, SidecarEdit edit) {
    const size_t kept = sidecar->shown + 1;
    const size_t gone = kept >= EDITS_KEPT ? kept + 1 - EDITS_KEPT : 0;
    memmove(sidecar->edits, sidecar->edits + gone, (kept - gone) * sizeof *sidecar->edits);
    sidecar->shown = kept - gone;
    sidecar->edits[sidecar->shown] = edit;
    sidecar->count = sidecar->shown + 1;
}

static Status add_edit(Sidecar *sidecar, OtherEdit *of, const Chain *now) {
    Border border = sidecar->edits[sidecar->shown].border;
    const Border before = border;
    Chain *next;
    TRY(of->make(of->context, now, &next, &border));
    const bool same = chain_same(now, next) && border_same(before, border);
    of->text = same ? NULL : chain_whole_text(next);
    chain_destroy(&next);
    if (of->text)
        append(sidecar, (SidecarEdit){of->words, of->text, border});
    return same || of->text ? STATUS_OK : fail(STATUS_DEVICE, "no memory for an edit");
}

static Status edit_other(Sidecar *sidecar, void *context) {
    OtherEdit *of = context;
    Chain *now;
    const bool begins = sidecar->count == 0;
    if (begins) {
        of->first = chain_whole_text(of->begin->chain);
        if (!of->first)
            return fail(STATUS_DEVICE, "no memory for an edit");
        sidecar->edits[0] = (SidecarEdit){"As it began", of->first, of->begin->options.border};
        sidecar->count = 1;
        sidecar->linear = of->begin->options.linear;
        sidecar->alpha = of->begin->options.alpha;
    }
    Status status = chain_parse(sidecar->edits[sidecar->shown].chain, &now);
    if (status == STATUS_OK) {
        status = add_edit(sidecar, of, now);
        chain_destroy(&now);
    }
    sidecar->count = begins && !of->text ? 0 : sidecar->count;
    return status == STATUS_OK ? status : fail_within(status, "%s: ", of->picture);
}

Status keep_edit_other(Viewer *viewer, const char *picture, EditOfOthers edit, SidecarGroup *group, size_t number,
                       bool *waits) {
    OtherEdit of = {.picture = picture, .words = edit.words, .make = edit.make, .context = edit.context};
    *waits = false;
    if (!keep_has_sidecars(viewer))
        return fail(STATUS_USAGE, "the shown picture alone has edits: there are no sidecars");
    if (is_held(viewer, picture))
        return STATUS_OK;
    of.begin = viewer->keep->begin;
    *waits = true;
    const Status status = sidecar_group_change(group, number, picture, edit_other, &of);
    free(of.first);
    free(of.text);
    return status;
}

/* ---- when ---- */

static void look(Viewer *viewer, double now) {
    Keep *keep = viewer->keep;
    const Edits *edits = &viewer->edits;
    const Request *shown = edits->count > 0 ? edits->list[edits->at].request : viewer->request;
    const bool same = shown == keep->seen && edits->count == keep->seen_count && edits->at == keep->seen_at;
    if (state_file_follow(&keep->state, viewer) || !same) {
        keep->due = true;
        keep->changed = now;
    }
    if (same)
        return;
    request_replace(&keep->seen, shown);
    keep->seen_count = edits->count;
    keep->seen_at = edits->at;
}

static bool in_hand(const Viewer *viewer) {
    return viewer->held || tools_move(viewer);
}

bool keep_due(Viewer *viewer, double rest_ms) {
    const double now = clock_ms();
    if (!viewer->keep)
        return false;
    look(viewer, now);
    return viewer->keep->due && now - viewer->keep->changed >= rest_ms && !in_hand(viewer);
}

double keep_waits_ms(const Viewer *viewer) {
    const Keep *keep = viewer->keep;
    return keep && keep->due && !in_hand(viewer) ? fmax(KEEP_MS - (clock_ms() - keep->changed), 0) : -1;
}

/* ---- recent files ---- */

/* Files only: a generator's scene has no path. With `folder`, a file's folder stands behind it, and all files of the
 * folder open with it again (viewer_open_recent). */
static void note(Keep *keep, const char *path, bool folder) {
    struct stat info;
    SavedState *state = &keep->state.state;
    char *whole = realpath(path, NULL);
    if (whole && stat(whole, &info) == 0 && S_ISREG(info.st_mode)) {
        char *slash = strrchr(whole, '/');
        *slash = '\0';
        if (folder && slash > whole)
            saved_state_put_recent(state, whole, true);
        *slash = '/';
        saved_state_put_recent(state, whole, true);
    }
    keep->due |= whole != NULL;
    keep->changed = clock_ms();
    free(whole);
}

/* A picture that was only passed on the way to others gives its place to the next one. */
void keep_note_picture(Viewer *viewer, size_t index) {
    Keep *keep = viewer->keep;
    if (!keep)
        return;
    StateFile *file = &keep->state;
    if (index < file->listed && file->passed && file->state.recent_count > 0)
        saved_state_drop_recent(&file->state, 0);
    file->listed = viewer->pictures.count;
    note(keep, viewer->pictures.paths[index], viewer->pictures.marks[index].in_folder);
    file->passed = !keep->held.text;
}

void keep_note_scene(Viewer *viewer) {
    char path[SCENE_TEXT_MAX];
    const Subject *subject = viewer->session->subject;
    if (viewer->keep && subject && subject_file(subject, path, sizeof path) < sizeof path)
        note(viewer->keep, path, false);
}

const char *keep_recent(const Viewer *viewer, size_t index) {
    const Keep *keep = viewer->keep;
    return keep && index < keep->state.state.recent_count ? keep->state.state.recent[index] : NULL;
}

/* Whether the folder of a file was opened before, as a whole. */
static bool knows_folder(const SavedState *state, const char *path, size_t length) {
    bool knows = false;
    for (size_t i = 0; i < state->recent_count && length > 0; i++)
        knows |= strncmp(state->recent[i], path, length) == 0 && state->recent[i][length] == '\0';
    return knows;
}

Status viewer_open_recent(Viewer *viewer, const char *path) {
    const Keep *keep = viewer->keep;
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    if (keep && knows_folder(&keep->state.state, path, length)) {
        char *folder = strndup(path, length);
        if (folder && file_list_add(&viewer->pictures, folder, NULL) != STATUS_OK)
            viewer_say(viewer, true, "%s", status_message()); /* the file may be there all the same */
        free(folder);
    }
    return viewer_open(viewer, path);
}

/* ---- birth and death ---- */

bool keep_mask_folder(const Viewer *viewer, char *buffer, size_t size) {
    char *path = viewer->keep && viewer->keep->sidecars ? file_state_path("masks/XXXXXX") : NULL;
    const bool fits =
        path && (size_t)snprintf(buffer, size, "%s", path) < size && place_make_folders(NULL, path, 0700) == STATUS_OK;
    free(path);
    return fits;
}

Status keep_begin(Viewer *viewer, bool sidecars) {
    Keep *made = viewer->keep = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for what is kept");
    made->sidecars = sidecars;
    made->begin = request_retain(viewer->request);
    state_file_take(&made->state, viewer);
    return STATUS_OK;
}

Status keep_end(Viewer *viewer) {
    Keep *old = viewer->keep;
    if (!old)
        return STATUS_OK;
    const Status status = keep_write(viewer);
    if (status == STATUS_OK && old->sidecars)
        mask_store_clean(time(NULL));
    sidecar_file_free(&old->held);
    request_release(&old->begin);
    request_release(&old->seen);
    state_file_free(&old->state);
    free(old);
    viewer->keep = NULL;
    return status;
}
