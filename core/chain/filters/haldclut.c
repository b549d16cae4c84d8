/* haldclut.c: colours by a picture that was an identity before it was edited. */
#include "core/chain/filters/filters.h"
#include "core/codec/cube.h"
#include "core/ops/cube.h"
#include "core/plan/plan_images.h"

typedef struct Values {
    char *file;
} Values;

static const Param params[] = {
    {"file", "a square picture of L^3 x L^3 pixels, L from 2 to 16; without it, the picture stays as it is", PARAM_DATA,
     PARAM_IMAGE, offsetof(Values, file), 0, 0, 0, 0},
};

/* L^2, the side of the cube of colours; 0: it is none. */
static size_t side_of(Shape shape) {
    for (size_t level = 2; level <= 16; level++)
        if (shape.width == level * level * level && shape.height == shape.width && shape.channels >= 3)
            return level * level;
    return 0;
}

/* The pixels run as a table's entries do: red fastest, then green, then blue. Row 0 has the domain. */
static void fill(ImageView from, size_t side, ImageView table) {
    const double white = pixel_type_white(from.shape.type);
    for (size_t i = 0; i < side * side * side; i++)
        for (int c = 0; c < 3; c++)
            view_set_value(table, i % side, 1 + i / side, c,
                           view_value(from, i % from.shape.width, i / from.shape.width, c) / white);
    for (size_t x = 0; x < side; x++)
        for (int c = 0; c < 3; c++)
            view_set_value(table, x, 0, c, x == 1 ? 1 : 0);
}

static Status plan_own_cube(Plan *to, ImageView from, size_t side, int *value) {
    Image *table;
    TRY(image_create((Shape){side, 1 + side * side, 3, PIXEL_F32}, &table));
    fill(from, side, table->view);
    const Status status = plan_own_table(to, table, value);
    image_destroy(&table);
    return status;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    CubeJob job = {.dimensions = 3, .white = plan_value_white(to, in)};
    int table;
    *out = in;
    if (!v->file)
        return STATUS_OK;
    const Image *image = plan_offered_image(to, v->file);
    if (!image)
        return fail(STATUS_USAGE, "haldclut: the image \"%s\" was not read", v->file);
    const Shape shape = image->view.shape;
    job.side = (int)side_of(shape);
    if (job.side == 0)
        return fail(STATUS_INPUT,
                    "haldclut: %s is %zux%zu with %d channels, want colours and L^3 x L^3 pixels, as 512x512", v->file,
                    shape.width, shape.height, shape.channels);
    TRY(plan_own_cube(to, image->view, (size_t)job.side, &table));
    return plan_append(to, &op_cube, &job, (const int[STAGE_INPUTS]){in, table, PLAN_NONE},
                       plan_value_shape(to, in).type, out);
}

const Filter filter_haldclut = {
    .name = "haldclut",
    .category = FILTER_POINT,
    .help = "Changes colours as an identity picture was changed (Hald CLUT).",
    .definition =
        "E. Schafer's Hald CLUT of level L: a cube of L^2 colours a side, row by row in a picture of L^3 pixels a "
        "side. Red runs fastest, then green, then blue. Between the entries by J. Kasson's tetrahedra (1993).",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
