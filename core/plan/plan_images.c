/* plan_images.c: finding images by their paths. */
#include "core/plan/plan_images.h"

#include "core/plan/plan_internal.h"

#include <string.h>

Image *plan_offered_image(const Plan *plan, const char *path) {
    for (size_t i = 0; i < plan->image_count; i++)
        if (strcmp(plan->images[i].path, path) == 0)
            return plan->images[i].image;
    return NULL;
}
