/* develop.h: RAW files that are developed while the JPEG within stands in for them.
 * Owns the thread, which gives way to all others, and the picture until it takes the JPEG's place: with the same view,
 * filters and edits. Results that are saved are those of the developed picture. */
#ifndef GLINT_APP_VIEW_TOOLS_DEVELOP_H
#define GLINT_APP_VIEW_TOOLS_DEVELOP_H

#include "app/view/session/tool.h"
#include "core/codec/raw_way.h"

extern const ToolKind develop_tool;

/* Whether a picture is on its way. */
bool develop_runs(const Viewer *viewer);
/* From now on RAW files are developed so; the open one is, again, and stays as it is until then. */
void develop_by(Viewer *viewer, RawWay raw);

#endif
