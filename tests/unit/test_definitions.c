/* test_definitions.c: results of filters for small images, compared with those of other programs.
 * tests/definitions/NAME.txt has the cases and names the program that computed them; tests/definitions/cases.py
 * describes the format. The reference levels compute here: the harness in tests/levels holds all others against
 * them. */
#include "app/backends.h"
#include "core/chain/chain.h"
#include "core/plan/pipeline.h"
#include "core/stage/tolerance.h"

#include <glob.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/definitions"

enum { IMAGES_MAX = 3, LINE = 4096 };

typedef struct Case {
    char chain[LINE];
    PlanOptions options;
    Image *in[IMAGES_MAX], *want;
    size_t in_count;
    double within;
} Case;

static Image *read_image(FILE *file, const char *shape_text) {
    char size[40], type[40];
    Shape shape;
    Image *image = NULL;
    assert_int_equal(sscanf(shape_text, "%39s %39s", size, type), 2);
    REQUIRE(shape_parse_size(size, &shape));
    REQUIRE(shape_parse_type(type, &shape));
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                double value;
                assert_int_equal(fscanf(file, "%lf", &value), 1);
                view_set_value(image->view, x, y, c, value);
                if (!isnan(value) && view_value(image->view, x, y, c) != value && shape.type != PIXEL_F32)
                    fail_msg("%s cannot hold %g", type, value);
            }
    return image;
}

static void run_case(Device *cpu, Case *one, const char *where) {
    static const char *const names[IMAGES_MAX] = {"", "second.png", "third.png"};
    Chain *chain = NULL;
    Plan *plan = NULL;
    Pipeline *pipeline = NULL;
    Image *got = NULL;
    Spans spans = {0};
    if (chain_parse(one->chain, &chain) != STATUS_OK)
        fail_msg("%s: %s", where, status_message());
    for (size_t i = 1; i < IMAGES_MAX && one->in[i]; i++)
        chain->images[chain->image_count++] = (PlanImage){strdup(names[i]), image_retain(one->in[i])};
    for (size_t i = 1; i < IMAGES_MAX && one->in[i]; i++) {
        const Shape of = one->in[i]->view.shape;
        one->in[i]->premultiplied = one->options.tone.premultiplied && of.type == PIXEL_F32 && shape_has_alpha(of);
    }
    if (chain_plan(chain, one->in[0]->view.shape, one->options, &plan) != STATUS_OK)
        fail_msg("%s: %s", where, status_message());
    if (pipeline_create(cpu, plan, "reference", &pipeline) != STATUS_OK)
        fail_msg("%s: %s", where, status_message());
    const Shape shape = pipeline_result_shape(pipeline);
    if (!shape_equal(shape, one->want->view.shape))
        fail_msg("%s: a result of %zux%zu with %d channels of %s", where, shape.width, shape.height, shape.channels,
                 pixel_type_name(shape.type));
    REQUIRE(image_create(shape, &got));
    if (pipeline_process(pipeline, one->in[0]->view, got->view, &spans) != STATUS_OK)
        fail_msg("%s: %s", where, status_message());
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                const double want = view_value(one->want->view, x, y, c), is = view_value(got->view, x, y, c);
                const bool same = isnan(want) ? isnan(is) : isinf(want) ? is == want : fabs(is - want) <= one->within;
                if (!same)
                    fail_msg("%s: %s: (%zu, %zu) channel %d is %.9g, want %.9g within %g", where, one->chain, x, y, c,
                             is, want, one->within);
            }
    image_destroy(&got);
    pipeline_destroy(&pipeline);
    chain_destroy(&chain);
}

static void drop(Case *one) {
    for (size_t i = 0; i < IMAGES_MAX; i++)
        image_destroy(&one->in[i]);
    image_destroy(&one->want);
    *one = (Case){0};
}

static void read_options(const char *text, PlanOptions *options) {
    options->linear = strstr(text, "linear") != NULL;
    options->precision = strstr(text, "high") ? PRECISION_HIGH : PRECISION_STORED;
    options->tone.premultiplied = strstr(text, "premultiplied") != NULL;
    options->alpha = strstr(text, "alpha=ignore") ? ALPHA_IGNORE : ALPHA_PREMULTIPLY;
}

/* The number of cases in the file, which all hold. */
static size_t run_file(Device *cpu, const char *path) {
    FILE *file = fopen(path, "r");
    char line[LINE];
    size_t count = 0;
    Case one = {0};
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "case ", 5) == 0) {
            one = (Case){.options.border.mode = BORDER_CLAMP};
            strcpy(one.chain, line + 5);
        } else if (strncmp(line, "border ", 7) == 0) {
            REQUIRE(border_parse(line + 7, &one.options.border));
        } else if (strncmp(line, "options ", 8) == 0) {
            read_options(line + 8, &one.options);
        } else if (strncmp(line, "in ", 3) == 0) {
            assert_true(one.in_count < IMAGES_MAX);
            one.in[one.in_count++] = read_image(file, line + 3);
        } else if (strncmp(line, "out ", 4) == 0) {
            char where[LINE + 64];
            assert_int_equal(sscanf(strstr(line, "within"), "within %lf", &one.within), 1);
            one.want = read_image(file, line + 4);
            snprintf(where, sizeof where, "%s, case %zu", basename((char *)path), ++count);
            run_case(cpu, &one, where);
            drop(&one);
        } else if (line[0] != '\0' && line[0] != '#') {
            fail_msg("%s: %s", path, line);
        }
    }
    fclose(file);
    return count;
}

static void filters_do_what_others_do(void **state) {
    (void)state;
    Device *cpu = NULL;
    const char *passed_over = NULL;
    glob_t files;
    REQUIRE(backend_open("cpu", 0, 1, &cpu, &passed_over));
    assert_int_equal(chdir(FOLDER), 0); /* chains name files there */
    assert_int_equal(glob("*.txt", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        assert_true(run_file(cpu, files.gl_pathv[i]) > 0);
    globfree(&files);
    device_close(&cpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_do_what_others_do),
    };
    if (backends_register() != STATUS_OK)
        return 1;
    return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
