/* plan_images.h: the images that filters may read, before a plan has them as sources. */
#ifndef GLINT_CORE_PLAN_PLAN_IMAGES_H
#define GLINT_CORE_PLAN_PLAN_IMAGES_H

#include "core/plan/plan.h"

/* An image that was offered (plan_offer_images), borrowed; NULL if it was not. */
Image *plan_offered_image(const Plan *plan, const char *path);

#endif
