/* test_formula_codes.c: the machine code of formulas that a queue keeps. */
#include "core/param/formula.h"
#include "cpu/formula/codes.h"

#include <stdio.h>

#include "tests/check.h"

/* The program "v * NUMBER": its only constant is the number. */
static FormulaProgram times(int number) {
    const FormulaPicture gray = {.colours = {1}, .results = 1};
    FormulaProgram program;
    char text[32];
    snprintf(text, sizeof text, "v * %d.5", number);
    if (formula_parse(text, &gray, &program) != STATUS_OK)
        fail_msg("%s", status_message());
    assert_int_equal(program.constants, 1);
    return program;
}

/* Each program gets its own code, whatever was asked for before; one of those used last gets that of before. */
static void programs_have_their_own_code(void **state) {
    static const struct {
        int number;
        bool kept;                                                                        /* from the time before */
    } asked[] = {{1, false}, {1, true},  {2, false}, {3, false}, {4, false}, {1, true},   /* 1, 4, 3, 2 */
                 {5, false}, {2, false}, {4, true},  {3, false}, {5, true},  {1, false}}; /* 5 takes the place of 2 */
    const FormulaCode *code[6] = {NULL};
    FormulaCodes *codes = NULL;
    (void)state;
    if (!formula_code_possible())
        skip();
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const int number = asked[i].number;
        const FormulaProgram program = times(number);
        const FormulaCode *got = formula_codes_find(&codes, &program);
        assert_non_null(got);
        assert_float_equal(got->constants[0][0], (float)number + 0.5F, 0);
        if (asked[i].kept)
            assert_ptr_equal(got, code[number]);
        for (int other = 1; other < 6; other++) /* whose place it took */
            if (other != number && code[other] == got)
                code[other] = NULL;
        if (!asked[i].kept)
            assert_true(code[number] != got);
        code[number] = got;
    }
    formula_codes_free(&codes);
    assert_null(codes);
    formula_codes_free(&codes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_have_their_own_code),
    };
    return cmocka_run_group_tests_name("formula codes", tests, NULL, NULL);
}
