/* table_rows.hpp: sliders, fields, switches and menus for the values of a table of parameters, wherever they are. */
#ifndef GLINT_APP_VIEW_UI_TABLE_ROWS_HPP
#define GLINT_APP_VIEW_UI_TABLE_ROWS_HPP

#include "app/view/ui/widgets.hpp"

/* A number that a row has changed. */
struct RowChange {
    const Param *param;
    double number;
};
enum { ROW_CHANGES = 3 /* at once: a colour's */ };

/* Rows for the numbers of a table from `first` on; red, green and blue in sequence share one. Returns how many were
 * changed. */
size_t table_rows(Overlay *overlay, Viewer *viewer, ParamTable table, const void *values, size_t first,
                  RowChange changes[ROW_CHANGES]);
/* The rows of part number `index` of the scene, which they change. */
void part_rows(Overlay *overlay, Viewer *viewer, const ScenePart *part, size_t index);
/* The first `count` rows of tone_table (grade.h), of what is shown. */
void tone_rows(Overlay *overlay, Viewer *viewer, size_t count);
/* A chip that has the window carry an action out; its tip is the action's help and key. */
void action_chip(Overlay *overlay, Viewer *viewer, const char *words, const char *action, const char *text);
/* A chip that shows the scene's light, under looks that show none. */
void light_chip(Overlay *overlay, Viewer *viewer);

#endif
