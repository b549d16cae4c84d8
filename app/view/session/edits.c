/* edits.c: states in sequence, and the difference of two of them, in words. */
#include "app/view/session/edits.h"

#include "app/view/data/labels.h"
#include "core/base/timing.h"
#include "core/chain/within.h"
#include "core/scene/look.h"
#include "core/scene/particles/trajectory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_MS 700.0 /* steps of the same that follow each other sooner are one edit */

/* ---- in words ---- */

/* How many links of the two are the same from the first on. */
static size_t same_links(const Chain *a, const Chain *b) {
    size_t same = 0;
    while (same < a->count && same < b->count && link_same(&a->links[same], &b->links[same]))
        same++;
    return same;
}

/* Whether those behind are the same, too. */
static bool same_behind(const Chain *a, size_t from_a, const Chain *b, size_t from_b) {
    bool same = a->count - from_a == b->count - from_b;
    for (; same && from_a < a->count; from_a++, from_b++)
        same = link_same(&a->links[from_a], &b->links[from_b]);
    return same;
}

static size_t count_same(const Chain *chain, const ChainLink *link) {
    size_t count = 0;
    for (size_t i = 0; i < chain->count; i++)
        count += link_same(&chain->links[i], link);
    return count;
}

static bool same_in_other_order(const Chain *a, const Chain *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = count_same(a, &a->links[i]) == count_same(b, &a->links[i]);
    return same;
}

static bool same_filters(const Chain *a, const Chain *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->links[i].filter == b->links[i].filter;
    return same;
}

/* Values of a table. */
typedef struct Described {
    const char *name, *filter; /* of requests that have them; "" of no filter */
    size_t place;              /* of it */
    ParamTable table;
} Described;

/* Parameters that hands may have moved: one, or several by the same drag. */
static bool describe_params(Described of, const void *a, const void *b, Edit *edit) {
    char names[EDIT_WORDS] = "", label[LABEL_MAX];
    const Param *first = NULL;
    size_t differ = 0;
    for (size_t i = 0; i < of.table.count; i++) {
        const Param *param = &of.table.params[i];
        if (param_same(param, a, b))
            continue;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                 label_of_param(of.filter, param->name, label));
        first = first ? first : param;
        differ++;
    }
    if (!first)
        return false;
    if (differ == 1 && !param_is_text(first))
        snprintf(edit->words, sizeof edit->words, "%s %s %.4g → %.4g", of.name, names, param_number(first, a),
                 param_number(first, b));
    else
        snprintf(edit->words, sizeof edit->words, "%s %.60s", of.name, names);
    snprintf(edit->key, sizeof edit->key, "%s%zu %s", of.filter, of.place, first->name);
    return true;
}

/* Where it acts is all that differs. */
static void describe_place(const ChainLink *link, const char *title, Edit *edit) {
    const char *within = chain_within(link);
    Region part;
    const bool rectangle = within && within_is_rectangle(within, &part);
    snprintf(edit->words, sizeof edit->words, "%s %s%s", title, within ? "within " : "everywhere",
             rectangle ? within
             : within  ? "a mask"
                       : "");
}

static void describe_link(const ChainLink *a, const ChainLink *b, size_t link, Edit *edit) {
    char before[LABEL_MAX], title[LABEL_MAX];
    const Filter *filter = b->filter;
    title_of_filter(filter->name, title);
    if (a->filter != filter)
        snprintf(edit->words, sizeof edit->words, "%s for %s", title, title_of_filter(a->filter->name, before));
    else if (a->off != b->off)
        snprintf(edit->words, sizeof edit->words, "%s %s", title, b->off ? "off" : "on");
    else if (!describe_params((Described){title, filter->name, link, filter->table}, a->values, b->values, edit))
        describe_place(b, title, edit);
}

static void describe_chain(const Chain *a, const Chain *b, Edit *edit) {
    char title[LABEL_MAX];
    const size_t at = same_links(a, b);
    if (at < b->count && same_behind(a, at, b, at + 1))
        snprintf(edit->words, sizeof edit->words, "Add %s", title_of_filter(b->links[at].filter->name, title));
    else if (at < a->count && same_behind(a, at + 1, b, at))
        snprintf(edit->words, sizeof edit->words, "Remove %s", title_of_filter(a->links[at].filter->name, title));
    else if (at < a->count && at < b->count && same_behind(a, at + 1, b, at + 1))
        describe_link(&a->links[at], &b->links[at], at, edit);
    else
        snprintf(edit->words, sizeof edit->words, "%s",
                 same_in_other_order(a, b) ? "Other order"
                 : same_filters(a, b)      ? "Values of several filters"
                                           : "Other filters");
}

static bool other_border(Border a, Border b) {
    return a.mode != b.mode || a.value < b.value || a.value > b.value;
}

bool edits_same_work(const Request *a, const Request *b) {
    return chain_same(a->chain, b->chain) && !other_border(a->options.border, b->options.border);
}

/* The frame of particles is all that differs. Steps of one movement are one edit, and those of keys are edits each. */
static bool describe_frame(const char *a, const char *b, Edit *edit) {
    if (strcmp(a, b) == 0 || !trajectory_recognize(b) || !trajectory_same_but_for_frame(a, b))
        return false;
    snprintf(edit->words, sizeof edit->words, "Frame %.4g → %.4g", trajectory_place(a), trajectory_place(b));
    snprintf(edit->key, sizeof edit->key, "frame %.7g", trajectory_place(b));
    return true;
}

/* The change from `a` to `b`; false if there is none. */
static bool describe(const Request *a, const Request *b, bool of_scene, Edit *edit) {
    char border[64];
    if (!chain_same(a->chain, b->chain)) {
        describe_chain(a->chain, b->chain, edit);
    } else if (other_border(a->options.border, b->options.border)) {
        snprintf(edit->words, sizeof edit->words, "Border %s", border_format(b->options.border, border, sizeof border));
        snprintf(edit->key, sizeof edit->key, "border %d", (int)b->options.border.mode);
    } else if (strcmp(a->backend, b->backend) != 0) {
        snprintf(edit->words, sizeof edit->words, "Backend %s", b->backend);
    } else if (a->device != b->device) {
        snprintf(edit->words, sizeof edit->words, "Device %d", b->device);
    } else if (strcmp(a->level, b->level) != 0) {
        snprintf(edit->words, sizeof edit->words, "Level %s", b->level);
    } else if (of_scene && describe_frame(a->scene, b->scene, edit)) {
        return true;
    } else if (of_scene && strcmp(a->scene, b->scene) != 0) {
        scene_text_describe(a->scene, b->scene, edit->words, edit->key, sizeof edit->words);
        edit->words[0] = (char)toupper((unsigned char)edit->words[0]);
    } else if (a->look != b->look || a->figure != b->figure) {
        snprintf(edit->words, sizeof edit->words, "Look %s", request_look(b));
    } else if (orbit_camera_moved(&a->orbit_camera, &b->orbit_camera)) {
        snprintf(edit->words, sizeof edit->words, "Camera");
        snprintf(edit->key, sizeof edit->key, "camera");
    } else {
        const Described light = {"Light", "", 0, gathering_table}, figure = {"Figure", "", 1, figure_style_table};
        return describe_params(light, &a->gathering, &b->gathering, edit) ||
               describe_params(figure, &a->style, &b->style, edit);
    }
    return true;
}

/* ---- the list ---- */

/* Adds an edit behind the one that is shown; undone ones are gone. */
static void add(Edits *edits, Edit edit, const Request *request) {
    const size_t at = edits->count > 0 ? edits->at + 1 : 0;
    Edit *grown = at < edits->count ? edits->list : realloc(edits->list, (at + 1) * sizeof *grown);
    if (!grown)
        return;
    edits->list = grown;
    while (edits->count > at)
        request_release(&edits->list[--edits->count].request);
    edit.request = request_retain(request);
    edits->list[at] = edit;
    edits->count = at + 1;
    edits->at = at;
}

/* Steps of one movement join if they change parameters of one filter; other steps if one parameter changes again
 * soon. */
static bool joins(const Edits *edits, const Edit *now, const Edit *edit, EditStep step) {
    const size_t link = strcspn(edit->key, " ");
    if (!edit->key[0] || edits->at + 1 != edits->count || step.movement != now->last.movement)
        return false;
    if (step.movement > 0)
        return strcspn(now->key, " ") == link && strncmp(now->key, edit->key, link) == 0;
    return strcmp(edit->key, now->key) == 0 && step.at - now->last.at < JOIN_MS;
}

/* Whether a scene takes the place of another one: then there is a way back. */
static bool goes_on(const Edit *now, const Request *request, bool of_scene) {
    return of_scene && now->request->scene[0] && strcmp(now->request->scene, request->scene) != 0;
}

void edits_note(Edits *edits, const Request *request, EditOf of, EditStep step) {
    Edit edit = {.request = NULL}, *now = edits->count > 0 ? &edits->list[edits->at] : NULL;
    if (!now) {
        snprintf(edit.words, sizeof edit.words, "As it began");
        add(edits, edit, request);
    } else if (of.other && !goes_on(now, request, of.scene)) {
        request_replace(&now->request, request);
    } else if (describe(now->request, request, of.scene, &edit)) {
        if (joins(edits, now, &edit, step)) {
            request_replace(&now->request, request);
            now->last = step;
            if (edits->at > 0)
                (void)describe(now[-1].request, request, of.scene, now);
        } else {
            edit.last = step;
            add(edits, edit, request);
        }
    }
}

/* Whatever is drawn now asks again for its filter to be set aside. */
Status edits_request(const Edits *edits, size_t index, const Request **request) {
    const Request *edit = edits->list[index].request;
    if (edit->set_aside > 0) {
        Request values = *edit;
        values.set_aside = 0;
        return request_make(&values, request);
    }
    *request = request_retain(edit);
    return STATUS_OK;
}

size_t edits_first_listed(const Edits *edits, size_t rows) {
    const size_t most = edits->count > rows ? edits->count - rows : 0;
    const size_t first = edits->at > rows / 2 ? edits->at - rows / 2 : 0;
    return first < most ? first : most;
}

void edits_free(Edits *edits) {
    for (size_t i = 0; i < edits->count; i++)
        request_release(&edits->list[i].request);
    free(edits->list);
    *edits = (Edits){0};
}
