/* mmcif.c: the atoms of an mmCIF or PDBx file: the loop of the category atom_site (mmcif.wwpdb.org), whose rows are one
 * line each. Frames are its models. */
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"
#include "core/scene/particles/struct_conn.h"

#define CATEGORY "_atom_site."

/* Names that other formats have, too. */
static const struct {
    const char *item, *name;
} names[] = {
    {"Cartn_x", "x"},           {"Cartn_y", "y"},          {"Cartn_z", "z"},
    {"type_symbol", "element"}, {"auth_asym_id", "chain"}, {"B_iso_or_equiv", "temperature"},
};

static Status add_item(Header *header) {
    Word word;
    (void)header_word(header, &word);
    const char *name = word.begin + strlen(CATEGORY);
    size_t length = (size_t)(word.end - name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (word_is((Word){name, word.end}, names[i].item)) {
            name = names[i].name;
            length = strlen(name);
            break;
        }
    return particles_add(header->particles, name, length, 0, COLUMN_TEXT, NULL);
}

/* The columns; the header is then before the first row. */
static Status read_items(Header *header) {
    header_find(header, CATEGORY);
    while (header_line(header) && header_begins(header, CATEGORY))
        TRY(add_item(header));
    header->next = header->line;
    return header->particles->count > 0
               ? STATUS_OK
               : fail(STATUS_INPUT, "%s: no loop of _atom_site, which mmCIF has its atoms in", header->particles->name);
}

static bool ends_loop(const char *line, const char *end) {
    static const char *const words[] = {"_", "#", "loop_", "data_"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if ((size_t)(end - line) >= strlen(words[i]) && memcmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return line == end || *line == '\r';
}

/* Word number `field` of a row; an empty one where the row ends before it. */
static Word word_of(const Lines *lines, const char *line, const char *end, size_t field) {
    Word word = {end, end};
    for (size_t i = 0; i <= field; i++)
        if (!lines_word(lines, &line, end, &word))
            return (Word){end, end};
    return word;
}

static bool same(Word a, Word b) {
    return a.end - a.begin == b.end - b.begin && memcmp(a.begin, b.begin, (size_t)(a.end - a.begin)) == 0;
}

/* A number of the category cell. */
static bool read_cell(const Header *header, const char *item, double *number) {
    const char *line = lines_find(header_of(header->particles).next, header->end, item);
    Word word = word_of(&header->words, line, line_end(line, header->end), 1);
    return line < header->end && word_number(word, number);
}

static void read_box(Header *header) {
    static const char *const items[] = {"_cell.length_a",    "_cell.length_b",   "_cell.length_c",
                                        "_cell.angle_alpha", "_cell.angle_beta", "_cell.angle_gamma"};
    double numbers[6];
    for (size_t i = 0; i < 6; i++)
        if (!read_cell(header, items[i], &numbers[i]))
            return;
    header->particles->has_box =
        numbers[0] * numbers[1] * numbers[2] > 1 && box_by_angles(numbers, numbers + 3, &header->particles->box);
}

/* Where the model's number is: no column, the last one, where archives have it, or that column. */
enum { NO_MODEL, LAST_MODEL, FIRST_MODEL };

/* Goes to the first row, and finds the column of the model's number. */
static void pass_items(Header *header, size_t *model) {
    Word word;
    size_t field = 0;
    *model = NO_MODEL;
    header_find(header, CATEGORY);
    for (; header_line(header) && header_begins(header, CATEGORY); field++)
        if (header_word(header, &word) && word_is(word, CATEGORY "pdbx_PDB_model_num"))
            *model = FIRST_MODEL + field;
    if (*model == FIRST_MODEL + field - 1)
        *model = LAST_MODEL;
    header->next = header->line;
    header->head = (size_t)(header->next - header->text);
}

static Word last_word(const char *line, const char *end) {
    while (end > line && is_blank(end[-1]))
        end--;
    const char *begin = end;
    while (begin > line && !is_blank(begin[-1]))
        begin--;
    return (Word){begin, end};
}

/* The number of the row's model. */
static Word model_of(const Header *header) {
    return header->field == LAST_MODEL
               ? last_word(header->line, header->line_end)
               : word_of(&header->words, header->line, header->line_end, header->field - FIRST_MODEL);
}

/* The rows of a model. */
static bool pass(Header *header) {
    Word model = {header->next, header->next};
    header->words.quotes = true;
    if (header->passed == 0)
        pass_items(header, &header->field);
    const char *const begin = header->next;
    while (header_line(header) && !ends_loop(header->line, header->line_end)) {
        if (header->field == NO_MODEL)
            continue;
        const Word word = model_of(header);
        if (header->line > begin && !same(word, model))
            break;
        model = word;
    }
    header->next = header->line;
    return header->next > begin || header->passed == 0;
}

static Status table(Particles *particles) {
    Header header = header_of(particles);
    header.words.quotes = true;
    TRY(read_items(&header));
    particles->bonds = particles_column(particles, "id") ? struct_conn_bonds : NULL;
    particles->bonded = "id";
    read_box(&header);
    return header_lines(&header, header.text + particles->extract.tail, header.words);
}

const SceneFormat scene_format_mmcif = {
    .name = "cif",
    .more = " mmcif",
    .help = "a molecule as mmCIF; frames are its models",
    .binary = true,
    .table = table,
    .pass = pass,
    .tail = true,
};
