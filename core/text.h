/* text.h: small helpers for text that people wrote.
 * Owns the nearest-name suggestion and number parsing that every table-driven parser shares. */
#ifndef GLINT_CORE_TEXT_H
#define GLINT_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The number of insertions, deletions and substitutions that turn `a` into `b` (Levenshtein 1966). */
size_t text_distance(const char *a, size_t a_length, const char *b);

/* Whether `candidate` is close enough to what was typed to be suggested instead of it: at most a third of its letters
 * wrong, and closer than *best; then *best becomes its distance. Start with *best = SIZE_MAX. */
bool text_closer(const char *typed, size_t length, const char *candidate, size_t *best);

/* Reads a finite decimal number, or a fraction of two ("1/9"), at `text`; *end is the character behind it. False if
 * there is none, or it is infinite, or the divisor is 0. (The program never leaves the C locale.) */
bool text_number(const char *text, const char **end, double *number);

#endif
