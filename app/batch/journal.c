/* journal.c: lines of JSON, read into a tree by output. */
#include "app/batch/journal.h"

#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME ".glint-journal"

/* A line. */
typedef struct Entry {
    struct Entry *older;                            /* of the same output */
    char *output;                                   /* below the journal's folder */
    char *from;                                     /* the input's name */
    int64_t size, changed, made_size, made_changed; /* bytes, ns */
    int64_t touched;                                /* ns: when anything of the input changed, its name included */
    uint64_t hash, inode;                           /* of the input; 0: not known */
    bool same_recipe;
} Entry;

struct Journal {
    const Place *place;
    char *path, *recipe;
    pthread_mutex_t lock; /* guards the members below; entries stay as they are once they are in the tree */
    void *entries;        /* a tree of tsearch: the last one of each output that was added */
    int descriptor;       /* to add to; -1: nothing was added yet */
};

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for the journal");
}

static int64_t ns_of(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A name as lines have it, to be freed; NULL without memory. */
static char *spell(const char *name) {
    const size_t size = text_escape(name, TEXT_UTF8, NULL, 0) + 1;
    char *spelled = malloc(size);
    if (spelled)
        text_escape(name, TEXT_UTF8, spelled, size);
    return spelled;
}

/* ---- reading ---- */

/* Without memory jansson loses letters of a text, or crashes (2.14): where malloc fails, the thread that opens the
 * journal leaves jansson by longjmp. Memory that jansson held is lost then: the run ends. */
static jmp_buf starved;

static void *malloc_or_leave(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        longjmp(starved, 1);
    return memory;
}

static void free_entry(Entry *entry) {
    while (entry) {
        Entry *older = entry->older;
        free(entry->output);
        free(entry->from);
        free(entry);
        entry = older;
    }
}

static int by_output(const void *a, const void *b) {
    return strcmp(((const Entry *)a)->output, ((const Entry *)b)->output);
}

static void free_node(void *entry) {
    free_entry(entry);
}

/* Numbers are text, since JSON's are doubles. Lines of before lack the input's inode and the time when it was touched.
 */
static bool read_record(const Journal *journal, json_t *record, Entry *read) {
    const char *output, *from, *recipe, *input, *made;
    if (json_unpack(record, "{s:s, s:s, s:s, s:s, s:s}", "output", &output, "from", &from, "recipe", &recipe, "input",
                    &input, "made", &made) != 0 ||
        sscanf(input, "%" SCNd64 " %" SCNd64 " %" SCNx64 " %" SCNu64 " %" SCNd64, &read->size, &read->changed,
               &read->hash, &read->inode, &read->touched) < 3 ||
        sscanf(made, "%" SCNd64 " %" SCNd64, &read->made_size, &read->made_changed) != 2)
        return false;
    read->same_recipe = strcmp(recipe, journal->recipe) == 0;
    read->output = strdup(output);
    read->from = strdup(from);
    return true;
}

/* Makes an entry of a line; NULL for one that is torn, or of another kind. */
static Status parse_line(const Journal *journal, const char *line, size_t length, Entry **entry) {
    Entry read = {0};
    *entry = NULL;
    if (setjmp(starved) != 0)
        return no_memory();
    json_t *record = json_loadb(line, length, 0, NULL);
    const bool good = read_record(journal, record, &read);
    json_decref(record);
    if (!good)
        return STATUS_OK;
    if (read.output && read.from && (*entry = malloc(sizeof **entry))) {
        **entry = read;
        return STATUS_OK;
    }
    free(read.output);
    free(read.from);
    return no_memory();
}

/* Takes over the entry. Entries of one output are a list. An output has one size and time, so that their order makes no
 * difference. */
static Status add_entry(Journal *journal, Entry *entry) {
    pthread_mutex_lock(&journal->lock);
    Entry **found = tsearch(entry, &journal->entries, by_output);
    if (found && *found != entry) {
        entry->older = *found;
        *found = entry;
    }
    pthread_mutex_unlock(&journal->lock);
    if (found)
        return STATUS_OK;
    free_entry(entry);
    return no_memory();
}

static Status parse(Journal *journal, Bytes text) {
    const char *line = (const char *)text.data, *const end = line + text.size;
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((stop ? stop : end) - line);
        Entry *entry;
        TRY(parse_line(journal, line, length, &entry));
        if (entry)
            TRY(add_entry(journal, entry));
        line += length + 1;
    }
    return STATUS_OK;
}

static Status read_journal(Journal *journal) {
    Bytes text;
    struct stat there;
    json_malloc_t make;
    json_free_t drop;
    if (lstat(journal->path, &there) != 0)
        return STATUS_OK;
    if (!S_ISREG(there.st_mode))
        return fail(STATUS_USAGE, "%s: is not a regular file, want the journal that --resume keeps there",
                    journal->path);
    if (there.st_nlink > 1)
        return fail(STATUS_USAGE, "%s: has another name elsewhere (a hard link), want the journal that --resume keeps",
                    journal->path);
    TRY(file_read(journal->path, &text));
    json_get_alloc_funcs(&make, &drop);
    json_set_alloc_funcs(malloc_or_leave, free);
    const Status status = parse(journal, text);
    json_set_alloc_funcs(make, drop);
    bytes_free(&text);
    return status;
}

Status journal_open(const Place *place, const char *recipe, Journal **journal) {
    Journal *made = *journal = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    *made = (Journal){.place = place, .recipe = spell(recipe), .lock = PTHREAD_MUTEX_INITIALIZER, .descriptor = -1};
    if (asprintf(&made->path, "%s" NAME, place_text(place)) < 0)
        made->path = NULL;
    const Status status = made->path && made->recipe ? read_journal(made) : no_memory();
    if (status != STATUS_OK)
        journal_close(journal);
    return status;
}

void journal_close(Journal **journal) {
    Journal *old = *journal;
    *journal = NULL;
    if (!old)
        return;
    tdestroy(old->entries, free_node);
    if (old->descriptor >= 0)
        close(old->descriptor);
    pthread_mutex_destroy(&old->lock);
    free(old->path);
    free(old->recipe);
    free(old);
}

/* ---- asking ---- */

/* The output as the journal calls it. */
static const char *name_below(const Journal *journal, const char *output) {
    const size_t length = strlen(place_text(journal->place));
    return strncmp(output, place_text(journal->place), length) == 0 ? output + length : output;
}

/* The first entry from `entry` on whose output is the file that is there now. */
static const Entry *present(const Entry *entry, const struct stat *there) {
    while (entry && (entry->made_size != there->st_size || entry->made_changed != ns_of(there->st_mtim)))
        entry = entry->older;
    return entry;
}

static Status find(Journal *journal, const char *output, const struct stat *there, const Entry **entry) {
    *entry = NULL;
    if (!S_ISREG(there->st_mode))
        return STATUS_OK;
    const Entry wanted = {.output = spell(name_below(journal, output))};
    if (!wanted.output)
        return no_memory();
    pthread_mutex_lock(&journal->lock);
    Entry *const *found = tfind(&wanted, &journal->entries, by_output);
    const Entry *newest = found ? *found : NULL;
    pthread_mutex_unlock(&journal->lock);
    free(wanted.output);
    *entry = present(newest, there);
    return STATUS_OK;
}

Status journal_owns(Journal *journal, const char *input, const char *output, FileIdentity *is) {
    struct stat there;
    const Entry *entry = NULL;
    char *name = input ? spell(input) : NULL;
    *is = (FileIdentity){0};
    if (input && !name)
        return no_memory();
    const Status status =
        place_look(journal->place, output, &there) ? find(journal, output, &there, &entry) : STATUS_OK;
    while (entry && name && strcmp(entry->from, name) != 0)
        entry = present(entry->older, &there);
    free(name);
    TRY(status);
    if (entry)
        *is = file_identity(&there);
    return STATUS_OK;
}

static bool same_content(const char *input, uint64_t hash) {
    Bytes bytes;
    if (hash == 0 || file_read(input, &bytes) != STATUS_OK)
        return false;
    const bool same = bytes_hash(bytes) == hash;
    bytes_free(&bytes);
    return same;
}

/* Size and time alone are those of many files: of all that a camera has written within a tick, or a program has dated
 * alike. */
static bool same_file(const Entry *entry, const char *name, const struct stat *from) {
    return entry->inode != 0 && entry->inode == from->st_ino && entry->changed == ns_of(from->st_mtim) &&
           entry->touched == ns_of(from->st_ctim) && strcmp(entry->from, name) == 0;
}

bool journal_is_fresh(const struct stat *info) {
    enum { TICK = 2 }; /* seconds at most */
    return info->st_ctim.tv_sec + TICK >= time(NULL);
}

Status journal_has(Journal *journal, const char *input, const char *holder, const struct stat *from, const char *output,
                   const struct stat *there, uint64_t *hash, bool *done) {
    const Entry *entry;
    *hash = 0;
    *done = false;
    TRY(find(journal, output, there, &entry));
    char *name = spell(input);
    if (!name)
        return no_memory();
    for (; entry && !*done; entry = present(entry->older, there)) {
        *done = entry->same_recipe && entry->size == from->st_size &&
                (same_file(entry, name, from) || (holder == input && same_content(input, entry->hash)));
        *hash = *done ? entry->hash : 0;
    }
    free(name);
    return STATUS_OK;
}

Status journal_is_done(Journal *journal, const char *input, const char *holder, const char *output, bool *done) {
    struct stat there, from;
    const char *below;
    uint64_t hash;
    *done = false;
    const int folder = place_of(journal->place, output, &below);
    if (fstatat(folder, below, &there, 0) != 0 || stat(holder, &from) != 0)
        return STATUS_OK;
    return journal_has(journal, input, holder, &from, output, &there, &hash, done);
}

/* ---- adding ---- */

static Status cannot(const Journal *journal) {
    return fail(STATUS_DEVICE, "%s: cannot be written: %m", journal->path);
}

/* A line that was torn is ended, so that the next one is whole. Under the locks. */
static bool append_line(int descriptor, const char *line, size_t length) {
    char last = '\n';
    const off_t end = lseek(descriptor, 0, SEEK_END);
    bool good = end >= 0 && (end == 0 || pread(descriptor, &last, 1, end - 1) == 1);
    if (good && last != '\n')
        good = write(descriptor, "\n", 1) == 1;
    for (size_t done = 0; good && done < length;) {
        const ssize_t count = write(descriptor, line + done, length - done);
        good = count > 0 || errno == EINTR;
        done += count > 0 ? (size_t)count : 0;
    }
    return good;
}

static Status append(Journal *journal, const char *line, size_t length) {
    pthread_mutex_lock(&journal->lock);
    const char *below;
    const int folder = place_of(journal->place, journal->path, &below);
    if (journal->descriptor < 0)
        journal->descriptor =
            openat(folder, below, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    bool good = journal->descriptor >= 0;
    if (good) {
        (void)flock(journal->descriptor, LOCK_EX); /* where locks do not work, lines are written in one piece, mostly */
        good = append_line(journal->descriptor, line, length);
        const int reason = errno;
        (void)flock(journal->descriptor, LOCK_UN);
        errno = reason;
    }
    pthread_mutex_unlock(&journal->lock);
    return good ? STATUS_OK : cannot(journal);
}

/* Keeps an output that this run has made, for later questions. Takes over the texts, which may be NULL: there was no
 * memory for them.
 */
static Status remember(Journal *journal, char *output, char *input, const struct stat *from, uint64_t hash,
                       const struct stat *made) {
    Entry *entry = output && input ? malloc(sizeof *entry) : NULL;
    if (!entry) {
        free(output);
        free(input);
        return no_memory();
    }
    *entry = (Entry){.output = output,
                     .from = input,
                     .size = from->st_size,
                     .changed = ns_of(from->st_mtim),
                     .touched = ns_of(from->st_ctim),
                     .made_size = made->st_size,
                     .made_changed = ns_of(made->st_mtim),
                     .hash = hash,
                     .inode = from->st_ino,
                     .same_recipe = true};
    return add_entry(journal, entry);
}

Status journal_note(Journal *journal, const char *input, const struct stat *from, uint64_t hash, const char *output,
                    const struct stat *made) {
    char facts[160], is[48];
    snprintf(facts, sizeof facts, "%" PRId64 " %" PRId64 " %016" PRIx64 " %" PRIu64 " %" PRId64, (int64_t)from->st_size,
             ns_of(from->st_mtim), hash, (uint64_t)from->st_ino, ns_of(from->st_ctim));
    snprintf(is, sizeof is, "%" PRId64 " %" PRId64, (int64_t)made->st_size, ns_of(made->st_mtim));
    char *name = spell(name_below(journal, output)), *source = spell(input);
    json_t *record = name && source ? json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "glint", "journal", "output", name,
                                                "from", source, "input", facts, "made", is, "recipe", journal->recipe)
                                    : NULL;
    char *line = record ? json_dumps(record, JSON_COMPACT) : NULL, *whole = NULL;
    json_decref(record);
    const int length = line ? asprintf(&whole, "%s\n", line) : -1;
    const Status status = length >= 0 ? append(journal, whole, (size_t)length) : no_memory();
    free(line);
    if (length >= 0)
        free(whole);
    const Status remembered = remember(journal, name, source, from, hash, made);
    return status == STATUS_OK ? remembered : status;
}

Status journal_add(Journal *journal, const char *input, const struct stat *from, uint64_t hash, const char *output,
                   const struct stat *made) {
    TRY(journal_note(journal, input, from, hash, output, made));
    return fdatasync(journal->descriptor) == 0 ? STATUS_OK : cannot(journal);
}

/* ---- recipes ---- */

/* By its content, or, where that is no file or larger than memory, by all that changes with it. */
static Status add_file(void *context, const char *path) {
    struct stat info;
    Bytes bytes;
    if (stat(path, &info) != 0)
        return STATUS_OK;
    if (S_ISREG(info.st_mode) && file_read(path, &bytes) == STATUS_OK) {
        fprintf(context, " %s %016" PRIx64, path, bytes_hash(bytes));
        bytes_free(&bytes);
    } else {
        fprintf(context, " %s %" PRId64 " %" PRId64 " %" PRIu64, path, (int64_t)info.st_size, ns_of(info.st_ctim),
                (uint64_t)info.st_ino);
    }
    return STATUS_OK;
}

char *journal_recipe(const Chain *chain, const char *options) {
    char *recipe = NULL, part[1];
    size_t size;
    FILE *stream = open_memstream(&recipe, &size);
    if (!stream)
        return NULL;
    const size_t length = chain_format(chain, part, sizeof part) + 1;
    char *spelled = malloc(length);
    if (spelled)
        chain_format(chain, spelled, length);
    fprintf(stream, "glint " GLINT_VERSION ": %s%s", spelled ? spelled : "", options);
    (void)chain_files(chain, add_file, stream);
    const bool good = spelled && ferror(stream) == 0;
    free(spelled);
    if (fclose(stream) == 0 && good)
        return recipe;
    free(recipe);
    return NULL;
}
