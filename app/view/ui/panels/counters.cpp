/* counters.cpp: in place of times on an emulated GPU: the verdict on the level, counts, and the line with most of each.
 */
#include <stdio.h>

#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/session/near.h"
#include "app/view/session/structure.h"
}

namespace {

bool visible(const Viewer *viewer) {
    return viewer_level(viewer) && !session_has_clock(viewer->session);
}

void format_figure(StructureFigure figure, double value, char *buffer, size_t size) {
    if (figure == FIGURE_LANES)
        snprintf(buffer, size, "%.0f %%", value);
    else if (figure == FIGURE_INSTRUCTIONS)
        snprintf(buffer, size, value < 100 ? "%.1f" : "%.0f", value);
    else
        snprintf(buffer, size, "%.2f", value);
}

/* "1.25   line 12" */
void figure_row(Overlay *overlay, const Structure *structure, StructureFigure figure) {
    char value[32], words[64];
    const int line = structure->lines[figure];
    if (structure->figures[figure] < 0)
        return;
    format_figure(figure, structure->figures[figure], value, sizeof value);
    snprintf(words, sizeof words, line > 0 ? "%s   line %d" : "%s", value, line);
    fact(overlay, ink, structure_names[figure], "%s", words);
}

void verdict_row(Overlay *overlay, const Structure *structure) {
    const Verdict &verdict = structure->verdict;
    char words[160];
    ImGui::PushFont(overlay->bold);
    fact(overlay, verdict.agrees ? accent : bad, "against the reference", "%s", verdict.agrees ? "PASS" : "FAIL");
    ImGui::PopFont();
    if (verdict.agrees)
        return;
    snprintf(words, sizeof words, "off by up to %.3g where %.3g is allowed, on %zu of %zu values", verdict.worst,
             verdict.allowed, verdict.differing, verdict.values);
    ImGui::PushFont(overlay->small);
    wrapped(dim, words);
    ImGui::PopFont();
}

/* The part of the picture that was made, where that is not all. */
void part_row(Overlay *overlay, const Viewer *viewer) {
    const Shape shape = viewer_shown_shape(viewer);
    const Near *near = structure_holds(viewer->session) ? near_shown(viewer->session) : nullptr;
    if (near)
        fact(overlay, ink, "made", "%zu × %zu of %zu × %zu", near->part.width, near->part.height, shape.width,
             shape.height);
}

void draw(Overlay *overlay, Viewer *viewer) {
    const Structure *structure = session_structure(viewer->session, viewer_level(viewer));
    char right[64] = "";
    if (structure && structure->judged)
        snprintf(right, sizeof right, "of %zu × %zu pixels", structure->width, structure->height);
    if (!heading(overlay, "Counters", right[0] ? right : nullptr))
        return;
    part_row(overlay, viewer);
    if (structure && structure->judged)
        verdict_row(overlay, structure);
    for (int i = 0; structure && structure->counted && i < STRUCTURE_FIGURES; i++)
        figure_row(overlay, structure, (StructureFigure)i);
    ImGui::PushFont(overlay->small);
    if (!structure)
        wrapped(dim, viewer->session->has_result || viewer->session->stale ? "Counting …" : "No run has ended.");
    else if (!structure->judged)
        wrapped(dim, "This level is not to be had on a part of the picture.");
    wrapped(dim, "An emulated GPU has no clock: nothing here is a time.");
    ImGui::PopFont();
}

} // namespace

const Panel panel_counters = {"counters", PLACE_LEFT, visible, draw, true};
