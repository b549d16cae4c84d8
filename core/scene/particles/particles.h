/* particles.h: particles of files as tables: columns with names, a row for each particle, and the box that holds them.
 * Readers (a file of this folder for each format) only describe where a file has its columns. core/scene/particles/
 * spheres.h then makes spheres of them, and reads no columns that it does not need. */
#ifndef GLINT_CORE_SCENE_PARTICLES_PARTICLES_H
#define GLINT_CORE_SCENE_PARTICLES_PARTICLES_H

#include "core/base/bytes.h"
#include "core/base/input.h"
#include "core/scene/particles/bonds.h"
#include "core/scene/particles/box.h"
#include "core/scene/particles/lines.h"

typedef enum ColumnKind {
    COLUMN_TEXT, /* a word of a line, or its characters from `field` on */
    COLUMN_U8,
    COLUMN_I8,
    COLUMN_U16,
    COLUMN_I16,
    COLUMN_U32,
    COLUMN_I32,
    COLUMN_U64,
    COLUMN_I64,
    COLUMN_F16,
    COLUMN_F32,
    COLUMN_F64,
    COLUMN_BYTES, /* words of `width` bytes, with zeros behind them */
    COLUMN_UCS4,  /* words of `width` characters of four bytes */
    COLUMN_KINDS
} ColumnKind;

/* The atomic number of a line's atom, by the characters at *word. It is 0 where the table of elements has none. */
typedef int LineElement(const char *line, const char *end, Word *word);

enum { COLUMN_NAME = 64 };

typedef struct Column {
    char name[COLUMN_NAME];
    ColumnKind kind;
    size_t width;               /* of words; of texts: the characters that it takes, 0: fields are words */
    size_t field;               /* of texts: which word, or the first character, from 0 on */
    LineElement *element;       /* of texts: how to find the element; NULL: the word is its symbol or number */
    const unsigned char *first; /* else the value of row 0; rows lie `step` bytes apart */
    ptrdiff_t step;
    bool swapped;         /* its bytes are in the other order than this machine's */
    double scale, offset; /* what it stands for: what is stored * scale + offset */
    size_t source;        /* for the reader's own use */
} Column;

/* A file whose last bytes are not in memory. */
typedef struct LateRows {
    Input *input; /* borrowed */
    size_t held;  /* bytes of the file that are there */
} LateRows;

typedef struct Particles Particles;
struct Particles {
    const char *name; /* of the file, for messages */
    Bytes file;       /* one frame of it, with a zero behind its end */
    LateRows *late;   /* borrowed: bytes of `file` behind those that it holds have no value yet; NULL: all have */
    Extract extract;  /* what of the file is in these bytes */
    size_t rows;      /* as many as the file really holds */
    Column *columns;
    size_t count, capacity;
    Lines lines; /* of texts: where the rows are */
    bool is_text, has_box;
    Box box;
    const char *id;   /* a column that names a particle in all frames; NULL: its row does, or there is but one frame */
    double origin[3]; /* to be subtracted from places where nobody chooses another: f32 holds what is left */
    /* Sets `first` of columns that the file has not as they are; NULL: it has them all. Fails as SceneFormat.table. */
    Status (*fetch)(Particles *particles, Column *const *columns, size_t count);
    /* Reads the bonds that the file lists, as pairs of numbers of its column `bonded`; NULL: its format has none. Fails
     * as bonds_by_number. */
    Status (*bonds)(const Particles *particles, Bonds *pairs);
    const char *bonded;
    void *of;                  /* the reader's own */
    void (*release)(void *of); /* frees it */
};

/* The order of this machine's bytes. */
static inline bool is_little_endian(void) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* Bytes of a value of that kind, `width` as Column has it; 0 of texts. */
size_t column_bytes(ColumnKind kind, size_t width);
/* Adds a column, whose scale is 1, in *column, which may be NULL. The name is cut to what fits; `index` 0 adds nothing
 * to it, others ".INDEX". STATUS_DEVICE without memory. */
Status particles_add(Particles *particles, const char *name, size_t length, size_t index, ColumnKind kind,
                     Column **column);
/* The column of that name, or "#3" the third; NULL if there is none. */
const Column *particles_column(const Particles *particles, const char *name);
/* Reads what is not there yet. STATUS_INPUT if the file cannot be read, or has become shorter. STATUS_INTERRUPTED. */
Status particles_load(const Particles *particles);
/* Frees all but the file. */
void particles_clear(Particles *particles);

#endif
