/* saving.cpp: how far a picture is that waits for its samples, or a change of many pictures, with a way to give it up.
 */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/dear_imgui.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/session/paths.h"
#include "app/view/tools/bulk.h"
#include "app/view/tools/save_after.h"
}

namespace {

constexpr float wide_ems = 20.0f, high_ems = 1.7f, above_ems = 7.6f; /* the bar; above the window's lower edge */

/* The work that goes on. */
struct Work {
    double share = 0;
    char words[96] = "", path[PATH_CAPACITY] = "";
    const char *stop = nullptr; /* the action that gives it up; nullptr: nothing goes on */
};

void words_of(const SaveProgress &progress, char *words, size_t size) {
    const int length = snprintf(words, size, "%u of %u samples", progress.done, progress.samples);
    const double seconds = progress.seconds;
    if (seconds >= 1)
        snprintf(words + length, size - (size_t)length, " · %.0f %s left", seconds < 120 ? seconds : seconds / 60,
                 seconds < 120 ? "s" : "minutes");
}

Work work_of(const Viewer *viewer) {
    Work work;
    SaveProgress progress;
    const char *doing;
    size_t done, count;
    if (bulk_goes_on(viewer, &doing, &done, &count)) {
        snprintf(work.words, sizeof work.words, "%s: %zu of %zu pictures", doing, done, count);
        work.share = (double)done / (double)count;
        work.stop = "stop-changes";
    } else if (save_after_waits(viewer, &progress)) {
        words_of(progress, work.words, sizeof work.words);
        path_told(progress.path, work.path, sizeof work.path);
        work.share = progress.share;
        work.stop = "stop-save-after";
    }
    return work;
}

bool visible(const Viewer *viewer) {
    return work_of(viewer).stop && !viewer_has_page(viewer);
}

/* Above the place of messages. */
void draw(Overlay *overlay, Viewer *viewer) {
    const Area area = viewer->area;
    const Work work = work_of(viewer);
    if (!work.stop)
        return;
    const float width = fminf(em(overlay, wide_ems), (float)area.width - em(overlay, 8.0f));
    const ImVec2 size(fmaxf(width, em(overlay, 4.0f)), em(overlay, high_ems));
    ImGui::SetNextWindowPos(ImVec2(roundf((float)(area.x + area.width / 2)),
                                   roundf((float)(area.y + area.height) - em(overlay, above_ems))),
                            0, ImVec2(0.5f, 0.5f));
    ImGui::Begin("saving", nullptr,
                 box_flags | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoScrollbar);
    box_ground(false);
    ImGui::ProgressBar((float)work.share, size, work.words);
    ImGui::SameLine();
    if (ImGui::Button("Cancel (Esc)", ImVec2(0, size.y)))
        action_ask(viewer, action_by_name(work.stop), nullptr);
    if (work.path[0]) {
        ImGui::PushFont(overlay->small);
        text(dim, "%s", work.path);
        ImGui::PopFont();
    }
    const ImVec2 at = ImGui::GetWindowPos(), all = ImGui::GetWindowSize();
    overlay->columns[COLUMN_SAVE] = {(double)at.x, (double)at.y, (double)all.x, (double)all.y};
    ImGui::End();
}

} // namespace

const Panel panel_saving = {"saving", PLACE_PICTURE, visible, draw};
