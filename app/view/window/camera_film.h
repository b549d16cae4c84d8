/* camera_film.h: films along the kept cameras of a scene. */
#ifndef GLINT_APP_VIEW_WINDOW_CAMERA_FILM_H
#define GLINT_APP_VIEW_WINDOW_CAMERA_FILM_H

#include "app/view/window/glut.h"

/* Records the window without panels while its camera goes along the kept ones in so many seconds. Each picture has all
 * the samples of its look. Esc ends it, with the pictures so far; then the camera is where it was. Fails as
 * cameras_check_path and filming_begin do. */
Status camera_film(Glut *glut, const char *path, double seconds, bool overwrite);

#endif
