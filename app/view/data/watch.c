/* watch.c: looks at a file's times and sizes. */
#include "app/view/data/watch.h"

#include "core/base/timing.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>

enum { LOST_LOOKS = 2 };

static double age_s(const struct stat *file) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return difftime(now.tv_sec, file->st_mtim.tv_sec) + 1e-9 * (double)(now.tv_nsec - file->st_mtim.tv_nsec);
}

bool watch_look(Watch *watch, const char *path, unsigned serial, double reading_s) {
    struct stat now;
    if (!watch->on || watch_waits_ms(watch) > 0)
        return false;
    watch->looked = clock_ms();
    const bool there = stat(path, &now) == 0 && S_ISREG(now.st_mode);
    watch->missed = there ? 0 : watch->missed + 1;
    if (!there)
        return watch->there = false; /* programs that save by renaming bring it back */
    const bool first = watch->of != serial;
    const bool still = !first && watch->there && file_identity_same(file_identity(&now), watch->last);
    if (first)
        watch->other = age_s(&now) < reading_s;
    else if (!still)
        watch->other = true;
    watch->of = serial;
    watch->there = true;
    watch->last = file_identity(&now);
    if (!watch->other || !still)
        return false;
    watch->other = false;
    return true;
}

bool watch_lost(Watch *watch) {
    const bool lost = watch->missed == LOST_LOOKS;
    watch->missed += lost;
    return lost;
}

double watch_waits_ms(const Watch *watch) {
    return watch->on ? fmax(watch->looked + WATCH_MS - clock_ms(), 0) : -1;
}
