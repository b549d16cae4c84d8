/* links.c: chains copied and compared parameter by parameter. */
#include "app/view/session/links.h"

#include <stdlib.h>
#include <string.h>

Status links_copy(const Chain *chain, Chain **copy) {
    Chain *made = *copy = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a chain");
    Status status = STATUS_OK;
    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const ChainLink *from = &chain->links[i];
        ChainLink *to = &made->links[made->count++];
        to->filter = from->filter;
        to->off = from->off;
        status = params_clone(from->filter->table, from->values, &to->values);
        if (status == STATUS_OK)
            status = params_clone(chain_place, from->place, &to->place);
    }
    if (status != STATUS_OK)
        chain_destroy(copy);
    return status;
}

static bool text_same(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool value_same(const Param *param, const void *a, const void *b) {
    if (param_is_text(param))
        return text_same(param_text(param, a), param_text(param, b));
    return !(param_number(param, a) < param_number(param, b) || param_number(param, a) > param_number(param, b));
}

bool link_same(const ChainLink *a, const ChainLink *b) {
    bool same = a->filter == b->filter && a->off == b->off && text_same(chain_within(a), chain_within(b));
    for (size_t i = 0; same && i < a->filter->table.count; i++)
        same = value_same(&a->filter->table.params[i], a->values, b->values);
    return same;
}

bool links_same(const Chain *a, const Chain *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = link_same(&a->links[i], &b->links[i]);
    return same;
}
