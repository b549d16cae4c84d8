/* test_chain.c: chains from text, their columns, back to text, and the plans they lower to. */
#include "core/chain/chain.h"
#include "core/ops/bilateral.h"
#include "core/ops/blend.h"
#include "core/ops/convolve.h"
#include "core/ops/denoise.h"
#include "core/ops/guided.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#include "tests/chains.h"

static Chain *parse(const char *text) {
    Chain *chain = NULL;
    if (chain_parse(text, &chain) != STATUS_OK)
        fail_msg("\"%s\": %s", text, status_message());
    return chain;
}

static void same_values(const ChainLink *a, const ChainLink *b) {
    assert_ptr_equal(a->filter, b->filter);
    for (size_t i = 0; i < a->filter->table.count; i++) {
        const Param *param = &a->filter->table.params[i];
        if (param->kind != PARAM_TEXT) {
            assert_true(param_number(param, a->values) == param_number(param, b->values));
            continue;
        }
        const char *x = param_text(param, a->values), *y = param_text(param, b->values);
        assert_string_equal(x ? x : "(none)", y ? y : "(none)");
    }
}

static void chains_parse_in_order(void **state) {
    (void)state;
    Chain *chain = parse("gaussian=2.5, sharpen=amount=0.8 ,invert");
    assert_int_equal(chain->count, 3);
    assert_string_equal(chain->links[0].filter->name, "gaussian");
    assert_true(param_number(&chain->links[0].filter->table.params[0], chain->links[0].values) == 2.5);
    assert_string_equal(chain->links[1].filter->name, "sharpen");
    assert_true(param_number(&chain->links[1].filter->table.params[0], chain->links[1].values) == 0.8);
    assert_string_equal(chain->links[2].filter->name, "invert");
    chain_destroy(&chain);
    assert_null(chain);
    chain_destroy(&chain);
    chain = parse("");
    assert_int_equal(chain->count, 0);
    chain_destroy(&chain);
}

/* Spaces: all of these are written back as they are without. */
static void spaces_around_names_and_values_do_not_count(void **state) {
    static const struct {
        const char *text, *plain;
    } rows[] = {
        {"gaussian=3 ", "gaussian=3"},
        {"gaussian= 3", "gaussian=3"},
        {" gaussian = 3 , invert ", "gaussian=3,invert"},
        {"gaussian= sigma = 3 : radius= 5 ,~ invert", "gaussian=3:radius=5,~invert"},
        {"gaussian=3 :5", "gaussian=3:radius=5"},
        {"box = 3 : within = 9x9+0+0 ", "box=3:within=9x9+0+0"},
        {"box= within= 9x9+0+0 , invert", "box=within=9x9+0+0,invert"},
        {"convolve= file = ' a ' : scale = 2", "convolve=file=' a ':scale=2"},
        {"convolve= 1 2; 3 4 ", "convolve=1 2; 3 4"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[128], plain[128];
        Chain *chain = parse(rows[k].text);
        chain_format(chain, text, sizeof text);
        chain_destroy(&chain);
        chain = parse(rows[k].plain);
        chain_format(chain, plain, sizeof plain);
        chain_destroy(&chain);
        assert_string_equal(text, plain);
    }
}

static void numbers_are_written_as_people_do(void **state) {
    (void)state;
    char text[128];
    Chain *chain = parse("brightness=40,gaussian=0.25,brightness=100");
    chain_format(chain, text, sizeof text);
    assert_string_equal(text, "brightness=40,gaussian=0.25,brightness=100");
    chain_destroy(&chain);
}

static void links_are_switched_off(void **state) {
    (void)state;
    char text[64];
    Plan *plan;
    Chain *chain = parse("~gaussian=4, ~ invert,box=3");
    assert_true(chain->links[0].off && chain->links[1].off && !chain->links[2].off);
    chain_format(chain, text, sizeof text);
    assert_string_equal(text, "~gaussian=4,~invert,box");
    assert_int_equal(chain_plan(chain, (Shape){9, 7, 1, PIXEL_U8}, (PlanOptions){.linear = false}, &plan), STATUS_OK);
    assert_int_equal(plan_stage_count(plan), 1);
    plan_destroy(&plan);
    chain_destroy(&chain);
    chain = parse("~invert");
    assert_int_equal(chain_plan(chain, (Shape){9, 7, 1, PIXEL_U8}, (PlanOptions){.linear = true}, &plan), STATUS_OK);
    assert_int_equal(plan_stage_count(plan), 0);
    plan_destroy(&plan);
    chain_destroy(&chain);
    assert_int_equal(chain_parse("invert,~", &chain), STATUS_USAGE);
    assert_string_equal(status_message(), "chain: column 9: want a filter's name");
}

static void commas_in_quotes_and_masks(void **state) {
    (void)state;
    Chain *chain = parse("convolve='0,-1,0,-1,5,-1,0,-1,0':bias=3,invert");
    assert_int_equal(chain->count, 2);
    assert_string_equal(param_text(&chain->links[0].filter->table.params[0], chain->links[0].values),
                        "0,-1,0,-1,5,-1,0,-1,0");
    chain_destroy(&chain);
    chain = parse("convolve=file='it''s, a:mask.txt',invert");
    assert_int_equal(chain->count, 2);
    chain_destroy(&chain);
}

static void errors_point_at_the_column(void **state) {
    (void)state;
    const struct {
        const char *text;
        int column;
        const char *says;
    } rows[] = {
        {"gausian", 1, "did you mean \"gaussian\"?"},
        {"gaussian,sharpn", 10, "did you mean \"sharpen\"?"},
        {"gaussian, sharpn=1", 11, "\"sharpn\""},
        {"xyzzyplugh", 1, "glint list filters"},
        {"gaussian=abc", 10, "want a number"},
        {"gaussian=sigma=abc", 16, "want a number"},
        {"invert,gaussian=0", 17, "sigma"},
        {"gaussian=2:rad=3", 12, "\"rad\""},
        {"gaussian=", 10, "sigma"},
        {"gaussian= x ", 11, "sigma is \"x\""},
        {"gaussian= : 3", 11, "sigma has no value"},
        {"gaussian=1 2", 10, "want a number"},
        {"gaussian=3:  ,invert", 12, "radius has no value"},
        {"invert=3", 8, "takes no parameters"},
        {",invert", 1, "filter"},
        {"invert,,invert", 8, "filter"},
        {"invert,", 8, "filter"},
        {"=3", 1, "filter"},
        {"convolve=file='a,invert", 15, "quote"},
        {"invert,box=3:within=9x9+0+0:height=5", 28, "box: want within= behind all other parameters"},
        {"invert,sobel:within=9x9+0+0,box", 8, "sobel: want '=' behind the name, as in sobel=within=9x9+0+0"},
        {"box=within=", 12, "within has no value"},
        {"box=3:within=a:", 15, "behind all other"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Chain *chain = NULL;
        if (chain_parse(rows[k].text, &chain) != STATUS_USAGE)
            fail_msg("\"%s\" was not refused", rows[k].text);
        assert_null(chain);
        char where[40];
        snprintf(where, sizeof where, "chain: column %d: ", rows[k].column);
        if (strncmp(status_message(), where, strlen(where)) != 0)
            fail_msg("\"%s\": \"%s\" does not begin with \"%s\"", rows[k].text, status_message(), where);
        if (!strstr(status_message(), rows[k].says))
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[k].text, status_message(), rows[k].says);
    }
}

static void a_chain_has_a_limit(void **state) {
    (void)state;
    char text[(CHAIN_MAX + 1) * 7 + 1] = "";
    for (int i = 0; i < CHAIN_MAX; i++)
        strcat(text, i ? ",invert" : "invert");
    Chain *chain = parse(text);
    assert_int_equal(chain->count, CHAIN_MAX);
    chain_destroy(&chain);
    strcat(text, ",invert");
    assert_int_equal(chain_parse(text, &chain), STATUS_USAGE);
    assert_null(chain);
}

static void text_comes_back(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "invert",
                                 "gaussian=2,sharpen=amount=0.8",
                                 "gaussian=0.1:radius=7,box=5:height=9,grayscale",
                                 "box=height=9",
                                 "convolve=0 -1 0 -1 5 -1 0 -1 0",
                                 "convolve='1,2;3,4':scale=1/3:flip=1,invert",
                                 "convolve=file='it''s, a:mask.txt':bias=-3,sobel=2",
                                 "laplacian=bias=128,edge,emboss=3",
                                 "invert=within=9x9+0+0,~box=3:within='a, b:c''s.png',box=within=m.png"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Chain *chain = parse(texts[k]);
        char printed[300], reprinted[300], tiny[6];
        const size_t length = chain_format(chain, printed, sizeof printed);
        assert_int_equal(length, strlen(printed));
        assert_int_equal(chain_format(chain, NULL, 0), length);
        Chain *again = parse(printed);
        assert_int_equal(again->count, chain->count);
        for (size_t i = 0; i < chain->count; i++)
            same_values(&chain->links[i], &again->links[i]);
        chain_format(again, reprinted, sizeof reprinted);
        assert_string_equal(printed, reprinted);
        assert_int_equal(chain_format(chain, tiny, sizeof tiny), length);
        assert_true(strlen(tiny) < sizeof tiny && strncmp(printed, tiny, strlen(tiny)) == 0);
        chain_destroy(&chain);
        chain_destroy(&again);
    }
}

/* Whole paths let a preset find its files from everywhere. */
static void paths_of_files_are_made_whole(void **state) {
    (void)state;
    Chain *chain = parse("convolve=file=weights-of-test.txt,invert");
    char text[4096];
    assert_int_equal(chain_make_paths_whole(chain), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "weights-of-test.txt: "));
    FILE *file = fopen("weights-of-test.txt", "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chain_make_paths_whole(chain), STATUS_OK);
    chain_format(chain, text, sizeof text);
    assert_memory_equal(text, "convolve=file=/", sizeof "convolve=file=/" - 1);
    assert_non_null(strstr(text, "/weights-of-test.txt,invert"));
    assert_int_equal(remove("weights-of-test.txt"), 0);
    chain_destroy(&chain);
}

static void every_filter_prints_shortest_by_default(void **state) {
    (void)state;
    for (size_t i = 0; i < filter_count; i++) {
        Chain *chain = parse(filters[i]->name);
        char printed[100];
        chain_format(chain, printed, sizeof printed);
        assert_string_equal(printed, filters[i]->name);
        chain_destroy(&chain);
    }
}

/* The tables that lists, help and sliders are made of. */
static void every_filter_describes_itself(void **state) {
    (void)state;
    assert_true(filter_count >= 10);
    for (size_t i = 0; i < filter_count; i++) {
        const Filter *filter = filters[i];
        assert_ptr_equal(filter_by_name(filter->name, strlen(filter->name)), filter);
        assert_true(strlen(filter->help) > 10 && filter->help[strlen(filter->help) - 1] == '.');
        if (!filter->definition || filter->definition[strlen(filter->definition) - 1] != '.')
            fail_msg("%s: a definition, which ends with a full stop", filter->name);
        assert_true(i == 0 || filters[i - 1]->category <= filter->category); /* menus have a heading for each */
        for (size_t k = 0; k < filter->table.count; k++) {
            const Param *param = &filter->table.params[k];
            if (!param->help[0] || param->offset + sizeof(double) > filter->table.size)
                fail_msg("%s: parameter %s", filter->name, param->name);
            if (!param_is_text(param))
                if (!(param->min <= param->default_value && param->default_value <= param->max && param->step > 0))
                    fail_msg("%s: limits of %s", filter->name, param->name);
        }
    }
    assert_null(filter_by_name("gaussian2", 9));
    assert_ptr_equal(filter_by_name("gaussian2", 8), filter_by_name("gaussian", 8));
}

static const PlanOptions default_options = {.border = {BORDER_CLAMP, 0}};

static Plan *lower(const char *text, Shape shape, PlanOptions options) {
    Chain *chain = parse(text);
    Plan *plan = NULL;
    if (chain_plan(chain, shape, options, &plan) != STATUS_OK)
        fail_msg("\"%s\": %s", text, status_message());
    chain_destroy(&chain);
    return plan;
}

static void plans_keep_the_shape_and_flow_forward(void **state) {
    (void)state;
    const char *const texts[] = {"",         "invert", "gaussian", "sobel", "convolve=1 2 3 4", "gaussian,sobel,invert",
                                 "laplacian"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int type = 0; type < PIXEL_TYPES; type++)
            for (int channels = 1; channels <= 4; channels++)
                for (int linear = 0; linear < 2; linear++) {
                    const Shape shape = {31, 17, channels, (PixelType)type};
                    PlanOptions options = default_options;
                    options.linear = linear;
                    options.unfused = true;
                    Plan *plan = lower(texts[k], shape, options);
                    assert_true(shape_equal(plan_value_shape(plan, plan_result(plan)), shape));
                    assert_int_equal(plan_value_count(plan), plan_stage_count(plan) + 1);
                    assert_int_equal(plan_stage_count(plan) == 0, texts[k][0] == '\0');
                    for (size_t i = 0; i < plan_stage_count(plan); i++) {
                        const PlanStage *stage = plan_stage(plan, i);
                        assert_int_equal(stage->to, i + 1);
                        for (int in = 0; in < STAGE_INPUTS; in++)
                            assert_true(stage->from[in] <= (int)i);
                        assert_true(stage->stage.label && stage->stage.label[0]);
                        assert_true(shape_equal(stage->stage.out.shape, plan_value_shape(plan, stage->to)));
                    }
                    plan_destroy(&plan);
                    assert_null(plan);
                }
}

static void convolutions_carry_the_border(void **state) {
    (void)state;
    const Shape shape = {8, 8, 3, PIXEL_U8};
    PlanOptions options = default_options;
    options.border = (Border){BORDER_CONSTANT, 7};
    Plan *plan = lower("gaussian=1", shape, options);
    assert_int_equal(plan_stage_count(plan), 1);
    const Stage *stage = &plan_stage(plan, 0)->stage;
    assert_ptr_equal(stage->op, &op_convolve);
    assert_int_equal(convolve_job(stage)->border.mode, BORDER_CONSTANT);
    assert_true(convolve_job(stage)->border.value == 7);
    assert_int_equal(convolve_job(stage)->mask->width, 7);
    plan_destroy(&plan);
}

static void alpha_is_premultiplied_unless_ignored(void **state) {
    (void)state;
    const Shape shape = {8, 8, 4, PIXEL_U8};
    Plan *plan = lower("gaussian", shape, default_options);
    assert_int_equal(plan_stage_count(plan), 3);
    assert_int_equal(point_job(&plan_stage(plan, 0)->stage)->steps[0].function, POINT_premultiply);
    plan_destroy(&plan);
    PlanOptions options = default_options;
    options.alpha = ALPHA_IGNORE;
    plan = lower("gaussian", shape, options);
    assert_int_equal(plan_stage_count(plan), 1);
    plan_destroy(&plan);
}

/* Whether input `k` of the last stage of this operation was decoded to light. */
static bool is_decoded(const char *text, const Op *op, int k) {
    const Shape shape = {8, 8, 3, PIXEL_U8};
    Plan *plan = plan_of_chain(text, shape, (PlanOptions){.linear = true, .unfused = true});
    bool decoded = false;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        if (plan_stage(plan, i)->stage.op != op)
            continue;
        int value = plan_stage(plan, i)->from[k];
        assert_true(value >= 0);
        for (decoded = false; plan_value_stage(plan, value) != PLAN_NONE;) {
            const PlanStage *maker = plan_stage(plan, (size_t)plan_value_stage(plan, value));
            decoded |= point_job(&maker->stage)->steps[0].function == POINT_to_linear;
            value = maker->from[0];
        }
    }
    plan_destroy(&plan);
    return decoded;
}

/* A filter's name before another one got it stands for it where the chain gives it a parameter of its own. */
static void names_of_before_are_known_by_their_parameters(void **state) {
    static const struct {
        const char *chain, *filter, *written;
    } rows[] = {
        {"denoise=normals=n.png", "rendernoise", "rendernoise=normals=n.png"},
        {"denoise=2:3:normals=n.png:within=9x9+1+1", "rendernoise", "rendernoise=2:3:n.png:within=9x9+1+1"},
        {"denoise=2:3:n.png", "rendernoise", "rendernoise=2:3:n.png"},
        {"denoise", "denoise", "denoise"},
        {"denoise=2:3", "denoise", "denoise=2:3"},
        {"denoise=2:3:within=9x9+1+1", "denoise", "denoise=2:3:within=9x9+1+1"},
        {"denoise=2:within=9x9+1+1", "denoise", "denoise=2:within=9x9+1+1"},
        {"rendernoise=2", "rendernoise", "rendernoise=2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[128];
        Chain *chain = NULL;
        REQUIRE(chain_parse(rows[i].chain, &chain));
        assert_string_equal(chain->links[0].filter->name, rows[i].filter);
        chain_format(chain, text, sizeof text);
        assert_string_equal(text, rows[i].written);
        chain_destroy(&chain);
    }
}

static void linear_light_decodes_light_alone(void **state) {
    (void)state;
    assert_true(is_decoded("denoise=normals=other:albedo=another", &op_denoise, 0));
    assert_false(is_decoded("denoise=normals=other:albedo=another", &op_denoise, 1));
    assert_false(is_decoded("denoise=normals=other:albedo=another", &op_denoise, 2));
    assert_true(is_decoded("blend=other:mask=another", &op_blend, 1));
    assert_false(is_decoded("blend=other:mask=another", &op_blend, 2));
    assert_false(is_decoded("invert=within=other", &op_blend, 2));
    assert_true(is_decoded("joint=guide=other", &op_bilateral, 1));
    assert_true(is_decoded("guided=guide=other", &op_guided, 1));
}

/* The row of an image tells its meaning, and help shows it. */
static void rows_say_what_images_hold(void **state) {
    (void)state;
    for (size_t i = 0; i < filter_count; i++)
        for (size_t k = 0; k < filters[i]->table.count; k++) {
            const Param *row = &filters[i]->table.params[k];
            if (row->kind == PARAM_IMAGE && strcmp(row->unit, PARAM_LIGHT) != 0 && strcmp(row->unit, PARAM_DATA) != 0)
                fail_msg("%s: %s is \"%s\"", filters[i]->name, row->name, row->unit);
        }
}

/* Far from white, f32 has no room for alpha next to the border's value. */
static void borders_next_to_alpha_have_a_range(void **state) {
    (void)state;
    const Shape with = {8, 8, 4, PIXEL_F32}, without = {8, 8, 3, PIXEL_F32};
    PlanOptions options = {.border = {BORDER_CONSTANT, 1e9F}};
    Chain *chain = NULL;
    Plan *plan = NULL;
    REQUIRE(chain_parse("box", &chain));
    assert_int_equal(chain_plan(chain, with, options, &plan), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "next to alpha"));
    REQUIRE(chain_plan(chain, without, options, &plan));
    plan_destroy(&plan);
    chain_destroy(&chain);
}

/* A filter and an operation of this test: the result is half as wide, and has one channel. */
static Status halved_shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    *out = (Shape){in[0].width / 2, in[0].height, 1, type};
    return STATUS_OK;
}

static Status halve(const void *values, Plan *plan, int in, int *out) {
    static const Op op = {.name = "halve", .inputs = 1, .job_bytes = 1, .shape = halved_shape};
    char job = 0;
    (void)values;
    return plan_append(plan, &op, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                       plan_value_shape(plan, in).type, out);
}

static void linear_light_keeps_the_size_that_filters_give(void **state) {
    (void)state;
    const Filter filter = {.name = "halve", .plan = halve};
    const Chain chain = {.count = 2, .links = {{.filter = &filter}, {.filter = &filter}}};
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int linear = 0; linear < 2; linear++) {
            PlanOptions options = default_options;
            Plan *plan = NULL;
            options.linear = linear;
            assert_int_equal(chain_plan(&chain, (Shape){40, 30, 3, (PixelType)type}, options, &plan), STATUS_OK);
            const Shape want = {10, 30, 1, (PixelType)type};
            assert_true(shape_equal(plan_value_shape(plan, plan_result(plan)), want));
            plan_destroy(&plan);
        }
}

static void parameters_that_make_no_sense_are_refused(void **state) {
    (void)state;
    const struct {
        const char *text, *says;
    } rows[] = {{"convolve", "mask"},
                {"convolve=1:file=x", "mask"},
                {"convolve=1 2 3", "3 weights"},
                {"convolve=1:scale=0", "scale"},
                {"gaussian=42:radius=0,convolve=a", "\"a\""},
                {"curves=50 0;25 100", "25 behind 50"},
                {"curves=50 0;50.001 100", "0.01 apart"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Chain *chain = parse(rows[k].text);
        Plan *plan = NULL;
        assert_int_equal(chain_plan(chain, (Shape){8, 8, 3, PIXEL_U8}, default_options, &plan), STATUS_USAGE);
        assert_null(plan);
        if (!strstr(status_message(), rows[k].says))
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[k].text, status_message(), rows[k].says);
        chain_destroy(&chain);
    }
}

/* FLT_MAX / 65535, white of u16, is 5.19e33. */
static void sums_beyond_f32_are_refused(void **state) {
    (void)state;
    const struct {
        const char *text;
        float outside;
        Status status;
    } rows[] = {{"convolve=3e38 3e38 3e38 3e38", 0, STATUS_USAGE},
                {"convolve=5.1e33", 0, STATUS_OK},
                {"convolve=5.1e33", 70000, STATUS_USAGE},
                {"convolve=1e30", -3e38F, STATUS_USAGE},
                {"convolve=2.6e33 -2.6e33;", 0, STATUS_USAGE},
                {"convolve=1e30:scale=1e6", 0, STATUS_USAGE},
                {"convolve=1e30:scale=1e3", 0, STATUS_OK},
                {"convolve=1:scale=1e-39", 0, STATUS_USAGE},
                {"gaussian", 3e38F, STATUS_OK}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Chain *chain = parse(rows[k].text);
        Plan *plan = NULL;
        PlanOptions options = default_options;
        options.border = (Border){BORDER_CONSTANT, rows[k].outside};
        const Status status = chain_plan(chain, (Shape){8, 8, 1, PIXEL_F32}, options, &plan);
        if (status != rows[k].status)
            fail_msg("\"%s\", border %g: status %d, want %d", rows[k].text, (double)rows[k].outside, status,
                     rows[k].status);
        plan_destroy(&plan);
        chain_destroy(&chain);
    }
}

/* ---- copies ---- */

static Chain *parse_example(const Filter *filter) {
    char text[1024];
    Chain *chain;
    filter_format_example(filter, text, sizeof text);
    REQUIRE(chain_parse(text, &chain));
    return chain;
}

/* Another value that the parameter can have; false if there is none. */
static bool change_value(const Param *param, void *values) {
    if (param_is_text(param)) {
        const char *text = param_text(param, values);
        REQUIRE(param_set_text(param, values, text && strcmp(text, "other") == 0 ? "another" : "other"));
        return true;
    }
    const double number = param_number(param, values);
    param_set_number(param, values, number < param->max ? param->max : param->min);
    return number < param->max || number > param->min;
}

static void a_copy_equals_its_source_for_every_filter(void **state) {
    (void)state;
    for (size_t i = 0; i < filter_count; i++) {
        Chain *source = parse_example(filters[i]), *copy, *fresh = parse_example(filters[i]);
        const ParamTable table = filters[i]->table;
        source->links[0].off = fresh->links[0].off = i % 2;
        REQUIRE(param_set_text(&chain_place.params[0], source->links[0].place, "8x9+1+2"));
        REQUIRE(param_set_text(&chain_place.params[0], fresh->links[0].place, "8x9+1+2"));
        REQUIRE(chain_copy(source, &copy));
        assert_true(chain_same(source, copy) && chain_same(copy, fresh));
        assert_ptr_not_equal(source->links[0].values, copy->links[0].values);
        for (size_t k = 0; k < table.count; k++) { /* each value counts, and is the copy's own */
            Chain *changed;
            REQUIRE(chain_copy(source, &changed));
            if (change_value(&table.params[k], changed->links[0].values))
                assert_false(chain_same(source, changed));
            assert_true(chain_same(source, fresh));
            chain_destroy(&changed);
        }
        copy->links[0].off = !copy->links[0].off;
        assert_false(chain_same(source, copy));
        copy->links[0].off = source->links[0].off;
        REQUIRE(param_set_text(&chain_place.params[0], copy->links[0].place, NULL));
        assert_false(chain_same(source, copy));
        chain_destroy(&source);
        chain_destroy(&copy);
        chain_destroy(&fresh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_parse_in_order),
        cmocka_unit_test(spaces_around_names_and_values_do_not_count),
        cmocka_unit_test(numbers_are_written_as_people_do),
        cmocka_unit_test(links_are_switched_off),
        cmocka_unit_test(commas_in_quotes_and_masks),
        cmocka_unit_test(errors_point_at_the_column),
        cmocka_unit_test(a_chain_has_a_limit),
        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(paths_of_files_are_made_whole),
        cmocka_unit_test(every_filter_prints_shortest_by_default),
        cmocka_unit_test(every_filter_describes_itself),
        cmocka_unit_test(plans_keep_the_shape_and_flow_forward),
        cmocka_unit_test(convolutions_carry_the_border),
        cmocka_unit_test(alpha_is_premultiplied_unless_ignored),
        cmocka_unit_test(names_of_before_are_known_by_their_parameters),
        cmocka_unit_test(linear_light_decodes_light_alone),
        cmocka_unit_test(rows_say_what_images_hold),
        cmocka_unit_test(borders_next_to_alpha_have_a_range),
        cmocka_unit_test(linear_light_keeps_the_size_that_filters_give),
        cmocka_unit_test(parameters_that_make_no_sense_are_refused),
        cmocka_unit_test(sums_beyond_f32_are_refused),
        cmocka_unit_test(a_copy_equals_its_source_for_every_filter),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
