/* npy.c: NumPy's arrays (numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
#include "core/scene/particles/npy.h"

#include "core/base/memory.h"
#include "core/scene/files/formats.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 4096, WORD_MAX = 1 << 16 };

/* The header is a literal of Python: a dictionary with descr, fortran_order and shape. */
typedef struct Literal {
    const Particles *particles;
    const char *member; /* or NULL */
    const char *at;     /* a zero ends it */
} Literal;

/* A type of values. */
typedef struct Type {
    ColumnKind kind;
    bool swapped;
    size_t bytes, width; /* as Column has it */
} Type;

/* A field of a structure, or the array's values. */
typedef struct Field {
    char name[COLUMN_NAME];
    Type type;
    bool known;           /* else only its bytes are */
    size_t count, offset; /* of values; in the structure */
} Field;

typedef struct Array {
    Field *fields;
    size_t field_count, item; /* bytes of an item */
    bool is_structure, fortran;
    size_t rows, columns, dimensions;
} Array;

static Status wrong(const Literal *literal, const char *wanted) {
    return fail(STATUS_INPUT, "%s%s%s: \"%.30s\" in the array's header, want %s", literal->particles->name,
                literal->member ? ": " : "", literal->member ? literal->member : "", literal->at, wanted);
}

static bool take(Literal *literal, char c) {
    while (isspace((unsigned char)*literal->at))
        literal->at++;
    if (*literal->at != c)
        return false;
    literal->at++;
    return true;
}

/* A text in quotes, without escapes. */
static bool take_text(Literal *literal, Word *word) {
    const char quote = take(literal, '\'') ? '\'' : take(literal, '"') ? '"' : '\0';
    const char *end = quote ? strchr(literal->at, quote) : NULL;
    if (!end)
        return false;
    *word = (Word){literal->at, end};
    literal->at = end + 1;
    return true;
}

static bool take_whole(Literal *literal, size_t *number) {
    while (isspace((unsigned char)*literal->at))
        literal->at++;
    const char *end = literal->at + strspn(literal->at, "0123456789");
    if (!word_whole((Word){literal->at, end}, SIZE_MAX, number))
        return false;
    literal->at = end + (*end == 'L'); /* of Python 2 */
    return true;
}

/* "(3,)", or 3: the product is *count, and the first two are *rows and *columns. */
static Status read_shape(Literal *literal, size_t *dimensions, size_t sides[2], size_t *count) {
    size_t side;
    *count = 1;
    *dimensions = 0;
    sides[0] = sides[1] = 1;
    const bool tuple = take(literal, '(');
    while (!tuple || !take(literal, ')')) {
        if (!take_whole(literal, &side))
            return wrong(literal, "a shape");
        if (*dimensions < 2)
            sides[*dimensions] = side;
        ++*dimensions;
        *count = memory_product(*count, side);
        if (!tuple)
            break;
        (void)take(literal, ',');
    }
    return STATUS_OK;
}

/* "<f4": the order of bytes, the kind, how many. False if it is none that columns have; *bytes is then right, too. */
static bool parse_type(Word word, Type *type) {
    static const struct {
        char letter;
        size_t bytes;
        ColumnKind kind;
    } kinds[] = {
        {'f', 2, COLUMN_F16}, {'f', 4, COLUMN_F32}, {'f', 8, COLUMN_F64}, {'u', 1, COLUMN_U8},
        {'u', 2, COLUMN_U16}, {'u', 4, COLUMN_U32}, {'u', 8, COLUMN_U64}, {'i', 1, COLUMN_I8},
        {'i', 2, COLUMN_I16}, {'i', 4, COLUMN_I32}, {'i', 8, COLUMN_I64}, {'b', 1, COLUMN_U8},
    };
    *type = (Type){0};
    if (word.end - word.begin < 3 || !word_whole((Word){word.begin + 2, word.end}, WORD_MAX, &type->bytes))
        return false;
    const char letter = word.begin[1];
    type->swapped = *word.begin == (is_little_endian() ? '>' : '<');
    type->width = letter == 'S' || letter == 'U' || letter == 'a' ? type->bytes : 0;
    type->kind = letter == 'U' ? COLUMN_UCS4 : COLUMN_BYTES;
    if (letter == 'U')
        type->bytes *= 4;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].letter == letter && kinds[i].bytes == type->bytes) {
            type->kind = kinds[i].kind;
            return true;
        }
    return type->width > 0;
}

static Status add_field(Literal *literal, Array *array, Word name, Word type, size_t count) {
    if (array->field_count == COLUMNS_MAX)
        return wrong(literal, "4096 columns at most");
    Field *grown = realloc(array->fields, (array->field_count + 1) * sizeof *grown);
    if (!grown)
        return fail(STATUS_DEVICE, "%s: no memory for its columns", literal->particles->name);
    array->fields = grown;
    Field *field = &grown[array->field_count++];
    *field = (Field){.count = count, .offset = array->item};
    snprintf(field->name, sizeof field->name, "%.*s", (int)(name.end - name.begin), name.begin);
    field->known = parse_type(type, &field->type);
    if (!field->known && field->type.bytes == 0) {
        literal->at = type.begin;
        return wrong(literal, "types of numbers or words");
    }
    array->item = memory_sum(array->item, memory_product(count, field->type.bytes));
    return STATUS_OK;
}

/* "('x', '<f4')", "('pos', '<f4', (3,))", "(('title', 'x'), '<f4')". */
static Status read_field(Literal *literal, Array *array) {
    Word name, type;
    size_t count = 1, dimensions, sides[2];
    if (!take(literal, '('))
        return wrong(literal, "a field of the structure");
    if (take(literal, '(')) {
        if (!take_text(literal, &name) || !take(literal, ',') || !take_text(literal, &name) || !take(literal, ')'))
            return wrong(literal, "a title and a name");
    } else if (!take_text(literal, &name)) {
        return wrong(literal, "the name of a field");
    }
    if (!take(literal, ',') || !take_text(literal, &type))
        return wrong(literal, "a type of numbers or words");
    if (take(literal, ',') && *literal->at != ')')
        TRY(read_shape(literal, &dimensions, sides, &count));
    (void)take(literal, ',');
    if (!take(literal, ')'))
        return wrong(literal, "the end of a field");
    return add_field(literal, array, name, type, count);
}

static Status read_descr(Literal *literal, Array *array) {
    Word type;
    if (take_text(literal, &type))
        return add_field(literal, array, (Word){"", ""}, type, 1);
    array->is_structure = true;
    if (!take(literal, '['))
        return wrong(literal, "a type, or a list of fields");
    while (!take(literal, ']')) {
        TRY(read_field(literal, array));
        (void)take(literal, ',');
    }
    return STATUS_OK;
}

static Status read_order(Literal *literal, Array *array) {
    (void)take(literal, ' ');
    array->fortran = strncmp(literal->at, "True", 4) == 0;
    if (!array->fortran && strncmp(literal->at, "False", 5) != 0)
        return wrong(literal, "True or False");
    literal->at += array->fortran ? 4 : 5;
    return STATUS_OK;
}

static Status read_dictionary(Literal *literal, Array *array) {
    unsigned seen = 0;
    size_t count, sides[2];
    Word key;
    if (!take(literal, '{'))
        return wrong(literal, "a dictionary");
    while (!take(literal, '}')) {
        if (!take_text(literal, &key) || !take(literal, ':'))
            return wrong(literal, "a key");
        const unsigned which = word_is(key, "descr")           ? 1
                               : word_is(key, "fortran_order") ? 2
                               : word_is(key, "shape")         ? 4
                                                               : 0;
        if (which == 0 || (seen & which))
            return wrong(literal, "descr, fortran_order and shape, once each");
        seen |= which;
        TRY(which == 1   ? read_descr(literal, array)
            : which == 2 ? read_order(literal, array)
                         : read_shape(literal, &array->dimensions, sides, &count));
        (void)take(literal, ',');
    }
    if (seen != 7)
        return wrong(literal, "descr, fortran_order and shape");
    array->rows = sides[0];
    array->columns = sides[1];
    return STATUS_OK;
}

/* Adds the column NAME, or NAME.INDEX. */
static Status add_column(Particles *particles, const char *name, size_t index, const Field *field, size_t at,
                         size_t step) {
    Column *column;
    TRY(particles_add(particles, name, strlen(name), index, field->type.kind, &column));
    column->width = field->type.width;
    column->swapped = field->type.swapped;
    column->field = at;
    column->step = (ptrdiff_t)step;
    return STATUS_OK;
}

/* Fields of a structure of one dimension. */
static Status add_fields(Particles *particles, const Array *array, size_t begin) {
    for (size_t i = 0; i < array->field_count; i++) {
        const Field *field = &array->fields[i];
        for (size_t k = 0; k < field->count && k < COLUMNS_MAX && field->known; k++)
            TRY(add_column(particles, field->name, field->count > 1 ? k + 1 : 0, field,
                           begin + field->offset + k * field->type.bytes, array->item));
    }
    return STATUS_OK;
}

static Status add_matrix(Particles *particles, const char *member, const Array *array, size_t begin) {
    static const char *const places[] = {"x", "y", "z"};
    const size_t bytes = array->item, columns = array->columns;
    for (size_t k = 0; k < columns && k < COLUMNS_MAX; k++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", k + 1);
        const char *name = member ? member : columns < 3 || k >= 3 ? number : places[k];
        TRY(add_column(particles, name, member && array->dimensions > 1 ? k + 1 : 0, array->fields,
                       begin + k * (array->fortran ? array->rows * bytes : bytes),
                       array->fortran ? bytes : columns * bytes));
    }
    return STATUS_OK;
}

static Status read_array(Particles *particles, Literal *literal, size_t begin, size_t size, Array *array) {
    TRY(read_dictionary(literal, array));
    const bool flat = array->dimensions == 1 || (array->dimensions == 2 && !array->is_structure);
    if (!flat || array->item == 0) {
        array->rows = 0;
        return STATUS_OK;
    }
    const size_t needed = memory_product(array->rows, memory_product(array->columns, array->item));
    if (needed > size - begin)
        return fail(STATUS_INPUT, "%s%s%s: the header promises %zu rows of %zu bytes, and %zu bytes are there",
                    particles->name, literal->member ? ": " : "", literal->member ? literal->member : "", array->rows,
                    memory_product(array->columns, array->item), size - begin);
    if (array->is_structure)
        return add_fields(particles, array, begin);
    return array->fields->known ? add_matrix(particles, literal->member, array, begin) : STATUS_OK;
}

Status npy_columns(Particles *particles, const char *member, Bytes head, size_t size, size_t *rows) {
    const unsigned char *file = head.data;
    const size_t before = head.size >= 12 && file[6] > 1 ? 12 : 10; /* bytes before the literal */
    *rows = 0;
    if (head.size < 12 || memcmp(file, "\x93NUMPY", 6) != 0 || file[6] < 1 || file[6] > 3)
        return fail(STATUS_INPUT, "%s%s%s: no array of NumPy, version 1 to 3", particles->name, member ? ": " : "",
                    member ? member : "");
    const size_t length = file[8] + 256u * file[9] + (before == 12 ? 65536u * (file[10] + 256u * file[11]) : 0);
    if (length > head.size - before)
        return fail(STATUS_INPUT, "%s%s%s: a header of %zu bytes, want it whole and at most 64 KiB", particles->name,
                    member ? ": " : "", member ? member : "", length);
    char *text = strndup((const char *)file + before, length);
    Literal literal = {particles, member, text};
    Array array = {0};
    Status status = text ? read_array(particles, &literal, before + length, size, &array)
                         : fail(STATUS_DEVICE, "%s: no memory", particles->name);
    free(array.fields);
    free(text);
    *rows = array.rows;
    return status;
}

static Status table(Particles *particles) {
    const Bytes file = particles->file, head = {file.data, file.size < NPY_HEAD ? file.size : NPY_HEAD};
    TRY(npy_columns(particles, NULL, head, file.size, &particles->rows));
    for (size_t i = 0; i < particles->count; i++)
        particles->columns[i].first = file.data + particles->columns[i].field;
    return STATUS_OK;
}

static bool is_head(Bytes first) {
    return first.size >= NPY_HEAD;
}

const SceneFormat scene_format_npy = {
    .name = "npy",
    .more = "",
    .help = "an array of NumPy: a row for each particle, or a structure with names",
    .binary = true,
    .table = table,
    .is_head = is_head,
};
