/* csv.c: tables as text: a line with the columns' names, or none, and a line for each particle. Commas, semicolons or
 * tabs separate the columns (RFC 4180), or blanks. */
#include "core/base/text.h"
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"

#include <stdio.h>

/* Empty lines and comments are no rows. */
static bool is_row(const Lines *lines, const char *line, const char *end) {
    (void)lines;
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
        line++;
    return line < end && *line != '#';
}

/* The first of these that the line has; 0: blanks. */
static char separator_of(const char *line, const char *end) {
    static const char separators[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (memchr(line, separators[i], (size_t)(end - line)))
            return separators[i];
    return 0;
}

static bool is_number(Word word) {
    double number;
    return word_number(word, &number) || word_is(word, "nan") || word_is(word, "NaN");
}

/* The words of the line. */
static size_t count_words(Header header, size_t *numbers) {
    Word word;
    size_t count = 0;
    for (*numbers = 0; header_word(&header, &word); count++)
        *numbers += is_number(word);
    return count;
}

/* Columns by the line's words; or, without names, x, y, z and the others' numbers. */
static Status add_columns(Header header, bool named) {
    static const char *const places[] = {"x", "y", "z"};
    Particles *particles = header.particles;
    Word word;
    while (header_word(&header, &word)) {
        const size_t count = particles->count;
        char number[24];
        snprintf(number, sizeof number, "%zu", count + 1);
        const char *name = named ? word.begin : count < 3 ? places[count] : number;
        TRY(particles_add(particles, name, named ? (size_t)(word.end - word.begin) : strlen(name), 0, COLUMN_TEXT,
                          NULL));
    }
    return STATUS_OK;
}

/* Names are in the first line if no word of it is a number. Else they are in the last comment before it, if that has as
 * many words. The header is then before the first row. */
static Status read_names(Header *header) {
    Header comment = *header;
    size_t numbers, count;
    bool found = header_line(header);
    for (comment.line_end = comment.line; found && !is_row(NULL, header->line, header->line_end);) {
        comment = *header;
        found = header_line(header);
    }
    if (!found)
        return header_wrong(header, (Word){header->end, header->end}, "a line with the columns' names");
    header->words.separator = separator_of(header->line, header->line_end);
    count = count_words(*header, &numbers);
    if (numbers == 0)
        return add_columns(*header, true);
    header->next = header->line;
    comment.at = memchr(comment.line, '#', (size_t)(comment.line_end - comment.line));
    comment.at = comment.at ? comment.at + 1 : comment.line_end;
    comment.words.separator = separator_of(comment.at, comment.line_end);
    return count_words(comment, &numbers) == count ? add_columns(comment, true) : add_columns(*header, false);
}

static Status table(Particles *particles) {
    Header header = header_of(particles);
    header.words.quotes = true;
    TRY(read_names(&header));
    const bool quotes = memchr(header.next, '"', (size_t)(header.end - header.next)) != NULL;
    return header_lines(&header, header.end,
                        (Lines){.separator = header.words.separator, .quotes = quotes, .is_row = is_row});
}

const SceneFormat scene_format_csv = {
    .name = "csv",
    .more = " tsv dat txt",
    .help = "particles, a table with the columns' names in its first line",
    .vague = true,
    .binary = true,
    .table = table,
};
