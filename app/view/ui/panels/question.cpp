/* question.cpp: a question over the window, with a button for each answer. */
#include <math.h>

#include "app/view/ui/controls.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/question.h"
}

namespace {

constexpr float width_ems = 26.0f;

/* Nothing beneath takes a click. */
void cover(const Viewer *viewer) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2((float)viewer->width, (float)viewer->height));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, rgba(0, 0, 0, 130));
    ImGui::Begin("below the question", nullptr, box_flags);
    ImGui::SetWindowFocus();
    ImGui::End();
    ImGui::PopStyleColor();
}

/* The button that Return presses stands out. */
void answer_button(const Overlay *overlay, Viewer *viewer, size_t which) {
    const Question &question = viewer->ui->question;
    const char *words = question.answers[which].words;
    if (button(overlay, which == question.chosen ? BUTTON_PRIMARY : BUTTON_PLAIN, words, nullptr, words))
        report(viewer, question_answer(viewer, which));
}

bool visible(const Viewer *viewer) {
    return question_open(viewer);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const ImVec2 middle((float)viewer->width / 2, (float)viewer->height / 2);
    const float width = fminf(em(overlay, width_ems), (float)viewer->width - em(overlay, 1.0f));
    cover(viewer);
    ImGui::SetNextWindowPos(middle, 0, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, (float)viewer->height));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, solid_glass);
    ImGui::Begin("question", nullptr, box_flags | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::SetWindowFocus();
    wrapped(ink, viewer->ui->question.words);
    gap(overlay, 0.3f);
    for (size_t i = 0; i < viewer->ui->question.count && question_open(viewer); i++) {
        if (i > 0)
            ImGui::SameLine();
        answer_button(overlay, viewer, i);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

const Panel panel_question = {"question", PLACE_TOP, visible, draw};
