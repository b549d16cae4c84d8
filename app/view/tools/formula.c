/* formula.c: a formula as a text of its own: without the quotes that it has in a chain. */
#include "app/view/tools/formula.h"

#include "core/chain/filters/filters.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const Param *formula_of(const ChainLink *link) {
    return link->filter == &filter_expr ? &filter_expr.table.params[0] : NULL;
}

const Param *formula_selected(const Viewer *viewer, size_t *link) {
    const Chain *chain = viewer->request->chain;
    *link = viewer_selected(viewer);
    return *link < chain->count ? formula_of(&chain->links[*link]) : NULL;
}

static const char *text_of(const ChainLink *link) {
    const char *text = param_text(formula_of(link), link->values);
    return text ? text : "v";
}

bool formula_has_use(const ChainLink *link, const Param *param) {
    if (!formula_of(link) || param->kind != PARAM_NUMBER)
        return true;
    const size_t length = strlen(param->name);
    for (const char *at = text_of(link); (at = strstr(at, param->name)); at++)
        if (!isalnum((unsigned char)at[length]) && (at == text_of(link) || !isalnum((unsigned char)at[-1])))
            return true;
    return false;
}

size_t formula_format(const Viewer *viewer, char *buffer, size_t size) {
    size_t link;
    const Param *param = formula_selected(viewer, &link);
    return (size_t)snprintf(buffer, size, "%s", param ? text_of(&viewer->request->chain->links[link]) : "");
}

/* As a chain would, of an opaque picture of colours. */
Status formula_check(const char *text) {
    const Shape any = {64, 64, 3, PIXEL_U8};
    Chain *alone;
    Plan *plan = NULL;
    TRY(chain_parse(filter_expr.name, &alone));
    Status status = param_set_text(&filter_expr.table.params[0], alone->links[0].values, text);
    if (status == STATUS_OK)
        status = chain_plan(alone, any, (PlanOptions){.border = {.mode = BORDER_CLAMP}}, &plan);
    plan_destroy(&plan);
    chain_destroy(&alone);
    return status;
}

Status formula_put(Viewer *viewer, const char *text) {
    size_t link;
    const Param *param = formula_selected(viewer, &link);
    if (!param)
        return fail(STATUS_USAGE, "the selected filter has no formula: add expr");
    TRY(formula_check(text));
    return viewer_set_params(viewer, link, &(ParamChange){.param = param, .text = text}, 1);
}
