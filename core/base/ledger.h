/* ledger.h: the files of this process: those that it reads, and those that it writes.
 * Owns the rule between them: no output is an input, and no two outputs are one file, whatever links and spellings
 * lead there. */
#ifndef GLINT_CORE_BASE_LEDGER_H
#define GLINT_CORE_BASE_LEDGER_H

#include "core/base/status.h"

#include <stdbool.h>
#include <sys/stat.h>

/* The process has one ledger: its files are a fact about the process. Any thread may call every function. The ledger
 * compares files by device and inode; a file that is yet to be made, by its folder and its name. */

/* Records that the regular file at `path` ("-": standard input) is read. The ledger ignores a file that is not there,
 * or is no regular file. STATUS_USAGE if it is an output under way. file_read records the files it opens. A command
 * that knows its inputs before outputs are claimed records them at once. */
Status ledger_read(const char *path);
/* Records as ledger_read does, but a file that is open, by its fstat(), whatever `path` leads to by now. */
Status ledger_read_open(const struct stat *info, const char *path);

/* A file that was read is gone: this process has put another one in its place. By its stat() before that; the system
 * may give its number to any new file. One that has further names stays an input. */
void ledger_forget(const struct stat *info);

/* An output; from its claim to its release it is under way. */
typedef struct LedgerClaim LedgerClaim;

/* Claims `path` ("-": standard output) for `writer`, as messages call it: "--json", "-o", an input of a batch. Neither
 * the file nor its folders need to exist. STATUS_USAGE if the file is an input, if another writer has claimed the
 * place, or if this writer has and has not released it. `claim` may be NULL: the place then stays claimed. */
Status ledger_claim(const char *path, const char *writer, LedgerClaim **claim);
/* Whether a file, by its stat(), is an input: STATUS_USAGE. To be asked right before it is replaced. */
Status ledger_check(const struct stat *info, const char *writer);
/* The output is written, or given up: from now on its file may be read. Accepts NULL, nulls the pointer. */
void ledger_release(LedgerClaim **claim);

/* Whether the process enters this folder for the first time. */
bool ledger_enter(const struct stat *folder);

#endif
