/* panel.hpp: what a panel is. Each is a descriptor in its own file of this folder; panels.def gives their order. */
#ifndef GLINT_APP_VIEW_UI_PANELS_PANEL_HPP
#define GLINT_APP_VIEW_UI_PANELS_PANEL_HPP

#include "app/view/ui/widgets.hpp"

/* The place of a panel (layout.cpp). Panels of a column or of the strip stand one below the other in one box; the
 * others place themselves. */
enum PanelPlace { PLACE_BAR, PLACE_LEFT, PLACE_RIGHT, PLACE_LOOK, PLACE_FILES, PLACE_STRIP, PLACE_PICTURE, PLACE_TOP };

struct Panel {
    const char *name;
    PanelPlace place;
    bool (*visible)(const Viewer *viewer); /* nullptr: always */
    void (*draw)(Overlay *overlay, Viewer *viewer);
    bool of_speed = false;   /* about levels and times: pictures are edited without it (viewer_shows_speed) */
    bool of_figures = false; /* keeps its place in a column while its figures are on their way */
    bool by_hand = false;    /* a key or a click opens it: it comes unfolded, and in sight */
};

#define PANEL(name) extern const Panel panel_##name;
#include "app/view/ui/panels/panels.def"
#undef PANEL

#endif
