/* rectangle.c: sides that follow the pointer, and sides that follow them. */
#include "app/view/data/rectangle.h"

#include <math.h>

typedef struct Size {
    double width, height;
} Size;

static double within(double value, double low, double high) {
    return fmin(fmax(value, low), fmax(low, high));
}

/* By its shorter side. */
static Size size_of(double shorter, double ratio) {
    const double longer = fmax(nearbyint(shorter * fmax(ratio, 1 / ratio)), 1);
    return ratio >= 1 ? (Size){longer, shorter} : (Size){shorter, longer};
}

/* The largest size of the ratio that is about as high as `height`, or lower where there is no more room. */
static Size fit_size(double ratio, double height, Size room) {
    const double shorter = ratio >= 1 ? height : height * ratio;
    const double most =
        ratio >= 1 ? fmin(room.height, room.width / ratio + 1) : fmin(room.width, room.height * ratio + 1);
    double side = fmax(round(fmin(shorter, most)), 1);
    while (side > 1 && (size_of(side, ratio).width > room.width || size_of(side, ratio).height > room.height))
        side--;
    const Size size = size_of(side, ratio);
    return (Size){fmin(size.width, room.width), fmin(size.height, room.height)}; /* where no pixel has that ratio */
}

static Rectangle drag_free(Rectangle before, int grip, double dx, double dy, Size picture) {
    const double right = before.x + before.width, bottom = before.y + before.height;
    Rectangle now = before;
    if (grip & GRIP_LEFT)
        now.x = within(before.x + dx, 0, right - 1);
    if (grip & GRIP_TOP)
        now.y = within(before.y + dy, 0, bottom - 1);
    now.width = (grip & GRIP_RIGHT ? within(right + dx, before.x + 1, picture.width) : right) - now.x;
    now.height = (grip & GRIP_BOTTOM ? within(bottom + dy, before.y + 1, picture.height) : bottom) - now.y;
    return now;
}

/* Where a side of that length lies: before the end that stays, behind the beginning that does, or about the middle. */
static double place(double from, double before, double length, bool first, bool last, double whole) {
    if (first)
        return from + before - length;
    return last ? from : within(round(from + (before - length) / 2), 0, whole - length);
}

static Rectangle drag_locked(Rectangle before, int grip, double dx, double dy, double ratio, Size picture) {
    const bool left = grip & GRIP_LEFT, top = grip & GRIP_TOP, right = grip & GRIP_RIGHT, bottom = grip & GRIP_BOTTOM;
    const Size room = {left    ? before.x + before.width
                       : right ? picture.width - before.x
                               : picture.width,
                       top      ? before.y + before.height
                       : bottom ? picture.height - before.y
                                : picture.height};
    const double width = before.width + (left ? -dx : right ? dx : 0);
    const double height = before.height + (top ? -dy : bottom ? dy : 0);
    const bool leads =
        fabs(dx) * before.height > fabs(dy) * before.width; /* of a corner: the way across is the longer */
    const bool by_width = (left || right) && (leads || !(top || bottom));
    const Size size = fit_size(ratio, by_width ? width / ratio : height, room);
    return (Rectangle){place(before.x, before.width, size.width, left, right, picture.width),
                       place(before.y, before.height, size.height, top, bottom, picture.height), size.width,
                       size.height};
}

Rectangle rectangle_drag(Rectangle before, int grip, double dx, double dy, double ratio, double width, double height) {
    const Size picture = {width, height};
    Rectangle now = before;
    dx = round(dx);
    dy = round(dy);
    if (grip == GRIP_ALL) {
        now.x = within(before.x + dx, 0, width - before.width);
        now.y = within(before.y + dy, 0, height - before.height);
        return now;
    }
    return ratio > 0 ? drag_locked(before, grip, dx, dy, ratio, picture) : drag_free(before, grip, dx, dy, picture);
}

Rectangle rectangle_with_ratio(Rectangle before, double ratio, double width, double height) {
    const bool across = before.width >= width || before.height >= height;
    const double high = across ? fmax(height, width / ratio) : sqrt(before.width * before.height / ratio);
    const Size size = fit_size(ratio, high, (Size){width, height});
    return (Rectangle){place(before.x, before.width, size.width, false, false, width),
                       place(before.y, before.height, size.height, false, false, height), size.width, size.height};
}
