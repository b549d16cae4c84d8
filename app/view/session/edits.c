/* edits.c: states in sequence, and the difference of two of them, in words. */
#include "app/view/session/edits.h"

#include "app/view/session/links.h"
#include "core/base/timing.h"
#include "core/chain/within.h"
#include "core/scene/look.h"

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
    const char *name; /* of requests that have them */
    size_t place;     /* of it */
    ParamTable table;
} Described;

/* Parameters that hands may have moved: one, or several by the same drag. */
static bool describe_params(Described of, const void *a, const void *b, Edit *edit) {
    char names[EDIT_WORDS] = "";
    const Param *first = NULL;
    size_t differ = 0;
    for (size_t i = 0; i < of.table.count; i++) {
        const Param *param = &of.table.params[i];
        if (value_same(param, a, b))
            continue;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", param->name);
        first = first ? first : param;
        differ++;
    }
    if (!first)
        return false;
    if (differ == 1 && !param_is_text(first))
        snprintf(edit->words, sizeof edit->words, "%s: %s %.4g to %.4g", of.name, first->name, param_number(first, a),
                 param_number(first, b));
    else
        snprintf(edit->words, sizeof edit->words, "%s: %.60s", of.name, names);
    snprintf(edit->key, sizeof edit->key, "%s%zu %s", of.name, of.place, first->name);
    return true;
}

/* Where it acts is all that differs. */
static void describe_place(const ChainLink *link, Edit *edit) {
    const char *within = chain_within(link);
    Region part;
    const bool rectangle = within && within_is_rectangle(within, &part);
    snprintf(edit->words, sizeof edit->words, "%s %s%s", link->filter->name, within ? "within " : "everywhere",
             rectangle ? within
             : within  ? "a mask"
                       : "");
}

static void describe_link(const ChainLink *a, const ChainLink *b, size_t link, Edit *edit) {
    if (a->filter != b->filter)
        snprintf(edit->words, sizeof edit->words, "%s for %s", b->filter->name, a->filter->name);
    else if (a->off != b->off)
        snprintf(edit->words, sizeof edit->words, "%s %s", b->filter->name, b->off ? "off" : "on");
    else if (!describe_params((Described){b->filter->name, link, b->filter->table}, a->values, b->values, edit))
        describe_place(b, edit);
}

static void describe_chain(const Chain *a, const Chain *b, Edit *edit) {
    const size_t at = same_links(a, b);
    if (at < b->count && same_behind(a, at, b, at + 1))
        snprintf(edit->words, sizeof edit->words, "add %s", b->links[at].filter->name);
    else if (at < a->count && same_behind(a, at + 1, b, at))
        snprintf(edit->words, sizeof edit->words, "remove %s", a->links[at].filter->name);
    else if (at < a->count && at < b->count && same_behind(a, at + 1, b, at + 1))
        describe_link(&a->links[at], &b->links[at], at, edit);
    else
        snprintf(edit->words, sizeof edit->words, "%s",
                 same_in_other_order(a, b) ? "other order"
                 : same_filters(a, b)      ? "values of several filters"
                                           : "another chain");
}

static bool other_border(Border a, Border b) {
    return a.mode != b.mode || a.value < b.value || a.value > b.value;
}

/* The change from `a` to `b`; false if there is none. */
static bool describe(const Edit *a, const Request *b, Edit *edit) {
    char border[64];
    if (!links_same(a->chain, b->chain)) {
        describe_chain(a->chain, b->chain, edit);
    } else if (other_border(a->request.options.border, b->options.border)) {
        snprintf(edit->words, sizeof edit->words, "border %s", border_format(b->options.border, border, sizeof border));
        snprintf(edit->key, sizeof edit->key, "border %d", (int)b->options.border.mode);
    } else if (strcmp(a->request.backend, b->backend) != 0) {
        snprintf(edit->words, sizeof edit->words, "backend %s", b->backend);
    } else if (a->request.device != b->device) {
        snprintf(edit->words, sizeof edit->words, "device %d", b->device);
    } else if (strcmp(a->request.level, b->level) != 0) {
        snprintf(edit->words, sizeof edit->words, "level %s", b->level);
    } else if (b->subject && b->subject->scene && strcmp(a->request.scene, b->scene) != 0) {
        scene_text_describe(a->request.scene, b->scene, edit->words, edit->key, sizeof edit->words);
    } else if (a->request.look != b->look) {
        snprintf(edit->words, sizeof edit->words, "look %s", looks[b->look].name);
    } else if (orbit_camera_moved(&a->request.orbit_camera, &b->orbit_camera)) {
        snprintf(edit->words, sizeof edit->words, "camera");
        snprintf(edit->key, sizeof edit->key, "camera");
    } else {
        const Described light = {"light", 0, gathering_table};
        return describe_params(light, &a->request.gathering, &b->gathering, edit);
    }
    return true;
}

/* ---- the list ---- */

static void set(Edit *edit, const Request *request) {
    Chain *chain;
    if (links_copy(request->chain, &chain) != STATUS_OK)
        return;
    chain_destroy(&edit->chain);
    edit->chain = chain;
    edit->request = *request;
    edit->request.chain = NULL;
    edit->request.subject = NULL;
}

/* Adds an edit behind the one that is shown; undone ones are gone. */
static void add(Edits *edits, Edit edit, const Request *request) {
    const size_t at = edits->count > 0 ? edits->at + 1 : 0;
    Edit *grown = at < edits->count ? edits->list : realloc(edits->list, (at + 1) * sizeof *grown);
    if (!grown)
        return;
    edits->list = grown;
    while (edits->count > at)
        chain_destroy(&edits->list[--edits->count].chain);
    set(&edit, request);
    if (!edit.chain)
        return;
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
static bool goes_on(const Edit *now, const Request *request) {
    return request->subject && request->subject->scene && now->request.scene[0] &&
           strcmp(now->request.scene, request->scene) != 0;
}

void edits_note(Edits *edits, const Request *request, bool other_subject, EditStep step) {
    Edit edit = {.chain = NULL}, *now = edits->count > 0 ? &edits->list[edits->at] : NULL;
    if (!now) {
        snprintf(edit.words, sizeof edit.words, "as it began");
        add(edits, edit, request);
    } else if (other_subject && !goes_on(now, request)) {
        set(now, request);
    } else if (describe(now, request, &edit)) {
        if (joins(edits, now, &edit, step)) {
            set(now, request);
            now->last = step;
            if (edits->at > 0)
                (void)describe(now - 1, request, now);
        } else {
            edit.last = step;
            add(edits, edit, request);
        }
    }
}

Status edits_request(const Edits *edits, size_t index, Request now, Request *request) {
    const Edit *edit = &edits->list[index];
    *request = edit->request;
    request->subject = now.subject;
    request->set_aside = 0; /* whatever is drawn now asks for it again */
    return links_copy(edit->chain, &request->chain);
}

size_t edits_first_listed(const Edits *edits, size_t rows) {
    const size_t most = edits->count > rows ? edits->count - rows : 0;
    const size_t first = edits->at > rows / 2 ? edits->at - rows / 2 : 0;
    return first < most ? first : most;
}

void edits_free(Edits *edits) {
    for (size_t i = 0; i < edits->count; i++)
        chain_destroy(&edits->list[i].chain);
    free(edits->list);
    *edits = (Edits){0};
}
