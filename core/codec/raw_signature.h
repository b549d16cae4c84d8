/* raw_signature.h: whether a file is a camera's RAW file, and all of it. */
#ifndef GLINT_CORE_CODEC_RAW_SIGNATURE_H
#define GLINT_CORE_CODEC_RAW_SIGNATURE_H

#include "core/codec/formats.h"

#include <stdbool.h>

/* By the first bytes of the file, or a TIFF's first directory. */
bool raw_recognize(Input *file);
/* Where the first directory of a TIFF is; false for files that are none. */
bool raw_directory(Input *file, TiffDirectory *first);
/* Whether all that the directories of a DNG say is in the file; OK for other TIFFs. Whether the pattern of a colour
 * filter, of any TIFF, has the bytes of its rows and columns. Fails as file_ends_early, or with STATUS_INPUT. */
Status raw_check_directories(TiffDirectory first);

#endif
