/* json.h: texts for programs: pieces of JSON that are valid whatever bytes names have.
 * Owns the spelling of names that come from outside, which may be any bytes. */
#ifndef GLINT_LIBRARY_JSON_H
#define GLINT_LIBRARY_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A JSON string, bytes that are not UTF-8 escaped; null for NULL. */
json_t *json_text(const char *text);
json_t *json_figure(double value); /* null where it is not finite */
/* Writes `record` and a line break, and frees it. False without memory, also if `record` is NULL: then nothing is
 * written. */
bool json_put(FILE *to, json_t *record, size_t flags);

#endif
