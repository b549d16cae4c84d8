/* pack.c: members wait for their turn; whichever thread brings the next one writes it, and those behind it. */
#include "app/batch/pack.h"

#include "core/base/array.h"
#include "core/base/ledger.h"
#include "core/base/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_SHARE = 8 /* of the budget: for members that wait for their turn */ };

typedef enum SlotState { SLOT_OPEN, SLOT_READY, SLOT_LEFT_OUT } SlotState;

typedef struct Slot {
    const char *input, *holder, *output;
    SlotState state;
    bool kept;     /* the journal says that the archive of before has it as it would be now */
    Packed packed; /* its bytes while it is SLOT_READY; the rest for the journal */
} Slot;

struct Pack {
    Packs *of;
    Pack *next;
    char *path;
    size_t number, count, capacity;
    Slot **slots;
    void *names; /* a tree of the slots by output */
    Output *claim;
    bool done;      /* all of it, by the journal */
    bool left;      /* nothing is to be written: it is done, or is there and stays */
    bool mine;      /* this process writes it */
    bool exhausted; /* the archive of before has no further members */
    Archive *old;   /* the archive of before, while members are taken from it; or NULL */
    Journal *journal;
    ArchiveWriter *writer; /* of the thread that is writing */
    bool writing;          /* a thread is; `of->lock` guards all from here on */
    const char *given_up;  /* why it cannot become whole; or NULL */
    bool ended;
    size_t turn, written; /* the next slot; members in the archive */
    Status status;        /* of the writing */
    char why[512];
};

struct Packs {
    Pack *first, **last;
    void *paths; /* a tree of packs */
    size_t count;
    PackTold *told;
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t room;
    size_t waiting; /* bytes of members that are ready */
};

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for the list of files");
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const Pack *)a)->path, ((const Pack *)b)->path);
}

static int by_output(const void *a, const void *b) {
    return strcmp(((const Slot *)a)->output, ((const Slot *)b)->output);
}

static void keep(void *node) {
    (void)node; /* it is freed elsewhere */
}

/* ---- the list ---- */

Status packs_create(Packs **packs) {
    Packs *made = *packs = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    made->last = &made->first;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->room, NULL);
    return STATUS_OK;
}

static void free_pack(Pack *pack) {
    archive_drop(&pack->writer);
    archive_close(&pack->old);
    output_destroy(&pack->claim);
    tdestroy(pack->names, keep);
    for (size_t i = 0; i < pack->count; i++) {
        bytes_free(&pack->slots[i]->packed.bytes);
        free(pack->slots[i]);
    }
    free(pack->slots);
    free(pack->path);
    free(pack);
}

void packs_destroy(Packs **packs) {
    Packs *old = *packs;
    *packs = NULL;
    if (!old)
        return;
    tdestroy(old->paths, keep);
    for (Pack *pack = old->first, *next; pack; pack = next) {
        next = pack->next;
        free_pack(pack);
    }
    pthread_mutex_destroy(&old->lock);
    pthread_cond_destroy(&old->room);
    free(old);
}

size_t packs_count(const Packs *packs) {
    return packs->count;
}

size_t pack_number(const Pack *pack) {
    return pack->number;
}

/* The pack of that path, which is made if there is none; NULL without memory. */
static Pack *find_pack(Packs *packs, const char *path, size_t length) {
    Pack *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strndup(path, length))) {
        free(made);
        return NULL;
    }
    Pack **found = tsearch(made, &packs->paths, by_path);
    if (found && *found == made) {
        made->of = packs;
        made->number = packs->count++;
        *packs->last = made;
        packs->last = &made->next;
        return made;
    }
    free(made->path);
    free(made);
    return found ? *found : NULL;
}

static Slot *append_slot(Pack *pack) {
    if (!ARRAY_ROOM(pack->slots, pack->capacity, pack->count + 1))
        return NULL;
    Slot *made = calloc(1, sizeof *made);
    if (made)
        pack->slots[pack->count++] = made;
    return made;
}

Status pack_add(Packs *packs, const char *path, size_t length, const char *input, const char *holder, Pack **pack,
                size_t *slot) {
    Pack *to = find_pack(packs, path, length);
    Slot *made = to ? append_slot(to) : NULL;
    if (!made)
        return no_memory();
    *pack = to;
    *slot = to->count - 1;
    *made = (Slot){.input = input, .holder = holder, .output = path};
    Slot **found = tsearch(made, &to->names, by_output);
    if (!found)
        return no_memory();
    return *found == made ? STATUS_OK
                          : fail(STATUS_USAGE, "%s and %s would both write %s", (*found)->input, input, path);
}

/* ---- the journal ---- */

/* The line of an archive as a whole has its members in place of an input: others make another archive. */
static void spell_members(const Pack *pack, size_t count, const bool *wanted, char text[48]) {
    uint64_t hash = 0;
    for (size_t i = 0; i < pack->count; i++) {
        const char *name = pack->slots[i]->output;
        const uint64_t each[2] = {hash,
                                  bytes_hash((Bytes){.data = (unsigned char *)(uintptr_t)name, .size = strlen(name)})};
        if (!wanted || wanted[i])
            hash = bytes_hash((Bytes){.data = (unsigned char *)(uintptr_t)each, .size = sizeof each});
    }
    snprintf(text, 48, "%zu members %016" PRIx64, count, hash);
}

/* Asks of each member whether the archive that is there has it as it would be now. */
static Status ask_journal(Pack *pack, const struct stat *there) {
    FileIdentity same;
    struct stat from = {0};
    const char *holder = "";
    char members[48];
    bool all = true, known = false;
    for (size_t i = 0; i < pack->count; i++) {
        Slot *slot = pack->slots[i];
        if (strcmp(holder, slot->holder) != 0) /* once: the members of an archive follow each other */
            known = stat(slot->holder, &from) == 0;
        holder = slot->holder;
        if (known)
            TRY(journal_has(pack->journal, slot->input, slot->holder, &from, slot->output, there, &slot->packed.hash,
                            &slot->kept));
        slot->packed.from = from;
        if (journal_is_fresh(&from))
            slot->packed.from.st_ino = 0;
        all &= slot->kept;
    }
    spell_members(pack, pack->count, NULL, members);
    TRY(journal_owns(pack->journal, members, pack->path, &same));
    pack->done = all && same.inode != 0;
    return STATUS_OK;
}

Status pack_claim(Pack *pack, OutputRules rules, Journal *journal) {
    struct stat there;
    pack->mine = true;
    pack->journal = journal;
    if (journal)
        TRY(journal_owns(journal, NULL, pack->path, &rules.own));
    TRY(output_claim(pack->path, rules, &pack->claim));
    if (rules.own.inode != 0 && place_look(rules.place, pack->path, &there))
        TRY(ask_journal(pack, &there));
    pack->left = pack->done || (rules.skip && output_exists(pack->claim));
    return STATUS_OK;
}

Status pack_claim_for_others(const Pack *pack) {
    return ledger_claim(pack->path, "-o", NULL);
}

bool pack_is_done(const Pack *pack) {
    return pack->done;
}

bool pack_is_left(const Pack *pack) {
    return pack->left;
}

/* The members that are written, then the archive: the line of an archive vouches for those of its members. */
static Status note_in_journal(const Pack *pack) {
    struct stat made;
    char members[48];
    if (!pack->journal || !output_stat(pack->claim, &made))
        return STATUS_OK;
    bool *wanted = calloc(pack->count, sizeof *wanted);
    if (!wanted)
        return no_memory();
    Status status = STATUS_OK;
    for (size_t i = 0; i < pack->count && status == STATUS_OK; i++) {
        const Slot *slot = pack->slots[i];
        wanted[i] = slot->state == SLOT_READY;
        if (wanted[i] && slot->packed.from.st_size > 0)
            status =
                journal_note(pack->journal, slot->input, &slot->packed.from, slot->packed.hash, slot->output, &made);
    }
    spell_members(pack, pack->written, wanted, members);
    free(wanted);
    return status == STATUS_OK ? journal_add(pack->journal, members, &(struct stat){0}, 0, pack->path, &made) : status;
}

/* ---- members of before ---- */

/* Goes on to the member of that path. */
static bool find_old(Pack *pack, const char *output) {
    for (Member member; archive_next(pack->old, &member) == STATUS_OK && member.kind != MEMBER_END;) {
        char *path = member.name ? archive_member_path(pack->path, member.name) : NULL;
        const bool same = path && strcmp(path, output) == 0;
        free(path);
        if (same)
            return true;
    }
    return false;
}

bool pack_keep(Pack *pack, size_t slot) {
    enum { SHARE = 2 };
    Slot *at = pack->slots[slot];
    Packed packed = at->packed;
    if (!at->kept || pack->exhausted)
        return false;
    const bool opened = pack->old || archive_open(pack->path, &pack->old) == STATUS_OK;
    if (!opened || !find_old(pack, at->output) ||
        archive_read(pack->old, memory_budget() / SHARE, &packed.bytes) != STATUS_OK) {
        pack->exhausted = true;
        archive_close(&pack->old);
        return false;
    }
    packed.changed = archive_changed(pack->old);
    return pack_put(pack, slot, &packed) == STATUS_OK;
}

/* ---- writing ---- */

void packs_tell(Packs *packs, PackTold *told, void *context) {
    packs->told = told;
    packs->context = context;
}

void packs_wait(Packs *packs) {
    const size_t most = memory_budget() / WAITING_SHARE;
    pthread_mutex_lock(&packs->lock);
    while (packs->waiting > most)
        pthread_cond_wait(&packs->room, &packs->lock);
    pthread_mutex_unlock(&packs->lock);
}

static Status write_member(Pack *pack, Slot *slot) {
    if (!pack->writer) {
        TRY(output_make_folders(pack->claim));
        TRY(archive_create(pack->claim, &pack->writer));
    }
    const char *name = slot->output + strlen(pack->path) + 1;
    return archive_add(pack->writer, name, slot->packed.changed, slot->packed.bytes);
}

static Status finish(Pack *pack) {
    bool skipped = false;
    if (!pack->writer)
        return STATUS_OK;
    TRY(archive_finish(pack->writer));
    TRY(note_in_journal(pack));
    TRY(output_finish(pack->claim, &skipped));
    pack->left |= skipped;
    return STATUS_OK;
}

/* The first failure stands for those that follow. Under the lock. */
static void note(Pack *pack, Status status) {
    if (status == STATUS_OK || pack->status != STATUS_OK)
        return;
    pack->status = status;
    snprintf(pack->why, sizeof pack->why, "%s", status_message());
}

static void tell(const Pack *pack) {
    const bool failed = pack->status != STATUS_OK || pack->given_up != NULL;
    const char *why = pack->status != STATUS_OK ? pack->why
                      : pack->given_up          ? pack->given_up
                                                : "none of its members could be made";
    const PackEnd end = failed ? PACK_FAILED : pack->left ? PACK_SKIPPED : pack->written > 0 ? PACK_DONE : PACK_FAILED;
    if (pack->of->told)
        pack->of->told(pack->of->context, pack->path, end, pack->written, end == PACK_FAILED ? why : "");
}

/* Under the lock, which it leaves while it writes. */
static void end_pack(Pack *pack) {
    pthread_mutex_t *lock = &pack->of->lock;
    const bool whole = pack->status == STATUS_OK && !pack->given_up;
    pack->ended = true;
    pthread_mutex_unlock(lock);
    const Status status = whole ? finish(pack) : STATUS_OK;
    pthread_mutex_lock(lock);
    note(pack, status);
    pthread_mutex_unlock(lock);
    archive_drop(&pack->writer);
    archive_close(&pack->old);
    if (pack->written == 0 || status != STATUS_OK || !whole)
        output_give_up(pack->claim);
    tell(pack);
    pthread_mutex_lock(lock);
}

/* Writes members whose turn it is. One thread at a time does: it also writes those that others bring meanwhile. Under
 * the lock, which it leaves while it writes. */
static void write_on(Pack *pack) {
    Packs *packs = pack->of;
    if (pack->writing)
        return;
    pack->writing = true;
    while (pack->turn < pack->count && pack->slots[pack->turn]->state != SLOT_OPEN) {
        Slot *slot = pack->slots[pack->turn++];
        const size_t bytes = slot->packed.bytes.size;
        const bool writes = slot->state == SLOT_READY && pack->status == STATUS_OK && !pack->given_up;
        pthread_mutex_unlock(&packs->lock);
        const Status status = writes ? write_member(pack, slot) : STATUS_OK;
        bytes_free(&slot->packed.bytes);
        pthread_mutex_lock(&packs->lock);
        note(pack, status);
        pack->written += writes && status == STATUS_OK;
        packs->waiting -= bytes;
        pthread_cond_broadcast(&packs->room);
    }
    if (pack->turn == pack->count && !pack->ended)
        end_pack(pack);
    pack->writing = false;
}

Status pack_put(Pack *pack, size_t slot, Packed *packed) {
    pthread_mutex_lock(&pack->of->lock);
    pack->slots[slot]->packed = *packed;
    pack->slots[slot]->state = SLOT_READY;
    pack->of->waiting += packed->bytes.size;
    packed->bytes = (Bytes){0};
    write_on(pack);
    const Status status = pack->status;
    pthread_mutex_unlock(&pack->of->lock);
    return status == STATUS_OK ? status : fail(status, "%s", pack->why);
}

void pack_leave_out(Pack *pack, size_t slot) {
    pthread_mutex_lock(&pack->of->lock);
    if (pack->slots[slot]->state == SLOT_OPEN)
        pack->slots[slot]->state = SLOT_LEFT_OUT;
    write_on(pack);
    pthread_mutex_unlock(&pack->of->lock);
}

void pack_give_up(Pack *pack, const char *why) {
    pthread_mutex_lock(&pack->of->lock);
    if (!pack->ended && !pack->given_up)
        pack->given_up = why;
    pthread_mutex_unlock(&pack->of->lock);
}

bool pack_disk_is_full(const Pack *pack) {
    return output_disk_is_full(pack->claim);
}

Status packs_end(Packs *packs) {
    const Pack *failed = NULL;
    pthread_mutex_lock(&packs->lock);
    for (Pack *pack = packs->first; pack; pack = pack->next) {
        if (pack->mine && !pack->ended) {
            pack->given_up = pack->given_up ? pack->given_up : "the run ended before its last member";
            end_pack(pack);
        }
        if (!failed && pack->status != STATUS_OK)
            failed = pack;
    }
    pthread_mutex_unlock(&packs->lock);
    return failed ? fail(failed->status, "%s", failed->why) : STATUS_OK;
}
