/* scene_thumbnail.h: small pictures of scenes. */
#ifndef GLINT_APP_VIEW_UI_SCENE_THUMBNAIL_H
#define GLINT_APP_VIEW_UI_SCENE_THUMBNAIL_H

#include "core/image/image.h"

/* The scene of this text as the window opens it, traced on one thread within a moment; u8 RGB. Fails as scene_text_open
 * does; STATUS_INPUT for a scene that is too large for that. */
Status thumbnail_of_scene(const char *text, size_t width, size_t height, Image **thumbnail);

#endif
