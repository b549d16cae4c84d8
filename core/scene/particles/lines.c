/* lines.c: lines and words of large texts. */
#include "core/scene/particles/lines.h"

#include "core/base/decimal.h"
#include "core/base/share.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 /* bytes of text that a thread takes at once */, BLOCK = 1 << 12, WORD_SHOWN = 40 };

const char *line_end(const char *at, const char *end) {
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline ? newline : end;
}

const char *line_next(const char *at, const char *end) {
    at = line_end(at, end);
    return at < end ? at + 1 : end;
}

const char *lines_find(const char *at, const char *end, const char *with) {
    const size_t length = strlen(with);
    while ((size_t)(end - at) >= length) {
        if (memcmp(at, with, length) == 0)
            return at;
        at = line_next(at, end);
    }
    return end;
}

enum { LANES = 32 /* bytes that vectors compare at once */, ROUNDS = 255 /* that a byte can count */ };

/* The newlines of so many times LANES bytes. */
static size_t count_rounds(const char *text, size_t rounds) {
    unsigned char sums[LANES] = {0};
    size_t count = 0;
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < LANES; i++)
            sums[i] = (unsigned char)(sums[i] + (text[round * LANES + i] == '\n'));
    for (size_t i = 0; i < LANES; i++)
        count += sums[i];
    return count;
}

size_t lines_within(const char *text, size_t size) {
    size_t count = 0, at = 0;
    while (size - at >= LANES) {
        const size_t left = (size - at) / LANES, rounds = left < ROUNDS ? left : ROUNDS;
        count += count_rounds(text + at, rounds);
        at += rounds * LANES;
    }
    for (; at < size; at++)
        count += text[at] == '\n';
    return count;
}

const char *lines_skip(const char *at, const char *end, size_t count, size_t *skipped) {
    *skipped = 0;
    while (*skipped < count && end - at >= BLOCK) {
        const size_t here = lines_within(at, BLOCK);
        if (here > count - *skipped)
            break;
        *skipped += here;
        at += BLOCK;
        if (*skipped == count && at[-1] != '\n') { /* the last of them ended before */
            while (at[-1] != '\n')
                at--;
            return at;
        }
    }
    for (; *skipped < count && at < end; ++*skipped)
        at = line_next(at, end);
    return at;
}

bool lines_row(const Lines *lines, const char **at, const char *end, const char **ends) {
    for (; *at < end; *at = *ends < end ? *ends + 1 : end) {
        *ends = line_end(*at, end);
        if (!lines->is_row || lines->is_row(lines, *at, *ends))
            return true;
    }
    return false;
}

static void count_piece(const void *job, size_t piece) {
    const Lines *lines = job;
    const char *at = lines->begins[piece], *end = lines->begins[piece + 1], *ends;
    size_t rows = 0;
    if (!lines->is_row)
        rows = lines_within(at, (size_t)(end - at)) + (at < end && end[-1] != '\n');
    else
        for (; lines_row(lines, &at, end, &ends); at = ends < end ? ends + 1 : end)
            rows++;
    lines->rows[piece + 1] = rows;
}

Status lines_count(Lines *lines) {
    const size_t size = (size_t)(lines->end - lines->begin), most = size / PIECE + 1;
    lines->begins = malloc((most + 1) * sizeof *lines->begins);
    lines->rows = calloc(most + 1, sizeof *lines->rows);
    if (!lines->begins || !lines->rows)
        return fail(STATUS_DEVICE, "no memory for the rows of a text");
    lines->pieces = 0;
    for (const char *at = lines->begin; at < lines->end && lines->pieces < most; lines->pieces++) {
        lines->begins[lines->pieces] = at;
        at = lines->end - at > PIECE ? line_next(at + PIECE, lines->end) : lines->end;
    }
    lines->begins[lines->pieces] = lines->end;
    share_pieces(lines->pieces, count_piece, lines);
    for (size_t i = 0; i < lines->pieces; i++)
        lines->rows[i + 1] += lines->rows[i];
    return STATUS_OK;
}

void lines_cut(Lines *lines, size_t rows) {
    size_t skipped, last = 0;
    while (last < lines->pieces && lines->rows[last + 1] < rows)
        last++;
    const char *const begin = lines->begins[last];
    lines->end = lines_skip(begin, lines->end, rows - lines->rows[last], &skipped);
    lines->pieces = lines->end > begin ? last + 1 : last;
    lines->begins[lines->pieces] = lines->end;
    lines->rows[lines->pieces] = rows;
}

void lines_free(Lines *lines) {
    free(lines->begins);
    free(lines->rows);
    lines->begins = NULL;
    lines->rows = NULL;
    lines->pieces = 0;
}

/* ---- words ---- */

/* A tab that separates words stays: it ends an empty one. */
static const char *skip_blanks(const Lines *lines, const char *at, const char *end) {
    while (at < end && is_blank(*at) && *at != lines->separator)
        at++;
    return at;
}

/* The quote that closes the one before `at`; behind it blanks, a separator or the line's end; `end` if it stays open.
 */
static const char *quote_end(const Lines *lines, const char *at, const char *end, char quote) {
    for (; at < end; at++)
        if (*at == quote && (at + 1 == end || is_blank(at[1]) || (lines->separator && at[1] == lines->separator)))
            return at;
    return end;
}

static bool word_between(const Lines *lines, const char **at, const char *end, Word *word) {
    const char *from = skip_blanks(lines, *at, end), *to;
    if (*at > end) /* behind the last */
        return false;
    if (lines->quotes && from < end && *from == '"') {
        to = quote_end(lines, from + 1, end, '"');
        *word = (Word){from + 1, to};
        to = memchr(to, lines->separator, (size_t)(end - to));
    } else {
        to = memchr(from, lines->separator, (size_t)(end - from));
        *word = (Word){from, to ? to : end};
        while (word->end > word->begin && is_blank(word->end[-1]))
            word->end--;
    }
    *at = (to ? to : end) + 1;
    return true;
}

bool lines_word(const Lines *lines, const char **at, const char *end, Word *word) {
    if (lines->separator)
        return word_between(lines, at, end, word);
    const char *from = skip_blanks(lines, *at, end), *to = from;
    if (lines->quotes && from < end && (*from == '"' || *from == '\'')) {
        to = quote_end(lines, from + 1, end, *from);
        *word = (Word){from + 1, to};
        *at = to < end ? to + 1 : end;
        return true;
    }
    while (to < end && ((unsigned char)*to > ' ' || !is_blank(*to)))
        to++;
    *word = (Word){from, to};
    *at = to;
    return to > from;
}

bool word_is(Word word, const char *text) {
    const size_t length = (size_t)(word.end - word.begin);
    return strlen(text) == length && memcmp(word.begin, text, length) == 0;
}

bool word_whole(Word word, size_t max, size_t *number) {
    *number = 0;
    for (const char *at = word.begin; at < word.end; at++) {
        const size_t digit = (size_t)(unsigned char)*at - '0';
        if (digit > 9 || digit > max || *number > (max - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return word.end > word.begin && *number <= max;
}

bool word_number(Word word, double *number) {
    const char *at = word.begin;
    return word.begin < word.end && decimal_read(&at, word.end, number) && at == word.end && isfinite(*number);
}

Status lines_wrong(const char *name, const char *text, Extract extract, Word word, const char *wanted) {
    const char *line = word.begin;
    while (line > text && line[-1] != '\n')
        line--;
    const size_t before = (size_t)(line - text), column = (size_t)(word.begin - line) + 1;
    const size_t number = lines_within(text, before) + 1 + (before >= extract.head ? extract.lines : 0) +
                          (before >= extract.tail ? extract.tail_lines : 0);
    const size_t length = (size_t)(word.end - word.begin);
    if (length == 0 && (*word.begin == '\0' || *word.begin == '\n' || *word.begin == '\r'))
        return fail(STATUS_INPUT, "%s:%zu:%zu: the %s ends, want %s", name, number, column,
                    *word.begin || word.begin != line ? "line"
                    : extract.is_frame                ? "frame"
                                                      : "file",
                    wanted);
    return fail(STATUS_INPUT, "%s:%zu:%zu: \"%.*s\", want %s", name, number, column,
                (int)(length < WORD_SHOWN ? length : WORD_SHOWN), word.begin, wanted);
}
