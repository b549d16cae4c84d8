/* page_message.c: messages of pages. */
#include "app/view/data/page_message.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MIN = 64, WIDTH_MAX = 7680, HEIGHT_MAX = 4320, PLACE_MAX = 1 << 20, SERIAL_MAX = 0x7fffffff };

typedef struct Range {
    int min, max;
} Range;

#define FLAG                                                                                                           \
    { 0, 1 }
#define PLACE                                                                                                          \
    { -PLACE_MAX, PLACE_MAX }

static const struct {
    const char *name;
    size_t count;
    Range numbers[PAGE_NUMBERS];
    bool text;
} kinds[PAGE_KINDS] = {
    [PAGE_MOVE] = {"move", 2, {PLACE, PLACE}, false},
    [PAGE_BUTTON] = {"button", 6, {{0, 2}, FLAG, PLACE, PLACE, FLAG, FLAG}, false},
    [PAGE_WHEEL] = {"wheel", 4, {{-1, 1}, PLACE, PLACE, FLAG}, false},
    [PAGE_LEAVE] = {"leave", 0, {{0, 0}}, false},
    [PAGE_KEY] = {"key", 3, {FLAG, FLAG, FLAG}, true},
    [PAGE_SIZE] = {"size", 2, {{SIDE_MIN, WIDTH_MAX}, {SIDE_MIN, HEIGHT_MAX}}, false},
    [PAGE_PASTE] = {"paste", 0, {{0, 0}}, true},
    [PAGE_TAKE] = {"take", 0, {{0, 0}}, false},
    [PAGE_SEEN] = {"seen", 1, {{0, SERIAL_MAX}}, false},
};

#undef FLAG
#undef PLACE

/* Shortest forms, no surrogates, nothing above U+10FFFF (RFC 3629). */
static bool is_utf8(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        const int more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : *at >= 0xe0 && *at < 0xf0 ? 2 : 3;
        if (more == 3 && (*at < 0xf0 || *at > 0xf4))
            return false;
        const unsigned char first = *at++;
        for (int i = 0; i < more; i++, at++) {
            const unsigned char low = i > 0 ? 0x80 : first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
            const unsigned char high = i > 0 ? 0xbf : first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
            if (*at < low || *at > high)
                return false;
        }
    }
    return true;
}

/* Reads " 12"; false if it is none, or out of range. */
static bool read_number(const char **text, Range range, int *number) {
    char *end;
    if (**text != ' ' || !((*text)[1] == '-' || ((*text)[1] >= '0' && (*text)[1] <= '9')))
        return false;
    const long read = strtol(*text + 1, &end, 10);
    *text = end;
    *number = (int)read;
    return read >= range.min && read <= range.max;
}

static bool read_rest(const char *text, PageMessage *message) {
    const int *numbers = message->numbers;
    if (text[0] != ' ' || !is_utf8(text))
        return false;
    if (message->kind == PAGE_KEY)
        return key_of_browser(text + 1, numbers[1], numbers[2], message->key);
    memmove(message->text, text + 1, strlen(text + 1) + 1);
    return true;
}

bool page_message_read(const char *bytes, size_t size, PageMessage *message) {
    if (size > PAGE_TEXT_MAX || memchr(bytes, '\0', size))
        return false;
    memcpy(message->text, bytes, size);
    message->text[size] = '\0';
    const char *text = message->text;
    const size_t name = strcspn(text, " ");
    for (int kind = 0; kind < PAGE_KINDS; kind++) {
        if (strlen(kinds[kind].name) != name || memcmp(kinds[kind].name, text, name) != 0)
            continue;
        message->kind = (PageKind)kind;
        text += name;
        for (size_t i = 0; i < kinds[kind].count; i++)
            if (!read_number(&text, kinds[kind].numbers[i], &message->numbers[i]))
                return false;
        return kinds[kind].text ? read_rest(text, message) : *text == '\0';
    }
    return false;
}
