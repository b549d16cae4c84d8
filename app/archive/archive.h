/* archive.h: tar and zip files as inputs of batch: their members, one after the other.
 * Owns the rules which members may be inputs, and which name they get: "shards/1.tar/cats/7.jpg". */
#ifndef GLINT_APP_ARCHIVE_ARCHIVE_H
#define GLINT_APP_ARCHIVE_ARCHIVE_H

#include "app/archive/library.h"
#include "core/base/bytes.h"
#include "core/base/status.h"

#include <stdbool.h>

typedef struct Archive Archive;

/* The length of a file's name without the extension of an archive (.tar.gz, .zip and others, in any case); 0: the name
 * has none. */
size_t archive_stem(const char *name);

/* STATUS_INPUT if it cannot be read, or is no archive. STATUS_DEVICE if glint was built without libarchive. The path is
 * borrowed, and messages begin with it. */
Status archive_open(const char *path, Archive **archive);
/* Goes on to the next member; its kind is MEMBER_END behind the last one. STATUS_INPUT if the archive is damaged. */
Status archive_next(Archive *archive, Member *member);
/* Whether the number-th member of the archive at `path`, counted from 1, has passed, or this one (or NULL) is another.
 */
bool archive_is_behind(const Archive *archive, const char *path, size_t number);
/* Goes on to a member that has not passed. Fails as archive_next does, also if the archive has fewer members. */
Status archive_go_to(Archive *archive, size_t number);
/* Reads the member that archive_next has come to, to be freed (bytes_free). STATUS_INPUT if it is damaged, or larger
 * than `max`; STATUS_DEVICE without memory. */
Status archive_read(Archive *archive, size_t max, Bytes *bytes);
void archive_close(Archive **archive); /* accepts NULL */

/* How messages and outputs call a member: "1.tar/cats/7.jpg" for ./cats//7.jpg. NULL without memory. To be freed. */
char *archive_member_path(const char *archive, const char *name);
/* Why a member cannot be an input, as the end of a sentence; NULL: it can. Names must not lead out of a folder. */
const char *archive_refuses(const Member *member);

#endif
