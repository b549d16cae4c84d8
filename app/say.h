/* say.h: lines for people, and texts for programs.
 * Owns the spelling of names that come from outside, which may be any bytes. On a terminal none of their control
 * characters acts, and in a report every text is valid UTF-8. */
#ifndef GLINT_APP_SAY_H
#define GLINT_APP_SAY_H

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints a line. If `to` is a terminal, control characters in it, line breaks included, and bytes that are not UTF-8
 * are escaped (text_escape). */
__attribute__((format(printf, 2, 3))) void say(FILE *to, const char *format, ...);
/* argp_error with such a line: does not return unless argp was told not to exit. */
__attribute__((format(printf, 2, 3))) void say_usage(struct argp_state *state, const char *format, ...);
/* A JSON string, bytes that are not UTF-8 escaped; null for NULL. */
json_t *json_text(const char *text);
json_t *json_figure(double value); /* null where it is not finite */
/* Writes `record` and a line break, and frees it. False without memory, also if `record` is NULL: then nothing is
 * written. */
bool json_put(FILE *to, json_t *record, size_t flags);

#endif
