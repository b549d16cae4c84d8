/* xyz.c: molecules as XYZ files: how many atoms, a comment, and a line for each atom. */
#include "core/base/text.h"
#include "core/scene/files/elements.h"
#include "core/scene/files/formats.h"
#include "core/scene/files/reader.h"

#define ATOMS_MAX 4294967294.0
#define FARTHEST  1e7 /* Angstrom: a millimetre */

static const Field place_fields[] = {
    {"x", "-1e7 to 1e7", offsetof(Vec, x), -FARTHEST, FARTHEST, 0},
    {"y", "-1e7 to 1e7", offsetof(Vec, y), -FARTHEST, FARTHEST, 0},
    {"z", "-1e7 to 1e7", offsetof(Vec, z), -FARTHEST, FARTHEST, 0},
};

static Status read_element(Reader *reader, const Element **element) {
    const char *end = reader_word_end(reader), *behind;
    double number;
    if (text_number(reader->at, &behind, &number) && behind == end)
        *element = number >= 1 && number < 200 && number == (int)number ? element_by_number((int)number) : NULL;
    else
        *element = element_by_symbol(reader->at, (size_t)(end - reader->at));
    if (!*element)
        return reader_wrong(reader, "an element whose size is known: its symbol or its number");
    reader->at = end;
    return STATUS_OK;
}

/* Numbers behind the place (charges, velocities) are not used. */
static Status read_atom(Reader *reader, Scene *scene) {
    const Element *element;
    Vec at = {0};
    TRY(read_element(reader, &element));
    TRY(reader_numbers(reader, place_fields, FIELD_COUNT(place_fields), &at));
    return reader_added(reader, molecule_add(scene, element, at));
}

static Status read_scene(Reader *reader, Scene *scene) {
    double count;
    TRY(reader_whole(reader, "the number of atoms", 1, ATOMS_MAX, &count));
    TRY(reader_line_ends(reader, "the end of the line: the number of atoms stands alone"));
    reader_next_line(reader);
    if (!*reader->at)
        return reader_wrong(reader, "a line of comment");
    reader_next_line(reader);
    for (double i = 0; i < count; i++) {
        if (!reader_goes_on(reader))
            return reader_wrong(reader, "an atom: an element and three numbers");
        TRY(read_atom(reader, scene));
        reader_next_line(reader);
    }
    if (reader_find(reader))
        return reader_wrong(reader, "the end of the file: all its atoms have been, and only one molecule can be shown");
    molecule_view(scene);
    return STATUS_OK;
}

static Status parse(const char *name, Bytes file, Scene *scene) {
    return reader_parse(name, file, 0, read_scene, scene);
}

const SceneFormat scene_format_xyz = {
    .name = "xyz",
    .help = "a molecule, its atoms as large as van der Waals found them",
    .parse = parse,
};
