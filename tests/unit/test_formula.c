/* test_formula.c: formulas: their grammar, their faults, their limits, and the functions that they are computed by. */
#include "core/math/elementary.h"
#include "core/param/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#define NEAR(got, want, within) assert_true(fabs((double)(got) - (want)) <= (within))

static const FormulaName names[] = {{"p1", 0.5}, {"w", 20}};
static const FormulaPicture coloured = {
    .colours = {3}, .alpha = true, .results = 3, .names = names, .name_count = sizeof names / sizeof names[0]};

/* The results for the pixel (0.25, 0.5, 0.75, 0.9) in column 3, row 7. */
static void compute(const char *text, const FormulaPicture *picture, float results[4]) {
    static const float values[FORMULA_INPUTS][FORMULA_CHANNELS] = {{0.25F, 0.5F, 0.75F, 0.9F}, {0.1F, 0.2F, 0.3F}};
    FormulaProgram program;
    if (formula_parse(text, picture, &program) != STATUS_OK)
        fail_msg("%s", status_message());
    formula_pixel(&program, values, 3, 7, 4, results);
}

static void check(const char *text, double red, double green, double blue) {
    const double want[] = {red, green, blue};
    float got[4];
    compute(text, &coloured, got);
    for (int c = 0; c < 3; c++)
        if (!(fabs((double)got[c] - want[c]) <= 1e-6 * fmax(1, fabs(want[c]))))
            fail_msg("%s: colour %d is %.9g, want %.9g", text, c, (double)got[c], want[c]);
}

static void operators_bind_as_in_c(void **state) {
    (void)state;
    check("v", 0.25, 0.5, 0.75);
    check("1 + 2 * 3 - 4 / 2", 5, 5, 5);
    check("10 - 3 - 2", 5, 5, 5);
    check("6 / 2 ^ 2", 1.5, 1.5, 1.5);
    check("-2 ^ 2", -4, -4, -4);
    check("2 ^ 3 ^ 2", 512, 512, 512);
    check("2 ^ -1", 0.5, 0.5, 0.5);
    check("1 + 1 == 2 && 3 < 2 || 1", 1, 1, 1);
    check("1 < 2 == 2 > 1", 1, 1, 1);
    check("!v + !0", 1, 1, 1);
    check("v > 0.4 ? v >= 0.75 ? 3 : 2 : 1", 1, 2, 3);
    check("(v - 0.25) * w", 0, 5, 10);
    check("1.5e1 + .5", 15.5, 15.5, 15.5);
}

static void values_are_those_of_the_pixel(void **state) {
    const FormulaPicture two = {.colours = {3, 3}, .results = 3}, gray = {.colours = {1}, .results = 1};
    float got[4] = {0};
    (void)state;
    check("r; g; b", 0.25, 0.5, 0.75);
    check("a; x; y", 0.9, 3, 7);
    check("luma; pi; p1", 0.2126 * 0.25 + 0.7152 * 0.5 + 0.0722 * 0.75, 3.14159265, 0.5);
    check("d = v * 2; e = d + 1; d * e", 0.5 * 1.5, 1 * 2, 1.5 * 2.5);
    compute("v + v2; v2 * 10; r", &two, got);
    NEAR(got[0], 0.35, 1e-6);
    NEAR(got[1], 2, 1e-6);
    NEAR(got[2], 0.25, 1e-6);
    compute("1; 0.5; v", &gray, got); /* Rec. 709 luma */
    NEAR(got[0], 0.2126 + 0.3576 + 0.0722 * 0.25, 1e-6);
    compute("r; g; b; a / 2", &coloured, got);
    NEAR(got[3], 0.45, 1e-6);
    got[3] = -1;
    compute("r; g; b", &coloured, got); /* alpha stays: none is made */
    NEAR(got[3], -1, 0);
    compute("a", &gray, got);
    NEAR(got[0], 1, 0);
}

static void functions_have_their_meanings(void **state) {
    (void)state;
    check("min(r, g, b); max(r, g, b); abs(r - g)", 0.25, 0.75, 0.25);
    check("floor(-0.5); sqrt(2.25); sign(-3)", -1, 1.5, -1);
    check("clamp(v, 0.3, 0.6)", 0.3, 0.5, 0.6);
    check("mix(1, 3, v)", 1.5, 2, 2.5);
    check("step(0.5, v)", 0, 1, 1);
    check("smoothstep(0.25, 0.75, v)", 0, 0.5, 1);
    check("mod(7, 3); mod(-1, 3); tan(0.5)", 1, 2, 0.54630249);
    check("exp(1); log(10); pow(2, 0.5)", 2.71828183, 2.30258509, 1.41421356);
    check("sin(1); cos(1); pow(-2, 3)", 0.841470985, 0.540302306, -8);
    /* pcg3d of (3, 7, 5) is 0x5d75bbc1 by the authors' listing; noise has its upper 24 bits. */
    check("noise(5); noise(5, 3, 7); noise(5, x, y)", 0.365077674, 0.365077674, 0.365077674);
}

/* Against the library's, within what f32 could show. */
static void elementary_functions_are_exact(void **state) {
    (void)state;
    for (int i = -4000; i <= 4000; i++) {
        const double x = i * 0.02 + 1e-3, positive = exp(x * 0.9);
        assert_true(fabs(elementary_exp(x) / exp(x) - 1) < 1e-13);
        assert_true(fabs(elementary_log(positive) - log(positive)) <= 1e-13 * fmax(1, fabs(log(positive))));
        assert_true(fabs(elementary_sine(x * 300, 0) - sin(x * 300)) < 1e-12);
        assert_true(fabs(elementary_sine(x * 300, 1) - cos(x * 300)) < 1e-12);
        assert_true(fabs(elementary_power(positive, 0.7) / pow(positive, 0.7) - 1) < 1e-12);
    }
    assert_true(isinf((float)elementary_exp(200)) && (float)elementary_exp(-200) <= 0);
    assert_true(isnan(elementary_exp((double)NAN)) && isnan(elementary_log(-1)) && isnan(elementary_log((double)NAN)));
    assert_true(isinf(elementary_log(0)) && elementary_log(0) < 0 && isinf(elementary_log((double)INFINITY)));
    assert_true(isnan(elementary_sine((double)INFINITY, 0)) && isnan(elementary_sine(0x1p31, 0)));
    assert_true(isnan(elementary_power(-2, 0.5)) && elementary_power(-2, 2) > 3.999);
    assert_true((float)elementary_power(0, 2) <= 0 && isinf((float)elementary_power(0, -1)) &&
                elementary_power((double)NAN, 0) >= 1);
}

static void equal_parts_are_computed_once(void **state) {
    FormulaProgram once, folded;
    (void)state;
    REQUIRE(formula_parse("(r + g) * (r + g)", &coloured, &once));
    assert_int_equal(once.steps, 2);
    REQUIRE(formula_parse("unused = exp(r); 1 + 2 * pi", &coloured, &folded));
    assert_int_equal(folded.steps, 0);
    assert_int_equal(folded.registers, 0);
}

/* The column of the fault, and its sentence. */
static const struct {
    const char *text, *says;
} faults[] = {
    {"", "column 1: it ends where"},
    {"r +", "column 4: it ends where"},
    {"r + * g", "column 5: '*' where a number"},
    {"(r", "column 3: want ')'"},
    {"max(r", "column 6: want ',' or ')'"},
    {"r g", "column 3: 'g' behind the end"},
    {"r + red", "column 5: no value \"red\""},
    {"1 + sine(r)", "column 5: no function \"sine\""},
    {"clamp(r, 1)", "column 1: clamp takes 3 operands, not 2"},
    {"noise()", "column 7: ')' where"},
    {"r ? g", "want ':'"},
    {"r; g", "2 results; want one, three or four"},
    {"r; g; b; a; 1", "column 13: a fifth result"},
    {"t = 1", "0 results; want one"},
    {"r = 1; r", "column 1: r is a value already"},
    {"t = 1; t = 2; t", "column 8: t is a value already"},
    {"v2", "no value \"v2\""},
    {"1e", "column 2: 'e' behind"},
    {"$", "column 1: '$' where"},
    {"min(1,2,3,4,5,6,7,8,9)", "more than 8 operands"},
};

static void faults_are_named_with_their_column(void **state) {
    FormulaProgram program;
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        if (formula_parse(faults[i].text, &coloured, &program) != STATUS_USAGE)
            fail_msg("%s is taken", faults[i].text);
        if (!strstr(status_message(), faults[i].says))
            fail_msg("%s: %s", faults[i].text, status_message());
    }
}

/* A text of `count` times `part` between two others; # stands for the number of the part. */
static void refuses(const char *before, const char *part, int count, const char *behind, const char *says) {
    static char text[65536];
    FormulaProgram program;
    size_t length = (size_t)snprintf(text, sizeof text, "%s", before);
    for (int i = 0; i < count; i++)
        for (const char *next = part; *next; next++)
            length += (size_t)(*next == '#' ? snprintf(text + length, sizeof text - length, "%d", i)
                                            : snprintf(text + length, sizeof text - length, "%c", *next));
    snprintf(text + length, sizeof text - length, "%s", behind);
    assert_int_equal(formula_parse(text, &coloured, &program), STATUS_USAGE);
    if (!strstr(status_message(), says))
        fail_msg("%.40s: %s", text, status_message());
}

/* Every byte and every value of 16 bits. */
static void reciprocals_divide_whole_values(void **state) {
    (void)state;
    static const float whites[] = {255, 65535};
    for (int i = 0; i < 2; i++) {
        float high, low;
        formula_reciprocal(whites[i], &high, &low);
        for (int v = 0; v <= (int)whites[i]; v++)
            if (fmaf((float)v, high, (float)v * low) != (float)v / whites[i])
                fail_msg("%d of %g", v, (double)whites[i]);
    }
}

static void large_formulas_are_refused(void **state) {
    (void)state;
    refuses("", "(", 5000, "r", "more than 100 parts within each other");
    refuses("", "-", 5000, "r", "more than 100 parts within each other");
    refuses("", "r ? 1 : ", 5000, "r", "more than 100 parts within each other");
    refuses("r", " + sin(r * #)", 2000, "", "more than 1024 operations");
    refuses("r", " + r * 1.#", 150, "", "too long");
    refuses("", "t# = r; ", 40, "r", "more than 32 parts with a name");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_c),          cmocka_unit_test(values_are_those_of_the_pixel),
        cmocka_unit_test(functions_have_their_meanings),   cmocka_unit_test(elementary_functions_are_exact),
        cmocka_unit_test(equal_parts_are_computed_once),   cmocka_unit_test(faults_are_named_with_their_column),
        cmocka_unit_test(reciprocals_divide_whole_values), cmocka_unit_test(large_formulas_are_refused),
    };
    return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
