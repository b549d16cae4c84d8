/* fused.c: levels that take points in give the results of separate stages, bit for bit, on every backend. */
#include "tests/levels/harness.h"

#include "tests/chains.h"

typedef struct Fusing {
    const char *chain, *level;
    PlanOptions options;
} Fusing;

static void check_fused(Device *device, const Fusing *fusing, Image *in) {
    PlanOptions apart = fusing->options;
    apart.unfused = true;
    Image *got = filter_by(device, fusing->chain, in, fusing->level, fusing->options);
    Image *want = filter_by(device, fusing->chain, in, fusing->level, apart);
    const Shape shape = want->view.shape;
    if (memcmp(got->view.pixels, want->view.pixels, shape_bytes(shape)) != 0)
        fail_msg("%s by %s on %s%s: not the same, %sx%d", fusing->chain, fusing->level, device->backend->name,
                 fusing->options.linear ? " in linear light" : "", pixel_type_name(in->view.shape.type),
                 shape.channels);
    image_destroy(&got);
    image_destroy(&want);
}

/* Whether the device has a level of this name for a stage of the chain, and for all that it knows by it. */
static bool is_taken(const Device *device, const Fusing *fusing, Shape shape) {
    PlanOptions apart = fusing->options;
    apart.unfused = true;
    Plan *plan = plan_of_chain(fusing->chain, shape, apart);
    bool known = strcmp(fusing->level, "best") == 0, refused = false;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        const Level *level;
        const char *why_not;
        for (size_t k = 0; (level = ladder_level(device->backend, stage->op, k)); k++)
            if (strcmp(level->name, fusing->level) == 0) {
                known = true;
                refused |= !level_accepts(level, device, stage, &why_not);
            }
    }
    plan_destroy(&plan);
    return known && !refused;
}

static Image *noise(Shape shape) {
    Image *image = NULL;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, 3);
    return image;
}

static void fused_is_unfused(void **state) {
    static const char *const chains[] = {
        "invert,grayscale,invert",
        "invert,box,box",
        "difference=other,invert,difference=another,grayscale",
        "invert,difference,invert,difference=other",
        "grayscale,gaussian,invert,invert,gaussian,grayscale",
        "sharpen,invert",
        "difference=other,sharpen,difference=another",
        "unsharp=2,grayscale",
        "gamma=1.5,gaussian=0.5,sepia",
        "rotate=10,invert",
        "rotate=degrees=20:colour=0",
        "distort=0.1",
        "rendernoise",
        "rendernoise=6:iterations=1",
    };
    static const char *const levels[] = {"best", "reference", "rows", "registers", "spans", "fused", "naive", "tile"};
    static const Border edges[] = {{BORDER_CLAMP, 0}, {BORDER_MIRROR, 0}, {BORDER_CONSTANT, 7}};
    const Bench *benches = *state;
    for (size_t t = 0; t < sizeof chains / sizeof chains[0]; t++)
        for (int kind = 0; kind < PIXEL_TYPES * 4; kind++) {
            if (is_quick() && kind % 4 < 2)
                continue;
            Image *in = noise((Shape){t % 2 ? 67 : 101, t % 2 ? 5 : 39, 1 + kind % 4, (PixelType)(kind / 4)});
            for (size_t k = 0; k < 2 * sizeof levels / sizeof levels[0]; k++) {
                const Fusing fusing = {
                    chains[t], levels[k / 2], {.border = edges[(size_t)kind % 3], .linear = k % 2 == 1}};
                for (size_t b = 0; b < backend_count(); b++)
                    if (benches[b].device && !benches[b].left_out &&
                        is_taken(benches[b].device, &fusing, in->view.shape))
                        check_fused(benches[b].device, &fusing, in);
            }
            image_destroy(&in);
        }
}

/* Every u8 with every alpha: where shortcuts in f32 must round as double does. */
static void all_alphas(void **state) {
    const Bench *benches = *state;
    Image *in = noise((Shape){256, 256, 2, PIXEL_U8});
    for (size_t y = 0; y < 256; y++)
        for (size_t x = 0; x < 256; x++) {
            view_set_value(in->view, x, y, 0, (double)(y % 2 ? x : 255 - x));
            view_set_value(in->view, x, y, 1, (double)y);
        }
    for (size_t b = 0; b < backend_count(); b++)
        if (benches[b].device && !benches[b].left_out)
            for (int linear = 0; linear < 2; linear++)
                check_fused(benches[b].device, &(Fusing){"gaussian=0.5", "best", {.linear = linear}}, in);
    image_destroy(&in);
}

/* Sides that are multiples of 4: pictures become smaller by whole ratios, also next to alpha. */
static void smaller_by_whole_ratios(void **state) {
    static const char *const chains[] = {"resize=scale=0.5", "resize=scale=0.25", "resize=scale=0.5:by=cubic"};
    const Bench *benches = *state;
    Image *in = noise((Shape){148, 196, 4, PIXEL_U8});
    for (size_t x = 0; x < 148; x++)
        for (size_t y = 0; y < 196; y++)
            if (x / 20 % 3 > 0) /* none, all, noise */
                view_set_value(in->view, x, y, 3, x / 20 % 3 == 1 ? 0 : 255);
    for (size_t b = 0; b < backend_count(); b++)
        for (size_t i = 0; benches[b].device && !benches[b].left_out && i < sizeof chains / sizeof chains[0]; i++)
            check_fused(benches[b].device, &(Fusing){chains[i], "best", {.linear = false}}, in);
    image_destroy(&in);
}

int levels_fused(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_is_unfused),
        cmocka_unit_test(all_alphas),
        cmocka_unit_test(smaller_by_whole_ratios),
    };
    return cmocka_run_group_tests_name("levels, fused", tests, open_devices, close_devices);
}
