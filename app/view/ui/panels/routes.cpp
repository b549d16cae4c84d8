/* routes.cpp: how results reach the window. */
#include "app/view/ui/panels/panel.hpp"

namespace {

void draw(Overlay *overlay, Viewer *viewer) {
    RouteRung rungs[ROUTES_MAX];
    const size_t count = present_rungs(viewer->present, viewer->session->device->backend, rungs);
    char trouble[640];
    if (!heading(overlay, "Into the window", count > 1 ? "o: the next" : nullptr))
        return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, em(overlay, 0.1f)));
    for (size_t i = count; i-- > 0;) {
        char ms[32] = "";
        if (rungs[i].ms > 0)
            format_ms(rungs[i].ms, ms, sizeof ms);
        const ImVec2 at = ImGui::GetCursorPos();
        ImGui::PushID((int)i);
        const bool clicked =
            ImGui::InvisibleButton("route", ImVec2(ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()));
        ImGui::PopID();
        if (ImGui::IsItemHovered())
            say_tip("%s%s%s", rungs[i].route->idea, rungs[i].why_not ? "\nnot here: " : "",
                    rungs[i].why_not ? rungs[i].why_not : "");
        ImGui::SetCursorPos(at);
        text(rungs[i].current ? accent : rungs[i].why_not ? faint : dim, "%s", rungs[i].route->name);
        text_right(overlay, rungs[i].current ? ink : dim, rungs[i].why_not ? "refused" : ms);
        if (clicked)
            report(viewer, viewer_set_route(viewer, rungs[i].route->name));
    }
    ImGui::PopStyleVar();
    viewer_route_trouble(viewer, trouble, sizeof trouble);
    if (trouble[0]) {
        ImGui::PushFont(overlay->small);
        wrapped(warm, trouble);
        ImGui::PopFont();
    }
}

} // namespace

const Panel panel_routes = {"routes", PLACE_RIGHT, nullptr, draw, true};
