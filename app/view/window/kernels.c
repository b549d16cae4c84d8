/* kernels.c: looks at kernel files often, since their writers wait. */
#include "app/view/window/kernels.h"

#include "app/view/tools/kernel_files.h"
#include "app/view/window/background.h"
#include "core/base/timing.h"
#include "kernel/rungs.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define LOOK_MS 25.0 /* from look to look; two that find a file alike take it */

static Status reload_task(Viewer *viewer, void *index) {
    TRY(kernel_file_reload(*(const size_t *)index));
    viewer_forget_kernels(viewer);
    return STATUS_OK;
}

/* When the file was written, by clock_ms. */
static double saved_at(const char *path) {
    struct timespec now;
    struct stat file;
    if (stat(path, &file) != 0)
        return clock_ms();
    clock_gettime(CLOCK_REALTIME, &now);
    return clock_ms() - 1e3 * difftime(now.tv_sec, file.st_mtim.tv_sec) -
           1e-6 * (double)(now.tv_nsec - file.st_mtim.tv_nsec);
}

static void follow(Glut *glut, size_t index, const char *path) {
    const char *slash = strrchr(path, '/');
    kernel_files_note_saved(glut->viewer, saved_at(path));
    if (background_request(glut, reload_task, &index) == STATUS_OK)
        viewer_say(glut->viewer, false, "%s is compiled", slash ? slash + 1 : path);
    else /* of the file, not of a script's command */
        viewer_say(glut->viewer, true, "%s", status_message());
    kernel_files_follow(glut->viewer);
    screen_touch(&glut->screen);
}

double kernels_wait_ms(const Glut *glut) {
    return kernel_file_at(0) ? fmax(glut->kernels_looked + LOOK_MS - clock_ms(), 0) : -1;
}

void kernels_follow(Glut *glut) {
    const char *path;
    if (kernels_wait_ms(glut) > 0)
        return;
    glut->kernels_looked = clock_ms();
    for (size_t i = 0; glut->id && (path = kernel_file_at(i)); i++)
        if (kernel_file_changed(i))
            follow(glut, i, path);
    kernel_files_follow(glut->viewer);
}
