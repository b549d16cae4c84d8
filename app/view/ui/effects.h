/* effects.h: thumbnails of chains' results for the picture.
 * Owns a gallery, and the small copy of the picture and the CPU that its thread filters with. Called by the window's
 * thread alone. */
#ifndef GLINT_APP_VIEW_UI_EFFECTS_H
#define GLINT_APP_VIEW_UI_EFFECTS_H

#include "app/view/ui/gallery.h"
#include "core/plan/plan.h"

typedef struct Effects Effects;

/* STATUS_DEVICE if memory is short or the system has no thread left. */
Status effects_create(Effects **effects);
void effects_destroy(Effects **effects); /* waits for the thumbnail that is being made; accepts NULL */

/* Begins a round of thumbnails (gallery_begin_round) of a picture, whose `serial` no other one has, by filters with
 * these options. NULL: the picture is still to come. */
void effects_begin_round(Effects *effects, Image *picture, unsigned serial, PlanOptions options);
/* The picture of the round through a chain, as small as thumbnails are: lengths in pixels reach further there than in
 * the picture itself. Else as gallery_thumbnail. */
Thumbnail *effects_thumbnail(Effects *effects, const char *chain);
bool effects_work(Effects *effects, bool *news); /* as gallery_works */

#endif
