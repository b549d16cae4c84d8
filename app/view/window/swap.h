/* swap.h: a draw comes to the eye. */
#ifndef GLINT_APP_VIEW_WINDOW_SWAP_H
#define GLINT_APP_VIEW_WINDOW_SWAP_H

#include "app/view/window/glut.h"

/* Shows what was drawn, and notes when. `whole`: nobody else has the viewer, and the draw showed all of it. */
void swap_draw(Glut *glut, bool whole);

#endif
