/* option.h: options of commands and of encoders, as rows of tables.
 * Owns reading a value into the struct that a row points into, and spelling the values that differ from the defaults.
 */
#ifndef GLINT_CORE_PARAM_OPTION_H
#define GLINT_CORE_PARAM_OPTION_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum OptionKind {
    OPTION_SWITCH, /* an integer that becomes 1; takes no value */
    OPTION_TEXT,   /* const char *, borrowed from the command line */
    OPTION_CHOICE, /* an integer: the index of one of `words` */
    OPTION_WHOLE,  /* an integer within min..max */
    OPTION_BYTES,  /* the same; text may have K, M, G or T behind a number: powers of 1024 */
    OPTION_NUMBER, /* float or double within min..max */
    OPTION_OWN,    /* `read` reads it */
} OptionKind;

/* A row says all about an option. Results depend on each that is not `neutral`: it goes into recipes. */
typedef struct Option {
    const char *name;  /* "quality": --quality */
    const char *value; /* "N", as help shows it; NULL for a switch */
    const char *help;  /* NULL: help does not show it */
    OptionKind kind;
    char letter;   /* 'q': -q; or 0 */
    bool optional; /* the value: without one, `otherwise` */
    bool neutral;  /* results do not depend on it */
    size_t offset, size;
    const char *words;          /* "keep|srgb" of a choice; NULL: `value` has them */
    double min, max, otherwise; /* otherwise: also of a number that stands for none, since it is out of range */
    Status (*read)(const char *text, void *values); /* of an OPTION_OWN. STATUS_USAGE */
    /* The value as recipes and reports have it, instead of the kind's own spelling; "" for none. Each OPTION_OWN that
     * is not neutral has one. Returns the length as snprintf does. */
    int (*spell)(const void *values, char *buffer, size_t size);
} Option;

/* Rows whose places lie in a struct that is `offset` bytes into another one. */
typedef struct OptionTable {
    const Option *rows;
    size_t count, offset;
} OptionTable;

#define OPTION_AT(type, member) .offset = offsetof(type, member), .size = sizeof((type *)0)->member
#define OPTION_ROWS(array)      (array), sizeof(array) / sizeof *(array)

/* Whether values are numbers. */
static inline bool option_counts(const Option *option) {
    return option->kind == OPTION_WHOLE || option->kind == OPTION_BYTES || option->kind == OPTION_NUMBER;
}

/* Reads `text`, NULL where there is no value, into the values' struct. STATUS_USAGE: "--quality is "x", want ...". */
Status option_read(const Option *option, const char *text, void *values);
/* A switch, a choice's index, or a number: `otherwise` for one that is out of range. 0 of the other kinds. */
double option_value(const Option *option, const void *values);
/* As recipes have it: in the buffer unless it is a text; "" for none. */
const char *option_spell(const Option *option, const void *values, char *buffer, size_t size);
/* Puts such a value into the values' struct. */
void option_put(const Option *option, double value, void *values);
/* Numbers of options whose kind is OPTION_OWN, with the same sentences. */
Status option_whole(const char *name, const char *text, long min, long max, long *number);
Status option_number(const char *name, const char *text, double min, double max, double *number);
/* Spells the options that results depend on, and whose values are not those of `defaults`: " quality=80 half=1".
 * Returns the length as snprintf does. */
size_t options_recipe(const OptionTable *tables, size_t count, const void *values, const void *defaults, char *buffer,
                      size_t size);

#endif
