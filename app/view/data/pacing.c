/* pacing.c: from events to swaps. */
#include "app/view/data/pacing.h"

void pacing_event(Pacing *pacing, Heard event) {
    pacing->asked = pacing->asked.at > 0 ? pacing->asked : event;
}

void pacing_later(Pacing *pacing, Heard event) {
    pacing->later = pacing->later.at > 0 ? pacing->later : event;
}

void pacing_begin(Pacing *pacing) {
    pacing->asked = pacing->asked.at > 0 ? pacing->asked : pacing->later;
    pacing->later = (Heard){0};
}

void pacing_rest(Pacing *pacing, double ms) {
    pacing->idle += ms;
}

void pacing_swap(Pacing *pacing, double began, double at, bool answers) {
    const bool answered = answers && pacing->asked.at > 0;
    pacing->between_ms = pacing->swapped > 0 && pacing->idle < PACING_IDLE ? at - pacing->swapped : -1;
    pacing->input_ms = answered ? at - pacing->asked.at : -1;
    pacing->own_ms = answered ? began - pacing->asked.taken : -1;
    if (pacing->between_ms >= 0)
        spread_add(&pacing->between, pacing->between_ms);
    if (answered) {
        spread_add(&pacing->input, pacing->input_ms);
        spread_add(&pacing->own, pacing->own_ms);
    }
    if (answers) {
        pacing->asked = pacing->later;
        pacing->later = (Heard){0};
    }
    pacing->began = began;
    pacing->swapped = at;
    pacing->idle = 0;
}

void pacing_follow(Pacing *pacing, Heard event) {
    spread_add(&pacing->input, pacing->swapped - event.at);
    spread_add(&pacing->own, pacing->began - event.taken);
}

void pacing_forget(Pacing *pacing) {
    pacing->input = pacing->own = pacing->between = (Spread){.count = 0};
}
