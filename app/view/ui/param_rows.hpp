/* param_rows.hpp: sliders, switches and menus for the parameters of a filter. */
#ifndef GLINT_APP_VIEW_UI_PARAM_ROWS_HPP
#define GLINT_APP_VIEW_UI_PARAM_ROWS_HPP

#include "app/view/ui/widgets.hpp"

/* Remembers where the last item lies, as this parameter's slider: for scripts. */
void note_slider(Overlay *overlay, const char *param);
/* A parameter by its word (app/view/data/labels.h); a tip has its name and sentence. The next item of the line begins
 * at `left`. */
void row_name(const char *filter, const char *name, const char *help, float left);
/* A menu of the parameter's words that sets `number` to the index of one; true when one is chosen. */
bool choice_menu(const Overlay *overlay, const Param &param, double *number);
/* The place of a slider's figure, in the window's pixels. */
struct Figure {
    bool changed;  /* the number is another one now */
    bool on_track; /* it stands there, where clicks move the slider */
    ImVec2 from, to;
    operator bool() const { return changed; }
};
/* A slider that sets `number`, filled to its knob, and its figure at the right end, or on it where it is narrow. The
 * column grows until it has room for the figure. Ranges that are mostly small give
 * the low end more way (app/view/data/way.h). `digits` is a format of printf, or the default
 * one. Lengths end by the picture's longer side, in pixels; 0: by the parameter's limits. The last item is the track.
 */
Figure param_slider(Overlay *overlay, const Param &param, double *number, const char *digits = nullptr,
                    double side = 0);
/* A figure that takes a number where it stands: a click on it begins a line, in its place. True once, when a number was
 * typed; `number` is it. For rows of tables, after their slider; `on_track`: the pointer is on that. */
bool type_figure(Overlay *overlay, Viewer *viewer, const Param &param, const Figure &figure, bool on_track,
                 double *number);
/* The name of a filter's parameter, and at `left` what changes it. */
void param_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, float left);

#endif
