/* compare.c: how far two pictures are apart. */
#include "library/library.h"

#include "core/image/difference.h"
#include "core/run/likeness.h"
#include "cpu/flip/flip.h"

/* The pixels as a view; *packed is a copy where they lie otherwise. */
static Status view_of(const char *what, Shape shape, const GlintPixels *pixels, ImageView *view, Image **packed) {
    Pictures at;
    TRY(library_pictures(what, shape, 1, pixels, false, &at));
    if (at.on_device)
        return fail(STATUS_USAGE, "%s: pictures are compared in the host's memory; want GLINT_HOST", what);
    if (places_are_view(shape, at.first, view))
        return STATUS_OK;
    TRY(image_create_unfilled(shape, packed));
    *view = (*packed)->view;
    places_copy(shape, at.first, places_of(*view));
    return STATUS_OK;
}

static Status find_likeness(GlintDevice *device, ImageView a, ImageView b, Likeness *likeness) {
    Queue *queue;
    const Entered entered = library_enter(device);
    Status status = queue_open(device->device, &queue);
    if (status == STATUS_OK) {
        status = likeness_of(queue, a, b, likeness);
        queue_close(&queue);
    }
    library_leave(entered);
    return status;
}

/* The mean error; colours of f32 are straight. */
static Status find_flip(ImageView a, ImageView b, double *mean) {
    const FlipView view = {.ppd = FLIP_PPD};
    Image *map;
    TRY(flip_map(a, b, &view, &map));
    *mean = flip_mean(map->view);
    image_destroy(&map);
    return STATUS_OK;
}

static Status compare_views(GlintDevice *device, ImageView a, ImageView b, GlintComparison *figures) {
    GlintComparison found = GLINT_COMPARISON;
    Likeness likeness;
    TRY(find_likeness(device, a, b, &likeness));
    TRY(find_flip(a, b, &found.flip));
    const Difference difference = difference_of(a, b);
    found.psnr = likeness.psnr;
    found.ssim = difference_ssim(&difference);
    found.ncc = likeness.ncc;
    found.max = difference.max;
    found.mean = likeness.mean;
    found.differing = difference.differing;
    found.x = difference.x;
    found.y = difference.y;
    return library_give("figures", &found, figures);
}

static Status compare(GlintDevice *device, const GlintShape *shape, const GlintPixels *a, const GlintPixels *b,
                      GlintComparison *figures) {
    Shape core;
    ImageView views[2];
    Image *packed[2] = {NULL, NULL};
    TRY(library_given("glint_compare", "figures", figures));
    TRY(library_alive("device", device, device ? device->life : 0));
    TRY(library_shape(shape, &core));
    Status status = view_of("a", core, a, &views[0], &packed[0]);
    if (status == STATUS_OK)
        status = view_of("b", core, b, &views[1], &packed[1]);
    if (status == STATUS_OK)
        status = compare_views(device, views[0], views[1], figures);
    image_destroy(&packed[0]);
    image_destroy(&packed[1]);
    return status;
}

GlintStatus glint_compare(GlintDevice *device, const GlintShape *shape, const GlintPixels *a, const GlintPixels *b,
                          GlintComparison *figures, GlintError *error) {
    return library_settle(compare(device, shape, a, b, figures), error);
}
