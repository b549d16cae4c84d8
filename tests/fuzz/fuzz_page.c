/* fuzz_page.c: libFuzzer's entry into the messages of pages that show the window in a browser. Any bytes are refused,
 * or are events that the window can hold. In the end, no hand holds anything.
 *
 * The input's lines are messages; the first byte of each says which of the pages sends it. */
#include "app/view/window/audience.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static PageMessage message; /* too large for a stack */

static void check_events(Events *events) {
    Event event;
    while (events_take(events, &event)) {
        check(event.kind <= EVENT_LEAVE);
        if (event.kind == EVENT_KEY)
            check(event.key[0] != '\0' && memchr(event.key, '\0', KEY_MAX));
        if (event.kind == EVENT_BUTTON)
            check(event.button >= 0 && event.button < MOUSE_BUTTONS);
        if (event.kind == EVENT_SIZE)
            check(event.x > 0 && event.y > 0);
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Audience audience;
    Events events = {.count = 0};
    audience_begin(&audience);
    for (unsigned i = 0; i < 3; i++)
        audience_join(&audience, i);
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t length = end ? (size_t)(end - data) : size;
        if (length > 0 && page_message_read((const char *)data + 1, length - 1, &message))
            audience_hear(&audience, data[0] % 3, &message, &events);
        check_events(&events);
        size -= end ? length + 1 : length;
        data = end ? end + 1 : data;
    }
    for (unsigned i = 0; i < 3; i++)
        audience_leave(&audience, i, &events);
    check_events(&events);
    check(audience.steerer == -1 && audience.count == 0 && audience.held_count == 0);
    return 0;
}
