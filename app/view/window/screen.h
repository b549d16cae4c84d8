/* screen.h: the viewer on the screen: panels that take input, textures that hold results, and draws.
 * Owns the canvas and the overlay, the contents of their textures, and the draws that are due. Needs a current OpenGL
 * 3.3 core context. */
#ifndef GLINT_APP_VIEW_WINDOW_SCREEN_H
#define GLINT_APP_VIEW_WINDOW_SCREEN_H

#include "app/view/ui/overlay.h"
#include "app/view/ui/parts.h"
#include "app/view/window/colours.h"
#include "render/draw_timer.h"

enum { SETTLING_BUILDS = 3 /* after input, panels need up to three builds to find their size */ };

/* The draw whose parts are not known yet. */
typedef struct DrawTimed {
    unsigned of;     /* the serial of the subject that was shown */
    double build_ms; /* of the panels */
} DrawTimed;

typedef struct Screen {
    Viewer *viewer; /* borrowed */
    Canvas *canvas;
    Overlay *overlay;
    OverlayInput input;
    double dpi;                            /* of the display; 0: not known */
    unsigned result_serial, filled_serial; /* of the result that was taken, and that the texture was filled from */
    bool through_host;                     /* that result came through host memory */
    CanvasLook look;                       /* of the last draw */
    double built_at, begun_at, drawn_at;
    double build_ms;  /* of all builds since the last draw */
    bool settled;     /* the panels of the last build have their size */
    bool input_due;   /* there is input that no panel has had yet, */
    bool pointer_due; /* and not by keys alone, of which panels need no build before the draw's own */
    bool button_due;  /* of a button, which may open a panel of unknown size: finding that takes all builds */
    bool settles;     /* the next draw finds the size of panels: input was by keys alone */
    bool answers;     /* the next draw answers input, which panels need no further build for */
    bool panels_due;  /* the last draw showed a result next to the panels that were there: the next builds them */
    bool draw_due;
    DrawTimer timer;
    DrawTimed timed;
    Parts parts; /* of a result that is being made */
    WindowColours colours;
    int unsettled; /* draws in sequence whose panels changed their size */
} Screen;

/* The scale of texts in a window of this height, pixels, on a display of `dpi` (0: not known). */
double screen_text_scale(double height, double dpi);
/* Takes the fonts over. STATUS_DEVICE if OpenGL fails. */
Status screen_create(Viewer *viewer, double dpi, Fonts *fonts, Screen *screen);
/* Accepts one that was not made, or only in part. */
void screen_destroy(Screen *screen);

/* Something happened: a build and a draw are due. */
void screen_touch(Screen *screen);
/* A key did: the draw's own build is enough. */
void screen_touch_by_key(Screen *screen);
/* Gives pending input to the panels, which may change the viewer; builds as often as they need to find their size. */
void screen_take_input(Screen *screen);
/* As screen_take_input if a click is among the input, before a key that may be meant for the panel that the click
 * opens. */
void screen_take_clicks(Screen *screen);
/* Builds the panels; false if they are not yet as large as they want to be. */
bool screen_build(Screen *screen);
/* Whether the other side is to be seen than the last draw showed. */
bool screen_flickers(const Screen *screen);
/* Whether the viewer has a result that was not drawn yet. */
bool screen_result_due(const Screen *screen);
/* Begins the next draw ahead, while the worker makes its result: drivers take their time over the first command after a
 * pause. At most a few times a draw. */
void screen_prepare(Screen *screen);
/* Fills the textures first, so that no result is lost when the panels change the viewer. Then it builds the panels and
 * draws on the bound framebuffer. */
Status screen_draw(Screen *screen);
/* screen_draw in two steps: up to the panels; then the pictures and the draw. Between them another thread may call
 * screen_reduce, where screen_reduces says that it saves the second step time. */
void screen_begin(Screen *screen);
bool screen_reduces(const Screen *screen);
Status screen_reduce(Screen *screen);
Status screen_end(Screen *screen);
/* The sign of a recording, over a draw that the recording has taken. */
void screen_draw_sign(Screen *screen);
/* After the swap: waits until the result that the draw showed was written (viewer_await_sent). If it was not, the next
 * draw shows it by another route. */
void screen_await_sent(Screen *screen);
/* Repeats the last draw, while the worker has the viewer or its session. `follows`: the worker has the session alone,
 * so that the panels are built again and the view is where it now is. Finished tiles of a result in the making are
 * drawn, too. A `share` that is not negative is drawn as a bar of progress. */
Status screen_redraw(Screen *screen, bool follows, double share);
/* Saves the picture of a draw. */
Status screen_capture(Screen *screen, const char *path, bool overwrite);

#endif
