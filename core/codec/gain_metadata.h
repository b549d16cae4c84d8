/* gain_metadata.h: the metadata of gain maps.
 * Owns both kinds: Adobe's in XMP (Gain Map Specification 1.0), and those of ISO 21496-1. */
#ifndef GLINT_CORE_CODEC_GAIN_METADATA_H
#define GLINT_CORE_CODEC_GAIN_METADATA_H

#include "core/base/bytes.h"
#include "core/image/gain_map.h"

enum { ISO_GAIN_VERSION = 4 /* bytes, with which alone a picture announces a map */, ISO_GAIN_MAX = 141 };

/* Reads a map's metadata; false if they are none, damaged, of a later version, or lead from HDR back to a picture. */
bool gain_curve_of_xmp(const char *xmp, size_t size, GainCurve *curve);
bool gain_curve_of_iso(const unsigned char *data, size_t size, GainCurve *curve);

/* A packet that says the same; STATUS_DEVICE without memory. */
Status gain_curve_to_xmp(const GainCurve *curve, ImageBlock *packet);
/* Returns the bytes, at most ISO_GAIN_MAX. */
size_t gain_curve_to_iso(const GainCurve *curve, unsigned char *data);

/* A number of a packet by its namespace, the prefix that this has by custom, and its name; 0 without one. */
double gain_xmp_number(const char *xmp, size_t size, const char *space, const char *prefix, const char *name);

/* Says in a picture's packet (`data` may be NULL) that a map of so many bytes follows (Android's Ultra HDR image format
 * 1.1). Where that takes more than `max` bytes, or the packet is no RDF, *packet says that alone, and *lost gets
 * EXTRA_XMP. STATUS_DEVICE without memory. */
Status gain_map_announce(ImageBlock xmp, size_t map_size, size_t max, ImageBlock *packet, unsigned *lost);
/* Where the map begins in a file of `size` bytes, by what such a packet says of the pictures at its end; 0: nowhere. */
size_t gain_map_announced(const char *xmp, size_t packet_size, size_t size);

#endif
