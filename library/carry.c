/* carry.c: ways of pixels. */
#include "library/carry.h"

/* Whether the device's levels and copies reach pictures there. */
static bool reaches(const Carrier *carrier, const Pictures *pictures) {
    return carrier->device->backend->host_frames || pictures->on_device;
}

Status carry_check(const Carrier *carrier, const char *what, const Pictures *pictures) {
    const Guests *guests = carrier->device->backend->guests;
    if (!pictures->on_device)
        return STATUS_OK;
    if (!guests || !guests->holds)
        return fail(STATUS_USAGE, "%s: the %s backend has no memory of its own; want GLINT_HOST", what,
                    carrier->device->backend->name);
    return guests->holds(carrier->device, pictures->first.first)
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s: this address is not in the memory of %s; want GLINT_HOST, or that GPU's", what,
                      carrier->device->name);
}

bool carry_lends(const Carrier *carrier, Shape shape, const Pictures *of, Places places, Frame *frame) {
    const Backend *backend = carrier->device->backend;
    const bool lends = reaches(carrier, of) && places_are_view(shape, places, frame) &&
                       (backend->host_frames || backend->guests->takes(*frame));
    if (!lends)
        *frame = (Frame){0};
    return lends;
}

/* From the host's memory, in any arrangement, to the device's. */
static Status upload(Carrier *carrier, Places from, Frame to) {
    ImageView view;
    Image *packed = NULL;
    if (!places_are_view(to.shape, from, &view)) {
        TRY(image_create_unfilled(to.shape, &packed));
        places_copy(to.shape, from, places_of(packed->view));
        view = packed->view;
        carrier->copied.rearranged += shape_bytes(to.shape);
    }
    carrier->copied.to_device += shape_bytes(to.shape);
    const Status status = carrier->device->backend->upload(carrier->queue, view, to);
    image_destroy(&packed);
    return status;
}

static Status download(Carrier *carrier, Frame from, Places to) {
    ImageView view;
    Image *packed = NULL;
    if (!places_are_view(from.shape, to, &view)) {
        TRY(image_create_unfilled(from.shape, &packed));
        view = packed->view;
    }
    carrier->copied.from_device += shape_bytes(from.shape);
    const Status status = carrier->device->backend->download(carrier->queue, from, view);
    if (packed && status == STATUS_OK) {
        places_copy(from.shape, places_of(packed->view), to);
        carrier->copied.rearranged += shape_bytes(from.shape);
    }
    image_destroy(&packed);
    return status;
}

/* Up to so many bytes, a kernel copies rows sooner than the driver begins to. */
enum { SMALL_BYTES = 64 << 10 };

/* Within the device's memory. */
static Status rearrange(Carrier *carrier, Shape shape, Places from, Places to) {
    const Backend *backend = carrier->device->backend;
    const bool small = !backend->host_frames && shape_bytes(shape) <= SMALL_BYTES;
    ImageView from_view, to_view;
    carrier->copied.rearranged += shape_bytes(shape);
    return !small && places_are_view(shape, from, &from_view) && places_are_view(shape, to, &to_view)
               ? backend->copy(carrier->queue, from_view, to_view)
               : backend->guests->arrange(carrier->queue, shape, from, to);
}

Status carry_in(Carrier *carrier, const Pictures *of, Places from, Frame to) {
    return reaches(carrier, of) ? rearrange(carrier, to.shape, from, places_of(to)) : upload(carrier, from, to);
}

Status carry_out(Carrier *carrier, Frame from, const Pictures *of, Places to) {
    return reaches(carrier, of) ? rearrange(carrier, from.shape, places_of(from), to) : download(carrier, from, to);
}
