/* summary.cpp: title, chain and time, on two lines. */
#include "app/view/panels/panel.hpp"

namespace {

void draw(Overlay *overlay, Viewer *viewer) {
    char chain[64], shape[96], ms[32], speedup[64], copies[32], rate[32];
    const Figures figures = viewer_figures(viewer);
    ImGui::PushFont(overlay->bold);
    ImGui::TextUnformatted(base_name(viewer_title(viewer)));
    ImGui::PopFont();
    viewer_kind(viewer)->format_shape(viewer, shape, sizeof shape);
    ImGui::SameLine(0, em(overlay, 0.8f));
    text(dim, "%s", shape);
    const bool cut = chain_format(viewer->request.chain, chain, sizeof chain) >= sizeof chain; /* as masks are */
    ImGui::SameLine(0, em(overlay, 0.8f));
    ImGui::PushFont(overlay->mono);
    text(accent, "%s%s", chain[0] ? chain : "no filter", cut ? " …" : "");
    ImGui::PopFont();
    if (viewer_level(viewer)) {
        ImGui::PushFont(overlay->bold);
        format_ms(figures.ms, ms, sizeof ms);
        text(ink, "%s", ms);
        ImGui::PopFont();
        format_speedup(viewer, figures, speedup, sizeof speedup);
        format_copies(figures, copies, sizeof copies);
        format_rate(figures.mpixels, rate, sizeof rate);
        ImGui::SameLine(0, em(overlay, 0.8f));
        text(accent, "%s", speedup);
        ImGui::SameLine(0, em(overlay, 0.8f));
        text(dim, "%s   %s Mpixel/s", copies, rate);
    }
}

} // namespace

const Panel panel_summary = {"summary", PLACE_STRIP, nullptr, draw};
