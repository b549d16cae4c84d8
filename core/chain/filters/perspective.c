/* perspective.c: four corners of a thing in the picture become those of an upright rectangle. */
#include "core/chain/filters/filters.h"

#include "core/param/homography.h"

#include <math.h>
#include <string.h>

enum { SIZE_PICTURE, SIZE_PART };

typedef struct Values {
    char *corners;
    double size, ratio, kernel;
    char *colour;
} Values;

static const Param params[] = {
    {.name = "corners",
     .help = "the thing's corners, clockwise from the top left one: x and y in percent of the picture's sides",
     .unit = "percent",
     .kind = PARAM_TEXT,
     .offset = offsetof(Values, corners)},
    {"size", "the result: all of the picture, at its size, or the rectangle alone", "picture|part", PARAM_CHOICE,
     offsetof(Values, size), SIZE_PICTURE, SIZE_PICTURE, SIZE_PART, 1},
    {"ratio", "width by height of the rectangle, as in 3/2; 0: as its sides are in the picture", "", PARAM_NUMBER,
     offsetof(Values, ratio), 0, 0, 100, 0.1},
    PARAM_KERNEL(Values),
    PARAM_COLOUR(Values),
};

/* Twice the area of the triangle: positive if its corners go clockwise, y being down. */
static double turn(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

/* In pixels of the picture, whose centres have whole coordinates. */
static Status read_corners(const char *text, Shape shape, double corners[4][2]) {
    double numbers[8];
    if (!text || filter_numbers(text, numbers, 8) != 8)
        return fail(STATUS_USAGE,
                    "perspective: the corners are \"%s\", want 8 numbers, as in '10 5; 90 0; 100 100; 0 95'",
                    text ? text : "");
    for (int i = 0; i < 4; i++) {
        corners[i][0] = numbers[2 * i] / 100 * (double)shape.width - 0.5;
        corners[i][1] = numbers[2 * i + 1] / 100 * (double)shape.height - 0.5;
    }
    for (int i = 0; i < 4; i++)
        if (!(turn(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) > 1))
            return fail(
                STATUS_USAGE,
                "perspective: the corners \"%s\" make no quadrilateral that bulges at each: want them clockwise "
                "from the top left one",
                text);
    return STATUS_OK;
}

static double side(double corners[4][2], int from, int to) {
    return hypot(corners[to][0] - corners[from][0], corners[to][1] - corners[from][1]);
}

/* The rectangle in the result: in the corners' middle where the picture is kept, else all of it. Its sides are as long
 * as two opposite ones on average, or as the longer of both. */
static void find_rectangle(const Values *v, double corners[4][2], double *x, double *y, double *width, double *height) {
    const double top = side(corners, 0, 1), right = side(corners, 1, 2), bottom = side(corners, 2, 3),
                 left = side(corners, 3, 0);
    const bool part = v->size > SIZE_PICTURE;
    *width = part ? fmax(top, bottom) : (top + bottom) / 2;
    *height = part ? fmax(left, right) : (left + right) / 2;
    if (v->ratio > 0) {
        const double area = *width * *height;
        *width = sqrt(area * v->ratio);
        *height = sqrt(area / v->ratio);
    }
    if (part) {
        *width = fmax(round(*width), 1);
        *height = fmax(round(*height), 1);
    }
    *x = part ? -0.5 : (corners[0][0] + corners[1][0] + corners[2][0] + corners[3][0]) / 4 - *width / 2;
    *y = part ? -0.5 : (corners[0][1] + corners[1][1] + corners[2][1] + corners[3][1]) / 4 - *height / 2;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    double corners[4][2], x, y, width, height;
    Homography map;
    TRY(read_corners(v->corners, shape, corners));
    find_rectangle(v, corners, &x, &y, &width, &height);
    double rectangle[4][2] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    const bool part = v->size > SIZE_PICTURE;
    WarpWish wish = {.width = part ? (size_t)width : shape.width,
                     .height = part ? (size_t)height : shape.height,
                     .kernel = (WarpKernel)v->kernel,
                     .colour = v->colour};
    if (!homography_of_points(rectangle, corners, &map))
        return fail(STATUS_USAGE, "perspective: three of the corners \"%s\" lie on a line", v->corners);
    memcpy(wish.map.matrix, map.m, sizeof map.m);
    return plan_warp(to, in, wish, out);
}

const Filter filter_perspective = {
    .name = "perspective",
    .category = FILTER_GEOMETRY,
    .help = "Makes a thing upright that was seen from aside: its four corners become those of a rectangle.",
    .definition = "OpenCV's getPerspectiveTransform and warpPerspective, with weights that are not rounded to 1/32.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "'10 5; 90 0; 100 100; 0 95'",
    .begin = "'0 0; 100 0; 100 100; 0 100'",
};
