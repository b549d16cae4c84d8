/* card.c: from launches to tiles. */
#include "app/view/data/card.h"

enum { ROOM = 1 << 14 /* pixels around a pixel, so that its surroundings end nowhere */ };

/* The side of `count` tiles that make up `size`: of all possible ones the roundest in binary, as launches have it. */
static size_t tile_side(size_t size, size_t count) {
    const size_t least = (size + count - 1) / count;
    const size_t most = count > 1 ? (size - 1) / (count - 1) : 2 * size - 1;
    size_t side = least;
    for (size_t step = 1; step <= most; step *= 2)
        if (most / step * step >= least)
            side = most / step * step;
    return side;
}

/* Blocks in a line share the pixels out as they like: only of those across and down it can be told. */
static bool is_grid(Partition partition, Shape out) {
    return partition.grid[0] > 0 && partition.grid[0] <= out.width && partition.grid[1] <= out.height &&
           (partition.grid[1] > 1 || partition.grid[0] == 1 || out.height == 1);
}

static void find_tile(Partition partition, Shape out, Card *card) {
    if (partition.tile[1] > 0) {
        card->width = partition.tile[0] > 0 && partition.tile[0] < out.width ? partition.tile[0] : out.width;
        card->height = partition.tile[1] < out.height ? partition.tile[1] : out.height;
        card->across = (out.width + card->width - 1) / card->width;
        card->down = (out.height + card->height - 1) / card->height;
    } else if (is_grid(partition, out)) {
        card->across = partition.grid[0];
        card->down = partition.grid[1];
        card->width = tile_side(out.width, card->across);
        card->height = tile_side(out.height, card->down);
    } else {
        card->across = partition.grid[0];
        card->down = partition.grid[1];
    }
}

/* Finds the neighbourhood that one pixel needs, far from every edge. */
static bool find_halo(const Stage *stage, Card *card) {
    Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape};
    const Region pixel = {ROOM, ROOM, 1, 1};
    if (!stage->op->needs || in[0].width != stage->out.shape.width || in[0].height != stage->out.shape.height)
        return false;
    for (int k = 0; k < STAGE_INPUTS; k++)
        in[k].width = in[k].height = (size_t)2 * ROOM + 1;
    const Region needs = stage->op->needs(stage->job, 0, pixel, in);
    const ptrdiff_t left = pixel.left - needs.left, top = pixel.top - needs.top;
    const ptrdiff_t right = (ptrdiff_t)needs.width - 1 - left, bottom = (ptrdiff_t)needs.height - 1 - top;
    if (left < 0 || top < 0 || right < 0 || bottom < 0 || needs.width > ROOM || needs.height > ROOM)
        return false;
    card->left = (size_t)left;
    card->top = (size_t)top;
    card->right = (size_t)right;
    card->bottom = (size_t)bottom;
    return true;
}

bool card_of(const Stage *stage, Partition partition, Card *card) {
    const Stage alone = stage_alone(stage);
    const Shape in = alone.in[0].shape;
    const bool reads = op_inputs(alone.op, alone.job) > 0;
    *card = (Card){.across = 0};
    if (reads && !find_halo(&alone, card))
        return false;
    if (partition.launches != 1) /* the last of several has made a part of it from the others' results */
        return reads;
    find_tile(partition, alone.out.shape, card);
    if (!reads || card->width == 0)
        return card->width > 0 || reads;
    const size_t pixel = (size_t)in.channels * pixel_type_size(in.type);
    const size_t width = card->left + card->width + card->right, height = card->top + card->height + card->bottom;
    const size_t inner_width = width - card->left < in.width ? width - card->left : in.width;
    const size_t inner_height = height - card->top < in.height ? height - card->top : in.height;
    card->reads = width * height;
    card->ghosts = card->reads - inner_width * inner_height;
    card->tile_bytes = card->width * card->height * pixel;
    card->bytes = card->reads * pixel;
    return true;
}
