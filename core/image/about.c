/* about.c: profiles, EXIF, XMP and texts, copied. */
#include "core/image/about.h"

static Status copy_block(ImageBlock from, ImageBlock *to) {
    *to = (ImageBlock){0};
    return from.size > 0 ? image_block_set(to, from.data, from.size) : STATUS_OK;
}

Status image_copy_about(const Image *from, Image *to) {
    Image shared = *from;
    ImageBlock profile;
    image_pass_on(&shared, to);
    to->profile = NULL;
    to->gain_map = from->gain_map ? image_retain(from->gain_map) : NULL;
    to->exif = to->xmp = to->text = (ImageBlock){0};
    TRY(copy_block((ImageBlock){from->profile, from->profile_size}, &profile));
    to->profile = profile.data;
    TRY(copy_block(from->exif, &to->exif));
    TRY(copy_block(from->xmp, &to->xmp));
    return copy_block(from->text, &to->text);
}

Status image_copy(const Image *first, Image **copy) {
    Image **next = copy;
    Status status = STATUS_OK;
    *copy = NULL;
    for (; first && status == STATUS_OK; first = first->next) {
        status = image_clone(first->view, next);
        if (status == STATUS_OK)
            status = image_copy_about(first, *next);
        next = status == STATUS_OK ? &(*next)->next : next;
    }
    if (status != STATUS_OK)
        image_destroy(copy);
    return status;
}
