/* ply.c: the element "vertex" of Stanford's polygon files: G. Turk, The PLY Polygon File Format (1994). */
#include "core/base/memory.h"
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"

#include <string.h>

static const struct {
    const char *name;
    ColumnKind kind;
} types[] = {
    {"char", COLUMN_I8},   {"int8", COLUMN_I8},     {"uchar", COLUMN_U8},   {"uint8", COLUMN_U8},
    {"short", COLUMN_I16}, {"int16", COLUMN_I16},   {"ushort", COLUMN_U16}, {"uint16", COLUMN_U16},
    {"int", COLUMN_I32},   {"int32", COLUMN_I32},   {"uint", COLUMN_U32},   {"uint32", COLUMN_U32},
    {"float", COLUMN_F32}, {"float32", COLUMN_F32}, {"double", COLUMN_F64}, {"float64", COLUMN_F64},
};

typedef enum PlyForm { PLY_ASCII, PLY_LITTLE, PLY_BIG, PLY_FORMS } PlyForm;
static const char *const forms[PLY_FORMS] = {"ascii", "binary_little_endian", "binary_big_endian"};

/* The element that the header's lines are about. */
typedef struct Element {
    size_t count, bytes;      /* of a row, where no property is a list */
    bool is_vertex, has_list; /* a list among its properties */
} Element;

typedef struct Ply {
    Header header;
    PlyForm form;
    Element now, vertex;
    size_t bytes, lines; /* of the elements before the vertices */
    bool list_before;
} Ply;

static void end_element(Ply *ply) {
    if (ply->now.is_vertex) {
        ply->vertex = ply->now;
    } else if (!ply->vertex.is_vertex) {
        ply->bytes = memory_sum(ply->bytes, memory_product(ply->now.count, ply->now.bytes));
        ply->lines = memory_sum(ply->lines, ply->now.count);
        ply->list_before |= ply->now.has_list && ply->now.count > 0;
    }
}

static Status read_element(Ply *ply) {
    Word name;
    end_element(ply);
    ply->now = (Element){0};
    if (!header_word(&ply->header, &name))
        return header_wrong(&ply->header, name, "the name of an element");
    ply->now.is_vertex = word_is(name, "vertex") && !ply->vertex.is_vertex;
    return header_whole(&ply->header, SIZE_MAX, "the number of its rows", &ply->now.count);
}

static Status read_property(Ply *ply) {
    Word type, name;
    (void)header_word(&ply->header, &type);
    if (word_is(type, "list")) {
        ply->now.has_list = true;
        return ply->now.is_vertex ? header_wrong(&ply->header, type, "a property of vertices that is no list")
                                  : STATUS_OK;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (!word_is(type, types[i].name))
            continue;
        if (!header_word(&ply->header, &name))
            return header_wrong(&ply->header, name, "the name of a property");
        const ColumnKind kind = ply->form == PLY_ASCII ? COLUMN_TEXT : types[i].kind;
        if (ply->now.is_vertex) {
            Column *column;
            TRY(particles_add(ply->header.particles, name.begin, (size_t)(name.end - name.begin), 0, kind, &column));
            column->source = ply->now.bytes;
        }
        ply->now.bytes += column_bytes(types[i].kind, 0);
        return STATUS_OK;
    }
    return header_wrong(&ply->header, type, "a type, as in \"property float x\"");
}

static Status read_form(Ply *ply) {
    Word word;
    (void)header_line(&ply->header);
    (void)header_word(&ply->header, &word);
    if (!word_is(word, "format"))
        return header_wrong(&ply->header, word, "\"format\"");
    (void)header_word(&ply->header, &word);
    for (ply->form = 0; ply->form < PLY_FORMS; ply->form++)
        if (word_is(word, forms[ply->form]))
            return STATUS_OK;
    return header_wrong(&ply->header, word, "ascii, binary_little_endian or binary_big_endian");
}

/* Up to the line "end_header". */
static Status read_header(Ply *ply) {
    Word word;
    if (!header_line(&ply->header) || !header_word(&ply->header, &word) || !word_is(word, "ply"))
        return header_wrong(&ply->header, (Word){ply->header.line, ply->header.line_end}, "\"ply\"");
    TRY(read_form(ply));
    while (header_line(&ply->header)) {
        if (!header_word(&ply->header, &word) || word_is(word, "comment") || word_is(word, "obj_info"))
            continue;
        if (word_is(word, "end_header")) {
            end_element(ply);
            return STATUS_OK;
        }
        if (!word_is(word, "element") && !word_is(word, "property"))
            return header_wrong(&ply->header, word, "element, property, comment or end_header");
        TRY(word_is(word, "element") ? read_element(ply) : read_property(ply));
    }
    return header_wrong(&ply->header, (Word){ply->header.end, ply->header.end}, "end_header");
}

static Status place_columns(Ply *ply) {
    Particles *particles = ply->header.particles;
    const size_t rest = (size_t)(ply->header.end - ply->header.next);
    const size_t needed = memory_sum(ply->bytes, memory_product(ply->vertex.count, ply->vertex.bytes));
    if (needed > rest)
        return fail(STATUS_INPUT, "%s: the header promises %zu vertices of %zu bytes, and %zu bytes are there",
                    particles->name, ply->vertex.count, ply->vertex.bytes, rest);
    particles->rows = ply->vertex.count;
    for (size_t i = 0; i < particles->count; i++) {
        Column *column = &particles->columns[i];
        column->first = (const unsigned char *)ply->header.next + ply->bytes + column->source;
        column->step = (ptrdiff_t)ply->vertex.bytes;
        column->swapped = (ply->form == PLY_LITTLE) != is_little_endian();
    }
    return STATUS_OK;
}

static Status place_lines(Ply *ply) {
    size_t skipped;
    TRY(particles_load(ply->header.particles));
    ply->header.next = lines_skip(ply->header.next, ply->header.end, ply->lines, &skipped);
    return header_rows(&ply->header, ply->vertex.count, "a vertex: the header promises more");
}

static Status table(Particles *particles) {
    Ply ply = {.header = header_of(particles)};
    TRY(read_header(&ply));
    if (!ply.vertex.is_vertex)
        return fail(STATUS_INPUT, "%s: no element \"vertex\"", particles->name);
    if (ply.list_before && ply.form != PLY_ASCII)
        return fail(STATUS_INPUT, "%s: an element with lists comes before its vertices, want vertices first",
                    particles->name);
    return ply.form == PLY_ASCII ? place_lines(&ply) : place_columns(&ply);
}

/* Whether rows of numbers follow a header. */
static bool is_head(Bytes first) {
    const unsigned char *end = memmem(first.data, first.size, "\nend_header", strlen("\nend_header"));
    return end && memchr(end + 1, '\n', first.size - (size_t)(end + 1 - first.data)) &&
           memmem(first.data, first.size, "format binary", strlen("format binary"));
}

const SceneFormat scene_format_ply = {
    .name = "ply",
    .more = "",
    .help = "points, the vertices of Stanford's polygon files",
    .binary = true,
    .table = table,
    .is_head = is_head,
};
