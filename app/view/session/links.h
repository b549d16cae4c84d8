/* links.h: chains copied and compared by their values. A step of a slider does so once or twice. */
#ifndef GLINT_APP_VIEW_SESSION_LINKS_H
#define GLINT_APP_VIEW_SESSION_LINKS_H

#include "core/chain/chain.h"

/* Copies the filters and their values, but no images. STATUS_DEVICE if memory is short. */
Status links_copy(const Chain *chain, Chain **copy);
/* Whether two values of a parameter are the same; no text is an empty one. */
bool value_same(const Param *param, const void *a, const void *b);
/* Whether two links, or all links of two chains, do the same at the same place. */
bool link_same(const ChainLink *a, const ChainLink *b);
bool links_same(const Chain *a, const Chain *b);

#endif
