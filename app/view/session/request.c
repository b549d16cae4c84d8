/* request.c: making requests and ending them. */
#include "app/view/session/request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Status request_make(const Request *values, const Request **request) {
    Request *made = malloc(sizeof *made);
    *request = made;
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a request");
    *made = *values;
    made->references = 0;
    chain_retain(made->chain);
    return STATUS_OK;
}

/* Readers see a constant; the count of owners alone changes. */
static Request *owned(const Request *request) {
    return (Request *)(uintptr_t)request;
}

const Request *request_retain(const Request *request) {
    __atomic_add_fetch(&owned(request)->references, 1, __ATOMIC_RELAXED);
    return request;
}

void request_release(const Request **request) {
    Request *old = owned(*request);
    *request = NULL;
    if (!old || __atomic_fetch_sub(&old->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    chain_destroy(&old->chain);
    free(old);
}

void request_replace(const Request **request, const Request *by) {
    const Request *old = *request;
    *request = request_retain(by);
    request_release(&old);
}

PlanOptions request_options(const Request *request, const Subject *subject) {
    PlanOptions options = request->options;
    options.straight = true;
    if (subject) {
        options.tone = subject->tone;
        options.shot = subject->shot;
        options.picture = subject->picture;
    }
    return options;
}

const char *request_look(const Request *request) {
    return request->figure ? FIGURE_NAME : looks[request->look].name;
}

Status request_take_look(Request *request, const char *name) {
    return look_parse_figure(name, &request->look, &request->figure);
}

Chain chain_without(const Chain *chain, size_t filter) {
    Chain view = *chain;
    if (filter > 0 && filter <= view.count)
        view.links[filter - 1].off = true;
    return view;
}

/* The first link from `at` on that is carried out; the chain's end if there is none. */
static size_t carried_link(const Request *request, size_t at) {
    while (at < request->chain->count && (request->chain->links[at].off || at + 1 == request->set_aside))
        at++;
    return at;
}

bool request_same_filters(const Request *a, const Request *b) {
    size_t i = carried_link(a, 0), k = carried_link(b, 0);
    if (!plan_options_equal(&a->options, &b->options))
        return false;
    while (i == k && i < a->chain->count && k < b->chain->count &&
           link_same(&a->chain->links[i], &b->chain->links[k])) {
        i = carried_link(a, i + 1);
        k = carried_link(b, k + 1);
    }
    return i >= a->chain->count && k >= b->chain->count;
}
