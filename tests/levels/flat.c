/* flat.c: pictures and tables in which every pixel shows how a level rounds: a flat picture stays flat, on every
 * level. */
#include "tests/levels/harness.h"

#include "core/codec/cube.h"
#include "core/ops/cube.h"
#include "core/ops/kuwahara.h"
#include "tests/chains.h"

#include <stdio.h>
#include <stdlib.h>

/* A chain of one stage; `table` is the text of the table that it calls "table", NULL if it names nothing. */
typedef struct Flat {
    const char *chain, *table;
    Border border;
} Flat;

static Plan *plan_of(const Flat *flat, Shape shape) {
    const PlanOptions options = {.border = flat->border};
    Image *table = NULL;
    if (!flat->table)
        return plan_of_chain(flat->chain, shape, options);
    REQUIRE(cube_parse(flat->table, &table));
    return plan_with_image(flat->chain, shape, options, "table", table);
}

static void check_level(const Flat *flat, Device *device, const Level *level, Image *in, double want) {
    Plan *plan = plan_of(flat, in->view.shape);
    const char *why_not;
    const bool accepts = level_accepts(level, device, &plan_stage(plan, 0)->stage, &why_not);
    plan_destroy(&plan);
    if (!accepts)
        return;
    Image *out = run_plan(device, plan_of(flat, in->view.shape), in, level->name);
    const Shape shape = out->view.shape;
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                const double got = view_value(out->view, x, y, c);
                if (got < want || got > want)
                    fail_msg("%s by %s of %s: %g at %zu, %zu instead of %g", flat->chain, level->name,
                             device->backend->name, got, x, y, want);
            }
    image_destroy(&out);
}

/* Every level of the operation makes `want` of every value. */
static void check_flat(const Bench *benches, const Flat *flat, const Op *op, Image *in, double want) {
    for (size_t b = 0; b < backend_count(); b++) {
        const Level *level;
        for (size_t k = 0; benches[b].device && (level = ladder_level(backend_at(b), op, k)); k++)
            if (!benches[b].left_out)
                check_level(flat, benches[b].device, level, in, want);
    }
}

/* A table of one colour: `side` entries in each dimension. */
static char *table_text(double value, int side, int dimensions) {
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    (void)fprintf(stream, "LUT_%dD_SIZE %d\n", dimensions, side);
    for (int i = 0; i < (dimensions == 3 ? side * side * side : side); i++)
        (void)fprintf(stream, "%g %g %g\n", value, value, value);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* 255 times the value as f32 has it, rounded to the nearest even. */
static void tables_of_one_colour(void **state) {
    static const struct {
        double value;
        int side, dimensions;
        double want;
    } tables[] = {{0.5, 17, 3, 128}, {0.1, 17, 3, 26}, {0.3, 5, 3, 77}, {0.9, 33, 3, 229}, {0.3, 9, 1, 77}};
    Image *in = NULL;
    REQUIRE(image_create((Shape){191, 61, 3, PIXEL_U8}, &in));
    view_fill_random(in->view, 4);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char *text = table_text(tables[i].value, tables[i].side, tables[i].dimensions);
        check_flat(*state, &(Flat){"lut=table", text, {BORDER_CLAMP, 0}}, &op_cube, in, tables[i].want);
        free(text);
    }
    image_destroy(&in);
}

/* Tiled without a seam, every box of the pattern's size has the same sum: by its mean all pixels are alike. Sums nearly
 * a multiple of the count are those that a division by multiplying gets wrong first. */
static void boxes_of_one_mean(void **state) {
    for (int radius = 1; radius <= (is_quick() ? 2 : 15); radius++) {
        const size_t side = (size_t)radius + 1;
        const unsigned count = (unsigned)(side * side), low = 222, more = (count - 1) / 2; /* pixels that have 223 */
        char chain[32];
        Image *in = NULL;
        REQUIRE(image_create((Shape){side * 6, side * 5, 1, PIXEL_U8}, &in));
        for (size_t y = 0; y < side * 5; y++)
            for (size_t x = 0; x < side * 6; x++)
                view_set_value(in->view, x, y, 0, low + ((y % side) * side + x % side < more ? 1 : 0));
        (void)snprintf(chain, sizeof chain, "kuwahara=%d", radius);
        check_flat(*state, &(Flat){chain, NULL, {BORDER_WRAP, 0}}, &op_kuwahara, in, low);
        image_destroy(&in);
    }
}

int levels_flat(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_one_colour),
        cmocka_unit_test(boxes_of_one_mean),
    };
    return cmocka_run_group_tests_name("levels, flat", tests, open_devices, close_devices);
}
