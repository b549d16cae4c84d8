/* race.cpp: the ladder with the time of each rung, how sure that is, how far its results are from the reference's, and
 * a bar that is the longer the faster it is. */
#include <math.h>
#include <stdio.h>

#include "app/view/ladder.hpp"
#include "app/view/panels/panel.hpp"

namespace {

bool visible(const Viewer *viewer) {
    return viewer->racing;
}

const LevelRaceLane *lane_of(const Viewer *viewer, const Level *level) {
    const LevelRace &race = viewer->session.measured.race;
    for (size_t i = 0; i < race.count; i++)
        if (race.lanes[i].level == level)
            return &race.lanes[i];
    return nullptr;
}

/* What one copy of the job's bytes takes; 0: not known. */
double copy_ms(const Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    return figures.copies > 0 ? figures.ms / figures.copies : 0;
}

/* The time of the longest bar. */
double fastest(const Viewer *viewer) {
    const LevelRace &race = viewer->session.measured.race;
    double least = copy_ms(viewer);
    for (size_t i = 0; i < race.count; i++) {
        const Timing timing = viewer_level_time(viewer, race.lanes[i].level);
        if (timing.known && (!(least > 0) || timing.ms < least))
            least = timing.ms;
    }
    return least;
}

/* "0.81 ms ± 2 %, exact" */
void format_note(const LevelRaceLane &lane, const Timing &timing, char *buffer, size_t size) {
    char ms[32], interval[32] = "", error[32] = "";
    const double spread = trials_interval(&lane.trials) / timing.ms;
    format_ms(timing.ms, ms, sizeof ms);
    if (isfinite(spread))
        snprintf(interval, sizeof interval, spread < 0.0095 ? " ± %.1f %%" : " ± %.0f %%", 100 * spread);
    if (lane.error > 0)
        snprintf(error, sizeof error, ", off by %.2g", lane.error);
    else if (lane.error >= 0)
        snprintf(error, sizeof error, ", exact");
    snprintf(buffer, size, "%s%s%s%s", timing.estimated ? "≈ " : "", ms, interval, error);
}

LadderNote note_time(const Viewer *viewer, const LadderRow &rung) {
    LadderNote note = ladder_note(viewer, rung);
    const LevelRaceLane *lane = lane_of(viewer, rung.level);
    const Timing timing = viewer_level_time(viewer, rung.level);
    if (lane && timing.known) {
        const double longest = fastest(viewer), spread = trials_interval(&lane->trials);
        format_note(*lane, timing, note.text, sizeof note.text);
        note.share = (float)(longest / timing.ms);
        if (isfinite(spread) && spread < timing.ms) {
            note.least = (float)(longest / (timing.ms + spread));
            note.most = (float)(longest / (timing.ms - spread));
        }
        if (copy_ms(viewer) > 0)
            note.copy = (float)(longest / copy_ms(viewer));
        note.tint = ink;
    } else if (lane && !rung.why_not) {
        snprintf(note.text, sizeof note.text, "…");
    }
    return note;
}

void draw(Overlay *overlay, Viewer *viewer) {
    ladder(overlay, viewer, "RACE  longer is faster; the line: one copy", note_time);
}

} // namespace

const Panel panel_race = {"race", PLACE_LEFT, visible, draw};
