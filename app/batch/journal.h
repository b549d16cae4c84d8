/* journal.h: a list of finished outputs, next to them, so that a run that was ended goes on where it was.
 * Owns the file ".glint-journal": a line of JSON for each output, added before the output gets its name. A line names
 * the output's sources: the input's name, size, times, inode and hash; the chain and all that shapes the result. It
 * also has the output's size and time. Therefore a line without its output does no harm, nor does an output without its
 * line, nor a torn line. Several processes may add to one journal. */
#ifndef GLINT_APP_BATCH_JOURNAL_H
#define GLINT_APP_BATCH_JOURNAL_H

#include "core/base/output.h"
#include "core/chain/chain.h"

typedef struct Journal Journal;

/* Reads the journal in the outputs' folder, which outlives it, if there is one; nothing is written yet. `recipe` spells
 * all that an output depends on, besides the input. STATUS_INPUT if it cannot be read, STATUS_DEVICE without memory. */
Status journal_open(const Place *place, const char *recipe, Journal **journal);
void journal_close(Journal **journal); /* accepts NULL */

/* *is is the file at the output's place, if a batch with this journal has written it, and no link leads there. Else it
 * is all 0. With an `input`, only a file made of that one counts. Outputs of this run count as well, here and below.
 * STATUS_DEVICE without memory. */
Status journal_owns(Journal *journal, const char *input, const char *output, FileIdentity *is);
/* Whether it was also made of this input, as it is now, and by this recipe. The input then has the same name, inode,
 * size and times, or the same content. A member of an archive is unchanged if its `holder`, the archive, is; else the
 * holder is the input. STATUS_DEVICE without memory. */
Status journal_is_done(Journal *journal, const char *input, const char *holder, const char *output, bool *done);
/* The same of an output that is, or is a member of, the file `there`, and of a holder that is `from`. Then *hash is the
 * input's, or 0. */
Status journal_has(Journal *journal, const char *input, const char *holder, const struct stat *from, const char *output,
                   const struct stat *there, uint64_t *hash, bool *done);
/* Whether a file was changed so lately that another change within a tick of the file system's clock would not show. */
bool journal_is_fresh(const struct stat *info);
/* Adds an output that is about to appear. `from` is the input, and `hash` its bytes_hash, or 0 if that is not known.
 * With inode 0 it is known by its content alone. `made` is the file that will be `output`. On the disk when it returns.
 * STATUS_DEVICE if that cannot be. Any thread may call this. */
Status journal_add(Journal *journal, const char *input, const struct stat *from, uint64_t hash, const char *output,
                   const struct stat *made);

/* The same, but on the disk no later than that of the next journal_add: for the members of an archive. */
Status journal_note(Journal *journal, const char *input, const struct stat *from, uint64_t hash, const char *output,
                    const struct stat *made);

/* Spells all that outputs depend on besides inputs: version, chain, the content of the files that it names, and
 * `options`. To be freed; NULL without memory. */
char *journal_recipe(const Chain *chain, const char *options);

#endif
