/* param_rows.hpp: sliders, switches and menus for the parameters of a filter. */
#ifndef GLINT_APP_VIEW_UI_PARAM_ROWS_HPP
#define GLINT_APP_VIEW_UI_PARAM_ROWS_HPP

#include "app/view/ui/widgets.hpp"

/* Remembers where the last item lies, as this parameter's slider: for scripts. */
void note_slider(Overlay *overlay, const char *param);
/* A name with its sentence where the pointer is on it; the next item of the line begins at `left`. */
void row_name(const char *name, const char *help, float left);
/* A menu of the parameter's words that sets `number` to the index of one; true when one is chosen. */
bool choice_menu(const Overlay *overlay, const Param &param, double *number);
/* A slider that sets `number`; true while it does. Wide ranges are logarithmic: the interesting part of 0.1 to 42 is at
 * its low end. `digits` is a format of printf, or the default one. */
bool param_slider(Overlay *overlay, const Param &param, double *number, const char *digits = nullptr);
/* The name of a filter's parameter, and at `left` what changes it. */
void param_row(Overlay *overlay, Viewer *viewer, size_t link, const Param *stated, float left);

#endif
