/* status.c: the thread's last failure text. */
#include "core/base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WHOLE = 16384 }; /* two paths and the fault with them */

static _Thread_local char message[1024];

static bool continues(char letter) { /* within a character of UTF-8 */
    return ((unsigned char)letter & 0xC0) == 0x80;
}

/* A text that is too long loses its middle: the fault stands at its end. */
static void keep(const char *text) {
    static const char gap[] = " ... ";
    const size_t length = strlen(text);
    if (length < sizeof message) {
        memcpy(message, text, length + 1);
        return;
    }
    size_t head = sizeof message / 2, tail = length - (sizeof message - head - sizeof gap);
    while (head > 0 && continues(text[head]))
        head--;
    while (continues(text[tail]))
        tail++;
    memcpy(message, text, head);
    memcpy(message + head, gap, sizeof gap - 1);
    memcpy(message + head + sizeof gap - 1, text + tail, length - tail + 1);
}

Status fail(Status status, const char *format, ...) {
    char text[WHOLE]; /* an argument may point into the old message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    keep(text);
    return status;
}

Status fail_within(Status status, const char *format, ...) {
    char text[WHOLE];
    va_list arguments;
    va_start(arguments, format);
    const int prefix = vsnprintf(text, sizeof text - sizeof message, format, arguments);
    va_end(arguments);
    if (prefix >= 0)
        strcat(text, message);
    keep(text);
    return status;
}

const char *status_message(void) {
    return message;
}
