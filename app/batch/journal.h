/* journal.h: what batch has done, next to its outputs, so that a run that was ended goes on where it was.
 * Owns the file ".glint-journal": a line of JSON for each output, added before the output gets its name. A line says of
 * what the output was made (the input's size, time and hash; the chain and all that shapes the result) and what it is
 * (its size and time), so that a line without its output, or the other way round, does no harm; nor does a torn line.
 * Several processes may add to one journal. */
#ifndef GLINT_APP_BATCH_JOURNAL_H
#define GLINT_APP_BATCH_JOURNAL_H

#include "core/chain.h"

#include <stdint.h>
#include <sys/stat.h>

typedef struct Journal Journal;

/* Reads the journal of outputs that `rule` (-o) names, if there is one; nothing is written yet. `recipe` is what,
 * besides the input, an output depends on. STATUS_INPUT if it cannot be read, STATUS_DEVICE without memory. */
Status journal_open(const char *rule, const char *recipe, Journal **journal);
void journal_close(Journal **journal); /* accepts NULL */

/* Whether what is at the output's place was written by a batch with this journal, whatever it was made of. */
bool journal_owns(const Journal *journal, const char *output);
/* Whether it was also made of this input, as it is now, and by this recipe: its size and time are the same, or its size
 * and its content. */
bool journal_is_done(const Journal *journal, const char *input, const char *output);
/* Adds what is about to appear: `from` is the input, of which `hash` is bytes_hash; `made` the file that will be
 * `output`. On the disk when it returns. STATUS_DEVICE if that cannot be. Any thread may call this. */
Status journal_add(Journal *journal, const char *input, const struct stat *from, uint64_t hash, const char *output,
                   const struct stat *made);

/* Spells what outputs depend on besides inputs: version, chain, the state of the files that it names, and `options`.
 * To be freed; NULL without memory. */
char *journal_recipe(const Chain *chain, const char *options);

#endif
