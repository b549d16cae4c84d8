/* rewrite.h: texts that the program keeps and writes again, as settings and sidecars.
 * Owns the rule that a file which another program has changed stays as it is. A text appears whole or not at all
 * (core/base/draft.h). */
#ifndef GLINT_CORE_BASE_REWRITE_H
#define GLINT_CORE_BASE_REWRITE_H

#include "core/base/output.h"

/* Writes the whole text in one step, and makes the folders that are missing. It takes the place of a file alone that is
 * like `own`, or of any if that is NULL; *own is the new one then. STATUS_INPUT if another one is there, which stays;
 * STATUS_DEVICE. */
Status rewrite_text(const char *path, const char *text, FileIdentity *own);

/* The same in two steps, for many texts. A text is written, without its name. Then some get their names, and the disk
 * is waited for once. `own` is as for rewrite_text, and lives until then. */
typedef struct Rewrite Rewrite;
enum { REWRITES_MAX = 64 /* at once */ };
Status rewrite_begin(const char *path, const char *text, FileIdentity *own, Rewrite **rewrite);
/* `done` is told each one's status, with its message. Frees all. */
void rewrite_finish_all(Rewrite *const list[], size_t count, void (*done)(void *context, size_t index, Status status),
                        void *context);

#endif
