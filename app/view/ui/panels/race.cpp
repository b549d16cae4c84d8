/* race.cpp: the ladder with the time of each rung, how sure that is, how far its results are from the reference's, and
 * a bar. Faster rungs have longer bars: by the logarithm, since rungs are up to a thousand times apart. */
#include <math.h>
#include <stdio.h>

#include "app/view/ui/ladder.hpp"
#include "app/view/ui/panels/panel.hpp"

extern "C" {
#include "app/view/data/spread.h"
#include "app/view/session/structure.h"
}

namespace {

bool visible(const Viewer *viewer) {
    return viewer->racing;
}

const LevelRaceLane *lane_of(const Viewer *viewer, const Level *level) {
    const LevelRace &race = viewer->session->measured.race;
    for (size_t i = 0; i < race.count; i++)
        if (race.lanes[i].level == level)
            return &race.lanes[i];
    return nullptr;
}

/* The time of one copy of the job's bytes; 0: not known. */
double copy_ms(const Viewer *viewer) {
    const Figures figures = viewer_figures(viewer);
    return figures.copies > 0 ? figures.ms / figures.copies : 0;
}

constexpr double stub = 1.6; /* a time without any bar, as a multiple of the slowest rung's */

/* The times of the longest bar and of none. */
struct Scale {
    double fast, slow;
    float place(double ms) const { return (float)(log(slow / ms) / log(slow / fast)); }
};

Scale scale_of(const Viewer *viewer) {
    const LevelRace &race = viewer->session->measured.race;
    Scale scale = {copy_ms(viewer) > 0 ? copy_ms(viewer) : INFINITY, 0};
    for (size_t i = 0; i < race.count; i++) {
        const Timing timing = viewer_level_time(viewer, race.lanes[i].level);
        scale.fast = timing.known ? fmin(scale.fast, timing.ms) : scale.fast;
        scale.slow = timing.known ? fmax(scale.slow, stub * timing.ms) : scale.slow;
    }
    return scale;
}

/* "0.81 ms ± 2 %, exact", "16.2 ms, unsteady, exact" */
void format_note(const LevelRaceLane &lane, const Timing &timing, char *buffer, size_t size) {
    char ms[32], interval[32], error[32] = "";
    spread_words(trials_interval(&lane.trials) / timing.ms, interval, sizeof interval);
    format_ms(timing.ms, ms, sizeof ms);
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
        const Scale scale = scale_of(viewer);
        const double spread = trials_interval(&lane->trials);
        format_note(*lane, timing, note.text, sizeof note.text);
        note.share = scale.place(timing.ms);
        if (isfinite(spread) && spread < timing.ms) {
            note.least = fmaxf(scale.place(timing.ms + spread), 0);
            note.most = fminf(scale.place(timing.ms - spread), 1);
        }
        if (copy_ms(viewer) > 0) {
            note.copy = scale.place(copy_ms(viewer));
            note.decade = note.copy - scale.place(10 * copy_ms(viewer));
        }
        note.tint = ink;
    } else if (lane && !rung.why_not) {
        snprintf(note.text, sizeof note.text, "…");
    }
    return note;
}

/* The instructions a pixel of each rung that was counted; `most` of them. */
double instructions(const Viewer *viewer, const Level *level) {
    const Structure *structure = session_structure(viewer->session, level);
    return structure && structure->counted ? structure->figures[FIGURE_INSTRUCTIONS] : -1;
}

double most_instructions(const Viewer *viewer) {
    const LevelRace &race = viewer->session->measured.race;
    double most = 0;
    for (size_t i = 0; i < race.count; i++)
        most = fmax(most, instructions(viewer, race.lanes[i].level));
    return most;
}

/* Without a clock: counts, and whether it agrees. A bar is as long as its instructions are many. */
LadderNote note_counts(const Viewer *viewer, const LadderRow &rung) {
    LadderNote note = ladder_note(viewer, rung);
    const Structure *structure = session_structure(viewer->session, rung.level);
    if (rung.why_not)
        return note;
    if (!structure) {
        snprintf(note.text, sizeof note.text, "…");
        return note;
    }
    char counts[96];
    structure_words(structure, counts, sizeof counts);
    snprintf(note.text, sizeof note.text, "%s%s%s",
             !structure->judged          ? "not judged"
             : structure->verdict.agrees ? "PASS"
                                         : "FAIL",
             counts[0] ? " · " : "", counts);
    const double here = instructions(viewer, rung.level);
    note.share = here > 0 ? (float)(here / most_instructions(viewer)) : 0;
    note.tint = structure->judged && !structure->verdict.agrees ? ImU32(bad) : ImU32(ink);
    return note;
}

void draw(Overlay *overlay, Viewer *viewer) {
    if (session_has_clock(viewer->session))
        ladder(overlay, viewer, "Race  lines: 1, 10, 100 copies", note_time);
    else
        ladder(overlay, viewer, "Race  by instructions", note_counts);
}

} // namespace

const Panel panel_race = {"race", PLACE_LEFT, visible, draw, true, false, true};
