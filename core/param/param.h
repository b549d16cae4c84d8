/* param.h: named parameters of filters and scene generators, as tables.
 * Owns parsing "2:border=clamp"-style assignments into a descriptor's values and printing them back. */
#ifndef GLINT_CORE_PARAM_PARAM_H
#define GLINT_CORE_PARAM_PARAM_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ParamKind {
    PARAM_NUMBER, /* double */
    PARAM_WHOLE,  /* double that holds a whole number */
    PARAM_SWITCH, /* double, 0 or 1 */
    PARAM_CHOICE, /* double that holds the index of one of the words in `unit`: "x|y|magnitude" */
    PARAM_TEXT,   /* char *, owned by the values, NULL until given */
    PARAM_IMAGE,  /* the same: the path of an image that is read before the chain is planned */
    PARAM_CUBE,   /* the same, of a table of colours (core/codec/cube.h) */
} ParamKind;

extern const char *const param_kinds[]; /* by ParamKind: "number", "whole", ... */

/* Values live in a struct of the descriptor's own; `offset` says where. The first parameter is the main one: it may be
 * given without its name, and the viewer's [ and ] change it. */
typedef struct Param {
    const char *name, *help, *unit;
    ParamKind kind;
    size_t offset;
    double min, default_value, max, step;
} Param;

/* Units that tell a parameter's meaning in the picture or how its text is built, so that windows can draw it. */
#define PARAM_STORED           "stored values" /* the useful range is that of the pixels' type */
#define PARAM_CLOCKWISE        "degrees clockwise"
#define PARAM_COUNTERCLOCKWISE "degrees counterclockwise"
#define PARAM_LENGTH           "pixels along the angle"
#define PARAM_COLUMN           "columns from the left" /* of a place; negative: in the middle */
#define PARAM_ROW              "rows from the top"
#define PARAM_COLUMNS          "columns" /* of a rectangle from that place on; 0: all */
#define PARAM_ROWS             "rows"
#define PARAM_SHARE            "percent of the side"       /* by params_in_percent: any of these four */
#define PARAM_MEASURE          "pixels|percent"            /* of a PARAM_CHOICE: which of both these four count */
#define PARAM_MASK             "weights"                   /* as mask_parse takes them */
#define PARAM_CURVE            "percent of full intensity" /* as knots_parse takes them */
#define PARAM_FILE             "path"                      /* of a PARAM_TEXT: a file that planning reads */
#define PARAM_HOMOGRAPHY       "matrix"                    /* from the picture's coordinates to the result's */
/* The values of a PARAM_IMAGE stand for light as the picture's do, or are data, which linear light leaves alone. */
#define PARAM_LIGHT "light"
#define PARAM_DATA  "data"

typedef struct ParamTable {
    const Param *params;
    size_t count;
    size_t size; /* bytes of the values' struct */
} ParamTable;

/* Sets every number to its default. */
void params_default(ParamTable table, void *values);
/* Whether every parameter has the same value in both. */
bool params_same(ParamTable table, const void *a, const void *b);
/* Freshly allocated values with every parameter at its default. STATUS_DEVICE if memory is short. */
Status params_create(ParamTable table, void **values);
Status params_clone(ParamTable table, const void *from, void **values);
void params_destroy(ParamTable table, void **values);

/* Parses assignments separated by ':' from `text` up to `end` (exclusive): "2", "amount=0.8:sigma=3",
 * "file='a,b.txt'" (a quote within quotes is written twice). Spaces around names and values do not count. A value
 * without a name goes to the next parameter in the table's order. Failures are STATUS_USAGE; *at is set to the
 * character where the text went wrong. */
Status params_parse(ParamTable table, const char *owner, const char *text, const char *end, void *values,
                    const char **at);
/* Writes the assignments that differ from the default, in a spelling that params_parse takes; returns the length as
 * snprintf does. */
size_t params_format(ParamTable table, const void *values, char *buffer, size_t size);

/* Whether its value is a text; else it is a number. */
static inline bool param_is_text(const Param *param) {
    return param->kind == PARAM_TEXT || param->kind == PARAM_IMAGE || param->kind == PARAM_CUBE;
}
/* The word of a PARAM_CHOICE that has this index, not terminated: *length letters. NULL if there is none. */
const char *param_choice(const Param *param, size_t index, size_t *length);
double param_number(const Param *param, const void *values);
void param_set_number(const Param *param, void *values, double number); /* clamped to min..max */
const char *param_text(const Param *param, const void *values);
/* Copies it; NULL or "": none. STATUS_DEVICE if memory is short. */
Status param_set_text(const Param *param, void *values, const char *text);
/* Whether it has the same value in both; no text is an empty one. */
bool param_same(const Param *param, const void *a, const void *b);
const Param *param_by_name(ParamTable table, const char *name); /* NULL if there is none */
const Param *param_by_unit(ParamTable table, const char *unit); /* the first one, or NULL */
/* The parameter as it makes sense for pixels whose full intensity is `white`. PARAM_STORED lies within +-white and
 * moves by a 32nd of it, rounded to a power of two; others stay as they are. */
Param param_for_white(const Param *param, double white);
/* Whether it is a place in the picture or a size of a part of it: PARAM_COLUMN, PARAM_ROW, PARAM_COLUMNS, PARAM_ROWS.
 */
bool param_counts_lines(const Param *param);
/* Whether columns and rows of the table are shares of the picture's sides: its PARAM_MEASURE says so. */
bool params_in_percent(ParamTable table, const void *values);
/* The parameter as it makes sense for a picture of this size, with the other values of its table. Places lie in the
 * picture, sizes go from a pixel to all of it. Where the table has a PARAM_MEASURE, they are whole pixels, or
 * PARAM_SHARE. Others stay as they are. */
Param param_for_size(ParamTable table, const Param *param, const void *values, size_t width, size_t height);
/* `number` moved by `steps` steps and clamped, as the viewer's keys move it. */
double param_stepped(const Param *param, double number, int steps);

#endif
