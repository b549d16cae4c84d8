/* race.cpp: the ladder with the time of each rung, and a bar that is the longer the faster it is. */
#include <stdio.h>

#include "app/view/ladder.hpp"
#include "app/view/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->racing;
}

bool has_lane(const Viewer *viewer, const Level *level) {
    bool has = false;
    for (size_t i = 0; i < viewer->session.measured.race.count; i++)
        has |= viewer->session.measured.race.lanes[i].level == level;
    return has;
}

double fastest_lane(const Viewer *viewer) {
    double fastest = 0;
    for (size_t i = 0; i < viewer->session.measured.race.count; i++) {
        const Timing timing = viewer_level_time(viewer, viewer->session.measured.race.lanes[i].level);
        if (timing.known && (!(fastest > 0) || timing.ms < fastest))
            fastest = timing.ms;
    }
    return fastest;
}

LadderNote note_time(const Viewer *viewer, const LadderRow &rung) {
    LadderNote note = ladder_note(viewer, rung);
    if (!has_lane(viewer, rung.level))
        return note;
    const Timing timing = viewer_level_time(viewer, rung.level);
    if (timing.known) {
        char ms[32];
        format_ms(timing.ms, ms, sizeof ms);
        snprintf(note.text, sizeof note.text, "%s%s", timing.estimated ? "≈ " : "", ms);
        note.share = (float)(fastest_lane(viewer) / timing.ms);
        note.tint = ink;
    } else if (!rung.why_not) {
        snprintf(note.text, sizeof note.text, "…");
    }
    return note;
}

void draw(Overlay *overlay, Viewer *viewer) {
    ladder(overlay, viewer, "RACE  longer is faster", note_time);
}

} // namespace

const Panel panel_race = {"race", PLACE_LEFT, visible, draw};
