/* thumbnail_cell.hpp: a thumbnail with its name below, to be clicked. */
#ifndef GLINT_APP_VIEW_UI_THUMBNAIL_CELL_HPP
#define GLINT_APP_VIEW_UI_THUMBNAIL_CELL_HPP

#include "app/view/ui/widgets.hpp"

extern "C" {
#include "app/view/ui/gallery.h"
}

constexpr float thumbnail_name_ems = 1.35f; /* of height, below `size` */

/* Where the cursor is; `size` pixels of the picture. The thumbnail is NULL, or not made yet: an empty place. `chosen`
 * has a frame. True if it is clicked; it is the last item. */
bool thumbnail_cell(const Overlay *overlay, ImVec2 size, Thumbnail *thumbnail, const char *name, bool chosen);

#endif
