/* pack.h: archives that a batch writes, each with its members in the order of the inputs.
 * Owns members that are made before those in front of them, and archives under way. An archive gets its name once each
 * of its members is in it, or has failed. With a journal, members of an archive of an earlier run are taken from it. */
#ifndef GLINT_APP_BATCH_PACK_H
#define GLINT_APP_BATCH_PACK_H

#include "app/archive/archive.h"
#include "app/batch/journal.h"

typedef struct Pack Pack;
typedef struct Packs Packs;

typedef enum PackEnd {
    PACK_DONE,
    PACK_SKIPPED, /* it was there */
    PACK_FAILED,
} PackEnd;

/* Told of each archive once: its path, how it ended, how many members it has, and why it failed. By any thread. */
typedef void PackTold(void *context, const char *path, PackEnd end, size_t members, const char *why);

/* A member on its way into an archive. */
typedef struct Packed {
    Bytes bytes;
    int64_t changed;  /* as archive_changed has it */
    struct stat from; /* of the input, for the journal; without a size: it gets no line there */
    uint64_t hash;    /* as journal_add has it */
} Packed;

/* STATUS_DEVICE without memory. */
Status packs_create(Packs **packs);
/* Drops the archives under way. Accepts NULL, nulls the pointer. */
void packs_destroy(Packs **packs);
/* How many archives there are. */
size_t packs_count(const Packs *packs);

/* Adds a member: `path` is its archive's path, of `length` bytes, then a slash and its name. The texts are borrowed;
 * `holder` is the file that has the input's bytes. STATUS_USAGE if another input has that path already. */
Status pack_add(Packs *packs, const char *path, size_t length, const char *input, const char *holder, Pack **pack,
                size_t *slot);
/* The number of the archive, from 0 in the order of their first members. */
size_t pack_number(const Pack *pack);
/* Claims the archive, by these rules but for its own file, before its first member. Fails as output_claim does. */
Status pack_claim(Pack *pack, OutputRules rules, Journal *journal);
/* Claims it for another process. */
Status pack_claim_for_others(const Pack *pack);
/* Whether the journal says that all of it is done. */
bool pack_is_done(const Pack *pack);
/* Whether nothing is to be written: it is done, or is there and rules.skip leaves it alone. */
bool pack_is_left(const Pack *pack);

/* Who is told. Before the first member. */
void packs_tell(Packs *packs, PackTold *told, void *context);
/* Waits until members that were made ahead are few enough for another one: before each input, by one thread. */
void packs_wait(Packs *packs);
/* Takes a member that is done and unchanged from the archive of before; false if it has to be made. By one thread. */
bool pack_keep(Pack *pack, size_t slot);
/* Takes over the bytes, and writes all members whose turn it is. Fails as output_append does, also for an earlier
 * member's sake. */
Status pack_put(Pack *pack, size_t slot, Packed *packed);
/* There is nothing to be written: the input failed, or is skipped. */
void pack_leave_out(Pack *pack, size_t slot);
/* The archive cannot become whole any more. `why` is borrowed; the first reason counts. */
void pack_give_up(Pack *pack, const char *why);
/* Whether the disk was full. */
bool pack_disk_is_full(const Pack *pack);
/* The run has ended: archives that are not whole are dropped, and told. Returns the first failure, if any. */
Status packs_end(Packs *packs);

#endif
