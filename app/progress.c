/* progress.c: the bar. */
#include "app/progress.h"

#include "core/base/timing.h"

#include <stdarg.h>
#include <unistd.h>

#define BETWEEN_MS 100.0 /* two drawings */

Progress progress_begin(const CommonOptions *common) {
    return (Progress){.shown = isatty(STDERR_FILENO) && !common->quiet, .start = clock_ms()};
}

static void draw_time(double ms) {
    const long seconds = (long)(ms / 1e3 + 0.5), hours = seconds / 3600;
    if (hours > 0)
        fprintf(stderr, "%ld:%02ld:%02ld", hours, seconds / 60 % 60, seconds % 60);
    else
        fprintf(stderr, "%ld:%02ld", seconds / 60, seconds % 60);
}

void progress_draw(Progress *progress, double share, const char *format, ...) {
    enum { WIDTH = 30 };
    const double now = clock_ms(), passed = now - progress->start;
    if (!progress->shown || (progress->drawn > 0 && now - progress->drawn < BETWEEN_MS))
        return;
    const int filled = (int)(share * WIDTH);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r\033[K[%.*s%.*s] ", filled, "##############################", WIDTH - filled,
            "..............................");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("  ", stderr);
    draw_time(passed);
    if (share > 0) {
        fputs(", ", stderr);
        draw_time(passed * (1 - share) / share);
        fputs(" left", stderr);
    }
    progress->drawn = now;
}

void progress_tell(Progress *progress, bool at_once, const char *format, ...) {
    const double now = clock_ms();
    if (!progress->shown || (!at_once && progress->drawn > 0 && now - progress->drawn < BETWEEN_MS))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("  ", stderr);
    draw_time(now - progress->start);
    progress->drawn = now;
}

void progress_wipe(Progress *progress) {
    if (progress->shown && progress->drawn > 0)
        fputs("\r\033[K", stderr);
    progress->drawn = 0;
}
