/* sidecars.c: the functions of keep.h: the edits of the shown picture or scene, from its sidecar and into it. */
#include "app/view/session/keep.h"

#include "app/view/session/mask_store.h"
#include "app/view/session/sidecar_edits.h"
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

struct Keep {
    bool sidecars;
    const Request *begin;       /* a picture without a sidecar begins with its chain and options */
    SidecarFile held[SUBJECTS]; /* of the picture and of the scene that were shown last */
    Edits parked[SUBJECTS];     /* of the one of them that is not shown */
    SubjectPlace place;         /* the viewer has the edits of this one */
    const Request *seen;        /* the edit that was shown when changes were looked for last */
    size_t seen_count, seen_at;
    bool due;
    double changed; /* clock_ms */
    StateFile state;
};

/* ---- reading ---- */

/* Shows it with these edits, which are taken over, by a request that the last has no part in; else they stay the
 * caller's. */
static Status show_with(Viewer *viewer, Subject *opened, Request next, Edits edits, Fallback fallback) {
    Keep *keep = viewer->keep;
    const SubjectPlace place = opened->kind->place;
    const Edits before = viewer->edits;
    next.set_aside = 0;
    viewer->edits = edits;
    const Status status = viewer_ask_of(viewer, opened, next, edits.count > 0 ? FALLBACK_BEST : fallback);
    if (status != STATUS_OK) {
        viewer->edits = before;
        return status;
    }
    edits_free(&keep->parked[keep->place]);
    keep->parked[keep->place] = before;
    edits_free(&keep->parked[place]);
    keep->place = place;
    viewer->selected = SIZE_MAX;
    return STATUS_OK;
}

/* As all pictures and scenes begin. */
static Request begin(const Viewer *viewer, Request next) {
    next.chain = viewer->keep->begin->chain;
    next.options = viewer->keep->begin->options;
    next.gathering = viewer->keep->begin->gathering;
    return next;
}

/* Nothing is written over a sidecar that could not be used. */
static void block(Viewer *viewer, SidecarFile *held) {
    held->blocked = true;
    viewer_say(viewer, true, "%s. That file stays as it is, and new edits of the %s are not kept.", status_message(),
               held->of_scene ? "scene" : "picture");
}

/* Shows it with the edits of its sidecar. */
static Status show_restored(Viewer *viewer, Subject *opened, Request as, const SidecarFile *held) {
    const EditsOf of = {opened->scene, held->picture, viewer->area, viewer->width, viewer->height};
    Edits edits;
    Status status = sidecar_edits_take(of, as, held->read, &edits);
    if (status == STATUS_OK) {
        const size_t count = edits.count;
        status = show_with(viewer, opened, *edits.list[edits.at].request, edits, FALLBACK_BEST);
        if (status != STATUS_OK)
            edits_free(&edits);
        else if (count > 1)
            viewer_say(viewer, false, "Restored the edits of %s", sidecar_picture_name(held->picture));
    } else {
        subject_close(&opened);
    }
    return status == STATUS_OK ? status : fail_within(status, "%s: ", sidecar_file_path(held));
}

static bool has_edits(const SidecarFile *held) {
    return !held->blocked && held->read && held->read->count > 0;
}

static Status show_picture(Viewer *viewer, Subject *opened, SidecarFile *held, Fallback fallback) {
    if (has_edits(held)) {
        if (show_restored(viewer, opened, viewer_request(viewer), held) == STATUS_OK)
            return STATUS_OK;
        block(viewer, held);
        TRY(subject_open_picture(held->picture, viewer->raw, viewer->hdr, &opened));
    }
    return show_with(viewer, opened, begin(viewer, viewer_request(viewer)), (Edits){0}, fallback);
}

static Status show_scene(Viewer *viewer, SidecarFile *held, Fallback fallback) {
    char text[SCENE_TEXT_MAX];
    const char *opened = held->picture;
    Subject *subject;
    Request next;
    if (has_edits(held)) {
        Status status = sidecar_edits_scene(opened, held->read, text);
        if (status == STATUS_OK)
            status = viewer_begin_scene(viewer, text, &subject, &next);
        if (status == STATUS_OK) {
            scene_works_note(&viewer->scenes, opened, text);
            status = show_restored(viewer, subject, next, held);
        }
        if (status == STATUS_OK)
            return status;
        scene_works_note(&viewer->scenes, opened, opened);
        block(viewer, held);
    }
    const SceneWork *work = sidecar_file_is_kept(held) ? NULL : scene_works_opened(&viewer->scenes, opened);
    snprintf(text, sizeof text, "%s", work ? work->now : opened);
    TRY(viewer_begin_scene(viewer, text, &subject, &next));
    return show_with(viewer, subject, begin(viewer, next), (Edits){0}, fallback);
}

/* Puts the held sidecar of before back where nothing came in its place. */
static Status take_hold(SidecarFile *held, SidecarFile before, Status status) {
    SidecarFile gone = status == STATUS_OK ? before : *held;
    *held = status == STATUS_OK ? *held : before;
    sidecar_file_free(&gone);
    return status;
}

/* All that belongs to a subject, but not the level. */
static Request with_work(Request next, const Request *work, bool of_scene) {
    next.chain = work->chain;
    next.options = work->options;
    if (!of_scene)
        return next;
    memcpy(next.scene, work->scene, sizeof next.scene);
    memcpy(next.opened, work->opened, sizeof next.opened);
    next.orbit_camera = work->orbit_camera;
    next.gathering = work->gathering;
    next.look = work->look;
    next.look_before = work->look_before;
    next.look_taken = work->look_taken;
    next.figure = work->figure;
    next.style = work->style;
    return next;
}

Status keep_go_back(Viewer *viewer, Subject *subject, Fallback fallback) {
    Keep *keep = viewer->keep;
    const SubjectPlace place = subject->kind->place;
    Request next = viewer_request(viewer);
    keep_write_before(viewer);
    if (!keep_has_sidecars(viewer) || keep->place == place)
        return viewer_ask_of(viewer, subject, next, fallback);
    Edits edits = keep->parked[place];
    keep->parked[place] = (Edits){0};
    next =
        edits.count > 0 ? with_work(next, edits.list[edits.at].request, subject->scene != NULL) : begin(viewer, next);
    const Status status = show_with(viewer, subject, next, edits, fallback);
    if (status != STATUS_OK)
        keep->parked[place] = edits;
    return status;
}

Status keep_show(Viewer *viewer, Subject *opened, Fallback fallback) {
    Keep *keep = viewer->keep;
    SidecarFile *held = keep ? &keep->held[SUBJECT_PICTURE] : NULL;
    if (!keep || !keep->sidecars)
        return viewer_ask_of(viewer, opened, viewer_request(viewer), fallback);
    if (held->picture && strcmp(held->picture, opened->name) == 0)
        return keep_go_back(viewer, opened, fallback);
    keep_write_before(viewer);
    const SidecarFile before = *held;
    if (sidecar_file_find(opened->name, true, held) != STATUS_OK)
        block(viewer, held);
    return take_hold(held, before, show_picture(viewer, opened, held, fallback));
}

Status keep_open_scene(Viewer *viewer, const char *opened, Fallback fallback) {
    Keep *keep = viewer->keep;
    SidecarFile *held = &keep->held[SUBJECT_SCENE];
    if (held->picture && strcmp(held->picture, opened) == 0 && viewer->open[SUBJECT_SCENE])
        return keep_go_back(viewer, viewer->open[SUBJECT_SCENE], fallback);
    keep_write_before(viewer);
    const SidecarFile before = *held;
    if (sidecar_file_find_scene(opened, held) != STATUS_OK)
        block(viewer, held);
    TRY(take_hold(held, before, show_scene(viewer, held, fallback)));
    viewer_scene_shown(viewer);
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
        status = sidecar_edits_take_shown(as, file.read, request);
        if (status != STATUS_OK)
            status = fail_within(status, "%s: ", sidecar_file_path(&file));
    } else if (status == STATUS_OK) {
        status = request_make(&as, request);
    }
    sidecar_file_free(&file);
    return status;
}

/* ---- writing ---- */

/* The sidecar of the subject that is shown, if the viewer has its edits and they are written into it. */
static SidecarFile *held_of_shown(const Viewer *viewer) {
    const Subject *shown = viewer->session->subject;
    SidecarFile *held = viewer->keep ? &viewer->keep->held[viewer->keep->place] : NULL;
    if (!held || !held->picture || !sidecar_file_is_kept(held) || !shown || shown->kind->place != viewer->keep->place)
        return NULL;
    const char *name = held->of_scene ? viewer->session->request->opened : shown->name;
    return strcmp(name, held->picture) == 0 ? held : NULL;
}

bool keep_holds_edits(const Viewer *viewer) {
    return held_of_shown(viewer) != NULL;
}

/* A generated scene has no file that would be noted as it opens. */
static void note_generated(Keep *keep, const char *opened) {
    if (scene_text_generator(opened))
        saved_state_put_recent(&keep->state.state, opened, true);
}

static Status write_edits(Viewer *viewer) {
    SidecarFile *held = held_of_shown(viewer);
    bool edited;
    char *text = held ? sidecar_edits_format(held, &viewer->edits, &edited) : NULL;
    if (!text)
        return STATUS_OK;
    viewer->keep->state.passed &= held->text && strcmp(held->text, text) == 0;
    held->edited = edited;
    TRY(sidecar_file_write(held, text));
    if (held->of_scene) {
        scene_works_save(&viewer->scenes, held->picture);
        note_generated(viewer->keep, held->picture);
    }
    return STATUS_OK;
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
    const SidecarFile *held = held_of_shown(viewer);
    return held && stat(picture, &one) == 0 && stat(held->picture, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino && is_same_path(picture, held->picture);
}

int keep_rating(const Viewer *viewer, const char *picture) {
    SidecarFile file;
    if (!keep_has_sidecars(viewer))
        return 0;
    if (is_held(viewer, picture))
        return held_of_shown(viewer)->rating;
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
    SidecarFile *held = held_of_shown(viewer);
    const int before = held->rating;
    held->rating = rating;
    const Status status = write_edits(viewer);
    held->rating = status == STATUS_OK ? rating : before;
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
    TRY(of->make(of->context, of->picture, now, &next, &border));
    const bool same = chain_same(now, next) && sidecar_border_same(before, border);
    of->text = same ? NULL : chain_whole_text(next);
    chain_destroy(&next);
    if (of->text)
        append(sidecar, (SidecarEdit){of->words, of->text, border, sidecar->edits[sidecar->shown].scene});
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
        sidecar->edits[0] = (SidecarEdit){"As it began", of->first, of->begin->options.border, {0}};
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
    file->passed = !keep->held[SUBJECT_PICTURE].text;
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
    for (int i = 0; i < SUBJECTS; i++) {
        sidecar_file_free(&old->held[i]);
        edits_free(&old->parked[i]);
    }
    request_release(&old->begin);
    request_release(&old->seen);
    state_file_free(&old->state);
    free(old);
    viewer->keep = NULL;
    return status;
}
