/* light.cpp: where light comes from, how it is gathered, and how much noise is left. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"
#include "app/view/ui/table_rows.hpp"

namespace {

constexpr float ball_ems = 5.2f, dot_ems = 0.34f;
constexpr double pi = 3.14159265358979323846;
constexpr size_t lamps_maximum = 4; /* that have rows; others are changed by their text */

bool visible(const Viewer *viewer) {
    return viewer_scene(viewer) != nullptr;
}

/* ---- the ball of the sky ---- */

/* The sky as an eye sees it that looks straight up. The zenith is in the middle, the rim lies below the horizon, and
 * the camera's direction is at the top. */
struct Ball {
    ImVec2 middle;
    float radius;
    double ahead; /* the azimuth that is at the top, radians */
};

double camera_azimuth(const Viewer *viewer) {
    const OrbitCamera &orbit = viewer->request->orbit_camera;
    const Vec forward = orbit.camera.forward;
    return orbit.orbits ? atan2((double)forward.x, -(double)forward.z) : 0;
}

/* A share of the radius: 0 straight up, 2/3 at the horizon, 1 straight down. */
double out_of(double altitude) {
    return altitude >= 0 ? (90 - altitude) / 135 : 2.0 / 3 - altitude / 270;
}

double altitude_at(double out) {
    return out <= 2.0 / 3 ? 90 - 135 * out : (2.0 / 3 - fmin(out, 1)) * 270;
}

void draw_ball(const Overlay *overlay, const Ball &ball) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float horizon = ball.radius * 2 / 3, thin_line = em(overlay, 0.06f);
    list->AddCircleFilled(ball.middle, ball.radius, veil(14), 64);
    list->AddCircleFilled(ball.middle, horizon, thin(accent_deep, 120), 64);
    list->AddCircle(ball.middle, horizon, veil(110), 64, thin_line);
    list->AddLine(ImVec2(ball.middle.x, ball.middle.y - ball.radius),
                  ImVec2(ball.middle.x, ball.middle.y - horizon + em(overlay, 0.3f)), veil(110), thin_line);
    list->AddCircleFilled(ball.middle, em(overlay, 0.08f), veil(140), 12);
}

ImVec2 place_on(const Ball &ball, double azimuth, double share) {
    const double turn = azimuth * pi / 180 - ball.ahead, out = share * (double)ball.radius;
    return ImVec2(ball.middle.x + (float)(sin(turn) * out), ball.middle.y - (float)(cos(turn) * out));
}

void draw_sun(const Overlay *overlay, const Ball &ball, double azimuth, double altitude) {
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 sun = place_on(ball, azimuth, out_of(altitude));
    list->AddCircleFilled(sun, em(overlay, dot_ems), warm, 32);
    list->AddCircle(sun, em(overlay, dot_ems), solid_glass, 32, em(overlay, 0.06f));
}

/* The middle of the sky's image: an arrow on the horizon. */
void draw_image(const Ball &ball, double azimuth) {
    const double half = 9; /* degrees */
    ImGui::GetWindowDrawList()->AddTriangleFilled(place_on(ball, azimuth, 0.46), place_on(ball, azimuth - half, 0.78),
                                                  place_on(ball, azimuth + half, 0.78), accent);
}

/* Dragging its dot, or clicking anywhere on it, moves the sun or, where there is none, turns the sky's image. */
void sky_ball(const Overlay *overlay, Viewer *viewer) {
    double azimuth = 0, altitude = 0, image = 0;
    const ImVec2 at = ImGui::GetCursorScreenPos(), to = ImGui::GetIO().MousePos;
    const float size = em(overlay, ball_ems);
    const Ball ball = {ImVec2(at.x + size / 2, at.y + size / 2), size / 2, camera_azimuth(viewer)};
    const double x = (double)(to.x - ball.middle.x), y = (double)(ball.middle.y - to.y);
    const double pointed = (atan2(x, y) + ball.ahead) * 180 / pi;
    const bool has_sun = viewer_sun(viewer, &azimuth, &altitude), has_image = viewer_sky(viewer, &image);
    if (!has_sun && !has_image)
        return;
    ImGui::InvisibleButton("sky", ImVec2(size, size));
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
        say_tip("%s, straight ahead at the top: drag it, or the picture with Shift and Ctrl",
                has_sun ? "the sun in the sky" : "the middle of the sky's image");
    if (ImGui::IsItemActive() && has_sun) {
        azimuth = pointed;
        altitude = altitude_at(hypot(x, y) / (double)ball.radius);
        report(viewer, viewer_set_sun(viewer, azimuth, altitude));
    } else if (ImGui::IsItemActive()) {
        image = pointed;
        report(viewer, viewer_set_sky(viewer, image));
    }
    draw_ball(overlay, ball);
    if (has_image)
        draw_image(ball, image);
    if (has_sun)
        draw_sun(overlay, ball, azimuth, altitude);
}

/* ---- rows ---- */

struct Part {
    const char *chip, *part; /* of several, the parts are numbered */
};
constexpr Part lights[] = {{"Sun", "sun"}, {"Sky", "sky"}, {"Sky", "environment"}, {"Lamps", "lamp"}};
constexpr size_t light_count = sizeof lights / sizeof lights[0];

void gathering_rows(Overlay *overlay, Viewer *viewer) {
    RowChange changes[ROW_CHANGES];
    const size_t count = table_rows(overlay, viewer, gathering_table, &viewer->request->gathering, 0, changes);
    for (size_t i = 0; i < count; i++)
        report(viewer, viewer_set_gathering_param(viewer, changes[i].param, changes[i].number));
}

/* Sections with rows, one chip next to the other, and below them the rows of the open ones. */
void folded_rows(Overlay *overlay, Viewer *viewer) {
    bool open[light_count];
    for (size_t i = 0; i < light_count; i++) {
        const ScenePart *part = scene_part_by_name(lights[i].part, strlen(lights[i].part));
        open[i] = part->count(viewer_scene(viewer)) > 0 && fold_chip(overlay, lights[i].chip);
        if (part->count(viewer_scene(viewer)) > 0)
            ImGui::SameLine();
    }
    const bool gathering = fold_chip(overlay, "Samples and noise");
    for (size_t i = 0; i < light_count; i++) {
        const ScenePart *part = scene_part_by_name(lights[i].part, strlen(lights[i].part));
        const size_t count = open[i] ? part->count(viewer_scene(viewer)) : 0;
        for (size_t k = 0; k < count && k < lamps_maximum; k++)
            part_rows(overlay, viewer, part, k);
    }
    if (gathering)
        gathering_rows(overlay, viewer);
}

/* Next to the ball. */
void status_rows(const Viewer *viewer) {
    const Progressive &progressive = viewer->session->progressive;
    char noise[80];
    ImGui::BeginGroup();
    text(ink, "%u of %u samples", progressive.done, viewer->session->samples);
    if (viewer_describe_noise(viewer, noise, sizeof noise) > 0) {
        char *comma = strchr(noise, ',');
        if (comma)
            *comma = '\0';
        text(accent, "%s", noise);
        tip("noise", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
        if (comma)
            text(dim, "%s", comma + 2);
    }
    ImGui::EndGroup();
}

void draw(Overlay *overlay, Viewer *viewer) {
    const bool light = viewer_gathers(viewer);
    if (!heading(overlay, "Light", request_look(viewer->request)))
        return;
    if (!light) {
        light_chip(overlay, viewer);
        return;
    }
    sky_ball(overlay, viewer);
    ImGui::SameLine(0, em(overlay, 0.8f));
    status_rows(viewer);
    tone_rows(overlay, viewer, 1);
    if (!viewer->request->figure)
        action_chip(overlay, viewer, "Figure for a paper", "look", FIGURE_NAME);
    folded_rows(overlay, viewer);
}

} // namespace

void light_chip(Overlay *overlay, Viewer *viewer) {
    if (chip(overlay, "Trace paths of light", false))
        report(viewer, viewer_set_look(viewer, LOOK_PATHS));
    if (ImGui::IsItemHovered())
        say_tip("shows lamps, shadows, mirrors and glass (look paths): first grainy, then clearer with each sample");
}

const Panel panel_light = {"light", PLACE_LEFT, visible, draw};
