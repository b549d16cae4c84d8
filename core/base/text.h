/* text.h: small helpers for text that people wrote.
 * Owns the nearest-name suggestion and number parsing that every table-driven parser shares. */
#ifndef GLINT_CORE_BASE_TEXT_H
#define GLINT_CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The number of insertions, deletions and substitutions that turn `a` into `b` (Levenshtein 1966). */
size_t text_distance(const char *a, size_t a_length, const char *b);

/* Whether `candidate` is close enough to the typed word to be suggested instead. At most a third of its letters are
 * wrong, and it is closer than *best, which then becomes its distance. Start with *best = SIZE_MAX. */
bool text_closer(const char *typed, size_t length, const char *candidate, size_t *best);

/* The order in which people count names, as strcmp: numbers by their value, all else by its bytes: 1, 2, 10, 10a. Two
 * that differ in zeros before numbers alone are ordered by their bytes. */
int text_order(const char *a, const char *b);

/* Reads a finite decimal number, or a fraction of two ("1/9"), at `text`; *end is the character behind it. False if
 * there is none, or it is hexadecimal or infinite, or the divisor is 0. (The program never leaves the C locale.) */
bool text_number(const char *text, const char **end, double *number);

/* Reads a size of at least one byte: a number, alone or with K, M, G or T (either case), powers of 1024. */
bool text_bytes(const char *text, double *bytes);

/* The length in bytes of the mark that some editors put before a text in UTF-8: 3, or 0 without a mark.
 */
size_t text_mark(const void *text, size_t size);

typedef enum TextKept {
    TEXT_UTF8,      /* all that is UTF-8 */
    TEXT_PRINTABLE, /* of that, all but control characters (C0, DEL, C1) */
} TextKept;

/* Copies `text`, and writes every byte that is not kept as \xNN. Fills `to` and ends it as snprintf does, cut off at a
 * whole character or escape, and returns the length that all of it has. */
size_t text_escape(const char *text, TextKept kept, char *to, size_t size);
/* The same, to be freed by free; NULL without memory. */
char *text_escaped(const char *text, TextKept kept);

#endif
