/* formula.h: the formula of the filter `expr`, typed in a line of its own.
 * Owns nothing: the chain has the text. One that fails is never in the chain, so that the last good one stays. */
#ifndef GLINT_APP_VIEW_TOOLS_FORMULA_H
#define GLINT_APP_VIEW_TOOLS_FORMULA_H

#include "app/view/session/viewer.h"

/* The parameter that has the formula of a link, or NULL; that of the selected filter. */
const Param *formula_of(const ChainLink *link);
const Param *formula_selected(const Viewer *viewer, size_t *link);
/* False for a slider that the link's formula does not name. */
bool formula_has_use(const ChainLink *link, const Param *param);
/* The selected filter's formula; the length as snprintf does. */
size_t formula_format(const Viewer *viewer, char *buffer, size_t size);
/* STATUS_USAGE with the column and the fault. */
Status formula_check(const char *text);
/* Fails as formula_check does, or STATUS_USAGE if the selected filter has no formula; then nothing changes. */
Status formula_put(Viewer *viewer, const char *text);

#endif
