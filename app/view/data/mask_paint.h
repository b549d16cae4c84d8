/* mask_paint.h: changes of a mask by hand: symmetric strokes, other sizes, presets; and its text.
 * Knows no window. */
#ifndef GLINT_APP_VIEW_DATA_MASK_PAINT_H
#define GLINT_APP_VIEW_DATA_MASK_PAINT_H

#include "core/param/mask.h"

/* Where else a painted weight goes, by the middle of the mask. */
typedef enum MaskSymmetry {
    SYMMETRY_NONE,
    SYMMETRY_SIDES, /* left and right */
    SYMMETRY_ENDS,  /* top and bottom */
    SYMMETRY_BOTH,
    SYMMETRY_EIGHT, /* both, and across the diagonals where the mask is square */
    SYMMETRY_TURN,  /* by half a turn */
    SYMMETRIES
} MaskSymmetry;

enum { SYMMETRY_IMAGES = 8 };

typedef struct MaskSymmetryInfo {
    const char *name, *help;
    int count;
    struct {
        bool mirror_x, mirror_y, transpose;
        int sign; /* where images have the opposite sign */
    } images[SYMMETRY_IMAGES];
} MaskSymmetryInfo;

extern const MaskSymmetryInfo mask_symmetries[SYMMETRIES];

typedef struct MaskCell {
    int x, y, sign;
} MaskCell;

/* The cell itself and its images, without those that the mask does not have; returns how many. */
int mask_images(const Mask *mask, MaskSymmetry symmetry, int x, int y, MaskCell cells[SYMMETRY_IMAGES]);
/* Gives the cell and its images that weight; `opposite`: each image by its sign; then a cell that is its own opposite
 * becomes 0. Cells that the mask does not have are passed over. */
void mask_paint(Mask *mask, MaskSymmetry symmetry, bool opposite, int x, int y, double weight);
/* Paints all cells between two, as mask_paint does one. */
void mask_stroke(Mask *mask, MaskSymmetry symmetry, bool opposite, MaskCell from, MaskCell to, double weight);

/* With more or fewer cells around the anchor; fails as mask_create. */
Status mask_resize(const Mask *from, int width, int height, Mask **mask);
void mask_negate(Mask *mask);
void mask_turn(Mask *mask); /* by a quarter, clockwise */
void mask_clear(Mask *mask);
/* The factor on the sum that keeps brightness, so that weights sum to 1. If they sum to 0, the positive ones then sum
 * to 1. 0 if there is none. */
double mask_normalizer(const Mask *mask);

typedef struct MaskPreset {
    const char *name, *help;
    double (*weight)(int x, int y, int radius); /* from the middle */
} MaskPreset;

extern const MaskPreset mask_presets[];
extern const size_t mask_preset_count;
const MaskPreset *mask_preset_by_name(const char *name); /* NULL if there is none */
/* Whole numbers, `side` cells a side, 3 at least and odd: else one more. Fails as mask_create. */
Status mask_preset_make(const MaskPreset *preset, int side, Mask **mask);

/* As mask_parse takes it, weights in the fewest digits that read back equal; the length as snprintf does. */
size_t mask_format(const Mask *mask, char *buffer, size_t size);

#endif
