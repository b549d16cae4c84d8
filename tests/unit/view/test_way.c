/* test_way.c: the scales of sliders. */
#include "app/view/data/way.h"
#include "core/chain/chain.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

static bool has_slider(const Param *param) {
    return (param->kind == PARAM_NUMBER || param->kind == PARAM_WHOLE) && !counts_places(param);
}

static void places_and_values_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < filter_count; i++)
        for (size_t k = 0; k < filters[i]->table.count; k++) {
            const Param *param = &filters[i]->table.params[k];
            const Way way = way_of(param);
            double before = -INFINITY;
            for (int step = 0; step <= 20 && has_slider(param); step++) {
                const double value = way_value(&way, step / 20.0);
                if (!(value > before) || fabs(way_place(&way, value) - step / 20.0) > 1e-6)
                    fail_msg("%s of %s: %g at %d / 20", param->name, filters[i]->name, value, step);
                before = value;
            }
            if (has_slider(param) && (fabs(way_value(&way, 0) - param->min) > 1e-9 * fabs(param->min) ||
                                      fabs(way_value(&way, 1) - param->max) > 1e-9 * fabs(param->max)))
                fail_msg("%s of %s: other ends", param->name, filters[i]->name);
        }
}

/* Hands can hit values around the typical one, on either side of it, or of 0. Limits that are thousands of times away
 * are there to refuse nothing, and wanted is more than twice as much. */
static void what_is_wanted_has_room(void **state) {
    (void)state;
    for (size_t i = 0; i < filter_count; i++)
        for (size_t k = 0; k < filters[i]->table.count; k++) {
            const Param *param = &filters[i]->table.params[k];
            const double typical = fabs(param->default_value) > 0 ? fabs(param->default_value) : 4 * param->step;
            const double times = param->max > 4000 * typical ? 10 : 2;
            const bool at_an_end = param->default_value <= param->min || times * typical > param->max;
            const double least = param->min < 0 && !at_an_end ? -times * typical : typical / times;
            const Way way = way_of(param);
            const double room = way_place(&way, times * typical) - way_place(&way, least);
            if (has_slider(param) && room < (at_an_end ? 0.03 : 0.07))
                fail_msg("%s of %s: %.3f of its slider are useful", param->name, filters[i]->name, room);
        }
}

/* A window begins nowhere near the left end of a slider, unless that is where nothing is done. */
static void beginnings_can_be_lessened(void **state) {
    (void)state;
    for (size_t i = 0; i < filter_count; i++) {
        char begin[128];
        Chain *chain;
        filter_format_begin(filters[i], begin, sizeof begin);
        REQUIRE(chain_parse(begin, &chain));
        for (size_t k = 0; k < filters[i]->table.count; k++) {
            const Param *param = &filters[i]->table.params[k];
            if (!has_slider(param))
                continue;
            const double value = param_number(param, chain->links[0].values);
            const Way way = way_of(param);
            if (value > param->min && way_place(&way, value) < 0.1)
                fail_msg("%s of %s begins at %.3f", param->name, filters[i]->name, way_place(&way, value));
        }
        chain_destroy(&chain);
    }
}

/* In a picture of 1280 pixels, 40 of a slider's 170 pixels lead from a sigma of 2 to less than 10.
 * Larger ones end the slider later; what is no length stays. */
static void lengths_end_where_the_picture_does(void **state) {
    (void)state;
    const Filter *gaussian = filter_by_name("gaussian", strlen("gaussian"));
    const Param *sigma = param_by_name(gaussian->table, "sigma"), *radius = param_by_name(gaussian->table, "radius");
    const Way small = way_for_side(sigma, 1280), large = way_for_side(sigma, 4256), whole = way_for_side(sigma, 0);
    assert_in_range((long)way_value(&small, way_place(&small, 2) + 40.0 / 170), 4, 9);
    assert_true(way_value(&large, 1) > 2 * way_value(&small, 1));
    assert_float_equal(way_value(&whole, 1), sigma->max, 1e-9);
    assert_float_equal(way_place(&small, 150), 1, 1e-9); /* typed: the knob stands at the end */
    const Way count = way_for_side(radius, 1280);
    assert_float_equal(way_value(&count, 1), radius->max, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_values_agree),
        cmocka_unit_test(what_is_wanted_has_room),
        cmocka_unit_test(beginnings_can_be_lessened),
        cmocka_unit_test(lengths_end_where_the_picture_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
