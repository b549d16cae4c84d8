/* walk.c: steps, and movements that end slowly. */
#include "app/view/tools/walk.h"

#include "app/view/session/viewer.h"

#define STEP       0.1f  /* of the distance: a tap's */
#define SPEED      0.6f  /* of it a second */
#define TAP_MS     180.0 /* a key that is held longer goes on */
#define LATEST_MS  100.0 /* of a frame: after a long one, nothing leaps */
#define SETTLES_S  0.25  /* in which inertia loses two thirds of a speed */
#define STILL      0.005f
#define STILL_TURN 4.0 /* pixels a second */

typedef struct Walk {
    bool on;               /* the mouse looks around instead of orbiting */
    bool inertia;          /* movements end slowly */
    unsigned held;         /* a bit for each WalkWay */
    Vec speed;             /* to the right, up and ahead, shares of the distance to the target a second */
    double turn_x, turn_y; /* pixels a second that a drag goes on by */
    double from;           /* clock_ms, since when held keys are more than a tap; then the last step */
} Walk;

static Walk *walk_of(const Viewer *viewer) {
    return tool_of(viewer, &walk_tool);
}

static Vec way_of(unsigned held) {
    const float right = (float)((held >> WALK_RIGHT & 1u)) - (float)(held >> WALK_LEFT & 1u);
    const float up = (float)((held >> WALK_UP & 1u)) - (float)(held >> WALK_DOWN & 1u);
    const float ahead = (float)((held >> WALK_AHEAD & 1u)) - (float)(held >> WALK_BACK & 1u);
    return vec(right, up, ahead);
}

static void ask(Viewer *viewer, Request next) {
    if (viewer_ask(viewer, next, FALLBACK_NONE) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
}

static void move(Viewer *viewer, Vec by) {
    Request next = viewer_request(viewer);
    orbit_camera_walk(&next.orbit_camera, by, viewer->height);
    ask(viewer, next);
}

void walk_press(Viewer *viewer, WalkWay way, bool pressed, bool held) {
    Walk *walk = walk_of(viewer);
    const unsigned bit = 1u << way;
    const bool repeated = (walk->held & bit) != 0;
    walk->held = pressed && held ? walk->held | bit : walk->held & ~bit;
    if (!pressed || repeated)
        return;
    walk->from = clock_ms() + TAP_MS;
    move(viewer, vec_times(way_of(bit), STEP));
}

bool walk_on(const Viewer *viewer) {
    return walk_of(viewer)->on;
}

void walk_toggle(Viewer *viewer) {
    walk_of(viewer)->on = !walk_of(viewer)->on;
}

bool walk_has_inertia(const Viewer *viewer) {
    return walk_of(viewer)->inertia;
}

void walk_toggle_inertia(Viewer *viewer) {
    walk_stop(viewer);
    walk_of(viewer)->inertia = !walk_of(viewer)->inertia;
}

bool walk_is_held(const Viewer *viewer) {
    return walk_of(viewer)->held;
}

void walk_fling(Viewer *viewer, double x, double y) {
    Walk *walk = walk_of(viewer);
    walk->turn_x = walk->inertia ? x : 0;
    walk->turn_y = walk->inertia ? y : 0;
    walk->from = clock_ms();
}

double walk_from(const Viewer *viewer) {
    return walk_of(viewer)->from;
}

bool walk_goes(const Viewer *viewer) {
    const Walk *walk = walk_of(viewer);
    return viewer_kind(viewer)->turns &&
           (walk->held || vec_dot(walk->speed, walk->speed) > 0 || fabs(walk->turn_x) + fabs(walk->turn_y) > 0);
}

/* Slows the movements down, to 0 where they are too slow to be seen. */
static void slow_down(Walk *walk, double seconds) {
    const double left = exp(-seconds / SETTLES_S);
    walk->turn_x *= left;
    walk->turn_y *= left;
    if (fabs(walk->turn_x) + fabs(walk->turn_y) < STILL_TURN)
        walk->turn_x = walk->turn_y = 0;
    const Vec wanted = vec_times(way_of(walk->held), SPEED);
    walk->speed = walk->inertia ? vec_along(wanted, (float)left, vec_minus(walk->speed, wanted)) : wanted;
    if (!walk->held && vec_dot(walk->speed, walk->speed) < STILL * STILL)
        walk->speed = vec(0, 0, 0);
}

void walk_go_on(Viewer *viewer, double now) {
    Walk *walk = walk_of(viewer);
    if (!walk_goes(viewer) || now <= walk->from)
        return;
    const double seconds = fmin(now - walk->from, LATEST_MS) / 1e3;
    walk->from = now;
    slow_down(walk, seconds);
    if (vec_dot(walk->speed, walk->speed) > 0)
        move(viewer, vec_times(walk->speed, (float)seconds));
    if (fabs(walk->turn_x) + fabs(walk->turn_y) > 0)
        viewer_orbit(viewer, walk->turn_x * seconds, walk->turn_y * seconds);
}

void walk_stop(Viewer *viewer) {
    walk_of(viewer)->held = 0;
    walk_of(viewer)->speed = vec(0, 0, 0);
    walk_of(viewer)->turn_x = walk_of(viewer)->turn_y = 0;
}

void viewer_orbit(Viewer *viewer, double dx, double dy) {
    Request next = viewer_request(viewer);
    (walk_of(viewer)->on ? orbit_camera_turn : orbit_camera_orbit)(&next.orbit_camera, dx, dy, viewer->height);
    ask(viewer, next);
}

/* A movement that goes on by itself ends as soon as a button goes down. */
static bool take_event(Viewer *viewer, const ToolEvent *event) {
    switch (event->kind) {
    case TOOL_DOWN:
        walk_fling(viewer, 0, 0);
        return false;
    case TOOL_FLING:
        walk_fling(viewer, event->dx, event->dy);
        return true;
    case TOOL_TURN:
        viewer_orbit(viewer, event->dx, event->dy);
        return true;
    default:
        return false;
    }
}

const ToolKind walk_tool = {
    .name = "walk", .size = sizeof(Walk), .moves = walk_goes, .go_on = walk_go_on, .event = take_event};
