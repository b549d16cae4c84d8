/* pdb.c: molecules of the Protein Data Bank. It reads the ATOM and HETATM records of fixed columns, up to the end of
 * the first model. The source is wwPDB, Protein Data Bank Contents Guide: Atomic Coordinate Entry Format Description,
 * version 3.30. */
#include "core/base/text.h"
#include "core/scene/files/elements.h"
#include "core/scene/files/formats.h"
#include "core/scene/files/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Columns from 1, as the guide counts. */
enum { NAME_FIRST = 13, NAME_LAST = 16, PLACE_FIRST = 31, PLACE_WIDTH = 8, ELEMENT_FIRST = 77, ELEMENT_LAST = 78 };

/* The columns of the line that are there, without the blanks around them; the reader then stands there. */
static size_t columns(Reader *reader, size_t first, size_t last) {
    const size_t length = strcspn(reader->line_start, "\r\n");
    size_t from = first - 1 < length ? first - 1 : length, to = last < length ? last : length;
    while (from < to && reader->line_start[from] == ' ')
        from++;
    while (to > from && reader->line_start[to - 1] == ' ')
        to--;
    reader->at = reader->line_start + from;
    return to - from;
}

static Status wrong_columns(const Reader *reader, size_t length, size_t first, size_t last, const char *expected) {
    return fail(STATUS_INPUT, "%s:%zu:%zu: \"%.*s\" in columns %zu to %zu, want %s", reader->name, reader->line,
                (size_t)(reader->at - reader->line_start) + 1, (int)length, reader->at, first, last, expected);
}

static Status read_coordinate(Reader *reader, int axis, float *coordinate) {
    const char *const expected[] = {"x, a number", "y, a number", "z, a number"};
    const size_t first = PLACE_FIRST + (size_t)axis * PLACE_WIDTH, last = first + PLACE_WIDTH - 1;
    const size_t length = columns(reader, first, last);
    char digits[PLACE_WIDTH + 1] = "";
    const char *end;
    double number;
    memcpy(digits, reader->at, length);
    if (!text_number(digits, &end, &number) || end != digits + length || fabs(number) > 1e7)
        return wrong_columns(reader, length, first, last, expected[axis]);
    *coordinate = (float)number;
    return STATUS_OK;
}

/* Before 1996 (version 2.0 of the guide), the columns of the element belonged to the entry's name and the line's
 * number: "1CRN  70", "1CRN1070". */
static bool is_line_number(const char *columns, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)columns[i]))
            return false;
    return true;
}

/* The element by its own columns, else by the atom's name, where its symbol ends in the second column. Names of four
 * characters begin in the first column, and are hydrogens if they begin with H. */
static Status read_element(Reader *reader, const Element **element) {
    size_t length = columns(reader, ELEMENT_FIRST, ELEMENT_LAST);
    if (length > 0 && !is_line_number(reader->at, length)) {
        *element = element_by_symbol(reader->at, length);
        return *element ? STATUS_OK
                        : wrong_columns(reader, length, ELEMENT_FIRST, ELEMENT_LAST, "an element whose size is known");
    }
    length = columns(reader, NAME_FIRST, NAME_LAST);
    const char *name = reader->line_start + NAME_FIRST - 1;
    if (length == 0)
        return wrong_columns(reader, length, NAME_FIRST, NAME_LAST, "the name of an atom");
    if (isalpha((unsigned char)name[0]) && !(length == 4 && toupper((unsigned char)name[0]) == 'H'))
        *element = element_by_symbol(name, isalpha((unsigned char)name[1]) ? 2 : 1);
    else
        *element = element_by_symbol(isalpha((unsigned char)name[0]) ? name : name + 1, 1);
    if (!*element) /* CB, written from the first column on */
        *element = element_by_symbol(name, 1);
    return *element ? STATUS_OK
                    : wrong_columns(reader, length, NAME_FIRST, NAME_LAST,
                                    "an atom's name that begins with an element whose size is known");
}

static Status read_atom(Reader *reader, Scene *scene) {
    const Element *element;
    float at[3];
    for (int axis = 0; axis < 3; axis++)
        TRY(read_coordinate(reader, axis, &at[axis]));
    TRY(read_element(reader, &element));
    return reader_added(reader, molecule_add(scene, element, vec(at[0], at[1], at[2])));
}

static bool is_record(const Reader *reader, const char *name) {
    return strncmp(reader->line_start, name, strlen(name)) == 0;
}

static Status read_scene(Reader *reader, Scene *scene) {
    for (; *reader->at && !is_record(reader, "ENDMDL"); reader_next_line(reader))
        if (is_record(reader, "ATOM  ") || is_record(reader, "HETATM"))
            TRY(read_atom(reader, scene));
    if (scene->count == 0)
        return reader_wrong(reader, "a record ATOM or HETATM before it");
    molecule_view(scene);
    return STATUS_OK;
}

static Status parse(const char *name, Bytes file, Scene *scene) {
    return reader_parse(name, file, 0, read_scene, scene);
}

const SceneFormat scene_format_pdb = {
    .name = "pdb",
    .help = "a molecule of the Protein Data Bank, its atoms as large as in .xyz",
    .parse = parse,
};
