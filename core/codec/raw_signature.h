/* raw_signature.h: whether a file is a camera's RAW file, and all of it. */
#ifndef GLINT_CORE_CODEC_RAW_SIGNATURE_H
#define GLINT_CORE_CODEC_RAW_SIGNATURE_H

#include "core/base/input.h"
#include "core/image/image.h"

#include <stdbool.h>

/* By the first bytes of the file, or a TIFF's first directory. */
bool raw_recognize(Input *file);
/* Whether all that the directories of a DNG say is in the file; OK for other files. Fails as file_ends_early. */
Status raw_check_directories(Input *file);
/* The Exif of files that are TIFFs, as exif_of_tiff has it. Others keep it in ways of their makers: *lost gets
 * EXTRA_EXIF. */
Status raw_exif(Input *file, ImageBlock *block, unsigned *lost);

#endif
