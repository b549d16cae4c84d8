/* matrix.c: the user's own colour matrix. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    char *matrix;
} Values;

static const Param params[] = {
    {"matrix",
     "factors on red, green and blue, a row for each colour of the result, ';' between the rows. A fourth number of a "
     "row is added; 1 is full intensity",
     "", PARAM_TEXT, offsetof(Values, matrix), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const char *text = ((const Values *)values)->matrix;
    double matrix[12] = {0};
    Mask *rows = NULL;
    if (!text)
        return fail(STATUS_USAGE, "matrix: want factors, as in matrix=0 1 0;0 0 1;1 0 0");
    TRY(mask_parse(text, &rows));
    const int width = rows->width, height = rows->height;
    for (int i = 0; i < 12 && height == 3 && (width == 3 || width == 4); i++)
        matrix[i] = i % 4 < width ? (double)rows->weights[i / 4 * width + i % 4] : 0;
    mask_destroy(&rows);
    if (height != 3 || (width != 3 && width != 4))
        return fail(STATUS_USAGE, "matrix: %d rows of %d numbers, want 3 rows of 3 or 4", height, width);
    return plan_matrix(to, matrix, in, out);
}

const Filter filter_matrix = {
    .name = "matrix",
    .category = FILTER_POINT,
    .help = "Mixes the colours by a matrix of your own.",
    .definition = "As SVG's feColorMatrix and ImageMagick's -color-matrix, without alpha.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "0 1 0;0 0 1;1 0 0",
    .begin = "1 0 0;0 1 0;0 0 1",
};
