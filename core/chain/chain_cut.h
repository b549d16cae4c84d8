/* chain_cut.h: plans of some of a chain's links.
 * Owns the borders between links in a plan: which stages are a link's, and which ones begin and end all chains. */
#ifndef GLINT_CORE_CHAIN_CHAIN_CUT_H
#define GLINT_CORE_CHAIN_CHAIN_CUT_H

#include "core/chain/chain.h"

/* Lowers the links from `first` to before `end`. The plan's first source holds the values in front of them, as the
 * links before `first` make them of pictures of shape `input`. All values are those of the whole chain, in linear
 * light, too. The first link has the stages that begin all chains, the last one those that end them. *plan is NULL
 * where nothing acts before `first`, if that is not 0. So it is where a link reads the picture as it was. Fails as
 * chain_plan does. */
Status chain_plan_links(const Chain *chain, size_t first, size_t end, Shape input, PlanOptions options, Plan **plan);
/* The arithmetic of the first links, as far as they state it. Fails as chain_plan does. */
Status chain_flops(const Chain *chain, size_t links, Shape input, PlanOptions options, double *flops);

#endif
