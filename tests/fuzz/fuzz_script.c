/* fuzz_script.c: libFuzzer's entry into the window's scripts. Any line is carried out or refused with a reason, on a
 * picture of 8 x 6 pixels, without a window. Saving finds a disk without room. Lines that wait, run for long or open
 * files elsewhere are left out. */
#include "app/backends.h"
#include "app/view/actions/dispatch.h"
#include "app/view/actions/script.h"
#include "tests/fuzz/fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZE_MAX_SCRIPT = 512 };

static char picture[] = "/tmp/glint-fuzz-XXXXXX";

static void clean(void) {
    unlink(picture);
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    unsigned char pixels[8 * 6 * 3 + 11] = "P6\n8 6\n255\n";
    for (size_t i = 11; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * 37);
    const int descriptor = mkstemp(picture);
    check(descriptor >= 0 && write(descriptor, pixels, sizeof pixels) == (ssize_t)sizeof pixels);
    close(descriptor);
    check(atexit(clean) == 0 && backends_register() == STATUS_OK);
    return setenv("GLINT_MEMORY", "64M", 1) || setenv("XDG_CONFIG_HOME", "/nowhere", 1) ||
           setenv("XDG_CACHE_HOME", "/nowhere", 1);
}

/* A window that does nothing. */
static Status nothing(void *self) {
    (void)self;
    return STATUS_OK;
}
static Status no_screenshot(void *self, const char *path) {
    (void)self, (void)path;
    return STATUS_OK;
}
static Status no_size(void *self, int width, int height) {
    viewer_resize(self, width, height);
    return STATUS_OK;
}
static Status no_drag(void *self, const char *param, double from, double to, int steps) {
    (void)self, (void)param, (void)from, (void)to, (void)steps;
    return STATUS_OK;
}
static Status work(void *self, ViewerTask *task, void *argument) {
    return task(self, argument);
}
static Status no_mouse(void *self, MouseWay way) {
    (void)self, (void)way;
    return STATUS_OK;
}
static Status no_rest(void *self, double ms) {
    (void)self, (void)ms;
    return STATUS_OK;
}

/* Whether a line takes long, or is about files. */
static bool left_out(const char *script) {
    static const char *const words[] = {"wait",   "frames", "end-after", "open",    "drop",   "scene",
                                        "record", "race",   "bench",     "tune",    "size",   "orbit",
                                        "paste",  "/",      "galaxy",    "nlmeans", "denoise"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(script, words[i]))
            return true;
    return strpbrk(script, "0123456789") && strspn(strpbrk(script, "0123456789"), "0123456789.e") > 4;
}

static void run(const char *script, size_t length) {
    Device *device = NULL;
    Viewer *viewer = NULL;
    char path[64];
    const PlanOptions options = {.border = {BORDER_CLAMP, 0}};
    const int file = memfd_create("script", MFD_CLOEXEC);
    const char *passed_over;
    check(file >= 0 && write(file, script, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    check(backend_open("cpu", 0, 1, &device, &passed_over) == STATUS_OK);
    check(viewer_create(device, 0, "gaussian=1", "best", options, &viewer) == STATUS_OK);
    viewer_resize(viewer, 320, 240);
    check(viewer_open(viewer, picture) == STATUS_OK);
    const ScriptHost host = {viewer, nothing, no_screenshot, no_size, nothing, no_drag, work, no_mouse, no_rest};
    const Status status = script_run(viewer, &host, path);
    check(status == STATUS_OK || status_message()[0] != '\0');
    viewer_destroy(&viewer);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char script[SIZE_MAX_SCRIPT + 1];
    struct rlimit before, none;
    if (size > SIZE_MAX_SCRIPT || memchr(data, '\0', size))
        return 0;
    memcpy(script, data, size);
    script[size] = '\0';
    if (left_out(script))
        return 0;
    check(getrlimit(RLIMIT_FSIZE, &before) == 0);
    none = before;
    none.rlim_cur = SIZE_MAX_SCRIPT; /* a script, no picture */
    signal(SIGXFSZ, SIG_IGN);        /* not libFuzzer's, which would call it a finding */
    check(setrlimit(RLIMIT_FSIZE, &none) == 0);
    run(script, size);
    check(setrlimit(RLIMIT_FSIZE, &before) == 0);
    return 0;
}
