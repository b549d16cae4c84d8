/* shell.h: the command line that makes what the viewer shows. */
#ifndef GLINT_APP_VIEW_SHELL_H
#define GLINT_APP_VIEW_SHELL_H

#include "app/view/viewer.h"

/* The command line that makes this result without the window, quoted for a shell. */
void shell_command_line(const Viewer *viewer, char *buffer, size_t size);

#endif
