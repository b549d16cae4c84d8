/* words.c: letters that wait for the next one. */
#include "app/view/window/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool event_is_letter(const Event *event) {
    const unsigned char first = (unsigned char)event->key[0];
    return event->kind == EVENT_KEY && ((isalpha(first) && event->key[1] == '\0') || first >= 0x80);
}

static void keep(Words *words, const Event *event) {
    words->kept[words->count++] = *event;
}

/* Keyboards repeat a key that is held: its letter is no part of a word. */
static bool repeats(Words *words, const Event *event) {
    const bool again = strcmp(words->down, event->key) == 0;
    snprintf(words->down, sizeof words->down, "%s", event->key);
    return again;
}

static Hearing hear_release(Words *words, const Event *event) {
    if (strcmp(words->down, event->key) == 0)
        words->down[0] = '\0';
    if (words->letters == 0)
        return HEARD_APART;
    if (!event_is_letter(event) || words->count == WORD_EVENTS)
        return HEARD_AFTER;
    keep(words, event);
    return HEARD_KEPT;
}

Hearing words_hear(Words *words, const Event *event, bool keys) {
    if (event->kind == EVENT_MOVE || event->kind == EVENT_LEAVE || event->kind == EVENT_SIZE)
        return HEARD_APART;
    if (event->kind == EVENT_KEY && !event->pressed)
        return hear_release(words, event);
    if (!event_is_letter(event) || repeats(words, event) || !keys || words->count == WORD_EVENTS)
        return HEARD_AFTER;
    keep(words, event);
    words->at = event->heard.at;
    return ++words->letters == WORD_LETTERS ? HEARD_WORD : HEARD_KEPT;
}

bool words_end_before(const Words *words, const Event *event) {
    return words->letters > 0 && event->kind == EVENT_KEY && event->heard.at - words->at > WORD_MS;
}

double words_wait_ms(const Words *words, double now) {
    return words->letters > 0 ? fmax(words->at + WORD_MS - now, 0) : -1;
}

bool words_take(Words *words, Event *event) {
    if (words->count == 0)
        return false;
    *event = words->kept[0];
    memmove(words->kept, words->kept + 1, --words->count * sizeof words->kept[0]);
    words->letters -= event->pressed;
    return true;
}

void words_spell(Words *words, char text[WORD_LETTERS * KEY_MAX]) {
    size_t length = 0;
    text[0] = '\0';
    for (Event event; words_take(words, &event);)
        if (event.pressed)
            length += (size_t)snprintf(text + length, WORD_LETTERS * KEY_MAX - length, "%s", event.key);
}
