/* lanes.hpp: a listing's line seen closely: the lanes of a warp on the sectors or banks that they reach for, and the
 * line's PTX. */
#ifndef GLINT_APP_VIEW_UI_LANES_HPP
#define GLINT_APP_VIEW_UI_LANES_HPP

#include "app/view/ui/widgets.hpp"

extern "C" {
#include "app/listing/listing.h"
#include "app/view/tools/kernel_files.h"
}

/* Draws the access of the picked line with its steps from warp to warp; nothing for a line without accesses. */
void draw_lanes(Overlay *overlay, const Listing *listing, PickedLine *picked);
/* Draws the shared memory of a block between two barriers, which steps choose; nothing for kernels without any. */
void draw_tile(Overlay *overlay, const Listing *listing, PickedLine *picked);
/* Draws the instructions that were made of the line. */
void draw_ptx(Overlay *overlay, const Listing *listing, int line);
/* The same of its machine code, or a sentence where there is none. */
void draw_sass(Overlay *overlay, const Listing *listing, int line, const char *why_not);

#endif
