/* struct_conn.c: the category struct_conn of mmCIF (mmcif.wwpdb.org), as a loop or as one row. It names both atoms of a
 * bond by chain, residue and atom. One pass over all atoms finds them by hashes of these words. */
#include "core/scene/particles/struct_conn.h"

#include <stdlib.h>
#include <string.h>

#define CATEGORY "_struct_conn."

/* The words that name an atom: in the category, of each partner, and as columns of atom_site. */
enum { KEYS = 7 };
static const struct {
    const char *partners[2], *column;
} keys[KEYS] = {
    {{"ptnr1_label_asym_id", "ptnr2_label_asym_id"}, "label_asym_id"},
    {{"ptnr1_label_comp_id", "ptnr2_label_comp_id"}, "label_comp_id"},
    {{"ptnr1_label_seq_id", "ptnr2_label_seq_id"}, "label_seq_id"},
    {{"ptnr1_label_atom_id", "ptnr2_label_atom_id"}, "label_atom_id"},
    {{"ptnr1_auth_seq_id", "ptnr2_auth_seq_id"}, "auth_seq_id"}, /* tells waters apart */
    {{"pdbx_ptnr1_PDB_ins_code", "pdbx_ptnr2_PDB_ins_code"}, "pdbx_PDB_ins_code"},
    {{"pdbx_ptnr1_label_alt_id", "pdbx_ptnr2_label_alt_id"}, "label_alt_id"},
};

/* The items of the category that are read, behind those of both partners. */
enum { TYPE = 2 * KEYS, SYMMETRY, OTHER_SYMMETRY, ITEMS };
static const char *const more[ITEMS - TYPE] = {"conn_type_id", "ptnr1_symmetry", "ptnr2_symmetry"};

static const char blank[] = "";
static const Word nothing = {blank, blank};

static const char *item_name(size_t item) {
    return item < TYPE ? keys[item / 2].partners[item % 2] : more[item - TYPE];
}

/* ---- words ---- */

static void clear(Word *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        words[i] = nothing;
}

typedef struct Text {
    Lines words;
    const char *at, *end;
    bool begins_line;
} Text;

/* A text between lines that begin with a semicolon. */
static Word take_lines(Text *text) {
    const Word word = {text->at + 1, lines_find(line_next(text->at, text->end), text->end, ";")};
    text->at = word.end < text->end ? word.end + 1 : text->end;
    text->begins_line = false;
    return word;
}

/* The next word, in whichever line; false at the end. */
static bool next_word(Text *text, Word *word) {
    while (text->at < text->end) {
        if (text->begins_line && *text->at == ';') {
            *word = take_lines(text);
            return true;
        }
        const char *const end = line_end(text->at, text->end);
        text->begins_line = false;
        if (lines_word(&text->words, &text->at, end, word) && *word->begin != '#')
            return true;
        text->at = line_next(text->at, text->end);
        text->begins_line = true;
    }
    return false;
}

static bool begins(Word word, const char *with) {
    const size_t length = strlen(with);
    return (size_t)(word.end - word.begin) >= length && memcmp(word.begin, with, length) == 0;
}

/* Whether a word is no value, but what follows the category. Values that begin so are quoted. */
static bool ends_category(const Text *text, Word word) {
    const bool quoted = word.begin > text->words.begin && (word.begin[-1] == '"' || word.begin[-1] == '\'');
    return !quoted && (begins(word, "_") || begins(word, "loop_") || begins(word, "data_"));
}

/* ---- atoms by their words ---- */

/* A partner of a bond. */
typedef struct Partner {
    uint64_t key;
    size_t place;    /* 2 * the bond, or 1 more */
    uint32_t number; /* of the atom, once it is found */
    bool found;
} Partner;

/* Fowler, Noll and Vo's hash, 1a. "?" and ".", unknown and none, are the same. */
static void add_word(uint64_t *key, Word word) {
    const bool none = word.end == word.begin + 1 && (*word.begin == '?' || *word.begin == '.');
    for (const char *at = word.begin; at < word.end && !none; at++)
        *key = (*key ^ (unsigned char)*at) * UINT64_C(1099511628211);
    *key = (*key ^ '\n') * UINT64_C(1099511628211);
}

typedef struct Reading {
    const Particles *particles;
    const Column *columns[KEYS]; /* NULL: the category or the atoms have not such words */
    const Column *id;
    Partner *partners;
    size_t count, capacity;
} Reading;

static uint64_t key_of(const Reading *reading, const Word *words) {
    uint64_t key = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < KEYS; i++)
        if (reading->columns[i])
            add_word(&key, words[i]);
    return key;
}

static Status add_partner(Reading *reading, uint64_t key) {
    if (reading->count == reading->capacity) {
        const size_t capacity = 2 * reading->capacity + 64;
        Partner *grown = realloc(reading->partners, capacity * sizeof *grown);
        if (!grown)
            return fail(STATUS_DEVICE, "%s: no memory for %zu bonds", reading->particles->name, capacity / 2);
        reading->partners = grown;
        reading->capacity = capacity;
    }
    reading->partners[reading->count] = (Partner){.key = key, .place = reading->count};
    reading->count++;
    return STATUS_OK;
}

/* ---- the category ---- */

static bool same(Word a, Word b) {
    return a.end - a.begin == b.end - b.begin && memcmp(a.begin, b.begin, (size_t)(a.end - a.begin)) == 0;
}

/* Takes a row by its words, by items; those that the category lacks are empty. */
static Status add_row(Reading *reading, const Word *row) {
    static const char *const weak[] = {"hydrog", "saltbr", "mismat"};
    for (size_t i = 0; i < sizeof weak / sizeof weak[0]; i++)
        if (word_is(row[TYPE], weak[i]))
            return STATUS_OK;
    if (!same(row[SYMMETRY], row[OTHER_SYMMETRY]))
        return STATUS_OK;
    for (size_t partner = 0; partner < 2; partner++) {
        Word words[KEYS];
        for (size_t i = 0; i < KEYS; i++)
            words[i] = row[2 * i + partner];
        TRY(add_partner(reading, key_of(reading, words)));
    }
    return STATUS_OK;
}

static size_t item_of(Word word) {
    const Word name = {word.begin + strlen(CATEGORY), word.end};
    size_t item = 0;
    while (item < ITEMS && !word_is(name, item_name(item)))
        item++;
    return item;
}

/* Atoms are compared by the words that both they and the category have. */
static void choose_keys(Reading *reading, const bool *has) {
    for (size_t i = 0; i < KEYS; i++)
        reading->columns[i] =
            has[2 * i] && has[2 * i + 1] ? particles_column(reading->particles, keys[i].column) : NULL;
}

/* The names of the items, then rows of as many words. */
static Status read_loop(Reading *reading, Text *text, Word word) {
    enum { MAX = 256 };
    size_t items[MAX], count = 0;
    bool has[ITEMS + 1] = {false};
    for (bool more_words = true; more_words && begins(word, CATEGORY); more_words = next_word(text, &word)) {
        if (count == MAX)
            return fail(STATUS_INPUT, "%s: struct_conn has more than %d items", reading->particles->name, MAX);
        items[count] = item_of(word);
        has[items[count++]] = true;
    }
    choose_keys(reading, has);
    for (;;) {
        Word row[ITEMS + 1];
        clear(row, ITEMS + 1);
        for (size_t i = 0; i < count; i++) {
            if (ends_category(text, word))
                return STATUS_OK;
            row[items[i]] = word;
            if (!next_word(text, &word) && i + 1 < count)
                return STATUS_OK;
        }
        TRY(add_row(reading, row));
        if (text->at == text->end)
            return STATUS_OK;
    }
}

/* A name and a value after the other. */
static Status read_row(Reading *reading, Text *text, Word word) {
    Word row[ITEMS + 1];
    bool has[ITEMS + 1] = {false};
    clear(row, ITEMS + 1);
    do {
        const size_t item = item_of(word);
        if (!next_word(text, &row[item]))
            break;
        has[item] = true;
    } while (next_word(text, &word) && begins(word, CATEGORY));
    choose_keys(reading, has);
    return add_row(reading, row);
}

static Status read_category(Reading *reading) {
    const Particles *particles = reading->particles;
    const char *const begin = (const char *)particles->file.data, *const end = begin + particles->file.size;
    Text text = {.words = {.begin = begin, .quotes = true}, .at = lines_find(begin, end, CATEGORY), .end = end};
    Word word, next;
    if (!next_word(&text, &word))
        return fail(STATUS_INPUT, "%s: has no category struct_conn; want bonds=1.2x, by covalent radii",
                    particles->name);
    Text ahead = text;
    return next_word(&ahead, &next) && ends_category(&ahead, next) ? read_loop(reading, &text, word)
                                                                   : read_row(reading, &text, word);
}

/* ---- atoms ---- */

static int compare_partners(const void *a, const void *b) {
    const Partner *one = a, *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->place < other->place ? -1 : one->place > other->place;
}

static int compare_places(const void *a, const void *b) {
    const Partner *one = a, *other = b;
    return one->place < other->place ? -1 : one->place > other->place;
}

/* The first partner of that key; NULL if there is none. */
static Partner *find_partner(const Reading *reading, uint64_t key) {
    size_t low = 0, high = reading->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (reading->partners[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reading->count && reading->partners[low].key == key ? &reading->partners[low] : NULL;
}

/* Notes the atom of a line in the first of the partners that it is. The first such atom counts. */
static void note_atom(Reading *reading, const char *line, const char *end) {
    Word words[KEYS], word, id = nothing;
    clear(words, KEYS);
    for (size_t field = 0; lines_word(&reading->particles->lines, &line, end, &word); field++) {
        for (size_t i = 0; i < KEYS; i++)
            if (reading->columns[i] && reading->columns[i]->field == field)
                words[i] = word;
        if (reading->id->field == field)
            id = word;
    }
    size_t number;
    Partner *partner = find_partner(reading, key_of(reading, words));
    if (!partner || partner->found || !word_whole(id, UINT32_MAX, &number))
        return;
    partner->number = (uint32_t)number;
    partner->found = true;
}

static void find_atoms(Reading *reading) {
    const Lines *lines = &reading->particles->lines;
    const char *at = lines->begin, *ends;
    qsort(reading->partners, reading->count, sizeof *reading->partners, compare_partners);
    for (; lines_row(lines, &at, lines->end, &ends); at = line_next(at, lines->end))
        note_atom(reading, at, ends);
    for (size_t i = 1; i < reading->count; i++) {
        Partner *partner = &reading->partners[i];
        if (partner->key == partner[-1].key) {
            partner->number = partner[-1].number;
            partner->found = partner[-1].found;
        }
    }
    qsort(reading->partners, reading->count, sizeof *reading->partners, compare_places);
}

static Status list_pairs(const Reading *reading, Bonds *pairs) {
    pairs->list = malloc((reading->count / 2 + 1) * sizeof *pairs->list);
    if (!pairs->list)
        return fail(STATUS_DEVICE, "%s: no memory for %zu bonds", reading->particles->name, reading->count / 2);
    for (size_t i = 0; i + 1 < reading->count; i += 2) {
        const Partner *both = &reading->partners[i];
        if (both[0].found && both[1].found)
            pairs->list[pairs->count++] = (Bond){.from = both[0].number, .to = both[1].number};
    }
    return STATUS_OK;
}

Status struct_conn_bonds(const Particles *particles, Bonds *pairs) {
    Reading reading = {.particles = particles, .id = particles_column(particles, "id")};
    *pairs = (Bonds){0};
    Status status = read_category(&reading);
    if (status == STATUS_OK && reading.count > 0)
        find_atoms(&reading);
    if (status == STATUS_OK)
        status = list_pairs(&reading, pairs);
    free(reading.partners);
    return status;
}
