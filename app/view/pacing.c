/* pacing.c: from events to swaps. */
#include "app/view/pacing.h"

void pacing_event(Pacing *pacing, double at) {
    pacing->asked = pacing->asked > 0 ? pacing->asked : at;
}

void pacing_later(Pacing *pacing, double at) {
    pacing->later = pacing->later > 0 ? pacing->later : at;
}

void pacing_begin(Pacing *pacing) {
    pacing->asked = pacing->asked > 0 ? pacing->asked : pacing->later;
    pacing->later = 0;
}

void pacing_rest(Pacing *pacing, double ms) {
    pacing->idle += ms;
}

void pacing_swap(Pacing *pacing, double at, bool answers) {
    pacing->between_ms = pacing->swapped > 0 && pacing->idle < PACING_IDLE ? at - pacing->swapped : -1;
    pacing->input_ms = answers && pacing->asked > 0 ? at - pacing->asked : -1;
    if (pacing->between_ms >= 0)
        spread_add(&pacing->between, pacing->between_ms);
    if (pacing->input_ms >= 0)
        spread_add(&pacing->input, pacing->input_ms);
    if (answers) {
        pacing->asked = pacing->later;
        pacing->later = 0;
    }
    pacing->swapped = at;
    pacing->idle = 0;
}

void pacing_follow(Pacing *pacing, double since) {
    spread_add(&pacing->input, pacing->swapped - since);
}

void pacing_forget(Pacing *pacing) {
    pacing->input = pacing->between = (Spread){.count = 0};
}
