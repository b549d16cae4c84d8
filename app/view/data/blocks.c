/* blocks.c: the middle pixel of each block, and a binomial filter. */
#include "app/view/data/blocks.h"

#include <stdint.h>

/* The pixels that stand for a block and its two neighbours along one side of the picture; at the ends, for itself. */
typedef struct Places {
    size_t at[3];
} Places;

static size_t middle(size_t block, size_t side, size_t length) {
    const size_t at = block * side + side / 2;
    return at < length ? at : length - 1;
}

static Places places_of(size_t block, size_t blocks, size_t side, size_t length) {
    const size_t before = block > 0 ? block - 1 : 0, behind = block + 1 < blocks ? block + 1 : block;
    return (Places){{middle(before, side, length), middle(block, side, length), middle(behind, side, length)}};
}

Status blocks_smooth(ImageView picture, size_t side, Image **small) {
    static const unsigned weights[] = {1, 2, 1};
    const Shape whole = picture.shape;
    const size_t channels = (size_t)whole.channels;
    const Shape shape = {(whole.width + side - 1) / side, (whole.height + side - 1) / side, whole.channels, whole.type};
    TRY(image_create(shape, small));
    for (size_t y = 0; y < shape.height; y++) {
        const Places down = places_of(y, shape.height, side, whole.height);
        uint8_t *to = view_row((*small)->view, y);
        for (size_t x = 0; x < shape.width; x++) {
            const Places across = places_of(x, shape.width, side, whole.width);
            for (size_t c = 0; c < channels; c++) {
                unsigned sum = 8; /* half of 16, to round */
                for (size_t j = 0; j < 3; j++) {
                    const uint8_t *row = view_row(picture, down.at[j]);
                    for (size_t i = 0; i < 3; i++)
                        sum += weights[j] * weights[i] * row[across.at[i] * channels + c];
                }
                *to++ = (uint8_t)(sum / 16);
            }
        }
    }
    return STATUS_OK;
}
