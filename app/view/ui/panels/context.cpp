/* context.cpp: the menu that the right button opens on the picture. */
#include "app/view/ui/menus.hpp"
#include "app/view/ui/panels/panel.hpp"

namespace {

void draw(Overlay *overlay, Viewer *viewer) {
    if (viewer->ui->context)
        ImGui::OpenPopup("context");
    viewer->ui->context = false;
    if (!ImGui::BeginPopup("context"))
        return;
    close_menu(overlay);
    menu_of_flag(overlay, viewer, ACTION_CONTEXT);
    ImGui::Separator();
    menus_of_all(overlay, viewer);
    ImGui::EndPopup();
}

} // namespace

const Panel panel_context = {"context", PLACE_TOP, nullptr, draw};
