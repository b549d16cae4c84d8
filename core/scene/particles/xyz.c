/* xyz.c: frames of atoms: how many, a comment, and a line for each atom. The comment of an extended XYZ names the
 * columns, and the lattice (github.com/libAtoms/extxyz). */
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"

#include <stdio.h>
#include <stdlib.h>

#define ATOMS_MAX 4294967294

enum { COLUMNS_MAX = 1000 };

/* The value of a key of the comment, within quotes or up to a blank; false if it has not that key. */
static bool find_value(const Header *header, const char *key, Word *value) {
    const size_t length = strlen(key);
    for (const char *at = header->line; at + length < header->line_end; at++) {
        const bool begins = at == header->line || at[-1] == ' ' || at[-1] == '\t';
        if (!begins || memcmp(at, key, length) != 0 || at[length] != '=')
            continue;
        const char *from = at + length + 1, *to;
        const bool quoted = from < header->line_end && (*from == '"' || *from == '\'');
        from += quoted;
        for (to = from; to < header->line_end && (quoted ? *to != from[-1] : *to != ' ' && *to != '\r');)
            to++;
        *value = (Word){from, to};
        return true;
    }
    return false;
}

/* The property's next part, up to a colon. */
static Word take_part(Word *rest) {
    const char *colon = memchr(rest->begin, ':', (size_t)(rest->end - rest->begin));
    const Word part = {rest->begin, colon ? colon : rest->end};
    rest->begin = colon ? colon + 1 : rest->end;
    return part;
}

static Status add_property(Particles *particles, Word name, size_t columns) {
    static const char *const axes[] = {"x", "y", "z"};
    const bool is_place = word_is(name, "pos") && columns == 3;
    for (size_t i = 0; i < columns; i++) {
        const size_t length = is_place ? 1 : (size_t)(name.end - name.begin),
                     index = is_place || columns == 1 ? 0 : i + 1;
        TRY(particles_add(particles, is_place ? axes[i] : name.begin, length, index, COLUMN_TEXT, NULL));
    }
    return STATUS_OK;
}

/* "species:S:1:pos:R:3" */
static Status read_properties(const Header *header, Word rest) {
    static const char kinds[] = {'S', 'R', 'I', 'L'};
    while (rest.begin < rest.end) {
        const Word name = take_part(&rest), kind = take_part(&rest), count = take_part(&rest);
        size_t columns;
        if (kind.end - kind.begin != 1 || !memchr(kinds, *kind.begin, sizeof kinds) ||
            !word_whole(count, COLUMNS_MAX, &columns) || columns == 0)
            return header_wrong(header, name, "a property as in species:S:1:pos:R:3");
        TRY(add_property(header->particles, name, columns));
    }
    return STATUS_OK;
}

/* Nine numbers: the three sides. */
static Status read_lattice(Header header, Word lattice) {
    Box *box = &header.particles->box;
    header.at = lattice.begin;
    header.line_end = lattice.end;
    TRY(header_numbers(&header, 9, "nine numbers of a lattice", &box->sides[0][0]));
    header.particles->has_box = true;
    return STATUS_OK;
}

/* "T T F": along which sides it is periodic; all without it. */
static void read_borders(const Header *header, Box *box) {
    Word value;
    size_t side = 0;
    if (!find_value(header, "pbc", &value))
        return;
    for (const char *at = value.begin; at < value.end && side < 3; at++)
        if (*at != ' ')
            box->open[side++] = *at == 'F' || *at == 'f' || *at == '0';
}

/* A plain XYZ: the element, the place, and what else the first atom's line has. */
static Status add_plain(const Header *header) {
    static const char *const names[] = {"species", "x", "y", "z"};
    Header atom = *header;
    Word word;
    (void)header_line(&atom);
    for (size_t i = 0; i < 4 || (i < COLUMNS_MAX && header_word(&atom, &word)); i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        const char *name = i < 4 ? names[i] : number;
        if (i < 4)
            (void)header_word(&atom, &word);
        TRY(particles_add(header->particles, name, strlen(name), 0, COLUMN_TEXT, NULL));
    }
    return STATUS_OK;
}

static Status read_comment(Header *header) {
    Word value;
    if (!header_line(header))
        return header_wrong(header, (Word){header->end, header->end}, "a line of comment");
    TRY(find_value(header, "Properties", &value) ? read_properties(header, value) : add_plain(header));
    read_borders(header, &header->particles->box);
    return find_value(header, "Lattice", &value) ? read_lattice(*header, value) : STATUS_OK;
}

/* How many atoms; false at the end of the file. */
static Status read_count(Header *header, size_t *atoms) {
    Word word;
    TRY(header_whole(header, ATOMS_MAX, "the number of atoms, a whole number from 1 to 4294967294", atoms));
    if (*atoms == 0)
        return header_wrong(header, (Word){header->line, header->line_end},
                            "the number of atoms, a whole number from 1 to 4294967294");
    return header_word(header, &word)
               ? header_wrong(header, word, "the end of the line: the number of atoms stands alone")
               : STATUS_OK;
}

/* Goes on to a line that is not empty; false at the end of the file. */
static bool find_line(Header *header) {
    while (header_line(header)) {
        Header line = *header;
        Word word;
        if (header_word(&line, &word))
            return true;
    }
    return false;
}

static bool pass(Header *header) {
    size_t atoms = 0;
    if (!find_line(header))
        return false;
    header->damaged = read_count(header, &atoms) != STATUS_OK;
    if (!header->damaged)
        (void)header_skip(header, atoms + 1);
    return true;
}

static Status table(Particles *particles) {
    Header header = header_of(particles);
    size_t atoms = 0;
    particles->id = "id";
    if (!find_line(&header))
        return header_wrong(&header, (Word){header.end, header.end},
                            "the number of atoms, a whole number from 1 to 4294967294");
    TRY(read_count(&header, &atoms));
    TRY(read_comment(&header));
    return header_rows(&header, atoms, "an atom: an element and three numbers");
}

const SceneFormat scene_format_xyz = {
    .name = "xyz",
    .more = " extxyz",
    .help = "atoms, as large as van der Waals found them; extended ones with frames and properties",
    .binary = true,
    .table = table,
    .pass = pass,
};
