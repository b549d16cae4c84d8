/* canvas.h: pictures as textures, laid on the window.
 * Owns the textures of the result and of the unfiltered source, and the program that draws them. Needs a current
 * OpenGL 3.3 core context from canvas_create to canvas_destroy. */
#ifndef GLINT_RENDER_CANVAS_H
#define GLINT_RENDER_CANVAS_H

#include "core/image.h"

typedef struct Canvas Canvas;

typedef enum CanvasSlot { CANVAS_RESULT, CANVAS_SOURCE, CANVAS_SLOTS } CanvasSlot;
typedef enum CanvasShow { CANVAS_SHOW_RESULT, CANVAS_SHOW_SOURCE, CANVAS_SHOW_DIFFERENCE } CanvasShow;

/* How to lay the pictures on a framebuffer of width x height pixels; the origin is at its top left. */
typedef struct CanvasLook {
    int width, height;
    double x, y, scale; /* the picture's top left corner, framebuffer pixels; framebuffer pixels a picture pixel */
    double split;       /* left of this x the source is shown; negative: nowhere */
    CanvasShow show;
    double exposure; /* stops */
    double checker;  /* framebuffer pixels a square of the board behind transparent pixels */
} CanvasLook;

/* STATUS_DEVICE if the program does not compile. */
Status canvas_create(Canvas **canvas);
void canvas_destroy(Canvas **canvas);

/* Copies a picture into a slot's texture: all types and channels; gray is spread over the colours. STATUS_DEVICE if
 * the picture is larger than this OpenGL's textures or memory is short. */
Status canvas_upload(Canvas *canvas, CanvasSlot slot, ImageView picture);
/* For pixels that come by another way than through the host. A slot's texture, made anew if its shape changes (whoever
 * holds on to it lets go before); it shows what is written there. Both fail as canvas_upload. */
Status canvas_reserve(Canvas *canvas, CanvasSlot slot, Shape shape, unsigned *texture);
/* A pixel buffer for the shape's rows, packed; there is one. */
Status canvas_reserve_buffer(Canvas *canvas, Shape shape, unsigned *buffer);
/* Copies the buffer into the slot's texture, of the shape that both were reserved for. */
Status canvas_update(Canvas *canvas, CanvasSlot slot);
/* Empties a slot: it is drawn as background. */
void canvas_clear(Canvas *canvas, CanvasSlot slot);
/* Draws on the bound framebuffer. A slot that is asked for and is empty or of another size gives way to the result. */
Status canvas_draw(Canvas *canvas, CanvasLook look);

#endif
