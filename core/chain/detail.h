/* detail.h: filters whose results follow a picture's noise or its finest detail: a mark of rows in
 * core/chain/filters/filters.def. */
#ifndef GLINT_CORE_CHAIN_DETAIL_H
#define GLINT_CORE_CHAIN_DETAIL_H

#include "core/chain/filter.h"

/* Whether the filter makes another thing of a reduced picture, which has neither noise nor fine detail. */
bool filter_follows_detail(const Filter *filter);

#endif
