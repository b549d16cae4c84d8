/* kernels.h: kernel files of the user, which are watched: a file that was saved is compiled again and runs. */
#ifndef GLINT_APP_VIEW_WINDOW_KERNELS_H
#define GLINT_APP_VIEW_WINDOW_KERNELS_H

#include "app/view/window/glut.h"

/* Takes what has been saved. Errors of a compiler are a toast, and the kernels before stay. */
void kernels_follow(Glut *glut);
/* In how many ms it is time to look again; negative if there are no such files. */
double kernels_wait_ms(const Glut *glut);

#endif
