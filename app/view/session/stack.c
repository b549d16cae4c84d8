/* stack.c: the chain as a stack of filters, edited link by link. Each edit is another chain: the one that is shown may
 * be read by a run. */
#include "app/view/session/viewer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the chain over. */
static Status take_aside(Viewer *viewer, Chain *chain, size_t set_aside, Fallback fallback) {
    const bool other_count = chain->count != viewer->request->chain->count;
    Request next = viewer_request(viewer);
    next.chain = chain;
    next.set_aside = set_aside;
    const Status status = viewer_ask(viewer, next, fallback);
    chain_destroy(&chain);
    TRY(status);
    if (other_count)
        viewer->selected = SIZE_MAX;
    return STATUS_OK;
}

static Status take(Viewer *viewer, Chain *chain, Fallback fallback) {
    const bool other_count = chain->count != viewer->request->chain->count;
    return take_aside(viewer, chain, other_count ? 0 : viewer->request->set_aside, fallback);
}

Status viewer_set_chain(Viewer *viewer, const char *text, Fallback fallback) {
    Chain *parsed;
    TRY(chain_parse(text, &parsed));
    return take(viewer, parsed, fallback);
}

/* Steps of a tenth add up to 2.3, not to 2.3000000000000003. */
static double rounded(double number) {
    char text[32];
    snprintf(text, sizeof text, "%.12g", number);
    return strtod(text, NULL) + 0.0; /* no -0 */
}

/* *changed, if it has another value then. */
static Status change(void *values, const ParamChange *to, bool *changed) {
    const Param *param = to->param;
    if (param_is_text(param)) {
        const char *old = param_text(param, values);
        *changed |= strcmp(old ? old : "", to->text ? to->text : "") != 0;
        return param_set_text(param, values, to->text);
    }
    const double old = param_number(param, values);
    param_set_number(param, values, rounded(to->number));
    const double now = param_number(param, values);
    *changed |= now < old || now > old;
    return STATUS_OK;
}

Status viewer_set_params(Viewer *viewer, size_t link, const ParamChange *changes, size_t count) {
    Chain *copy;
    bool changed = false;
    TRY(chain_copy(viewer->request->chain, &copy));
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = change(copy->links[link].values, &changes[i], &changed);
    if (status == STATUS_OK && changed)
        return take(viewer, copy, FALLBACK_BEST);
    chain_destroy(&copy);
    return status;
}

Status viewer_set_param(Viewer *viewer, size_t link, const Param *param, double number) {
    return viewer_set_params(viewer, link, &(ParamChange){param, number, NULL}, 1);
}

const char *viewer_within(const Viewer *viewer) {
    const Chain *chain = viewer->request->chain;
    return chain->count > 0 ? chain_within(&chain->links[viewer_selected(viewer)]) : NULL;
}

Status viewer_confine(Viewer *viewer, size_t link, const char *within) {
    Chain *copy;
    if (link >= viewer->request->chain->count)
        return fail(STATUS_USAGE, "there is no filter to be confined: pick one");
    TRY(chain_copy(viewer->request->chain, &copy));
    const Status status = param_set_text(&chain_place.params[0], copy->links[link].place, within);
    if (status == STATUS_OK)
        return take(viewer, copy, FALLBACK_BEST);
    chain_destroy(&copy);
    return status;
}

bool viewer_has_param(const Viewer *viewer, size_t link, const Param *param) {
    const Chain *chain = viewer->request->chain;
    const ParamTable table = link < chain->count ? chain->links[link].filter->table : (ParamTable){0};
    size_t place = 0;
    while (place < table.count && &table.params[place] != param)
        place++;
    return place < table.count;
}

Status viewer_take_click(Viewer *viewer) {
    const ClickedSlider clicked = viewer->ui->clicked;
    viewer->ui->clicked.param = NULL;
    if (!viewer_has_param(viewer, clicked.link, clicked.param))
        return STATUS_OK;
    const Param fitted = viewer_param(viewer, clicked.link, clicked.param);
    return viewer_set_param(viewer, clicked.link, &fitted, clicked.number);
}

Status viewer_step_param(Viewer *viewer, size_t link, const Param *param, int steps) {
    const Param fitted = viewer_param(viewer, link, param);
    const double number = param_number(param, viewer->request->chain->links[link].values);
    return viewer_set_param(viewer, link, &fitted, param_stepped(&fitted, number, steps));
}

Status viewer_set_values(Viewer *viewer, size_t link, const char *text) {
    const char *at;
    Chain *copy;
    if (link >= viewer->request->chain->count)
        return fail(STATUS_USAGE, "no filter is selected: there are no values to set");
    TRY(chain_copy(viewer->request->chain, &copy));
    const Status status = chain_set_values(&copy->links[link], text, text + strlen(text), &at);
    if (status == STATUS_OK)
        return take(viewer, copy, FALLBACK_BEST);
    chain_destroy(&copy);
    return status;
}

const Param *viewer_selected_param(const Viewer *viewer, const char *unit, size_t *link) {
    const Chain *chain = viewer->request->chain;
    *link = viewer_selected(viewer);
    if (!viewer->session->subject || chain->count == 0 || chain->links[*link].off)
        return NULL;
    return param_by_unit(chain->links[*link].filter->table, unit);
}

static bool names_image(const Param *param) {
    return param->kind == PARAM_IMAGE || param->kind == PARAM_CUBE;
}

const Param *viewer_image_param(const Viewer *viewer, size_t *link) {
    const Chain *chain = viewer->request->chain;
    const Param *asked = viewer->ui->image_param, *first = NULL;
    *link = viewer_selected(viewer);
    const ParamTable table = chain->count > 0 ? chain->links[*link].filter->table : (ParamTable){0};
    for (size_t i = table.count; i-- > 0;) {
        if (&table.params[i] == asked)
            return asked;
        first = names_image(&table.params[i]) ? &table.params[i] : first;
    }
    return first;
}

/* Puts the links of `from`, which is taken over, in the place of `removed` links of `into`. */
static Status splice(Chain *into, size_t at, size_t removed, Chain *from) {
    Chain gone = {.count = removed};
    Status status = STATUS_OK;
    if (into->count - removed + from->count > CHAIN_MAX) {
        status = fail(STATUS_USAGE, "chain: more than %d filters", CHAIN_MAX);
    } else {
        ChainLink *place = into->links + at;
        memcpy(gone.links, place, removed * sizeof *place);
        memmove(place + from->count, place + removed, (into->count - at - removed) * sizeof *place);
        memcpy(place, from->links, from->count * sizeof *place);
        into->count += from->count - removed;
        memcpy(from->links, gone.links, removed * sizeof *place);
        from->count = removed;
    }
    chain_destroy(&from);
    return status;
}

/* The chain with these links, which are taken over, in the place of `removed` ones. */
static Status take_spliced(Viewer *viewer, size_t at, size_t removed, Chain *added) {
    Chain *copy;
    Status status = chain_copy(viewer->request->chain, &copy);
    if (status != STATUS_OK) {
        chain_destroy(&added);
        return status;
    }
    status = splice(copy, at, removed, added);
    if (status == STATUS_OK)
        return take(viewer, copy, FALLBACK_BEST);
    chain_destroy(&copy);
    return status;
}

Status viewer_replace_link(Viewer *viewer, size_t link, const char *filter) {
    Chain *added;
    TRY(chain_parse(filter, &added));
    return take_spliced(viewer, link, link < viewer->request->chain->count, added);
}

Status viewer_insert_link(Viewer *viewer, size_t link, const char *filter) {
    Chain *added;
    TRY(chain_parse(filter, &added));
    return take_spliced(viewer, link, 0, added);
}

Status viewer_add_link(Viewer *viewer, const char *filter, bool aside) {
    const size_t count = viewer->request->chain->count;
    Chain *added, *copy;
    if (!aside)
        return viewer_insert_link(viewer, count, filter);
    TRY(chain_parse(filter, &added));
    Status status = chain_copy(viewer->request->chain, &copy);
    if (status != STATUS_OK) {
        chain_destroy(&added);
        return status;
    }
    status = splice(copy, count, 0, added);
    if (status == STATUS_OK)
        return take_aside(viewer, copy, count + 1, FALLBACK_BEST);
    chain_destroy(&copy);
    return status;
}

Status viewer_remove_link(Viewer *viewer, size_t link) {
    return viewer_replace_link(viewer, link, "");
}

static Status reset(ChainLink *link) {
    char begin[ENTRY_MAX];
    Chain *fresh;
    filter_format_begin(link->filter, begin, sizeof begin);
    TRY(chain_parse(begin, &fresh));
    void *const values = link->values;
    link->values = fresh->links[0].values;
    fresh->links[0].values = values;
    chain_destroy(&fresh);
    return STATUS_OK;
}

Status viewer_reset_links(Viewer *viewer, size_t first, size_t count) {
    Chain *copy;
    TRY(chain_copy(viewer->request->chain, &copy));
    Status status = STATUS_OK;
    for (size_t i = first; i < first + count && status == STATUS_OK; i++)
        status = reset(&copy->links[i]);
    if (status == STATUS_OK)
        return take(viewer, copy, FALLBACK_BEST);
    chain_destroy(&copy);
    return status;
}

Status viewer_reset_link(Viewer *viewer, size_t link) {
    return viewer_reset_links(viewer, link, 1);
}

Status viewer_duplicate_link(Viewer *viewer, size_t link) {
    const Chain one = {.count = 1, .links = {viewer->request->chain->links[link]}};
    Chain *same;
    TRY(chain_copy(&one, &same));
    return take_spliced(viewer, link + 1, 0, same);
}

Status viewer_toggle_link(Viewer *viewer, size_t link) {
    Chain *copy;
    TRY(chain_copy(viewer->request->chain, &copy));
    copy->links[link].off ^= true;
    return take(viewer, copy, FALLBACK_BEST);
}

Status viewer_move_link(Viewer *viewer, size_t from, size_t to) {
    Chain *copy;
    TRY(chain_copy(viewer->request->chain, &copy));
    const ChainLink moved = copy->links[from];
    for (size_t i = from; i < to; i++)
        copy->links[i] = copy->links[i + 1];
    for (size_t i = from; i > to; i--)
        copy->links[i] = copy->links[i - 1];
    copy->links[to] = moved;
    TRY(take(viewer, copy, FALLBACK_BEST));
    viewer->selected = to;
    return STATUS_OK;
}

size_t viewer_selected(const Viewer *viewer) {
    const size_t count = viewer->request->chain->count;
    return count == 0 ? 0 : viewer->selected < count ? viewer->selected : count - 1;
}
