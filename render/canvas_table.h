/* canvas_table.h: tables of colours on the GPU (core/image/display.h).
 * Owns their textures, while an OpenGL 3.3 core context is current. */
#ifndef GLINT_RENDER_CANVAS_TABLE_H
#define GLINT_RENDER_CANVAS_TABLE_H

#include "core/image/display.h"
#include "render/canvas_look.h"

/* Copies a table to the GPU. STATUS_DEVICE if OpenGL has no room. */
Status canvas_table_create(const DisplayTable *values, CanvasTable *table);
void canvas_table_destroy(CanvasTable *table); /* accepts a zeroed one, and zeroes it */
/* Whether colours of all slots are shown by the same tables. */
bool canvas_colours_equal(const CanvasColours a[CANVAS_SLOTS], const CanvasColours b[CANVAS_SLOTS]);

#endif
