/* toast.c: messages that go away by themselves. */
#include "app/view/session/paths.h"
#include "app/view/session/viewer.h"

#include <stdarg.h>
#include <stdio.h>

#define TOAST_MS 6000.0

void viewer_say(Viewer *viewer, bool error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(viewer->toast.text, sizeof viewer->toast.text, format, arguments);
    va_end(arguments);
    viewer->toast.error = error;
    viewer->toast.kind = TOAST_NOTE;
    viewer->toast.until = clock_ms() + TOAST_MS;
}

void viewer_say_file(Viewer *viewer, const char *words, const char *path, const char *rest) {
    char told[PATH_CAPACITY];
    viewer_say(viewer, false, "%s %s%s", words, path_told(path, told, sizeof told), rest);
}

void viewer_answer(Viewer *viewer, ToastKind kind, Status status) {
    if (status != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
        viewer->toast.kind = kind;
    } else if (viewer->toast.kind == kind) {
        viewer->toast.text[0] = '\0';
        viewer->toast.kind = TOAST_NOTE;
    }
}
