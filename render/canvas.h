/* canvas.h: pictures as textures, laid on the window.
 * Owns the textures of the result and of the unfiltered source, and the programs that draw them. Needs a current
 * OpenGL 3.3 core context from canvas_create to canvas_destroy. */
#ifndef GLINT_RENDER_CANVAS_H
#define GLINT_RENDER_CANVAS_H

#include "render/canvas_look.h"
#include "render/reduce.h"

#include <stdatomic.h>

typedef struct Canvas Canvas;

/* STATUS_DEVICE if OpenGL has no room. */
Status canvas_create(Canvas **canvas);
void canvas_destroy(Canvas **canvas);

/* Draws the most common things, a pixel large, on the bound framebuffer, which is not shown yet. OpenGL in software
 * compiles programs at their first draw, which takes longer than a draw may. Fails as canvas_draw. */
Status canvas_warm(Canvas *canvas);
/* Draws all that is drawn now and then, as canvas_warm draws the rest, until it is to stop. It is for another thread
 * with another context, where OpenGL keeps compiled programs on the disk. */
Status canvas_warm_all(Canvas *canvas, const atomic_bool *stop);

/* Makes a slot show the texels that this look needs of a picture in host memory. All types and channels do; gray is
 * spread over the colours. Where the look reduces, the slot gets a copy of that size, averaged once. If the picture is
 * much larger than the window, or larger than OpenGL's textures, the slot gets the part in sight. Nothing is done where
 * the slot holds that already, of the same `serial` (not 0), which changes with the pixels. STATUS_DEVICE if memory is
 * short. */
Status canvas_fill(Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial, CanvasLook look);
/* Averages ahead the texels that canvas_fill would need for this look, without OpenGL: by any thread, while no other
 * one fills. Does nothing where canvas_reduces says no. Fails as canvas_fill. */
Status canvas_reduce(Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial, CanvasLook look);
/* Whether canvas_fill would have to average a picture, and how many pixels of it: 0 if not. */
double canvas_reduces(const Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial, CanvasLook look);
/* As canvas_fill, of the whole picture at its full size, whatever the look; STATUS_DEVICE also where canvas_holds says
 * no. */
Status canvas_fill_whole(Canvas *canvas, CanvasSlot slot, ImageView picture, unsigned serial);
/* Makes a slot show a small version of a whole picture of this shape, whatever the look. Nothing is done where the slot
 * holds it already, by its `serial` (not 0). Fails as canvas_fill_whole. */
Status canvas_fill_small(Canvas *canvas, CanvasSlot slot, Shape picture, ImageView small, unsigned serial);
/* Whether one of this OpenGL's textures can hold a picture of this shape. */
bool canvas_holds(const Canvas *canvas, Shape shape);

/* canvas_reserve and the next two serve pixels that do not come through the host. It names a slot's texture, of a whole
 * picture, made again if its shape changes; a holder of the old one lets go before. The slot shows the pixels written
 * there. canvas_reserve and canvas_reserve_buffer fail as canvas_fill_whole. */
Status canvas_reserve(Canvas *canvas, CanvasSlot slot, Shape shape, unsigned *name);
/* A pixel buffer for the shape's rows, packed; there is one. */
Status canvas_reserve_buffer(Canvas *canvas, Shape shape, unsigned *buffer);
/* Copies the buffer into the slot's texture, of the shape that both were reserved for. */
Status canvas_update(Canvas *canvas, CanvasSlot slot);
/* Empties a slot: it is drawn as background. */
void canvas_clear(Canvas *canvas, CanvasSlot slot);
/* A picture that is still being made, whose parts are laid over the result's. Makes room for the texels that this look
 * needs of a picture of this shape. *fresh: it holds no part of it, since the `serial` (not 0) or the look is another.
 * Fails as canvas_fill. */
Status canvas_begin_parts(Canvas *canvas, Shape picture, unsigned serial, CanvasLook look, bool *fresh);
/* Takes a part of it, whose pixels are made. *pixels grows by how many were averaged or copied. */
Status canvas_add_part(Canvas *canvas, ImageView picture, ImagePart part, double *pixels);
/* Draws such parts where canvas_draw shows the result itself. */
Status canvas_draw_parts(Canvas *canvas, const ImagePart *parts, size_t count, CanvasLook look);
/* A bar of progress along the top of a framebuffer of this size: a share of it, 0 to 1. */
void canvas_draw_bar(int width, int height, int thickness, double share);
/* Draws the ground before there is a picture. */
void canvas_draw_background(CanvasLook look);
/* Draws on the bound framebuffer. A source that is asked for and is not there gives way to the result; for a difference
 * the slots have pictures of one size. Beyond the ends of a placed source nothing is drawn. STATUS_DEVICE if a program
 * does not compile. */
Status canvas_draw(Canvas *canvas, CanvasLook look);

#endif
