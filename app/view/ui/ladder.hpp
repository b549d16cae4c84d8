/* ladder.hpp: the rungs of a ladder as rows, each with a note; levels, race and strip show them. */
#ifndef GLINT_APP_VIEW_UI_LADDER_HPP
#define GLINT_APP_VIEW_UI_LADDER_HPP

#include "app/view/ui/widgets.hpp"

/* A note at the right of a rung. */
struct LadderNote {
    char text[160];
    ImU32 tint;
    float share;       /* of the room, that a bar takes behind it; 0: none */
    float least, most; /* between which that lies, for sure to 95 %; 0: not known */
    float copy;        /* where the bar of one copy would end; 0: not known */
    float decade;      /* from there to that of ten copies */
};

/* A heading, the highest rung first, then the idea of the one that runs and its advantage over the one below. A click
 * runs another. */
void ladder(Overlay *overlay, Viewer *viewer, const char *words,
            LadderNote (*note)(const Viewer *viewer, const LadderRow &rung));
/* Why a rung cannot do the job, or which one "best" took. */
LadderNote ladder_note(const Viewer *viewer, const LadderRow &rung);
/* Explains the rung under the pointer, and why it is faster than the one below it. */
void ladder_tooltip(const Viewer *viewer, const LadderRow &rung);

#endif
