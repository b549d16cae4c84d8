/* mouse.c: drags and the wheel. */
#include "app/view/window/mouse.h"

#include "app/view/actions/dispatch.h"

#include <math.h>

#define WHEEL_STEP   1.2
#define DOLLY_STEP   1.005 /* a pixel of dragging */
#define CLICK_PIXELS 4.0
#define DOUBLE_MS    400.0 /* between two clicks that are one */
#define FLING_MS     50.0  /* since the last move: a hand that has rested flings nothing */
#define HALF_TURN    180.0 /* degrees that the sun goes for the window's height */
#define HANDLE_WIDTH 14.0  /* pixels to each side at scale 1 */

/* Next to each other, both sides show the same place. */
static bool is_at_left(const Viewer *viewer, double x) {
    return viewer->compare == COMPARE_SIDES && x >= viewer->area.x && x < viewer_result_area(viewer).x;
}

/* From the left one to the right one. */
static double way_beside(const Viewer *viewer, bool at_left) {
    return at_left ? viewer_result_area(viewer).width : 0;
}

static double dragged_x(const Mouse *mouse, double x) {
    return x + way_beside(mouse->screen->viewer, mouse->at_left);
}

static void point_at(Mouse *mouse, double x, double y) {
    Screen *screen = mouse->screen;
    Viewer *viewer = screen->viewer;
    screen->input.x = x;
    screen->input.y = viewer->pointer_y = y;
    viewer->pointer_x = x + way_beside(viewer, is_at_left(viewer, x));
    screen_touch(screen);
}

static void pan(Mouse *mouse, double x, double y) {
    viewer_pan(mouse->screen->viewer, x - mouse->x, y - mouse->y);
}

static void orbit(Mouse *mouse, double x, double y) {
    viewer_orbit(mouse->screen->viewer, x - mouse->x, y - mouse->y);
}

static void dolly(Mouse *mouse, double x, double y) {
    Viewer *viewer = mouse->screen->viewer;
    (void)x;
    viewer_zoom(viewer, pow(DOLLY_STEP, mouse->y - y), viewer->width / 2.0, viewer->height / 2.0);
}

static void move_sun(Mouse *mouse, double x, double y) {
    Viewer *viewer = mouse->screen->viewer;
    const double pixel = HALF_TURN / viewer->height;
    const Status status = viewer_set_sun(viewer, mouse->sun[0] + pixel * (x - mouse->from_x),
                                         mouse->sun[1] - pixel * (y - mouse->from_y));
    viewer_answer(viewer, TOAST_REQUEST, status);
}

/* As if the sky were taken hold of. */
static void turn_sky(Mouse *mouse, double x, double y) {
    Viewer *viewer = mouse->screen->viewer;
    (void)y;
    viewer_answer(viewer, TOAST_REQUEST,
                  viewer_set_sky(viewer, mouse->sky + HALF_TURN / viewer->height * (x - mouse->from_x)));
}

static void mark_part(Mouse *mouse, double x, double y) {
    Viewer *viewer = mouse->screen->viewer;
    const Viewport at = viewer_viewport(viewer);
    histogram_mark(viewer, at.x + mouse->marked_x * at.scale, at.y + mouse->marked_y * at.scale, dragged_x(mouse, x),
                   y);
}

static void split(Mouse *mouse, double x, double y) {
    (void)y;
    mouse->screen->viewer->split = fmin(fmax(x / mouse->screen->viewer->width, 0), 1);
}

static void paint(Mouse *mouse, double x, double y) {
    brush_move(mouse->screen->viewer, dragged_x(mouse, x), y);
}

static void drag_handle(Mouse *mouse, double x, double y) {
    Viewer *viewer = mouse->screen->viewer;
    viewer_answer(viewer, TOAST_REQUEST, handles_drag(viewer, x, y));
}

static void (*const drags[DRAGS])(Mouse *mouse, double x, double y) = {
    [DRAG_PAN] = pan,        [DRAG_SPLIT] = split,  [DRAG_ORBIT] = orbit,
    [DRAG_DOLLY] = dolly,    [DRAG_SUN] = move_sun, [DRAG_SKY] = turn_sky,
    [DRAG_MARK] = mark_part, [DRAG_PAINT] = paint,  [DRAG_HANDLE] = drag_handle,
};

/* How fast the pointer goes, over the last few moves. */
static void note_speed(Mouse *mouse, double x, double y) {
    const double now = clock_ms(), seconds = fmax(now - mouse->moved_at, 1) / 1e3;
    mouse->speed_x += ((x - mouse->x) / seconds - mouse->speed_x) / 2;
    mouse->speed_y += ((y - mouse->y) / seconds - mouse->speed_y) / 2;
    mouse->moved_at = now;
}

void mouse_move(Mouse *mouse, double x, double y) {
    mouse->still &= fabs(x - mouse->x) + fabs(y - mouse->y) < 1;
    if (mouse->drag != DRAG_NONE)
        drags[mouse->drag](mouse, x, y);
    mouse->moved += fabs(x - mouse->x) + fabs(y - mouse->y);
    note_speed(mouse, x, y);
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
           fabs(x - viewer_split_x(viewer)) < HANDLE_WIDTH * viewer->scale;
}

static Drag drag_of(Mouse *mouse, MouseButton button, bool shift, bool ctrl) {
    Viewer *viewer = mouse->screen->viewer;
    if (overlay_takes(mouse->screen->overlay, mouse->x, mouse->y))
        return DRAG_NONE;
    if (on_split_handle(viewer, mouse->x))
        return DRAG_SPLIT;
    if (viewer_picture(viewer) && button == MOUSE_LEFT && ctrl)
        return DRAG_MARK;
    if (button == MOUSE_LEFT && brush_press(viewer, dragged_x(mouse, mouse->x), mouse->y, shift))
        return DRAG_PAINT;
    if (button == MOUSE_LEFT && !shift && handles_press(viewer, mouse->x, mouse->y))
        return DRAG_HANDLE;
    if (viewer_kind(viewer)->turns && button == MOUSE_LEFT && shift && ctrl)
        return viewer_sky(viewer, &mouse->sky) ? DRAG_SKY : DRAG_SUN;
    if (!viewer_kind(viewer)->turns || button == MOUSE_MIDDLE || shift)
        return DRAG_PAN;
    return button == MOUSE_RIGHT || ctrl ? DRAG_DOLLY : DRAG_ORBIT;
}

/* Marks the part that is dragged, in place of an earlier one. */
static void mark(Mouse *mouse) {
    const Viewport at = viewer_viewport(mouse->screen->viewer);
    Histogram *histogram = mouse->screen->viewer->tools->histogram;
    mouse->marked_x = (dragged_x(mouse, mouse->x) - at.x) / at.scale;
    mouse->marked_y = (mouse->y - at.y) / at.scale;
    histogram->part = (Marked){0};
}

/* On the picture, and without a drag. */
static void click(Mouse *mouse) {
    Viewer *viewer = mouse->screen->viewer;
    const double now = clock_ms();
    const bool again = now - mouse->clicked_at < DOUBLE_MS;
    mouse->clicked_at = again ? 0 : now;
    if (viewer_kind(viewer)->turns) {
        action_ask(viewer, action_by_name(again ? "aim" : "pick"), NULL);
        return;
    }
    inspector_point_at(viewer, dragged_x(mouse, mouse->x), mouse->y);
    if (viewer->tools->inspector->open)
        (void)inspector_freeze(viewer);
}

/* A movement begins; one that goes on by itself ends. */
static void begin(Mouse *mouse) {
    Viewer *viewer = mouse->screen->viewer;
    walk_fling(viewer, 0, 0);
    mouse->speed_x = mouse->speed_y = 0;
    (void)viewer_sun(viewer, &mouse->sun[0], &mouse->sun[1]);
}

void mouse_button(Mouse *mouse, MouseButton button, bool pressed, bool shift, bool ctrl) {
    OverlayInput *input = &mouse->screen->input;
    if (!pressed && button == MOUSE_LEFT && mouse->still && (mouse->drag == DRAG_PAN || mouse->drag == DRAG_ORBIT))
        click(mouse);
    if (!pressed && mouse->drag == DRAG_ORBIT && clock_ms() - mouse->moved_at < FLING_MS)
        walk_fling(mouse->screen->viewer, mouse->speed_x, mouse->speed_y);
    if (!pressed)
        brush_release(mouse->screen->viewer);
    if (!pressed && mouse->drag == DRAG_MARK) /* not before: the picture would make room for it in midst of the drag */
        mouse->screen->viewer->tools->histogram->open = true;
    mouse->still = pressed;
    const bool dragged = mouse->drag != DRAG_NONE && mouse->moved > CLICK_PIXELS;
    if (button == MOUSE_RIGHT && !pressed && mouse->drag != DRAG_NONE && !dragged)
        mouse->screen->viewer->ui->context = true;
    mouse->moved = pressed ? 0 : mouse->moved;
    input->buttons[button] = pressed;
    mouse->screen->viewer->movement += pressed;
    input->clicked[button] |= pressed;
    if (pressed)
        mouse->at_left = is_at_left(mouse->screen->viewer, mouse->x);
    mouse->drag = pressed ? drag_of(mouse, button, shift, ctrl) : DRAG_NONE;
    mouse->from_x = mouse->x;
    mouse->from_y = mouse->y;
    if (mouse->drag == DRAG_MARK)
        mark(mouse);
    if (pressed)
        begin(mouse);
    mouse->held = input->buttons[MOUSE_LEFT] || input->buttons[MOUSE_RIGHT] || input->buttons[MOUSE_MIDDLE];
    mouse->screen->viewer->held = mouse->held;
    mouse->screen->button_due = true;
    screen_touch(mouse->screen);
}

void mouse_wheel(Mouse *mouse, int direction, bool ctrl) {
    Screen *screen = mouse->screen;
    screen_touch(screen);
    if (overlay_takes(screen->overlay, mouse->x, mouse->y)) {
        screen->input.wheel += direction;
        screen->input.coarse |= ctrl;
    } else if (ctrl && screen->viewer->tools->brush->on) {
        brush_resize(screen->viewer, direction);
    } else {
        viewer_zoom(screen->viewer, direction > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, screen->viewer->pointer_x, mouse->y);
    }
}
