/* overlay.h: panels over the picture: the result's facts, how fast it was made, and the help page.
 * Owns Dear ImGui (dear_imgui.cpp) and where panels lie (layout.cpp); they are the rows of panels/panels.def. Needs a
 * current OpenGL 3.3 core context. */
#ifndef GLINT_APP_VIEW_UI_OVERLAY_H
#define GLINT_APP_VIEW_UI_OVERLAY_H

#ifdef __cplusplus
extern "C" {
#endif

#include "app/view/session/viewer.h"
#include "app/view/tools/every_tool.h"

typedef struct Overlay Overlay;

enum { OVERLAY_BUTTONS = 3, TEXT_PIXELS = 16 /* of texts at scale 1 */ };

/* The state of the mouse, in window pixels. */
typedef struct OverlayInput {
    double x, y;                   /* the pointer; negative when it is elsewhere */
    bool buttons[OVERLAY_BUTTONS]; /* left, right, middle: held now */
    bool clicked[OVERLAY_BUTTONS]; /* went down since the last frame, even if it is up again */
    double wheel;                  /* clicks since the last frame */
    bool control;                  /* these with Ctrl: the wheel moves sliders, a click has them typed */
    bool shift;                    /* these with Shift */
    bool scripted;                 /* a click counts at once: none follows */
    double seconds;                /* since the last frame */
    bool still;                    /* moving parts are where they go to, and fonts are there: for pictures */
} OverlayInput;

typedef struct Fonts Fonts;

/* Begins to make fonts, which takes a while, before there is a window. NULL if memory is short. */
Fonts *overlay_begin_fonts(double scale);
void overlay_drop_fonts(Fonts *fonts); /* accepts NULL */
/* Takes the fonts over, also on failure; NULL is a failure. STATUS_DEVICE if memory or OpenGL fails. */
Status overlay_create(Fonts *fonts, Overlay **overlay);
void overlay_destroy(Overlay **overlay);

/* Lays the panels out for the viewer's state, lets sliders and buttons change it, and tells it the free area. False if
 * the panels' sizes changed since the last build, so that another one is due. */
bool overlay_build(Overlay *overlay, Viewer *viewer, const OverlayInput *input);
/* Whether fonts for another scale are still being made, so that panels will be larger or smaller. */
bool overlay_makes_fonts(const Overlay *overlay);
/* Whether something that panels show is still being made by a thread of theirs; *news: more of it has come, and a build
 * is due. */
bool overlay_waits(Overlay *overlay, bool *news);
/* Draws the built panels on the bound framebuffer, but for the sign of a recording. */
void overlay_draw(Overlay *overlay);
/* Draws that sign, behind overlay_draw: where no film has it. */
void overlay_draw_sign(Overlay *overlay);
/* Where the slider of the first parameter of this name lies; its width is 0 if there is none. */
Area overlay_slider(const Overlay *overlay, const char *param);
/* Whether (x, y) is on a panel, so that the picture beneath should not react. */
bool overlay_takes(const Overlay *overlay, double x, double y);

#ifdef __cplusplus
}
#endif

#endif
