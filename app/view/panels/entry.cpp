/* entry.cpp: the line that is typed. */
#include <math.h>

#include "app/view/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->typing;
}

/* The line with its caret at the end, and below it what is wrong with it so far, or what one may type. */
void draw(Overlay *overlay, Viewer *viewer) {
    const Area area = viewer->area;
    const float width = fminf((float)area.width - em(overlay, 2.0f), em(overlay, 44.0f));
    ImGui::SetNextWindowPos(ImVec2(roundf((float)(area.x + area.width / 2) - width / 2), em(overlay, 0.75f)));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("entry", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    const bool good = viewer_check_entry(viewer) == STATUS_OK;
    ImGui::PushFont(overlay->mono);
    ImGui::PushTextWrapPos(0);
    ImGui::Text("%.*s▏%s", (int)viewer->caret, viewer->entry, viewer->entry + viewer->caret);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    wrapped(good ? dim : warm, good ? "Return takes this, Esc leaves what was there" : status_message());
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_entry = {"entry", PLACE_TOP, visible, draw};
