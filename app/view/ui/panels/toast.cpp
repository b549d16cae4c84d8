/* toast.cpp: a message. */
#include <math.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "core/base/timing.h"
}

namespace {

/* Open menus are not written over; nor are pages, but by errors. */
bool visible(const Viewer *viewer) {
    return viewer->toast.text[0] != '\0' && clock_ms() <= viewer->toast.until && !viewer->menu &&
           (viewer->toast.error || !(viewer->help || viewer_has_page(viewer)));
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Toast *said = &viewer->toast;
    ImDrawList *list = ImGui::GetForegroundDrawList();
    const Area area = viewer->area;
    const float pad = em(overlay, 0.9f), wrap = fminf((float)area.width - 3 * pad, em(overlay, 44.0f));
    const ImVec2 size = overlay->regular->CalcTextSizeA(overlay->regular->FontSize, 1e6f, wrap, said->text);
    const float middle = (float)(area.x + area.width / 2),
                bottom = fminf((float)viewer->height - em(overlay, 3.2f), (float)(area.y + area.height) - pad);
    const float rounding = em(overlay, 0.5f), stripe = em(overlay, said->error ? 0.7f : 0.28f);
    const ImVec2 from(roundf(middle - size.x / 2 - pad), roundf(bottom - size.y - 1.4f * pad));
    const ImVec2 to(roundf(middle + size.x / 2 + pad + (said->error ? stripe / 2 : 0)), roundf(bottom));
    list->AddRectFilled(from, to, solid_glass, rounding);
    list->AddRectFilled(from, ImVec2(from.x + stripe, to.y), said->error ? bad : accent, rounding,
                        ImDrawFlags_RoundCornersLeft);
    if (said->error) { /* not by colour alone */
        const float wide = overlay->bold->CalcTextSizeA(overlay->bold->FontSize, 1e6f, 0, "!").x;
        list->AddText(overlay->bold, overlay->bold->FontSize,
                      ImVec2(from.x + (stripe - wide) / 2, roundf(from.y + 0.7f * pad)), solid_glass, "!");
    }
    list->AddRect(from, to, edge, rounding);
    list->AddText(overlay->regular, overlay->regular->FontSize,
                  ImVec2(from.x + pad + (said->error ? stripe / 2 : 0), roundf(from.y + 0.7f * pad)), ink, said->text,
                  nullptr, wrap);
}

} // namespace

const Panel panel_toast = {"toast", PLACE_TOP, visible, draw};
