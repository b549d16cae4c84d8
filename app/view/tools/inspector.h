/* inspector.h: the pixel that is looked at closely, and the stage of the chain whose arithmetic is shown.
 * Owns the values that this stage reads and makes. Where they are not the picture itself, they are computed ahead, so
 * that the pointer need not wait. */
#ifndef GLINT_APP_VIEW_TOOLS_INSPECTOR_H
#define GLINT_APP_VIEW_TOOLS_INSPECTOR_H

#include "app/view/data/inspect.h"
#include "app/view/session/tool.h"

/* The numbers in the cells of large windows. */
typedef enum InspectCells { CELLS_PRODUCTS, CELLS_VALUES, CELLS_WEIGHTS, CELLS_SHOWN } InspectCells;

/* The tool as it is shown. */
typedef struct InspectorView {
    bool open, frozen; /* frozen: the pointer may move away */
    bool has_pixel;
    size_t x, y; /* of the result */
    int channel;
    InspectCells cells;
    Plan *plan;         /* a stage for each step; NULL: none */
    size_t shown_stage; /* of it */
    Inspection inspection;
    bool current;    /* it is of the shown result; else of one before */
    bool has_result; /* the stage's own result there: */
    double stage_value;
} InspectorView;

const InspectorView *inspector_view(const Viewer *viewer); /* stays where it is as long as the viewer */
void inspector_choose_channel(Viewer *viewer, int channel);
void inspector_choose_cells(Viewer *viewer, InspectCells cells);
/* The result's pixel, as stored; while the session is lent, as it was read last. False if it cannot be had. */
bool inspector_read_result(Viewer *viewer, ImageView *pixel);
void inspector_toggle(Viewer *viewer);
/* Stays at the pixel, or follows the pointer again. STATUS_USAGE if there is none. */
Status inspector_freeze(Viewer *viewer);
/* Opens it at a pixel of the result. */
void inspector_look_at(Viewer *viewer, size_t x, size_t y, bool frozen);
/* Looks at the pixel under (x, y) in the window, if there is one and nothing is frozen. */
void inspector_point_at(Viewer *viewer, double x, double y);
/* The stage `steps` on, round the chain. */
void inspector_step(Viewer *viewer, int steps);
/* Why the values that the stage needs cannot be had, or "". */
const char *inspector_trouble(const Viewer *viewer);
extern const ToolKind inspector_tool; /* computes values ahead, or frees them */
/* Brings the inspection up to date for the pixel, as far as its values are there. */
void inspector_update(Viewer *viewer);
/* Where the pixel is in the stage's result, which may be larger or smaller. */
void inspector_place(const Viewer *viewer, size_t *x, size_t *y);

#endif
