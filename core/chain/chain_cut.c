/* chain_cut.c: counting the stages of links, and cutting plans between them. */
#include "core/chain/chain_cut.h"

#include "core/plan/plan_cut.h"

#include <string.h>

/* Stages that begin and end a chain have labels of their own. */
static bool is_of_a_link(const Plan *plan, size_t stage) {
    const char *label = plan_stage(plan, stage)->stage.label;
    return filter_by_name(label, strlen(label)) != NULL;
}

/* The first links as a plan, each step a stage. */
static Status plan_first(const Chain *chain, size_t links, Shape input, PlanOptions options, Plan **plan) {
    Chain first = *chain;
    first.count = links;
    options.unfused = true;
    return chain_plan(&first, input, options, plan);
}

/* The stages of the first links, with those that begin the chain. */
static Status count_stages(const Chain *chain, size_t links, Shape input, PlanOptions options, size_t *count) {
    Plan *plan;
    TRY(plan_first(chain, links, input, options, &plan));
    *count = plan_stage_count(plan);
    while (*count > 0 && !is_of_a_link(plan, *count - 1))
        --*count;
    plan_destroy(&plan);
    return STATUS_OK;
}

Status chain_plan_links(const Chain *chain, size_t first, size_t end, Shape input, PlanOptions options, Plan **plan) {
    size_t begin = 0, stop;
    *plan = NULL;
    TRY(chain_choose_precision(chain, input, &options));
    if (first > 0)
        TRY(count_stages(chain, first, input, options, &begin));
    if (first > 0 && begin == 0)
        return STATUS_OK;
    TRY(count_stages(chain, end, input, options, &stop));
    TRY(plan_first(chain, chain->count, input, options, plan));
    if (!plan_cut(*plan, begin, end < chain->count ? stop : plan_stage_count(*plan)))
        plan_destroy(plan);
    else if (!options.unfused)
        plan_fuse(*plan);
    return STATUS_OK;
}

Status chain_flops(const Chain *chain, size_t links, Shape input, PlanOptions options, double *flops) {
    Plan *plan;
    *flops = 0;
    TRY(plan_first(chain, links, input, options, &plan));
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        if (is_of_a_link(plan, i))
            *flops += stage_cost(&plan_stage(plan, i)->stage).flops;
    plan_destroy(&plan);
    return STATUS_OK;
}
