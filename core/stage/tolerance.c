/* tolerance.c: counting differences, and judging them by the rules. */
#include "core/stage/tolerance.h"

#include <math.h>
#include <string.h>

static Verdict count(ImageView want, ImageView got, bool sums) {
    Verdict found = {0};
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            for (int c = 0; c < want.shape.channels; c++) {
                const double a = view_value(want, x, y, c), b = view_value(got, x, y, c);
                const bool alike = a == b || (isnan(a) && isnan(b)) || (sums && !isfinite(a) && !isfinite(b));
                const double difference = alike ? 0 : fabs(a - b);
                found.values++;
                found.differing += !(difference <= 0);
                if (!(difference <= found.worst)) /* NaN counts as the worst */
                    found.worst = isnan(difference) ? INFINITY : difference;
            }
    return found;
}

Verdict verdict_count(ImageView want, ImageView got) {
    return count(want, got, false);
}

static Verdict judge(ImageView want, Verdict verdict, double allowed) {
    const bool whole = want.shape.type != PIXEL_F32;
    verdict.allowed = whole ? 1 : allowed;
    verdict.agrees = verdict.worst <= verdict.allowed && (!whole || verdict.differing <= 1 + verdict.values / 1000);
    return verdict;
}

Verdict verdict_of(ImageView want, ImageView got, double allowed) {
    return judge(want, count(want, got, false), allowed);
}

Verdict verdict_of_sums(ImageView want, ImageView got, double allowed) {
    return judge(want, count(want, got, true), allowed);
}

/* How far `b` is from `a`, by the absolute value of `a`. */
static double apart(double a, double b) {
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) / fmax(fabs(a), 1) : INFINITY;
}

Verdict verdict_of_totals(ImageView want, ImageView got, double allowed) {
    Verdict verdict = {.agrees = true, .allowed = allowed};
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t i = 0; i < want.shape.width / 2; i++) {
            double a, b;
            memcpy(&a, (const char *)view_row(want, y) + i * sizeof a, sizeof a);
            memcpy(&b, (const char *)view_row(got, y) + i * sizeof b, sizeof b);
            const bool differs = apart(a, b) > allowed;
            verdict.values++;
            verdict.differing += differs;
            verdict.agrees &= !differs;
            verdict.worst = fmax(verdict.worst, apart(a, b));
        }
    return verdict;
}
