/* raw_way.h: how RAW files are developed. */
#ifndef GLINT_CORE_CODEC_RAW_WAY_H
#define GLINT_CORE_CODEC_RAW_WAY_H

#include "core/param/option.h"

/* How a RAW file becomes a picture; all 0 takes the defaults. */
typedef struct RawWay {
    enum { RAW_QUALITY, RAW_FAST, RAW_HALF, RAW_PREVIEW } develop; /* half: a pixel of four; preview: the JPEG within */
    enum { RAW_CLIP, RAW_BLEND, RAW_RECONSTRUCT } highlights;
    bool linear; /* f32 in linear light, not u16 with the curve of sRGB; previews stay what they are */
} RawWay;

/* Reads words between commas: quality, fast, half or preview; clip, blend or reconstruct; linear. STATUS_USAGE, with
 * `option` in the sentence, for others. */
Status raw_way_parse(const char *option, const char *text, RawWay *way);
/* Writes the words that raw_way_parse reads, "" for the defaults; returns the length. */
int raw_way_spell(RawWay way, char *buffer, size_t size);
/* The option --raw, of a RawWay that lies `offset` bytes into a struct. */
OptionTable raw_way_table(size_t offset);

#endif
