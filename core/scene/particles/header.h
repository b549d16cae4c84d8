/* header.h: the beginnings of texts, line by line. */
#ifndef GLINT_CORE_SCENE_PARTICLES_HEADER_H
#define GLINT_CORE_SCENE_PARTICLES_HEADER_H

#include "core/base/text.h"
#include "core/scene/particles/particles.h"

#include <string.h>

/* Where a header is being read. */
typedef struct Header Header;
struct Header {
    Particles *particles;
    const char *text, *next, *end; /* the file, the next line, the file's end */
    const char *line, *line_end;   /* the line that header_line has come to */
    const char *at;                /* within it */
    Lines words;                   /* how it falls into words */
    bool ended;                    /* the text's end was reached: with more bytes, lines may be other ones */
    /* for SceneFormat.pass: */
    size_t passed; /* frames before */
    size_t head;   /* bytes at the file's beginning that all frames share; set by the first pass */
    size_t field;  /* of the reader's own */
    bool damaged;  /* no frame can be found behind this one */
};

/* The first line is the next. It begins behind a mark of UTF-8. */
static inline Header header_of(Particles *particles) {
    const char *text = (const char *)particles->file.data, *end = text + particles->file.size;
    const char *next = text + text_mark(text, particles->file.size);
    return (Header){.particles = particles, .text = text, .next = next, .end = end, .line = text, .line_end = text};
}

/* Goes on to the next line; false at the end of the file, where an empty line then is. */
static inline bool header_line(Header *header) {
    header->line = header->at = header->next;
    header->line_end = line_end(header->line, header->end);
    header->next = header->line_end < header->end ? header->line_end + 1 : header->end;
    header->ended |= header->line_end == header->end;
    return header->line < header->end;
}

/* Goes behind so many lines, of which the last need not have a newline; false if there are fewer. */
static inline bool header_skip(Header *header, size_t lines) {
    size_t skipped;
    header->next = lines_skip(header->next, header->end, lines, &skipped);
    header->ended |=
        skipped < lines || (header->next == header->end && header->end > header->text && header->end[-1] != '\n');
    return skipped == lines;
}

/* Goes before the next line that begins so, or to the end. */
static inline void header_find(Header *header, const char *with) {
    header->next = lines_find(header->next, header->end, with);
    header->ended |= header->next == header->end;
}

/* Whether nothing but blanks and ends of lines follows. */
static inline bool header_is_over(Header *header) {
    const char *at = header->next;
    while (at < header->end && strchr(" \t\r\n", *at) && *at)
        at++;
    header->ended |= at == header->end;
    return at == header->end;
}

/* The line's next word; false at its end, where an empty word then is. */
static inline bool header_word(Header *header, Word *word) {
    *word = (Word){header->line_end, header->line_end};
    return lines_word(&header->words, &header->at, header->line_end, word);
}

static inline bool header_begins(const Header *header, const char *with) {
    const size_t length = strlen(with);
    return (size_t)(header->line_end - header->line) >= length && memcmp(header->line, with, length) == 0;
}

/* STATUS_INPUT at that word. */
static inline Status header_wrong(const Header *header, Word word, const char *wanted) {
    return lines_wrong(header->particles->name, header->text, header->particles->extract, word, wanted);
}

/* A whole number up to `max`, as the line's next word. */
static inline Status header_whole(Header *header, size_t max, const char *wanted, size_t *number) {
    Word word;
    return header_word(header, &word) && word_whole(word, max, number) ? STATUS_OK : header_wrong(header, word, wanted);
}

/* Finite numbers, as the line's next words. */
static inline Status header_numbers(Header *header, size_t count, const char *wanted, double *numbers) {
    Word word;
    for (size_t i = 0; i < count; i++)
        if (!header_word(header, &word) || !word_number(word, &numbers[i]))
            return header_wrong(header, word, wanted);
    return STATUS_OK;
}

/* Has the lines from the next one to `end` be the table's rows. `lines` says how they fall into words, and which are
 * rows. STATUS_DEVICE without memory. */
static inline Status header_lines(Header *header, const char *end, Lines lines) {
    Particles *particles = header->particles;
    particles->is_text = true;
    particles->lines = lines;
    particles->lines.begin = header->next;
    particles->lines.end = header->next = end;
    TRY(lines_count(&particles->lines));
    particles->rows = particles->lines.rows[particles->lines.pieces];
    return STATUS_OK;
}

/* Has the next `rows` lines be the table's rows. STATUS_INPUT if there are fewer; `wanted` is what lacks then. */
static inline Status header_rows(Header *header, size_t rows, const char *wanted) {
    Particles *particles = header->particles;
    TRY(header_lines(header, header->end, header->words));
    if (particles->rows < rows)
        return header_wrong(header, (Word){header->end, header->end}, wanted);
    lines_cut(&particles->lines, rows);
    particles->rows = rows;
    header->next = particles->lines.end;
    return STATUS_OK;
}

#endif
