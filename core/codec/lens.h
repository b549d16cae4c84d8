/* lens.h: how a picture was taken, read from its Exif, and what its lens does to pictures, from Lensfun's database. The
 * library is a module: the program starts without it. */
#ifndef GLINT_CORE_CODEC_LENS_H
#define GLINT_CORE_CODEC_LENS_H

#include "core/codec/lens_library.h"
#include "core/image/image.h"

/* Reads the shot of a picture with this block, which may be empty. The tags of Exif 2.32 are Make, Model, FocalLength,
 * FNumber, SubjectDistance and LensModel. Damage counts as if it did not tell. */
void exif_shot(ImageBlock exif, Shot *shot);

/* Finds the profile of a shot whose maker or lens may be empty: the lens where the camera has but one. STATUS_INPUT,
 * with a sentence, if the database has none; STATUS_DEVICE if there is no module or no database. */
Status lens_find(const Shot *shot, LensProfile *profile);

#endif
