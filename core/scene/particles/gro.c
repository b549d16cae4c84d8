/* gro.c: frames of GROMACS as text of fixed columns (manual.gromacs.org, "gro file format"). Nanometres become
 * Angstrom, as the radii of elements are. */
#include "core/scene/files/formats.h"
#include "core/scene/particles/elements.h"
#include "core/scene/particles/header.h"

#include <ctype.h>

#define ATOMS_MAX 4294967294

enum { RESIDUE_FIRST = 5, NAME_FIRST = 10, WORD_WIDTH = 5, PLACE_FIRST = 20, PLACE_WIDTH_MAX = 40 };

static const double angstrom = 10; /* in a nanometre */

/* The letters of a word that begins somewhere in five columns, without digits before them. */
static Word letters(const char *line, const char *end, size_t first) {
    const size_t length = (size_t)(end - line);
    const char *from = line + (first < length ? first : length);
    const char *last = line + (first + WORD_WIDTH < length ? first + WORD_WIDTH : length);
    while (from < last && !isalpha((unsigned char)*from))
        from++;
    const char *to = from;
    while (to < last && isalpha((unsigned char)*to))
        to++;
    return (Word){from, to};
}

static int number_of(const char *symbol, size_t length) {
    const Element *element = element_by_symbol(symbol, length);
    return element ? element->number : 0;
}

/* An atom that is called as its residue is an ion: NA, CL. Other names begin with the element, whose symbol has one
 * letter unless there is none of one. */
static int element_of(const char *line, const char *end, Word *word) {
    const Word name = letters(line, end, NAME_FIRST), residue = letters(line, end, RESIDUE_FIRST);
    const size_t length = (size_t)(name.end - name.begin);
    const bool is_ion =
        length > 0 && length == (size_t)(residue.end - residue.begin) && memcmp(name.begin, residue.begin, length) == 0;
    const bool chlorine =
        length >= 2 && toupper((unsigned char)name.begin[0]) == 'C' && toupper((unsigned char)name.begin[1]) == 'L';
    *word = name;
    if (length == 0)
        return 0;
    const int two = length >= 2 ? number_of(name.begin, 2) : 0, one = number_of(name.begin, 1);
    return (is_ion || chlorine || one == 0) && two ? two : one;
}

/* Characters between the points of the first two numbers. */
static Status find_width(Header header, size_t *width) {
    if (!header_line(&header))
        return header_wrong(&header, (Word){header.end, header.end}, "an atom");
    const size_t length = (size_t)(header.line_end - header.line);
    const char *place = header.line + (length < PLACE_FIRST ? length : PLACE_FIRST);
    const char *point = memchr(place, '.', (size_t)(header.line_end - place));
    const char *second = point ? memchr(point + 1, '.', (size_t)(header.line_end - point - 1)) : NULL;
    *width = second ? (size_t)(second - point) : 0;
    return *width > 0 && *width <= PLACE_WIDTH_MAX
               ? STATUS_OK
               : header_wrong(&header, (Word){place, header.line_end}, "x, y and z behind 20 characters");
}

static Status add_columns(const Header *header) {
    static const struct {
        const char *name;
        size_t first, width;
    } words[] = {{"residue_number", 0, 5}, {"residue", RESIDUE_FIRST, 5}, {"name", NAME_FIRST, 5}, {"number", 15, 5}};
    static const char *const numbers[] = {"x", "y", "z", "vx", "vy", "vz"};
    size_t width = 0;
    TRY(find_width(*header, &width));
    for (size_t i = 0; i < 4 + 6 + 1; i++) {
        const char *name = i < 4 ? words[i].name : i < 10 ? numbers[i - 4] : "element";
        Column *column;
        TRY(particles_add(header->particles, name, strlen(name), 0, COLUMN_TEXT, &column));
        column->field = i < 4 ? words[i].first : i < 10 ? PLACE_FIRST + (i - 4) * width : NAME_FIRST;
        column->width = i < 4 ? words[i].width : i < 10 ? width : WORD_WIDTH;
        column->scale = i >= 4 && i < 10 ? angstrom : 1;
        column->element = i == 10 ? element_of : NULL;
    }
    return STATUS_OK;
}

/* Three lengths, or the nine numbers v1(x) v2(y) v3(z) v1(y) v1(z) v2(x) v2(z) v3(x) v3(y). */
static Status read_box(Header *header) {
    static const unsigned char where[9][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
    Box *box = &header->particles->box;
    double number;
    if (!header_line(header))
        return STATUS_OK;
    for (size_t i = 0; i < 9; i++) {
        Word word;
        if (!header_word(header, &word) && i == 3)
            break;
        if (!word_number(word, &number))
            return header_wrong(header, word, "three or nine numbers of the box");
        box->sides[where[i][0]][where[i][1]] = number * angstrom;
    }
    header->particles->has_box = true;
    return STATUS_OK;
}

/* The last frame needs no box. */
static bool pass(Header *header) {
    Word word;
    size_t atoms;
    if (header_is_over(header))
        return false;
    (void)header_line(header);
    (void)header_line(header);
    header->damaged = !header_word(header, &word) || !word_whole(word, ATOMS_MAX, &atoms);
    if (!header->damaged && header_skip(header, atoms))
        (void)header_line(header);
    return true;
}

static Status table(Particles *particles) {
    Header header = header_of(particles);
    size_t atoms = 0;
    if (!header_line(&header)) /* the title */
        return header_wrong(&header, (Word){header.end, header.end}, "a title");
    (void)header_line(&header);
    TRY(header_whole(&header, ATOMS_MAX, "the number of atoms", &atoms));
    TRY(add_columns(&header));
    TRY(header_rows(&header, atoms, "an atom"));
    return read_box(&header);
}

const SceneFormat scene_format_gro = {
    .name = "gro",
    .more = "",
    .help = "atoms of GROMACS, frames of a text",
    .binary = true,
    .table = table,
    .pass = pass,
};
