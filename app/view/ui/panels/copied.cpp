/* copied.cpp: the filters that were copied, with a tick at each that is pasted. */
#include <stdio.h>
#include <string.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/actions/dispatch.h"
#include "app/view/data/labels.h"
#include "app/view/session/strip.h"
#include "app/view/tools/copied.h"
}

namespace {

bool visible(const Viewer *viewer) {
    return copied_is_open(viewer) && viewer_picture(viewer);
}

/* The numbers of the ticks, where that of one filter has turned. */
void ask_tick(Viewer *viewer, size_t turned) {
    char line[4 * CHAIN_MAX] = "";
    for (size_t i = 0; i < copied_chain(viewer)->count; i++)
        if (copied_ticked(viewer, i) != (i == turned)) {
            const size_t length = strlen(line);
            snprintf(line + length, sizeof line - length, "%s%zu", length > 0 ? " " : "", i + 1);
        }
    action_ask(viewer, action_by_name("tick-edits"), line[0] ? line : "none");
}

void tick_row(Viewer *viewer, size_t link) {
    char words[160], label[LABEL_MAX];
    Chain one = {};
    one.count = 1;
    one.links[0] = copied_chain(viewer)->links[link];
    bool ticked = copied_ticked(viewer, link);
    chain_format(&one, words, sizeof words);
    title_of_filter(one.links[0].filter->name, label);
    ImGui::PushID((int)link);
    if (ImGui::Checkbox("##tick", &ticked))
        ask_tick(viewer, link);
    ImGui::SameLine();
    shorten(ImGui::GetFont(), ImGui::GetContentRegionAvail().x, label, sizeof label);
    text(ticked ? ink : dim, "%s", label);
    if (ImGui::IsItemHovered())
        say_tip("%s", words);
    ImGui::PopID();
}

void draw(Overlay *overlay, Viewer *viewer) {
    char from[64], button[64];
    const Chain *chain = copied_chain(viewer);
    const size_t selected = strip_selection(viewer);
    snprintf(from, sizeof from, "of %s", copied_from(viewer));
    if (!heading(overlay, "Copied edits", from))
        return;
    for (size_t i = 0; i < chain->count; i++)
        tick_row(viewer, i);
    if (chain->count == 0)
        wrapped(dim, "No filter: pasted, it takes all filters of a picture away.");
    if (selected > 1)
        snprintf(button, sizeof button, "Paste onto %zu pictures", selected);
    else
        snprintf(button, sizeof button, "Paste onto %s picture", selected == 1 ? "the selected" : "this");
    if (ImGui::Button(button))
        action_ask(viewer, action_by_name("paste-edits"), nullptr);
    if (ImGui::IsItemHovered())
        say_tip(chain->count > 1
                    ? "All ticked: the copy takes the place of the filters there. Else each takes the place of "
                      "a filter of its name, or goes behind."
                    : "The copy takes the place of the filters there.");
    ImGui::SameLine();
    if (ImGui::Button("Close"))
        copied_close(viewer);
}

} // namespace

const Panel panel_copied = {"copied", PLACE_LEFT, visible, draw, false, false, true};
