/* vignette.c: corners darker than the middle. */
#include <math.h>

#include "core/chain/filters/filters.h"
#include "core/chain/within.h"

typedef struct Values {
    double amount, start;
} Values;

static const Param params[] = {
    {"amount", "how much darker the corners become", "percent", PARAM_NUMBER, offsetof(Values, amount), 0, 40, 100, 5},
    {"start", "how far the middle reaches that stays as it is", "percent of the way to the corners", PARAM_NUMBER,
     offsetof(Values, start), 0, 30, 95, 5},
};

/* A pixel's middle in a side of `count` pixels, from -1 to 1, squared. */
static double squared_place(size_t at, size_t count) {
    const double place = (2 * (double)at + 1) / (double)count - 1;
    return place * place;
}

/* 0 in the middle and 65535 in the corners, by the cubic 3t^2 - 2t^3 of the squared distance in between. */
static void fill(ImageView mask, double start) {
    for (size_t y = 0; y < mask.shape.height; y++) {
        uint16_t *row = view_row(mask, y);
        const double down = squared_place(y, mask.shape.height);
        for (size_t x = 0; x < mask.shape.width; x++) {
            const double distance = (squared_place(x, mask.shape.width) + down) / 2;
            const double t = fmax((distance - start * start) / (1 - start * start), 0);
            row[x] = (uint16_t)(65535 * t * t * (3 - 2 * t) + 0.5);
        }
    }
}

static Status plan_mask(Plan *to, Shape picture, double start, int *value) {
    Image *mask;
    TRY(image_create((Shape){picture.width, picture.height, 1, PIXEL_U16}, &mask));
    fill(mask->view, start);
    const Status status = plan_own_image(to, mask, value);
    image_destroy(&mask);
    return status;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    int mask;
    TRY(plan_function(to, POINT_linear, (const double[]){1 - v->amount / 100, 0}, 2, in, out));
    TRY(plan_mask(to, plan_value_shape(to, in), v->start / 100, &mask));
    return within_plan_mask(to, mask, in, out);
}

const Filter filter_vignette = {
    .name = "vignette",
    .category = FILTER_POINT,
    .help = "Darkens the corners, as old lenses do.",
    .definition =
        "The value times 1 - amount (3 t^2 - 2 t^3), with t = (r^2 - start^2) / (1 - start^2), at least 0. The "
        "distance from the middle is r, 1 in the corners, on sides of equal length.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
