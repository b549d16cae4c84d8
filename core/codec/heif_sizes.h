/* heif_sizes.h: how large the pictures of a HEIF or AVIF are by their own headers. Decoders take memory by these, and
 * not by the boxes' sizes. */
#ifndef GLINT_CORE_CODEC_HEIF_SIZES_H
#define GLINT_CORE_CODEC_HEIF_SIZES_H

#include "core/base/input.h"

/* The pixels of the largest coded picture of a file, in properties and in the pictures' own data. They stand in
 * sequence headers of AV1 (AV1 Bitstream Specification, 5.5) and parameter sets of HEVC (H.265, 7.3.2.2). A frame of
 * AV1 that says its size itself counts as the largest that it can say. 0 if none is found; SIZE_MAX if there are more
 * pictures, pieces or units than are looked at. A stream is read as far as its pictures. */
size_t heif_coded_pixels(Input *file);

#endif
