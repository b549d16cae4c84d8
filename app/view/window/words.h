/* words.h: letters that follow each other, told apart: keys of actions, or a word that is typed.
 * A letter waits for the next one. Alone it is a key; WORD_LETTERS in a row are the beginning of a word, and none of
 * them has done anything. */
#ifndef GLINT_APP_VIEW_WINDOW_WORDS_H
#define GLINT_APP_VIEW_WINDOW_WORDS_H

#include "app/view/window/events.h"

#define WORD_MS 150.0 /* between two letters of a word: hands that press keys of actions take longer */
enum { WORD_LETTERS = 3, WORD_EVENTS = 2 * WORD_LETTERS };

typedef struct Words {
    Event kept[WORD_EVENTS]; /* presses and releases of letters, in their order */
    size_t count, letters;   /* letters: presses among them */
    double at;               /* when the last one was pressed, clock_ms */
    char down[KEY_MAX];      /* the letter that is held; "": none */
} Words;

typedef enum Hearing {
    HEARD_APART, /* it is not about letters: it happens now, whatever waits */
    HEARD_AFTER, /* it happens once the letters that wait have had their effects */
    HEARD_KEPT,  /* it waits */
    HEARD_WORD   /* it was kept, and the letters that wait begin a word */
} Hearing;

bool event_is_letter(const Event *event);
/* Takes an event. `keys`: letters are keys of actions now; where they are not, none waits. */
Hearing words_hear(Words *words, const Event *event, bool keys);
/* Whether the event is too late to belong to the letters that wait. */
bool words_end_before(const Words *words, const Event *event);
/* The ms from `now`, clock_ms, until the letters that wait are keys; negative: none waits. */
double words_wait_ms(const Words *words, double now);
/* Takes the oldest event that waits; false if there is none. */
bool words_take(Words *words, Event *event);
/* Forgets what waits; `text` becomes the letters. */
void words_spell(Words *words, char text[WORD_LETTERS * KEY_MAX]);

#endif
