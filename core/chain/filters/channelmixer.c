/* channelmixer.c: each colour a sum of shares of the three. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double shares[9], gray;
} Values;

#define SHARE(name, index, of, to)                                                                                     \
    {                                                                                                                  \
        name, "the share of " of " in the new " to, "percent", PARAM_NUMBER, offsetof(Values, shares[index]), -200,    \
            (index) % 4 == 0 ? 100 : 0, 200, 5                                                                         \
    }

static const Param params[] = {
    SHARE("rr", 0, "red", "red"),
    SHARE("rg", 1, "green", "red"),
    SHARE("rb", 2, "blue", "red"),
    SHARE("gr", 3, "red", "green"),
    SHARE("gg", 4, "green", "green"),
    SHARE("gb", 5, "blue", "green"),
    SHARE("br", 6, "red", "blue"),
    SHARE("bg", 7, "green", "blue"),
    SHARE("bb", 8, "blue", "blue"),
    {"gray", "1: all colours become the new red, as a gray picture through a coloured glass", "", PARAM_SWITCH,
     offsetof(Values, gray), 0, 0, 1, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    double matrix[12] = {0};
    for (int i = 0; i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = v->shares[v->gray > 0 ? i % 3 : i] / 100;
    return plan_matrix(to, matrix, in, out);
}

const Filter filter_channelmixer = {
    .name = "channelmixer",
    .category = FILTER_POINT,
    .help = "Makes each colour of shares of red, green and blue.",
    .definition = "As FFmpeg's colorchannelmixer, in percent, of the values as stored: the new red is rr R + rg G + rb "
                  "B. Green and blue are sums in the same way.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "rr=60:rg=60:rb=-20:gray=1",
    .begin = "100",
};
