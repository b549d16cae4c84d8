/* time.cpp: how long the job takes, and the rates that this comes to. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/session/structure.h"
}

namespace {

bool visible(const Viewer *viewer) {
    return viewer_level(viewer) && session_has_clock(viewer->session);
}

void figures_row(Overlay *overlay, const Viewer *viewer, const Figures &figures) {
    char ms[32], speedup[64], copies[32];
    format_ms(figures.ms, ms, sizeof ms);
    format_speedup(viewer, figures, speedup, sizeof speedup);
    format_copies(figures, copies, sizeof copies);
    const float top = ImGui::GetCursorPosY();
    ImGui::PushFont(overlay->figure);
    text(ink, "%s", ms);
    ImGui::PopFont();
    tip("time", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    const float below = ImGui::GetCursorPosY(), right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SetCursorPos(ImVec2(right - overlay->bold->CalcTextSizeA(overlay->bold->FontSize, 1e6f, 0, speedup).x, top));
    ImGui::PushFont(overlay->bold);
    text(accent, "%s", speedup);
    ImGui::PopFont();
    tip("speedup", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ImGui::SetCursorPos(ImVec2(right - ImGui::CalcTextSize(copies).x, top + em(overlay, 1.15f)));
    text(dim, "%s", copies);
    tip("copies", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ImGui::SetCursorPosY(below);
}

void rates_row(Overlay *overlay, const Figures &figures) {
    const struct {
        double value;
        const char *unit;
    } rates[] = {{figures.mpixels, "Mpixel/s"}, {figures.gigabytes, "GB/s"}, {figures.gigaflops, "GFLOP/s"}};
    const float spaces[] = {0, 8.0f, 14.0f}; /* ems, if the numbers leave them */
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float drop = overlay->bold->Ascent - overlay->small->Ascent; /* to the same base line */
    float end = at.x;
    for (int i = 0; i < 3 && rates[i].value > 0; i++) {
        char number[32];
        format_rate(rates[i].value, number, sizeof number);
        const float x = fmaxf(at.x + em(overlay, spaces[i]), end), size = overlay->bold->FontSize;
        const float width = overlay->bold->CalcTextSizeA(size, 1e6f, 0, number).x + em(overlay, 0.3f);
        list->AddText(overlay->bold, size, ImVec2(x, at.y), ink, number);
        list->AddText(overlay->small, overlay->small->FontSize, ImVec2(roundf(x + width), roundf(at.y + drop)), dim,
                      rates[i].unit);
        const float unit = overlay->small->CalcTextSizeA(overlay->small->FontSize, 1e6f, 0, rates[i].unit).x;
        need_up_to(overlay, x + width + unit - ImGui::GetWindowPos().x);
        tip(rates[i].unit, ImVec2(x, at.y), ImVec2(x + width + unit, at.y + size));
        end = x + width + unit + em(overlay, 0.8f);
    }
    ImGui::Dummy(ImVec2(1, overlay->bold->FontSize));
}

void draw(Overlay *overlay, Viewer *viewer) {
    char right[64];
    const Figures figures = viewer_figures(viewer);
    const char *moving = viewer_moves(viewer) ? "moving · " : "";
    if (viewer_gathers(viewer))
        snprintf(right, sizeof right, "%sa sample of all pixels · %u of %u", moving, viewer->session->progressive.done,
                 viewer->session->samples);
    else if (viewer->session->totals.count < 3)
        snprintf(right, sizeof right, "%s%s%zu run%s", moving, viewer->measuring ? "measuring · " : "",
                 viewer->session->totals.count, viewer->session->totals.count == 1 ? "" : "s");
    else
        snprintf(right, sizeof right, "%s%smedian of %zu runs", moving, viewer->measuring ? "measuring · " : "",
                 viewer->session->totals.count);
    if (!heading(overlay, "Time", viewer->session->totals.count > 0 ? right : nullptr))
        return;
    if (figures.ms > 0) {
        figures_row(overlay, viewer, figures);
        rates_row(overlay, figures);
        gap(overlay, 0.15f);
    }
}

} // namespace

const Panel panel_time = {"time", PLACE_LEFT, visible, draw, true, true};
