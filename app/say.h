/* say.h: lines for people.
 * Owns the spelling of names that come from outside, which may be any bytes: on a terminal none of their control
 * characters acts. library/json.h has reports. */
#ifndef GLINT_APP_SAY_H
#define GLINT_APP_SAY_H

#include "library/json.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* Prints a line. If `to` is a terminal, control characters in it, line breaks included, and bytes that are not UTF-8
 * are escaped (text_escape). */
__attribute__((format(printf, 2, 3))) void say(FILE *to, const char *format, ...);
/* argp_error with such a line: does not return unless argp was told not to exit. */
__attribute__((format(printf, 2, 3))) void say_usage(struct argp_state *state, const char *format, ...);

#endif
