/* perspective.c: four corners of a thing in the picture become those of an upright rectangle, or lines upright. */
#include "core/chain/filters/filters.h"

#include "core/chain/uprights.h"
#include "core/param/homography.h"

#include <math.h>
#include <string.h>

enum { SIZE_PICTURE, SIZE_PART };

typedef struct Values {
    char *corners;
    double size, ratio, kernel;
    char *colour, *lines;
} Values;

static const Param params[] = {
    {.name = "corners",
     .help =
         "the thing's corners, clockwise from the top left one, x and y in percent of the picture's sides. The word "
         "auto finds lines that are upright in the world",
     .unit = "percent",
     .kind = PARAM_TEXT,
     .offset = offsetof(Values, corners)},
    {"size", "the result: all of the picture, at its size, or the rectangle alone", "picture|part", PARAM_CHOICE,
     offsetof(Values, size), SIZE_PICTURE, SIZE_PICTURE, SIZE_PART, 1},
    {"ratio", "width by height of the rectangle, as in 3/2; 0: as its sides are in the picture", "", PARAM_NUMBER,
     offsetof(Values, ratio), 0, 0, 100, 0.1},
    PARAM_KERNEL(Values),
    PARAM_COLOUR(Values),
    {.name = "lines",
     .help = "in the place of corners, two lines to become upright or level, or two of each: x and y of their ends in "
             "percent",
     .unit = "percent",
     .kind = PARAM_TEXT,
     .offset = offsetof(Values, lines)},
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
    return STATUS_OK;
}

/* A line through two places; its coordinates times (x, y, 1) are 0. */
typedef struct Line {
    double a, b, c;
} Line;

static Line line_through(double x, double y, double u, double v) {
    return (Line){y - v, u - x, x * v - u * y};
}

/* Whether the first lies above the second, or left of it, where both pass the middle of the picture. */
static bool is_before(Line one, Line two, bool upright, double x, double y) {
    return upright ? (one.b * y + one.c) / -one.a < (two.b * y + two.c) / -two.a
                   : (one.a * x + one.c) / -one.b < (two.a * x + two.c) / -two.b;
}

/* Where two lines cross; far away if they do not. */
static void cross(Line one, Line two, double corner[2]) {
    const double w = one.a * two.b - one.b * two.a;
    corner[0] = (one.b * two.c - one.c * two.b) / w;
    corner[1] = (one.c * two.a - one.a * two.c) / w;
}

/* The corners where the lines cross each other, or the picture's edges in the place of those that are not given. False
 * if there are not two upright or two level ones, or both. */
static bool corners_of_lines(const double *numbers, int count, Shape shape, double corners[4][2]) {
    const double width = (double)shape.width, height = (double)shape.height;
    const double right = width - 0.5, bottom = height - 0.5, x = (width - 1) / 2, y = (height - 1) / 2;
    Line sides[2][2] = {{line_through(-0.5, -0.5, right, -0.5), line_through(-0.5, bottom, right, bottom)},
                        {line_through(-0.5, -0.5, -0.5, bottom), line_through(right, -0.5, right, bottom)}};
    int found[2] = {0}; /* level ones, upright ones */
    for (int i = 0; i + 3 < count; i += 4) {
        double ends[4];
        for (int k = 0; k < 4; k++)
            ends[k] = numbers[i + k] / 100 * (k % 2 ? height : width) - 0.5;
        const bool upright = fabs(ends[3] - ends[1]) > fabs(ends[2] - ends[0]);
        if (found[upright] < 2)
            sides[upright][found[upright]] = line_through(ends[0], ends[1], ends[2], ends[3]);
        found[upright]++;
    }
    if ((count != 8 && count != 16) || found[0] % 2 || found[1] % 2 || found[0] > 2 || found[1] > 2)
        return false;
    for (int k = 0; k < 2; k++)
        if (found[k] && is_before(sides[k][1], sides[k][0], k > 0, x, y)) {
            const Line first = sides[k][0];
            sides[k][0] = sides[k][1];
            sides[k][1] = first;
        }
    for (int i = 0; i < 4; i++)
        cross(sides[0][i / 2], sides[1][i == 1 || i == 2], corners[i]);
    return true;
}

static Status read_lines(const char *text, Shape shape, double corners[4][2]) {
    double numbers[16];
    return corners_of_lines(numbers, filter_numbers(text, numbers, 16), shape, corners)
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "perspective: the lines are \"%s\", want two upright or two level ones, or both, of 4 numbers "
                      "each, as in '20 90 30 10; 80 90 70 10'",
                      text);
}

static bool is_auto(const void *values) {
    const Values *v = values;
    return v->corners && strcmp(v->corners, "auto") == 0;
}

/* The corners of two upright lines that the picture shows; those of the picture where none is at hand. */
static Status find_corners(const Plan *to, Shape shape, double corners[4][2]) {
    double lines[8] = {0, 0, 0, 100, 100, 0, 100, 100};
    ImageView picture;
    bool there, found = true;
    TRY(plan_look(to, &filter_perspective, &picture, &there));
    if (there)
        TRY(uprights_find(picture, &found, lines));
    if (!found)
        return fail(STATUS_INPUT, "perspective: the picture shows no three upright lines that agree, want lines= or "
                                  "corners=");
    return corners_of_lines(lines, 8, shape, corners)
               ? STATUS_OK
               : fail(STATUS_INPUT, "perspective: the upright lines that were found cross within the picture");
}

static Status check_corners(const Values *v, double corners[4][2]) {
    for (int i = 0; i < 4; i++)
        if (!(turn(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) > 1))
            return v->lines ? fail(STATUS_USAGE,
                                   "perspective: the lines \"%s\" cross within the picture: want them side by side",
                                   v->lines)
                            : fail(STATUS_USAGE,
                                   "perspective: the corners \"%s\" make no quadrilateral that bulges at each: want "
                                   "them clockwise from the top left one",
                                   v->corners);
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
    if (v->lines && v->corners)
        return fail(STATUS_USAGE, "perspective: want corners or lines, not both");
    TRY(is_auto(v) ? find_corners(to, shape, corners)
        : v->lines ? read_lines(v->lines, shape, corners)
                   : read_corners(v->corners, shape, corners));
    TRY(check_corners(v, corners));
    find_rectangle(v, corners, &x, &y, &width, &height);
    double rectangle[4][2] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    const bool part = v->size > SIZE_PICTURE;
    WarpWish wish = {.width = part ? (size_t)width : shape.width,
                     .height = part ? (size_t)height : shape.height,
                     .kernel = (WarpKernel)v->kernel,
                     .colour = v->colour};
    if (!homography_of_points(rectangle, corners, &map))
        return fail(STATUS_USAGE, "perspective: three of the corners \"%s\" lie on a line",
                    v->lines ? v->lines : v->corners);
    memcpy(wish.map.matrix, map.m, sizeof map.m);
    return plan_warp(to, in, wish, out);
}

const Filter filter_perspective = {
    .name = "perspective",
    .category = FILTER_GEOMETRY,
    .help = "Makes a thing upright that was seen from aside: its four corners become those of a rectangle, or lines "
            "upright and level.",
    .definition =
        "OpenCV's getPerspectiveTransform and warpPerspective, with weights that are not rounded to 1/32. "
        "Lines have corners where they cross each other, or the picture's edges. auto: edges vote for lines by "
        "their directions (Hough), and the pair of lines that the most others agree with tells where all meet.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .reads_picture = is_auto,
    .example = "'10 5; 90 0; 100 100; 0 95'",
    .begin = "'0 0; 100 0; 100 100; 0 100'",
};
