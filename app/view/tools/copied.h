/* copied.h: the filters that were copied from a picture, to be pasted onto others.
 * Owns the copy, the ticks at its filters, and whether the list of them is shown. Pictures that are not shown get an
 * edit in their sidecars, which can be undone once they are. */
#ifndef GLINT_APP_VIEW_TOOLS_COPIED_H
#define GLINT_APP_VIEW_TOOLS_COPIED_H

#include "app/view/session/tool.h"

/* Copies the chain and the border of the shown picture, and shows the list, where all are ticked. Painted strokes are
 * saved first: fails as brush_keep does. */
Status copied_take(Viewer *viewer);
const Chain *copied_chain(const Viewer *viewer); /* NULL: nothing was copied */
const char *copied_from(const Viewer *viewer);   /* the name of its picture */
bool copied_ticked(const Viewer *viewer, size_t link);
bool copied_is_open(const Viewer *viewer);
void copied_close(Viewer *viewer); /* the copy stays */

/* Ticks filters of the copy by their numbers from 1 on, as in "1 3", or "all", or "none". STATUS_USAGE. */
Status copied_tick(Viewer *viewer, const char *text);
/* Pastes onto the pictures that actions are for (strip.h). If all filters are ticked, chain and border take the place
 * of theirs. Else each ticked one takes the place of a filter of the same name, or goes behind. STATUS_USAGE if
 * nothing is ticked or was copied; else fails as bulk_begin does. */
Status copied_paste(Viewer *viewer);
extern const ToolKind copied_tool;

#endif
