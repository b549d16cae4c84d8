/* mouse.c: drags and the wheel. */
#include "app/view/mouse.h"

#include <math.h>

#define WHEEL_STEP   1.2
#define DOLLY_STEP   1.005 /* a pixel of dragging */
#define CLICK_PIXELS 4.0
#define HANDLE_WIDTH 14.0 /* pixels to each side at scale 1 */

static void point_at(Mouse *mouse, double x, double y) {
    Screen *screen = mouse->screen;
    Viewer *viewer = screen->viewer;
    const Area right = viewer_result_area(viewer);
    screen->input.x = x;
    screen->input.y = viewer->pointer_y = y;
    /* Next to each other, both sides show the same place. */
    viewer->pointer_x = viewer->compare == COMPARE_SIDES && x >= viewer->area.x && x < right.x ? x + right.width : x;
    screen_touch(screen);
}

void mouse_move(Mouse *mouse, double x, double y) {
    Viewer *viewer = mouse->screen->viewer;
    mouse->still &= fabs(x - mouse->x) + fabs(y - mouse->y) < 1;
    if (mouse->drag == DRAG_PAN)
        viewer_pan(viewer, x - mouse->x, y - mouse->y);
    else if (mouse->drag == DRAG_ORBIT)
        viewer_orbit(viewer, x - mouse->x, y - mouse->y);
    else if (mouse->drag == DRAG_DOLLY)
        viewer_zoom(viewer, pow(DOLLY_STEP, mouse->y - y), viewer->width / 2.0, viewer->height / 2.0);
    else if (mouse->drag == DRAG_MARK)
        histogram_mark(viewer, mouse->from_x, mouse->from_y, x, y);
    else if (mouse->drag == DRAG_HANDLE)
        viewer_answer(viewer, TOAST_REQUEST, handles_drag(viewer, x, y));
    else if (mouse->drag == DRAG_SPLIT)
        viewer->split = fmin(fmax(x / viewer->width, 0), 1);
    mouse->moved += fabs(x - mouse->x) + fabs(y - mouse->y);
    mouse->x = x;
    mouse->y = y;
    point_at(mouse, x, y);
}

void mouse_leave(Mouse *mouse) {
    point_at(mouse, -1, -1);
}

static bool on_split_handle(const Viewer *viewer, double x) {
    unsigned serial;
    return viewer->compare == COMPARE_SPLIT && viewer_source(viewer, &serial) &&
           fabs(x - viewer->split * viewer->width) < HANDLE_WIDTH * viewer->scale;
}

static Drag drag_of(Mouse *mouse, MouseButton button, bool shift, bool ctrl) {
    Viewer *viewer = mouse->screen->viewer;
    if (overlay_takes(mouse->screen->overlay, mouse->x, mouse->y))
        return DRAG_NONE;
    if (on_split_handle(viewer, mouse->x))
        return DRAG_SPLIT;
    if (viewer_picture(viewer) && button == MOUSE_LEFT && ctrl)
        return DRAG_MARK;
    if (button == MOUSE_LEFT && !shift && handles_press(viewer, mouse->x, mouse->y))
        return DRAG_HANDLE;
    if (!viewer_kind(viewer)->turns || button == MOUSE_MIDDLE || shift)
        return DRAG_PAN;
    return button == MOUSE_RIGHT || ctrl ? DRAG_DOLLY : DRAG_ORBIT;
}

/* What was marked before is not any more. */
static void mark(Mouse *mouse) {
    Histogram *histogram = &mouse->screen->viewer->histogram;
    histogram->part = (Marked){0};
    histogram->open = true;
}

/* On the picture, and without a drag. */
static void click(Mouse *mouse) {
    Viewer *viewer = mouse->screen->viewer;
    inspector_point_at(viewer, mouse->x, mouse->y);
    if (viewer->inspector.open)
        (void)inspector_freeze(viewer);
}

void mouse_button(Mouse *mouse, MouseButton button, bool pressed, bool shift, bool ctrl) {
    OverlayInput *input = &mouse->screen->input;
    if (!pressed && button == MOUSE_LEFT && mouse->still && mouse->drag == DRAG_PAN)
        click(mouse);
    mouse->still = pressed;
    const bool dragged = mouse->drag != DRAG_NONE && mouse->moved > CLICK_PIXELS;
    if (button == MOUSE_RIGHT && !pressed && mouse->drag != DRAG_NONE && !dragged)
        mouse->screen->viewer->ui.context = true;
    mouse->moved = pressed ? 0 : mouse->moved;
    input->buttons[button] = pressed;
    mouse->screen->viewer->movement += pressed;
    input->clicked[button] |= pressed;
    mouse->drag = pressed ? drag_of(mouse, button, shift, ctrl) : DRAG_NONE;
    mouse->from_x = mouse->x;
    mouse->from_y = mouse->y;
    if (mouse->drag == DRAG_MARK)
        mark(mouse);
    mouse->held = input->buttons[MOUSE_LEFT] || input->buttons[MOUSE_RIGHT] || input->buttons[MOUSE_MIDDLE];
    mouse->screen->viewer->held = mouse->held;
    screen_touch(mouse->screen);
}

void mouse_wheel(Mouse *mouse, int direction, bool ctrl) {
    Screen *screen = mouse->screen;
    screen_touch(screen);
    if (overlay_takes(screen->overlay, mouse->x, mouse->y)) {
        screen->input.wheel += direction;
        screen->input.coarse |= ctrl;
    } else {
        viewer_zoom(screen->viewer, direction > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, screen->viewer->pointer_x, mouse->y);
    }
}
