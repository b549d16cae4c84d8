/* lines.h: rows of large texts, shared out among all cores.
 * Owns how a text falls into lines and words, and where in the file a word is, for messages. */
#ifndef GLINT_CORE_SCENE_PARTICLES_LINES_H
#define GLINT_CORE_SCENE_PARTICLES_LINES_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Lines Lines;
struct Lines {
    const char *begin, *end; /* whole lines; a zero may be at `end` at the latest */
    char separator;          /* of words; 0: blanks, any number of them */
    bool quotes;             /* words within ' or " may have separators */
    /* Whether a line is a row; NULL: every line is. Called by any thread. */
    bool (*is_row)(const Lines *lines, const char *line, const char *end);
    const void *of; /* for is_row */
    size_t field;   /* the same */
    /* filled in by lines_count: */
    size_t pieces, *rows; /* of each piece, its first row; and of all rows, behind the last piece */
    const char **begins;  /* of each piece, and the end */
};

/* Whether words may not have it, but for quotes. */
static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
/* The end of the line that `at` is in: its newline, or `end`. */
const char *line_end(const char *at, const char *end);
/* The beginning of the line behind. */
const char *line_next(const char *at, const char *end);
/* The first line from `at`, where one begins, that begins with `with`; or the end. */
const char *lines_find(const char *at, const char *end, const char *with);
/* Skips `count` lines; *skipped is how many there were. The last one need not have a newline. */
const char *lines_skip(const char *at, const char *end, size_t count, size_t *skipped);
/* Divides the text into pieces and counts their rows. STATUS_DEVICE without memory. */
Status lines_count(Lines *lines);
/* Leaves out what is behind the first `rows` lines, of which there are as many, and every one is a row. */
void lines_cut(Lines *lines, size_t rows);
void lines_free(Lines *lines);
/* Moves *at to the next row, whose line ends at *line_end, within [*at, end); false if there is none. */
bool lines_row(const Lines *lines, const char **at, const char *end, const char **line_end);

/* A word of a line, without quotes. */
typedef struct Word {
    const char *begin, *end;
} Word;

/* The word that begins at *at, which moves on to the next one; false at the end of the line. */
bool lines_word(const Lines *lines, const char **at, const char *end, Word *word);
/* Whether a word is that text. */
bool word_is(Word word, const char *text);
/* The word as a whole number up to `max`; false if it is none. */
bool word_whole(Word word, size_t max, size_t *number);
/* The word as a finite number; false if it is none. */
bool word_number(Word word, double *number);

/* The newlines of a text. */
size_t lines_within(const char *text, size_t size);

/* How a text differs from its file. Behind its first `head` bytes it lacks `lines` lines. It lacks `tail_lines` more
 * before its byte `tail`, where the frame ends. */
typedef struct Extract {
    bool is_frame; /* it is one frame of several */
    size_t head, lines, tail, tail_lines;
} Extract;

/* STATUS_INPUT: "NAME:LINE:COLUMN: "WORD", want WANTED". Lines are those of the file from which `text` is. */
Status lines_wrong(const char *name, const char *text, Extract extract, Word word, const char *wanted);

#endif
