/* precision.c: the choice between values as stored and f32, by roundings and predicted times. */
#include "core/plan/precision.h"

#include <math.h>
#include <stdio.h>

void precision_decide(PrecisionChoice *choice) {
    const ChainPrecision cheap = choice->along < choice->roundings ? PRECISION_POINTS : PRECISION_STORED;
    const bool high = choice->deeper || (isfinite(choice->high_seconds) &&
                                         choice->high_seconds <= PRECISION_DEARER * choice->stored_seconds);
    choice->taken = choice->roundings < 2 ? PRECISION_STORED : high ? PRECISION_HIGH : cheap;
}

const char *precision_name(ChainPrecision precision) {
    static const char *const names[] = {[PRECISION_STORED] = "stored",
                                        [PRECISION_HIGH] = "high",
                                        [PRECISION_AUTO] = "auto",
                                        [PRECISION_POINTS] = "points"};
    return names[precision];
}

size_t precision_explain(const PlanOptions *options, char *buffer, size_t size) {
    const PrecisionChoice *choice = &options->choice;
    const char *taken = precision_name(plan_options_precision(options));
    const char *many = choice->roundings == 1 ? "" : "s";
    if (options->precision != PRECISION_AUTO)
        return (size_t)snprintf(buffer, size, "%s", taken);
    if (choice->roundings < 2)
        return (size_t)snprintf(buffer, size, "%s, by auto: %zu rounding%s if stored", taken, choice->roundings, many);
    if (choice->deeper)
        return (size_t)snprintf(buffer, size, "%s, by auto: %zu roundings if stored; more bits than the picture's",
                                taken, choice->roundings);
    if (!isfinite(choice->high_seconds) || !isfinite(choice->stored_seconds))
        return (size_t)snprintf(buffer, size, "%s, by auto: %zu roundings if stored; the time of f32 is unknown", taken,
                                choice->roundings);
    return (size_t)snprintf(buffer, size,
                            "%s, by auto: %zu roundings if stored; f32 is predicted to take %.2f times as long", taken,
                            choice->roundings, choice->high_seconds / choice->stored_seconds);
}
