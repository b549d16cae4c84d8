/* file.h: whole files in, and where the user's are. */
#ifndef GLINT_CORE_BASE_FILE_H
#define GLINT_CORE_BASE_FILE_H

#include "core/base/bytes.h"
#include "core/base/status.h"

/* Reads a regular file or stream to its end ("-": standard input). STATUS_INPUT if it cannot be read, is a folder or
 * is larger than memory_budget(); STATUS_USAGE if it is an output under way (core/base/ledger.h). Free with bytes_free.
 */
Status file_read(const char *path, Bytes *bytes);
enum { FILE_TEXT_MAX = 1 << 30 }; /* bytes of a text */
/* Reads a text as file_read does. STATUS_INPUT if the text is larger than FILE_TEXT_MAX or a quarter of
 * memory_budget(). Without `zeros`, a text whose beginning has a zero is read no further: a device may have no end. */
Status file_read_lines(const char *path, bool zeros, Bytes *bytes);
/* Reads a text as file_read_lines does, ends it by a zero and drops a UTF-8 mark before it. STATUS_INPUT also if the
 * text has a zero within it. Free *text with free. */
Status file_read_text(const char *path, char **text);

/* The path of the user's file of that name, whether or not it is there: $XDG_CONFIG_HOME/glint/NAME or
 * ~/.config/glint/NAME; NULL if neither is an absolute path. Free with free. */
char *file_config_path(const char *name);
/* The same of files that the program keeps by itself: $XDG_STATE_HOME/glint/NAME or ~/.local/state/glint/NAME. */
char *file_state_path(const char *name);

#endif
