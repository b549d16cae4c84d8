/* file.h: whole files in, whole files out.
 * Owns the rule that a reader of an output never sees a part of it. */
#ifndef GLINT_CORE_FILE_H
#define GLINT_CORE_FILE_H

#include "core/codec.h"

/* Reads a regular file or stream to its end ("-": standard input). STATUS_INPUT if it cannot be read, is a folder or
 * is larger than memory_budget(). Free with bytes_free. */
Status file_read(const char *path, Bytes *bytes);

/* Writes a temporary file in the same folder (".NAME.XXXXXX"), fsyncs it and renames it to `path`, which gets the mode
 * of the file that it replaces, else what the umask says. A failure leaves `path` as it was and no temporary file; a
 * process that is killed in between may leave the temporary one, never a part of `path`. Without `overwrite` an
 * existing `path` is STATUS_INPUT, decided by the rename itself (no race). A link stays, and the file that it points to
 * is replaced. A full disk, a missing permission, a folder or a device at `path` is STATUS_DEVICE. */
Status file_write_atomic(const char *path, Bytes bytes, bool overwrite);

/* Whether file_write_atomic could replace or make `path` now, for outputs that are written at the end of long work:
 * STATUS_DEVICE for a missing or read-only folder, a folder or a device at `path`. Leaves nothing behind. */
Status file_check_writable(const char *path);

#endif
