/* fill.c: reading columns, of numbers in memory and of words in lines. */
#include "core/scene/particles/fill.h"

#include "core/base/decimal.h"
#include "core/base/share.h"
#include "core/codec/half.h"
#include "core/scene/particles/elements.h"

#include <ctype.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS = 4096,     /* that a thread reads at once: the file's bytes stay in its cache */
    LATE = 64 << 10, /* bytes that a thread copies from a file at once, for the same reason */
    WORD = 64
};

typedef struct Fill {
    const Particles *particles;
    const Target *targets;
    size_t count, every;
    Sphere *spheres;
    atomic_size_t *wrong; /* the first row that is wrong, or SIZE_MAX; of texts the first byte of its line */
} Fill;

static float *place(const Fill *fill, const Target *target, size_t sphere) {
    return (float *)(void *)((char *)&fill->spheres[sphere] + target->member);
}

static void note_wrong(atomic_size_t *wrong, size_t where) {
    size_t first = atomic_load(wrong);
    while (where < first && !atomic_compare_exchange_weak(wrong, &first, where))
        ;
}

/* ---- words ---- */

static float letters_number(Word word) {
    const unsigned fold = 1u << 24; /* f32 has all whole numbers below */
    unsigned number = 0;
    for (const char *at = word.begin; at < word.end; at++)
        number = (number * 26 + (unsigned)(isalpha((unsigned char)*at) ? toupper((unsigned char)*at) - 'A' + 1
                                                                       : (unsigned char)*at)) %
                 fold;
    return (float)number;
}

static const Element *element_of_word(Word word) {
    size_t number;
    if (word_whole(word, 200, &number))
        return element_by_number((int)number);
    return element_by_symbol(word.begin, (size_t)(word.end - word.begin));
}

static bool is_id(double value) {
    return value >= 0 && value < 0x1p32 && !(value > (double)(uint32_t)value);
}

/* False if the word is something else. A word is followed by a character that ends numbers; bytes before `limit` may be
 * read. */
static bool convert_word(Word word, const char *limit, Conversion conversion, double *value) {
    const char *at = word.begin;
    const bool is_number = word.begin < word.end && conversion != AS_ELEMENT && decimal_read(&at, limit, value);
    if (is_number && at == word.end)
        return conversion != AS_ID || is_id(*value);
    if (conversion == AS_ELEMENT) {
        const Element *element = element_of_word(word);
        *value = element ? element->number : 0;
        return element != NULL;
    }
    if (conversion == AS_WORD)
        *value = (double)letters_number(word);
    return conversion == AS_WORD && word.end > word.begin;
}

/* ---- lines ---- */

/* The characters of a column, without blanks around them. */
static Word characters(const Column *column, const char *line, const char *end) {
    const size_t length = (size_t)(end - line);
    const char *from = line + (column->field < length ? column->field : length);
    const char *to = line + (column->field + column->width < length ? column->field + column->width : length);
    while (from < to && (*from == ' ' || *from == '\r'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\r'))
        to--;
    return (Word){from, to};
}

/* Numbers that touch their neighbours, and words, are copied first. */
static bool convert_characters(Word word, const char *limit, Conversion conversion, double *value) {
    char copy[WORD + 1];
    const char *at = word.begin;
    const size_t length = (size_t)(word.end - word.begin);
    if (conversion == AS_NUMBER && length > 0 && decimal_read(&at, limit, value) && at == word.end)
        return true;
    if (length > WORD)
        return false;
    memcpy(copy, word.begin, length);
    copy[length] = '\0';
    return convert_word((Word){copy, copy + length}, copy + length, conversion, value);
}

/* Where a line is being read: words of it, from the left. */
typedef struct Cursor {
    const Lines *lines;
    const char *at, *end;
    size_t next; /* the number of the word at `at` */
    Word word;   /* the one before */
} Cursor;

/* Passes a number with the separator behind it; false if that is not what is there. */
static inline bool pass_number(Cursor *cursor, double *value) {
    const char separator = cursor->lines->separator, *at = cursor->at;
    while (at < cursor->end && (*at == ' ' || (*at == '\t' && separator != '\t')))
        at++;
    const char *from = at;
    if (at >= cursor->end || !decimal_read(&at, cursor->lines->end, value) ||
        at > cursor->end) /* behind the end: no field is left */
        return false;
    const Word word = {from, at};
    while (separator && at < cursor->end && *at == ' ')
        at++;
    if (at < cursor->end && *at != '\r' && (separator ? *at != separator : *at != ' ' && *at != '\t'))
        return false;
    cursor->at = separator ? at + 1 : at;
    cursor->next++;
    cursor->word = word; /* for another target of this column */
    return true;
}

/* The value of a word of the line; false, with the word, if it is something else or is missing. */
static bool read_field(Cursor *cursor, const Target *target, double *value) {
    const size_t field = target->column->field;
    while (cursor->next < field)
        if (lines_word(cursor->lines, &cursor->at, cursor->end, &cursor->word))
            cursor->next++;
        else
            break;
    if (cursor->next == field && target->conversion != AS_ELEMENT && pass_number(cursor, value))
        return target->conversion != AS_ID || is_id(*value);
    if (cursor->next <= field && !lines_word(cursor->lines, &cursor->at, cursor->end, &cursor->word)) {
        cursor->word = (Word){cursor->end, cursor->end};
        return false;
    }
    cursor->next = field + 1;
    *value = NAN;
    if (cursor->lines->separator && cursor->word.begin == cursor->word.end && target->conversion == AS_NUMBER)
        return true;
    return cursor->lines->quotes ? convert_characters(cursor->word, cursor->lines->end, target->conversion, value)
                                 : convert_word(cursor->word, cursor->lines->end, target->conversion, value);
}

static bool read_characters(const Lines *lines, const char *line, const char *end, const Target *target, Word *word,
                            double *value) {
    const Column *column = target->column;
    *word = characters(column, line, end);
    if (target->conversion != AS_ELEMENT || !column->element)
        return convert_characters(*word, lines->end, target->conversion, value);
    const int number = column->element(line, end, word);
    *value = number;
    return element_by_number(number) != NULL;
}

/* A row into a sphere; the target that is wrong, with the word, or NULL. */
static const Target *fill_line(const Fill *fill, const char *line, const char *end, size_t sphere, Word *word) {
    Cursor cursor = {.lines = &fill->particles->lines, .at = line, .end = end};
    for (size_t i = 0; i < fill->count; i++) {
        const Target *target = &fill->targets[i];
        const Column *column = target->column;
        double value = 0;
        const bool right = column->width > 0 ? read_characters(cursor.lines, line, end, target, word, &value)
                                             : read_field(&cursor, target, &value);
        if (!right) {
            *word = column->width > 0 ? *word : cursor.word;
            return target;
        }
        if (target->conversion == AS_ID)
            fill->spheres[sphere].material = (uint32_t)value;
        else
            *place(fill, target, sphere) = (float)(value * column->scale + (column->offset - target->origin));
    }
    return NULL;
}

static void fill_piece(const void *job, size_t piece) {
    const Fill *fill = job;
    const Lines *lines = &fill->particles->lines;
    const char *at = lines->begins[piece], *end = lines->begins[piece + 1], *ends;
    size_t row = lines->rows[piece];
    Word word;
    for (; lines_row(lines, &at, end, &ends); row++, at = ends < end ? ends + 1 : end)
        if (row % fill->every == 0 && fill_line(fill, at, ends, row / fill->every, &word)) {
            note_wrong(fill->wrong, (size_t)(at - (const char *)fill->particles->file.data));
            return;
        }
}

/* The message for the line that begins at byte `at`. */
static Status wrong_line(const Fill *fill, size_t at) {
    const char *text = (const char *)fill->particles->file.data, *line = text + at;
    Word word = {line, line};
    const Target *target = fill_line(fill, line, line_end(line, fill->particles->lines.end), 0, &word);
    return lines_wrong(fill->particles->name, text, fill->particles->extract, word,
                       target ? target->wanted : "another line");
}

/* ---- numbers in memory ---- */

static uint64_t swap_bytes(uint64_t bits, size_t bytes) {
    return __builtin_bswap64(bits) >> (64 - 8 * bytes);
}

/* The rows from `row` on, each `step` bytes behind the other; the type of a value decides the loop. */
#define LOOP(Type, Bits, VALUE)                                                                                        \
    do {                                                                                                               \
        for (size_t i = 0; i < rows; i++) {                                                                            \
            Bits bits;                                                                                                 \
            Type stored;                                                                                               \
            memcpy(&bits, from + (ptrdiff_t)i * step, sizeof bits);                                                    \
            if (column->swapped)                                                                                       \
                bits = (Bits)swap_bytes(bits, sizeof bits);                                                            \
            memcpy(&stored, &bits, sizeof stored);                                                                     \
            *(float *)(void *)((char *)to + i * sizeof(Sphere)) = (float)((double)(VALUE)*column->scale + offset);     \
        }                                                                                                              \
    } while (0)

static void copy_numbers(const Column *column, double offset, const unsigned char *from, ptrdiff_t step, size_t rows,
                         float *to) {
    switch (column->kind) {
    case COLUMN_U8:
        LOOP(uint8_t, uint8_t, stored);
        break;
    case COLUMN_I8:
        LOOP(int8_t, uint8_t, stored);
        break;
    case COLUMN_U16:
        LOOP(uint16_t, uint16_t, stored);
        break;
    case COLUMN_I16:
        LOOP(int16_t, uint16_t, stored);
        break;
    case COLUMN_U32:
        LOOP(uint32_t, uint32_t, stored);
        break;
    case COLUMN_I32:
        LOOP(int32_t, uint32_t, stored);
        break;
    case COLUMN_U64:
        LOOP(uint64_t, uint64_t, stored);
        break;
    case COLUMN_I64:
        LOOP(int64_t, uint64_t, stored);
        break;
    case COLUMN_F16:
        LOOP(uint16_t, uint16_t, half_to_float(stored));
        break;
    case COLUMN_F32:
        LOOP(float, uint32_t, stored);
        break;
    default:
        LOOP(double, uint64_t, stored);
        break;
    }
}

/* A word of bytes, or of characters of four bytes. */
static Word stored_word(const Column *column, const unsigned char *from, char copy[WORD + 1]) {
    const size_t width = column->width < WORD ? column->width : WORD, step = column->kind == COLUMN_UCS4 ? 4 : 1;
    const size_t low = step == 4 && column->swapped == is_little_endian() ? 3 : 0; /* of the low byte */
    size_t length = 0;
    while (length < width && from[length * step + low]) {
        copy[length] = (char)from[length * step + low];
        length++;
    }
    while (length > 0 && copy[length - 1] == ' ')
        length--;
    copy[length] = '\0';
    return (Word){copy, copy + length};
}

static bool is_of_words(const Column *column) {
    return column->kind == COLUMN_BYTES || column->kind == COLUMN_UCS4;
}

static void copy_rows(const Fill *fill, const Target *target, size_t first, size_t rows) {
    const Column *column = target->column;
    const ptrdiff_t step = column->step * (ptrdiff_t)fill->every;
    const unsigned char *from = column->first + (ptrdiff_t)first * step;
    if (!is_of_words(column)) {
        copy_numbers(column, column->offset - target->origin, from, step, rows, place(fill, target, first));
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        char copy[WORD + 1];
        double value = 0;
        if (!convert_word(stored_word(column, from + (ptrdiff_t)i * step, copy), copy, target->conversion, &value))
            note_wrong(fill->wrong, first + i);
        *place(fill, target, first + i) = (float)(value - target->origin);
    }
}

static size_t spheres_of(const Particles *particles, size_t every) {
    return particles->rows / every + (particles->rows % every != 0);
}

static void fill_rows(const void *job, size_t piece) {
    const Fill *fill = job;
    const size_t all = spheres_of(fill->particles, fill->every), first = piece * ROWS;
    const size_t rows = all - first < ROWS ? all - first : ROWS;
    for (size_t i = 0; i < fill->count; i++)
        copy_rows(fill, &fill->targets[i], first, rows);
}

/* ---- numbers in a file ---- */

/* Where the columns of the targets begin and end within a row. False if rows have to be in memory: they hold text, lie
 * apart or backwards, or are long. */
static bool rows_extent(const Fill *fill, const unsigned char **first, size_t *bytes) {
    const unsigned char *low = fill->targets[0].column->first, *high = low;
    const ptrdiff_t step = fill->targets[0].column->step;
    for (size_t i = 0; i < fill->count; i++) {
        const Column *column = fill->targets[i].column;
        if (!column->first || is_of_words(column) || column->step != step)
            return false;
        const unsigned char *end = column->first + column_bytes(column->kind, column->width);
        low = column->first < low ? column->first : low;
        high = end > high ? end : high;
    }
    *first = low;
    *bytes = (size_t)(high - low);
    return fill->every == 1 && step > 0 && step <= LATE && high - low <= step;
}

static void fill_late_rows(const void *job, size_t piece) {
    const Fill *fill = job;
    const Particles *particles = fill->particles;
    const size_t step = (size_t)fill->targets[0].column->step, at_once = LATE / step;
    const size_t end = particles->rows - piece * ROWS < ROWS ? particles->rows : (piece + 1) * ROWS;
    const unsigned char *low;
    unsigned char bytes[LATE];
    size_t extent;
    (void)rows_extent(fill, &low, &extent);
    for (size_t first = piece * ROWS; first < end; first += at_once) {
        const size_t rows = end - first < at_once ? end - first : at_once;
        if (!input_copy(particles->late->input, (size_t)(low - particles->file.data) + first * step, bytes,
                        (rows - 1) * step + extent)) {
            note_wrong(fill->wrong, first);
            return;
        }
        for (size_t i = 0; i < fill->count; i++) {
            const Column *column = fill->targets[i].column;
            copy_numbers(column, column->offset - fill->targets[i].origin, bytes + (column->first - low), column->step,
                         rows, place(fill, &fill->targets[i], first));
        }
    }
}

/* Fills spheres from the file, if it is not in memory and can be read so; *done tells. Else, and where reading fails,
 * it is read into memory, which says what is wrong. */
static Status fill_late(const Fill *fill, bool *done) {
    const Particles *particles = fill->particles;
    const unsigned char *low;
    size_t extent;
    *done = false;
    if (particles->late && fill->count > 0 && rows_extent(fill, &low, &extent)) {
        share_pieces((particles->rows + ROWS - 1) / ROWS, fill_late_rows, fill);
        *done = atomic_load(fill->wrong) == SIZE_MAX;
        atomic_store(fill->wrong, SIZE_MAX);
    }
    return *done ? STATUS_OK : particles_load(particles);
}

static Status wrong_row(const Fill *fill, size_t row) {
    for (size_t i = 0; i < fill->count; i++) {
        const Target *target = &fill->targets[i];
        char copy[WORD + 1];
        double value;
        if (!is_of_words(target->column))
            continue;
        const unsigned char *from = target->column->first + (ptrdiff_t)(row * fill->every) * target->column->step;
        const Word word = stored_word(target->column, from, copy);
        if (!convert_word(word, word.end, target->conversion, &value))
            return fail(STATUS_INPUT, "%s: row %zu: \"%s\" in column %s, want %s", fill->particles->name,
                        row * fill->every + 1, copy, target->column->name, target->wanted);
    }
    return fail(STATUS_INPUT, "%s: row %zu is wrong", fill->particles->name, row * fill->every + 1);
}

Status particles_fill(const Particles *particles, const Target *targets, size_t count, size_t every, Sphere *spheres) {
    atomic_size_t wrong = SIZE_MAX;
    const Fill fill = {particles, targets, count, every, spheres, &wrong};
    bool done;
    TRY(fill_late(&fill, &done));
    if (done)
        return STATUS_OK;
    if (particles->is_text)
        share_pieces(particles->lines.pieces, fill_piece, &fill);
    else
        share_pieces((spheres_of(particles, every) + ROWS - 1) / ROWS, fill_rows, &fill);
    const size_t where = atomic_load(&wrong);
    return where == SIZE_MAX ? STATUS_OK : particles->is_text ? wrong_line(&fill, where) : wrong_row(&fill, where);
}

bool particles_has_words(const Particles *particles, const Column *column) {
    const Lines *lines = &particles->lines;
    const char *at = lines->begin, *ends;
    double value;
    if (column->kind != COLUMN_TEXT || !lines_row(lines, &at, lines->end, &ends))
        return is_of_words(column);
    const Target target = {.column = column, .conversion = AS_NUMBER};
    Word word;
    if (column->width > 0)
        return !read_characters(lines, at, ends, &target, &word, &value);
    Cursor cursor = {.lines = lines, .at = at, .end = ends};
    return !read_field(&cursor, &target, &value);
}
