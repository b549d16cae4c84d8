/* kernel.cpp: the share of a multiprocessor that the kernel uses. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->session->facts.threads > 0;
}

void draw(Overlay *overlay, Viewer *viewer) {
    const LaunchFacts *facts = &viewer->session->facts;
    if (!heading(overlay, "Kernel", viewer_level(viewer)->name))
        return;
    fact(overlay, ink, "threads a block", "%d", facts->threads);
    fact(overlay, ink, "registers a thread", "%d", facts->registers);
    fact(overlay, ink, "shared memory a block", "%.1f KiB", (double)facts->shared_bytes / 1024);
    fact(overlay, ink, "blocks a multiprocessor", "%d", facts->blocks);
    fact(overlay, ink, "occupancy", "%.0f %%", 100 * facts->occupancy);
    fact(overlay, ink, "limited by", "%s", facts->limit ? facts->limit : "nothing");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, high = em(overlay, 0.3f), round = em(overlay, 0.15f);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + width, at.y + high), veil(20), round);
    list->AddRectFilled(at, ImVec2(at.x + width * (float)fmin(facts->occupancy, 1), at.y + high), accent, round);
    ImGui::Dummy(ImVec2(width, high));
}

} // namespace

const Panel panel_kernel = {"kernel", PLACE_RIGHT, visible, draw, true, true};
