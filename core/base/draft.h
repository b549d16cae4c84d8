/* draft.h: files that appear whole, or not at all.
 * Owns the file under way: it has no name, or one that says that it is unfinished, until all of it is on the disk. */
#ifndef GLINT_CORE_BASE_DRAFT_H
#define GLINT_CORE_BASE_DRAFT_H

#include "core/base/place.h"

#include <stddef.h>
#include <sys/stat.h>

typedef struct Draft Draft;

/* Begins a draft of the file `path` in its folder, which is looked up by the outputs' place (or NULL). Where the file
 * system can (O_TMPFILE), the draft has no name, and a process that is killed leaves nothing. Elsewhere it is
 * ".glint-XXXXXXXX.tmp", locked while its writer lives. Such files without a writer, in a folder that the process
 * enters for the first time, are removed. With `follow`, where `path` is a link, the draft is of the file that it leads
 * to. STATUS_DEVICE for a missing or read-only folder. */
Status draft_begin(const Place *place, const char *path, bool follow, Draft **draft);
/* STATUS_DEVICE if the disk is full, or fails; errno says which, here and in draft_finish. */
Status draft_append(Draft *draft, const void *data, size_t size);
/* Writes at byte `at`, over the bytes there; fails as draft_append does. */
Status draft_put(Draft *draft, size_t at, const void *data, size_t size);
/* The draft's descriptor, for another program to write to; borrowed. */
int draft_descriptor(const Draft *draft);
/* Asks lstat() of the file that has the draft's future name now; false if there is none. */
bool draft_look(const Draft *draft, struct stat *info);
/* Asks fstat(): the draft is as it will be under its name, but for times of names. STATUS_DEVICE. */
Status draft_stat(const Draft *draft, struct stat *info);
/* Puts all of it on the disk, then gives it its name in one step, and frees the draft. With `replace` it takes the
 * place of a file that is there, and its mode. Without, such a file stays, nothing is left of the draft, and the status
 * is STATUS_INPUT with *taken true. On any failure an earlier file stays as it was: STATUS_DEVICE. */
Status draft_finish(Draft **draft, bool replace, bool *taken);
/* The same with `replace` for at most DRAFTS_MAX drafts, which wait for the disk together. All begin to be written
 * before one is waited for. `done` is told each one's status, with its message. Nulls the pointers. */
enum { DRAFTS_MAX = 64 };
typedef void DraftDone(void *context, size_t index, Status status);
void draft_finish_all(Draft *drafts[], size_t count, DraftDone *done, void *context);
/* Leaves nothing behind. Accepts NULL, nulls the pointer. */
void draft_drop(Draft **draft);

#endif
