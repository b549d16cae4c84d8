/* assets.h: the pictures and scenes that make_assets makes, one function each. */
#ifndef GLINT_TOOLS_ASSETS_ASSETS_H
#define GLINT_TOOLS_ASSETS_ASSETS_H

#include "core/image/image.h"
#include "core/scene/scene.h"

#include <stdio.h>

/* `quality`: paths a pixel for the photograph; the others take no notice. */
Status asset_photo(int quality, Image **picture);
Status asset_chart(int quality, Image **picture);
Status asset_zoneplate(int quality, Image **picture);
Status asset_spark(int quality, Image **picture);
Status asset_ramp16(int quality, Image **picture);
Status asset_sky(int quality, Image **picture);
Status asset_course(Scene **scene);
Status asset_flower(Scene **scene);
Status asset_marbles(Scene **scene);
Status asset_globes(Scene **scene);
/* Molecules as XYZ files. */
void asset_water(FILE *file);
void asset_c60(FILE *file);

#endif
