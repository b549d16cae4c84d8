/* command_line.h: the command line that makes the picture in the window. */
#ifndef GLINT_APP_VIEW_WINDOW_COMMAND_LINE_H
#define GLINT_APP_VIEW_WINDOW_COMMAND_LINE_H

#include "app/view/session/viewer.h"

/* The command line that makes this result without the window, quoted for a shell. */
void command_line_format(const Viewer *viewer, char *buffer, size_t size);

#endif
