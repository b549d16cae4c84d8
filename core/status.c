/* status.c: the thread's last failure text. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[1024];

Status fail(Status status, const char *format, ...) {
    char text[sizeof message]; /* an argument may point into the old message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(message, text, sizeof message);
    return status;
}

Status fail_within(Status status, const char *format, ...) {
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    const int prefix = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (prefix >= 0 && (size_t)prefix < sizeof text) {
        const size_t room = sizeof text - (size_t)prefix;
        const size_t length = strnlen(message, room - 1);
        memcpy(text + prefix, message, length);
        text[(size_t)prefix + length] = '\0';
    }
    memcpy(message, text, sizeof message);
    return status;
}

const char *status_message(void) {
    return message;
}
