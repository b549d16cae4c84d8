/* figure_view.h: the look "figure" in the window: what glint trace makes of the same light.
 * Owns the scene in the light of figures, the masks and layers that belong to the light, and the figure itself. While
 * hands move, and while pixels are blocks, a draft stands for it: without lines, fading, shadows and soft edges. */
#ifndef GLINT_APP_VIEW_SESSION_FIGURE_VIEW_H
#define GLINT_APP_VIEW_SESSION_FIGURE_VIEW_H

#include "app/cameras/orbit_camera.h"
#include "core/base/status.h"
#include "core/base/timing.h"
#include "core/run/figure_style.h"

#include <stdbool.h>

typedef struct FigureView FigureView;
typedef struct Session Session;
typedef struct Subject Subject;

/* A style without the annotations for which the subject's scene has nothing. */
FigureStyle figure_view_style(const Subject *subject, FigureStyle style);
/* STATUS_USAGE if it has such annotations. */
Status figure_view_check(const Subject *subject, const FigureStyle *style);
/* Whether the session's request has this look, and a scene. */
bool session_makes_figure(const Session *session);
/* Has the pipeline trace the scene in the light of figures, as the camera and the style are now. STATUS_DEVICE. */
Status figure_view_follow(Session *session);
/* Makes the result of the light that is gathered. Fails as figure_parts_trace, annotate and runs do. */
Status figure_view_show(Session *session, Spans *spans);
/* Whether the result is a draft. */
bool figure_view_is_draft(const Session *session);
void figure_view_free(FigureView **view); /* accepts NULL, nulls the pointer */

#endif
