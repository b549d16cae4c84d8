/* reader.h: reading scene files word by word.
 * Owns the place in the text, tables of numbers, and the sentences that say where a file is wrong. */
#ifndef GLINT_CORE_SCENE_FILES_READER_H
#define GLINT_CORE_SCENE_FILES_READER_H

#include "core/base/bytes.h"
#include "core/scene/scene.h"

/* Where a text is being read. Blanks, tabs and carriage returns separate words. */
typedef struct Reader {
    const char *name; /* of the file, for messages */
    const char *at, *line_start;
    size_t line;  /* from 1 */
    char comment; /* what begins one, up to the end of its line; 0: there are none */
    bool glows;   /* temperatures of black bodies may stand for colours: "3000K", "3000K*4" */
} Reader;

/* Reads a text (SceneFormat.binary is false) from its beginning to its end by `parse`. */
Status reader_parse(const char *name, Bytes text, char comment, Status (*parse)(Reader *reader, Scene *scene),
                    Scene *scene);

/* One number of a record: a float in some struct. */
typedef struct Field {
    const char *name, *wanted; /* wanted: the range in words */
    size_t offset;
    double min, max;
    float smallest; /* the smallest magnitude besides 0 */
    bool colour;    /* red, before green and blue */
} Field;

#define FIELD_COUNT(fields) (sizeof(fields) / sizeof(fields)[0])
/* Rows of fields; `at` is a member of `type`. */
#define FIELD_PLACE(label, type, at)                                                                                   \
    { label, "-1e9 to 1e9", offsetof(type, at), -(double)SPHERE_FARTHEST, (double)SPHERE_FARTHEST, 0, false }
#define FIELD_RADIUS(label, type, at)                                                                                  \
    { label, "0 or 1e-6 to 1e9", offsetof(type, at), 0, (double)SPHERE_FARTHEST, SPHERE_RADIUS_MIN, false }
#define FIELD_SHARE(label, type, at)                                                                                   \
    { label, "0 to 1", offsetof(type, at), 0, 1, 0, false }
#define FIELD_BRIGHT(label, type, at)                                                                                  \
    { label, "0 to 1e9", offsetof(type, at), 0, (double)BRIGHTNESS_MAX, 0, false }
#define FIELD_RED(label, wanted, type, at, max)                                                                        \
    { label, wanted, offsetof(type, at), 0, max, 0, true }
/* NOLINTBEGIN(bugprone-macro-parentheses): the name of a member must not stand in any */
#define FIELDS_PLACE(label, type, at)                                                                                  \
    FIELD_PLACE(label "x", type, at.x), FIELD_PLACE(label "y", type, at.y), FIELD_PLACE(label "z", type, at.z)
#define FIELDS_COLOUR(label, type, at)                                                                                 \
    FIELD_RED(label "red", "0 to 1", type, at.red, 1), FIELD_SHARE(label "green", type, at.green),                     \
        FIELD_SHARE(label "blue", type, at.blue)
#define FIELDS_BRIGHT(label, type, at)                                                                                 \
    FIELD_RED(label "red", "0 to 1e9", type, at.red, (double)BRIGHTNESS_MAX),                                          \
        FIELD_BRIGHT(label "green", type, at.green), FIELD_BRIGHT(label "blue", type, at.blue)
/* NOLINTEND(bugprone-macro-parentheses) */

/* x, y, z, radius of a sphere: every format that has spheres has these. */
enum { SPHERE_PLACE_FIELDS = 4, SPHERE_FIELDS = 7 };
extern const Field sphere_fields[SPHERE_FIELDS]; /* and its colour */

/* Skips blanks and a comment; true if the line goes on behind them. */
bool reader_goes_on(Reader *reader);
void reader_next_line(Reader *reader);
/* Skips what is empty, over the ends of lines; false at the end of the text. */
bool reader_find(Reader *reader);
const char *reader_word_end(const Reader *reader);
/* Goes behind the next word of the line if it is `word`. */
bool reader_take(Reader *reader, const char *word);
/* STATUS_INPUT with the place, what stands there and what was expected. */
Status reader_wrong(const Reader *reader, const char *expected);
/* Numbers of one line into the struct `to`; STATUS_INPUT with the place and the range. */
Status reader_numbers(Reader *reader, const Field *fields, size_t count, void *to);
/* A whole number, as reader_numbers. `name` is what the message calls it. */
Status reader_whole(Reader *reader, const char *name, double min, double max, double *number);
/* `to` is of no length: STATUS_INPUT at the reader's place; `what` is as in "the way to the sun". */
Status reader_direction(const Reader *reader, const char *what, Vec direction);
/* The line must end here; `expected` says why, as in "the end of the line: a sphere has 7 numbers". */
Status reader_line_ends(Reader *reader, const char *expected);
/* Puts the place before the sentence of a failed scene_add_...; passes the status on. */
Status reader_added(const Reader *reader, Status status);
/* Sets the scene's camera; STATUS_INPUT at `place` if it looks nowhere. */
Status reader_viewpoint(const Reader *place, Viewpoint viewpoint, Scene *scene);

#endif
