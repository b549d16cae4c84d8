/* exposure.c: more light, or less, as a longer exposure would have gathered. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double stops, rolloff;
} Values;

static const Param params[] = {
    {"stops", "how many times light is doubled; below 0 halved", "stops", PARAM_NUMBER, offsetof(Values, stops), -10, 1,
     10, 0.1},
    {"rolloff", "the share of light below white into which brighter light is compressed; 0 clips it", "percent",
     PARAM_NUMBER, offsetof(Values, rolloff), 0, 50, 100, 5},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double parameters[] = {exp2(v->stops), 1 - v->rolloff / 100};
    const PixelType type = plan_value_shape(to, in).type;
    if (plan_options(to)->linear)
        return plan_function(to, POINT_roll, parameters, 2, in, out);
    TRY(plan_decode(to, in, out));
    TRY(plan_function(to, POINT_roll, parameters, 2, *out, out));
    return plan_encode(to, *out, type, out);
}

const Filter filter_exposure = {
    .name = "exposure",
    .category = FILTER_POINT,
    .help = "Brightens or darkens the light of the picture by stops, and rolls highlights off towards white.",
    .definition = "In linear light L becomes 2^stops L. With stops above 0, results above k = 1 - rolloff continue as "
                  "equation 4 of E. Reinhard, M. Stark, P. Shirley and J. Ferwerda, Photographic Tone Reproduction for "
                  "Digital Images, 2002: k + (1 - k) t (1 + t / m^2) / (1 + t), with t = (2^stops L - k) / (1 - k) and "
                  "m = (2^stops - k) / (1 - k), so that white stays white.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
