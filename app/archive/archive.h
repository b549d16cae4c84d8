/* archive.h: tar and zip files as inputs and outputs of batch: their members, one after the other.
 * Owns the rules which members may be inputs, and which name they get: "shards/1.tar/cats/7.jpg". */
#ifndef GLINT_APP_ARCHIVE_ARCHIVE_H
#define GLINT_APP_ARCHIVE_ARCHIVE_H

#include "app/archive/library.h"
#include "core/base/output.h"

#include <stdbool.h>
#include <stdint.h>

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
/* When the member was changed, in s since 1970; 0: not known. */
int64_t archive_changed(const Archive *archive);
void archive_close(Archive **archive); /* accepts NULL */

/* An archive that is written into an output. */
typedef struct ArchiveWriter ArchiveWriter;

/* Begins an archive of the kind that the output's name ends in. Fails as output_append does; STATUS_DEVICE, too, if
 * glint or libarchive was built without it. The output is borrowed. */
Status archive_create(Output *output, ArchiveWriter **writer);
/* Adds a member of these bytes, and the time that archive_changed tells. Fails as output_append does. */
Status archive_add(ArchiveWriter *writer, const char *name, int64_t changed, Bytes bytes);
/* Ends the archive; the output may then be finished. Fails as output_append does. */
Status archive_finish(ArchiveWriter *writer);
void archive_drop(ArchiveWriter **writer); /* accepts NULL */

/* How messages and outputs call a member: "1.tar/cats/7.jpg" for ./cats//7.jpg. NULL without memory. To be freed. */
char *archive_member_path(const char *archive, const char *name);
/* Why a member can be neither an input nor be written, as the end of a sentence; NULL: it can. Names must not lead out
 * of a folder. */
const char *archive_refuses(const Member *member);

#endif
