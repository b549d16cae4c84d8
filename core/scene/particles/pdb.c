/* pdb.c: molecules of the Protein Data Bank: the ATOM and HETATM records of a model, which have fixed columns. The
 * source is wwPDB, Protein Data Bank Contents Guide: Atomic Coordinate Entry Format Description, version 3.30. */
#include "core/scene/files/formats.h"
#include "core/scene/particles/elements.h"
#include "core/scene/particles/header.h"

#include <ctype.h>
#include <stdlib.h>

/* From 0, where the guide counts from 1. */
enum { NAME_FIRST = 12, NAME_WIDTH = 4, ELEMENT_FIRST = 76, ELEMENT_WIDTH = 2 };

static const struct {
    const char *name;
    size_t first, width;
} fields[] = {
    {"serial", 6, 5},
    {"name", NAME_FIRST, NAME_WIDTH},
    {"residue", 17, 3},
    {"chain", 21, 1},
    {"residue_number", 22, 4},
    {"x", 30, 8},
    {"y", 38, 8},
    {"z", 46, 8},
    {"occupancy", 54, 6},
    {"temperature", 60, 6},
    {"element", NAME_FIRST, NAME_WIDTH},
};

static bool begins(const char *line, const char *end, const char *with) {
    const size_t length = strlen(with);
    return (size_t)(end - line) >= length && memcmp(line, with, length) == 0;
}

static bool is_atom(const Lines *lines, const char *line, const char *end) {
    (void)lines;
    return begins(line, end, "ATOM  ") || begins(line, end, "HETATM");
}

/* The columns of the line that are there, without the blanks around them. */
static Word columns(const char *line, const char *end, size_t first, size_t width) {
    const size_t length = (size_t)(end - line);
    const char *from = line + (first < length ? first : length),
               *to = line + (first + width < length ? first + width : length);
    while (from < to && (*from == ' ' || *from == '\r'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\r'))
        to--;
    return (Word){from, to};
}

/* Before 1996 (version 2.0 of the guide), the columns of the element belonged to the entry's name and the line's
 * number: "1CRN  70", "1CRN1070". */
static bool is_line_number(Word word) {
    for (const char *at = word.begin; at < word.end; at++)
        if (!isdigit((unsigned char)*at))
            return false;
    return true;
}

static int number_of(const char *symbol, size_t length) {
    const Element *element = element_by_symbol(symbol, length);
    return element ? element->number : 0;
}

/* The element by its own columns, else by the atom's name, where its symbol ends in the second column. Names of four
 * characters begin in the first column, and are hydrogens if they begin with H. */
static int element_of(const char *line, const char *end, Word *word) {
    const Word symbol = columns(line, end, ELEMENT_FIRST, ELEMENT_WIDTH);
    const char *name = line + NAME_FIRST;
    int number = 0;
    *word = symbol;
    if (symbol.begin < symbol.end && !is_line_number(symbol))
        return number_of(symbol.begin, (size_t)(symbol.end - symbol.begin));
    *word = columns(line, end, NAME_FIRST, NAME_WIDTH);
    if (word->begin == word->end || word->begin > name + 1)
        return 0;
    const bool four = word->end - word->begin == NAME_WIDTH, letter = isalpha((unsigned char)name[0]);
    if (letter && !(four && toupper((unsigned char)name[0]) == 'H'))
        number = number_of(name, name + 1 < end && isalpha((unsigned char)name[1]) ? 2 : 1);
    else if (letter || name + 1 < end)
        number = number_of(letter ? name : name + 1, 1);
    return number ? number : number_of(name, 1); /* CB, written from the first column on */
}

/* CRYST1: three lengths, three angles. Entries without a crystal have lengths of 1. */
static void read_crystal(Particles *particles, const char *line, const char *end) {
    static const struct { size_t first, width; } places[] = {{6, 9}, {15, 9}, {24, 9}, {33, 7}, {40, 7}, {47, 7}};
    double numbers[6];
    for (size_t i = 0; i < 6; i++) {
        char copy[16] = "";
        const Word word = columns(line, end, places[i].first, places[i].width);
        memcpy(copy, word.begin, (size_t)(word.end - word.begin));
        if (!word_number((Word){copy, copy + (word.end - word.begin)}, &numbers[i]))
            return;
    }
    particles->has_box =
        numbers[0] * numbers[1] * numbers[2] > 1 && box_by_angles(numbers, numbers + 3, &particles->box);
}

/* A frame ends behind its ENDMDL, or before the next MODEL. Before the first model lies what all share; a file without
 * models is one. */
static bool pass(Header *header) {
    bool has_head = header->passed > 0, begun = false;
    header->head = has_head ? header->head : 0; /* a part of the file that was too short has said something else */
    while (header_line(header)) {
        const bool model = header_begins(header, "MODEL ");
        if (!has_head && (model || is_atom(NULL, header->line, header->line_end))) {
            header->head = (size_t)(header->line - header->text);
            has_head = true;
        }
        if (model && begun) {
            header->next = header->line;
            return true;
        }
        begun |= model;
        if (header_begins(header, "ENDMDL") && (begun || header->passed == 0))
            return true;
    }
    return begun || header->passed == 0;
}

/* CONECT: an atom's number, and up to four that it is bonded to, in columns of five. Numbers that are none end a line:
 * older entries have hydrogen bonds behind them. */
static size_t read_conect(const char *line, const char *end, Bond *to) {
    enum { NUMBERS = 5, FIRST = 6, WIDTH = 5 };
    size_t numbers[NUMBERS], found = 0;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (!word_whole(columns(line, end, FIRST + i * WIDTH, WIDTH), UINT32_MAX, &numbers[i]))
            break;
        if (i > 0 && to)
            to[found] = (Bond){.from = (uint32_t)numbers[0], .to = (uint32_t)numbers[i]};
        found += i > 0;
    }
    return found;
}

/* The records of all models, which stand behind the last one. */
static Status read_bonds(const Particles *particles, Bonds *pairs) {
    const char *const text = (const char *)particles->file.data, *const end = text + particles->file.size;
    *pairs = (Bonds){0};
    for (int pass = 0; pass < 2; pass++) {
        size_t found = 0;
        for (const char *at = lines_find(text, end, "CONECT"); at < end;
             at = lines_find(line_next(at, end), end, "CONECT"))
            found += read_conect(at, line_end(at, end), pass ? pairs->list + found : NULL);
        pairs->count = found;
        if (pass == 0 && !(pairs->list = malloc((found + 1) * sizeof *pairs->list)))
            return fail(STATUS_DEVICE, "%s: no memory for %zu bonds", particles->name, found);
    }
    if (pairs->count > 0)
        return STATUS_OK;
    bonds_free(pairs);
    return fail(STATUS_INPUT, "%s: has no record CONECT; want bonds=1.2x, by covalent radii", particles->name);
}

static Status table(Particles *particles) {
    Header header = header_of(particles);
    const char *const crystal = lines_find(header.next, header.end, "CRYST1");
    read_crystal(particles, crystal, line_end(crystal, header.end));
    particles->bonds = read_bonds;
    particles->bonded = "serial";
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        Column *column;
        TRY(particles_add(particles, fields[i].name, strlen(fields[i].name), 0, COLUMN_TEXT, &column));
        column->field = fields[i].first;
        column->width = fields[i].width;
        column->element = strcmp(fields[i].name, "element") == 0 ? element_of : NULL;
    }
    TRY(header_lines(&header, header.text + particles->extract.tail, (Lines){.is_row = is_atom}));
    const char *const last = lines_find(particles->lines.begin, header.next, "ENDMDL");
    return particles->rows > 0
               ? STATUS_OK
               : header_wrong(&header, (Word){last, line_end(last, header.next)}, "a record ATOM or HETATM before it");
}

const SceneFormat scene_format_pdb = {
    .name = "pdb",
    .more = " ent",
    .help = "a molecule of the Protein Data Bank, its atoms as large as in .xyz; frames are its models",
    .binary = true,
    .table = table,
    .pass = pass,
    .tail = true,
};
