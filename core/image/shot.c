/* shot.c: shots compared. */
#include "core/image/shot.h"

#include <string.h>

static bool same(double a, double b) {
    return !(a < b) && !(b < a);
}

bool shot_equal(const Shot *a, const Shot *b) {
    return a->known == b->known && strcmp(a->maker, b->maker) == 0 && strcmp(a->model, b->model) == 0 &&
           strcmp(a->lens, b->lens) == 0 && same(a->focal, b->focal) && same(a->aperture, b->aperture) &&
           same(a->distance, b->distance);
}
