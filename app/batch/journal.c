/* journal.c: lines of JSON, read into a table by output. */
#include "app/batch/journal.h"

#include "app/say.h"
#include "core/bytes.h"
#include "core/file.h"
#include "core/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME ".glint-journal"

/* A line. */
typedef struct Entry {
    struct Entry *older;                            /* of the same output */
    char *output;                                   /* below the journal's folder */
    int64_t size, changed, made_size, made_changed; /* bytes, ns */
    uint64_t hash;
    bool same_recipe;
} Entry;

struct Journal {
    char *path, *recipe;
    size_t folder;   /* letters of the path before the name: outputs begin with them */
    Entry **entries; /* the newest of each output, sorted by it */
    size_t count, capacity;
    pthread_mutex_t lock; /* guards what follows */
    int descriptor;       /* to add to; -1: nothing was added yet */
};

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for the journal");
}

static int64_t changed_of(const struct stat *info) {
    return (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
}

/* ---- reading ---- */

static void free_entry(Entry *entry) {
    while (entry) {
        Entry *older = entry->older;
        free(entry->output);
        free(entry);
        entry = older;
    }
}

static int compare_entries(const void *a, const void *b) {
    return strcmp((*(Entry *const *)a)->output, (*(Entry *const *)b)->output);
}

/* What a line says; NULL for one that is torn, or of another kind. Numbers are text, since JSON's are doubles. */
static Entry *parse_line(const Journal *journal, const char *line, size_t length) {
    const char *output, *recipe, *input, *made;
    Entry *entry = NULL, read = {0};
    json_t *record = json_loadb(line, length, 0, NULL);
    if (json_unpack(record, "{s:s, s:s, s:s, s:s}", "output", &output, "recipe", &recipe, "input", &input, "made",
                    &made) == 0 &&
        sscanf(input, "%" SCNd64 " %" SCNd64 " %" SCNx64, &read.size, &read.changed, &read.hash) == 3 &&
        sscanf(made, "%" SCNd64 " %" SCNd64, &read.made_size, &read.made_changed) == 2 &&
        (entry = malloc(sizeof *entry))) {
        read.same_recipe = strcmp(recipe, journal->recipe) == 0;
        read.output = strdup(output);
        *entry = read;
    }
    json_decref(record);
    if (entry && !entry->output) {
        free(entry);
        entry = NULL;
    }
    return entry;
}

static Status add_entry(Journal *journal, Entry *entry) {
    if (journal->count == journal->capacity) {
        const size_t capacity = journal->capacity ? 2 * journal->capacity : 256;
        Entry **grown = realloc(journal->entries, capacity * sizeof(Entry *));
        if (!grown) {
            free_entry(entry);
            return no_memory();
        }
        journal->entries = grown;
        journal->capacity = capacity;
    }
    journal->entries[journal->count++] = entry;
    return STATUS_OK;
}

static Status parse(Journal *journal, Bytes text) {
    const char *line = (const char *)text.data, *const end = line + text.size;
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((stop ? stop : end) - line);
        Entry *entry = parse_line(journal, line, length);
        if (entry)
            TRY(add_entry(journal, entry));
        line += length + 1;
    }
    return STATUS_OK;
}

/* Entries of one output become a list; which of them is first makes no difference: an output has one size and time. */
static void join_equal(Journal *journal) {
    size_t kept = 0;
    if (journal->count > 1)
        qsort(journal->entries, journal->count, sizeof(Entry *), compare_entries);
    for (size_t i = 0; i < journal->count; i++) {
        Entry *entry = journal->entries[i];
        if (kept > 0 && strcmp(journal->entries[kept - 1]->output, entry->output) == 0) {
            entry->older = journal->entries[kept - 1]->older;
            journal->entries[kept - 1]->older = entry;
        } else {
            journal->entries[kept++] = entry;
        }
    }
    journal->count = kept;
}

/* The letters of a rule that name a folder whatever the input. */
static size_t folder_length(const char *rule) {
    const char *field = strchr(rule, '{');
    size_t length = field ? (size_t)(field - rule) : strlen(rule);
    while (length > 0 && rule[length - 1] != '/')
        length--;
    return length;
}

static Status read_journal(Journal *journal) {
    Bytes text;
    struct stat there;
    if (lstat(journal->path, &there) != 0)
        return STATUS_OK;
    if (!S_ISREG(there.st_mode))
        return fail(STATUS_USAGE, "%s: is not a regular file, want the journal that --resume keeps there",
                    journal->path);
    TRY(file_read(journal->path, &text));
    const Status status = parse(journal, text);
    bytes_free(&text);
    join_equal(journal);
    return status;
}

Status journal_open(const char *rule, const char *recipe, Journal **journal) {
    const bool whole = !strchr(rule, '{') && rule[strlen(rule) - 1] != '/' && folder_is(rule);
    Journal *made = *journal = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    *made = (Journal){.recipe = strdup(recipe), .lock = PTHREAD_MUTEX_INITIALIZER, .descriptor = -1};
    made->folder = whole ? strlen(rule) + 1 : folder_length(rule);
    if (asprintf(&made->path, "%.*s%s" NAME, (int)made->folder, rule, whole ? "/" : "") < 0)
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
    for (size_t i = 0; i < old->count; i++)
        free_entry(old->entries[i]);
    if (old->descriptor >= 0)
        close(old->descriptor);
    pthread_mutex_destroy(&old->lock);
    free(old->entries);
    free(old->path);
    free(old->recipe);
    free(old);
}

/* ---- asking ---- */

/* The output as the journal calls it. */
static const char *below(const Journal *journal, const char *output) {
    return strncmp(output, journal->path, journal->folder) == 0 ? output + journal->folder : output;
}

/* The first entry from `entry` on whose output is what is there now. */
static const Entry *present(const Entry *entry, const struct stat *there) {
    while (entry && (entry->made_size != there->st_size || entry->made_changed != changed_of(there)))
        entry = entry->older;
    return entry;
}

static const Entry *find(const Journal *journal, const char *output, struct stat *there) {
    if (journal->count == 0 || stat(output, there) != 0 || !S_ISREG(there->st_mode))
        return NULL;
    json_t *name = json_text(below(journal, output)); /* spelled as it was written */
    Entry wanted = {.output = (char *)json_string_value(name)}, *const key = &wanted;
    Entry *const *found =
        wanted.output ? bsearch(&key, journal->entries, journal->count, sizeof(Entry *), compare_entries) : NULL;
    json_decref(name);
    return found ? present(*found, there) : NULL;
}

bool journal_owns(const Journal *journal, const char *output) {
    struct stat there;
    return find(journal, output, &there) != NULL;
}

static bool same_content(const char *input, uint64_t hash) {
    Bytes bytes;
    if (file_read(input, &bytes) != STATUS_OK)
        return false;
    const bool same = bytes_hash(bytes) == hash;
    bytes_free(&bytes);
    return same;
}

bool journal_is_done(const Journal *journal, const char *input, const char *output) {
    struct stat there, from;
    const Entry *entry = find(journal, output, &there);
    if (!entry || stat(input, &from) != 0)
        return false;
    for (; entry; entry = present(entry->older, &there))
        if (entry->same_recipe && entry->size == from.st_size &&
            (entry->changed == changed_of(&from) || same_content(input, entry->hash)))
            return true;
    return false;
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
    if (journal->descriptor < 0)
        journal->descriptor =
            open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    bool good = journal->descriptor >= 0;
    if (good) {
        (void)flock(journal->descriptor, LOCK_EX); /* where locks do not work, lines are written in one piece, mostly */
        good = append_line(journal->descriptor, line, length);
        const int reason = errno;
        (void)flock(journal->descriptor, LOCK_UN);
        errno = reason;
    }
    pthread_mutex_unlock(&journal->lock);
    return good && fdatasync(journal->descriptor) == 0 ? STATUS_OK : cannot(journal);
}

Status journal_add(Journal *journal, const char *input, const struct stat *from, uint64_t hash, const char *output,
                   const struct stat *made) {
    char facts[80], is[48];
    snprintf(facts, sizeof facts, "%" PRId64 " %" PRId64 " %016" PRIx64, (int64_t)from->st_size, changed_of(from),
             hash);
    snprintf(is, sizeof is, "%" PRId64 " %" PRId64, (int64_t)made->st_size, changed_of(made));
    json_t *record =
        json_pack("{s:s, s:o, s:o, s:s, s:s, s:o}", "glint", "journal", "output", json_text(below(journal, output)),
                  "from", json_text(input), "input", facts, "made", is, "recipe", json_text(journal->recipe));
    char *line = record ? json_dumps(record, JSON_COMPACT) : NULL, *whole = NULL;
    json_decref(record);
    const int length = line ? asprintf(&whole, "%s\n", line) : -1;
    const Status status = length >= 0 ? append(journal, whole, (size_t)length) : no_memory();
    free(line);
    if (length >= 0)
        free(whole);
    return status;
}

/* ---- recipes ---- */

static Status add_file(void *context, const char *path) {
    struct stat info;
    if (stat(path, &info) == 0)
        fprintf(context, " %s %" PRId64 " %" PRId64, path, (int64_t)info.st_size, changed_of(&info));
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
