/* mouse.c: drags and the wheel. */
#include "app/view/window/mouse.h"

#include "app/view/actions/dispatch.h"
#include "app/view/tools/objects.h"

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
    return viewer_shows_sides(viewer) && x >= viewer->area.x && x < viewer_result_area(viewer).x;
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
    const ToolEvent turn = {.kind = TOOL_TURN, .dx = x - mouse->x, .dy = y - mouse->y};
    (void)tools_take(mouse->screen->viewer, &turn);
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

static void split(Mouse *mouse, double x, double y) {
    (void)y;
    mouse->screen->viewer->split = fmin(fmax(x / mouse->screen->viewer->width, 0), 1);
}

/* At the pointer. */
static ToolEvent tool_event(const Mouse *mouse, ToolEventKind kind, double x, double y) {
    return (ToolEvent){.kind = kind, .x = x, .y = y, .result_x = dragged_x(mouse, x)};
}

/* By the tool that has taken the press. */
static void move_tool(Mouse *mouse, double x, double y) {
    const ToolEvent move = tool_event(mouse, TOOL_MOVE, x, y);
    (void)mouse->tool->event(mouse->screen->viewer, &move);
}

static void (*const drags[DRAGS])(Mouse *mouse, double x, double y) = {
    [DRAG_PAN] = pan,      [DRAG_SPLIT] = split,  [DRAG_ORBIT] = orbit,    [DRAG_DOLLY] = dolly,
    [DRAG_SUN] = move_sun, [DRAG_SKY] = turn_sky, [DRAG_TOOL] = move_tool,
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

/* On the line, as far as it is drawn. */
static bool on_split_handle(const Viewer *viewer, double x, double y) {
    const Area seen = viewer_seen_area(viewer);
    return viewer_shows_split(viewer) && y >= seen.y && y < seen.y + seen.height &&
           fabs(x - viewer_split_x(viewer)) < HANDLE_WIDTH * viewer->scale;
}

static Drag drag_of(Mouse *mouse, MouseButton button, bool shift, bool ctrl) {
    Viewer *viewer = mouse->screen->viewer;
    if (overlay_takes(mouse->screen->overlay, mouse->x, mouse->y))
        return DRAG_NONE;
    if (on_split_handle(viewer, mouse->x, mouse->y))
        return DRAG_SPLIT;
    ToolEvent press = tool_event(mouse, TOOL_PRESS, mouse->x, mouse->y);
    press.button = button;
    press.shift = shift;
    press.ctrl = ctrl;
    mouse->tool = tools_take(viewer, &press);
    if (mouse->tool)
        return DRAG_TOOL;
    if (viewer_kind(viewer)->turns && button == MOUSE_LEFT && shift && ctrl)
        return viewer_sky(viewer, &mouse->sky) ? DRAG_SKY : DRAG_SUN;
    if (!viewer_kind(viewer)->turns || button == MOUSE_MIDDLE || shift)
        return DRAG_PAN;
    return button == MOUSE_RIGHT || ctrl ? DRAG_DOLLY : DRAG_ORBIT;
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
    const ToolEvent event = tool_event(mouse, TOOL_CLICK, mouse->x, mouse->y);
    (void)tools_take(viewer, &event);
}

/* A movement begins. */
static void begin(Mouse *mouse) {
    Viewer *viewer = mouse->screen->viewer;
    mouse->speed_x = mouse->speed_y = 0;
    (void)viewer_sun(viewer, &mouse->sun[0], &mouse->sun[1]);
}

void mouse_button(Mouse *mouse, MouseButton button, bool pressed, bool shift, bool ctrl) {
    OverlayInput *input = &mouse->screen->input;
    const bool on_object = mouse->drag == DRAG_TOOL && mouse->tool == &objects_tool;
    if (!pressed && button == MOUSE_LEFT && mouse->still &&
        (mouse->drag == DRAG_PAN || mouse->drag == DRAG_ORBIT || on_object))
        click(mouse);
    if (!pressed && mouse->drag == DRAG_ORBIT && clock_ms() - mouse->moved_at < FLING_MS)
        (void)tools_take(mouse->screen->viewer,
                         &(ToolEvent){.kind = TOOL_FLING, .dx = mouse->speed_x, .dy = mouse->speed_y});
    (void)tools_take(mouse->screen->viewer, &(ToolEvent){.kind = pressed ? TOOL_DOWN : TOOL_RELEASE});
    mouse->still = pressed;
    const bool dragged = mouse->drag != DRAG_NONE && mouse->moved > CLICK_PIXELS;
    if (button == MOUSE_RIGHT && !pressed && mouse->drag != DRAG_NONE && !dragged)
        mouse->screen->viewer->ui->context = true;
    mouse->moved = pressed ? 0 : mouse->moved;
    input->buttons[button] = pressed;
    mouse->screen->viewer->movement += pressed;
    input->clicked[button] |= pressed;
    input->control |= pressed && ctrl;
    input->shift |= pressed && shift;
    if (pressed)
        mouse->at_left = is_at_left(mouse->screen->viewer, mouse->x);
    mouse->drag = pressed ? drag_of(mouse, button, shift, ctrl) : DRAG_NONE;
    mouse->from_x = mouse->x;
    mouse->from_y = mouse->y;
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
        screen->input.control |= ctrl;
        return;
    }
    ToolEvent event = tool_event(mouse, TOOL_WHEEL, mouse->x, mouse->y);
    event.ctrl = ctrl;
    event.direction = direction;
    if (!tools_take(screen->viewer, &event))
        viewer_zoom(screen->viewer, direction > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, screen->viewer->pointer_x, mouse->y);
}
