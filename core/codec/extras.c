/* extras.c: the blocks that go with several pictures, in files that hold them once. */
#include "core/codec/formats.h"

static bool differs(ImageBlock block, ImageBlock first) {
    return block.data && (block.size != first.size || memcmp(block.data, first.data, block.size) != 0);
}

static unsigned apart(const Image *image, const Image *first) {
    const ImageBlock profile = {image->profile, image->profile_size},
                     first_profile = {first->profile, first->profile_size};
    const Resolution has = image->resolution, want = first->resolution;
    const bool gains = !profile.data && first_profile.data && image->seconds <= 0; /* frames have the first one's */
    return (differs(profile, first_profile) || gains ? EXTRA_PROFILE : 0u) |
           (differs(image->exif, first->exif) ? EXTRA_EXIF : 0u) | (differs(image->xmp, first->xmp) ? EXTRA_XMP : 0u) |
           (differs(image->text, first->text) ? EXTRA_TEXT : 0u) |
           (has.x > 0 && (has.x != want.x || has.y != want.y) ? EXTRA_RESOLUTION : 0u);
}

unsigned extras_apart(const Image *first) {
    unsigned extras = 0;
    for (const Image *image = first->next; image; image = image->next)
        extras |= apart(image, first);
    return extras;
}
