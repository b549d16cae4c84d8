/* serve.c: screenshots, copies for other programs, films of before and after. */
#include "app/view/window/serve.h"

#include "app/say.h"
#include "app/view/session/paths.h"
#include "app/view/window/background.h"
#include "app/view/window/camera_film.h"
#include "app/view/window/command_line.h"
#include "app/view/window/draw.h"
#include "app/view/window/filming.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIPE_SECONDS 3.0

static Status finish_task(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_finish(viewer);
}

Status serve_screenshot(Glut *glut, const char *path, bool overwrite) {
    for (int i = 0; i < SETTLING_BUILDS; i++) {
        background_settle(glut);
        TRY(background_request(glut, finish_task, NULL));
        if (!glut->id)
            return fail(STATUS_INTERRUPTED, "the window was closed");
        glut->screen.input.still = true; /* fonts come first */
        screen_build(&glut->screen);
        glut->screen.input.still = false;
    }
    glut->system->kind->begin_draw(glut->system);
    return screen_capture(&glut->screen, path, overwrite);
}

static Status copy_command_line(Glut *glut) {
    char line[2 * PATH_CAPACITY];
    if (chain_format(glut->viewer->request->chain, NULL, 0) >= PATH_CAPACITY) /* a part of a mask is another mask */
        return fail(STATUS_USAGE, "the chain is too long for a command line; a mask may be in a file: file=PATH");
    command_line_format(glut->viewer, line, sizeof line);
    say(stdout, "%s", line);
    fflush(stdout);
    TRY(glut->system->kind->offer_text(glut->system, line));
    viewer_say(glut->viewer, false, "Copied: %s", line);
    return STATUS_OK;
}

static Status copy_path(Glut *glut) {
    char path[PATH_CAPACITY], told[PATH_CAPACITY];
    (void)subject_file(glut->viewer->session->subject, path, sizeof path);
    char *whole = realpath(path, NULL);
    const char *line = whole ? whole : path;
    Status status = glut->system->kind->offer_text(glut->system, line);
    say(stdout, "%s", line);
    fflush(stdout);
    if (status == STATUS_OK)
        viewer_say(glut->viewer, false, "Copied the path: %s", path_told(line, told, sizeof told));
    free(whole);
    return status;
}

static Status encode_task(Viewer *viewer, void *png) {
    return viewer_encode_result(viewer, png);
}

static Status copy_image(Glut *glut) {
    Bytes png = {0};
    background_settle(glut);
    TRY(background_request(glut, encode_task, &png));
    viewer_say(glut->viewer, false, "Copied the image: %.1f MB as PNG", (double)png.size / 1e6);
    glut->system->kind->offer_image(glut->system, png);
    return STATUS_OK;
}

/* The part of the picture that the window shows, in whole pixels. */
static Area part_of_picture(const Viewer *viewer) {
    const Viewport at = viewer_viewport(viewer);
    const Shape shape = viewer_shown_shape(viewer);
    const double left = fmax(ceil(at.x), 0), top = fmax(ceil(at.y), 0);
    const double right = fmin(floor(at.x + (double)shape.width * at.scale), viewer->width);
    const double bottom = fmin(floor(at.y + (double)shape.height * at.scale), viewer->height);
    return (Area){left, top, right - left, bottom - top};
}

/* From one side of the picture to the other and back, slowly at both. */
static Status wipe_over(Glut *glut, Area part) {
    const int steps = (int)(WIPE_SECONDS * glut->viewer->rate);
    Status status = STATUS_OK;
    for (int i = 0; i < steps && status == STATUS_OK && glut->recording; i++) {
        const double share = 0.5 - 0.5 * cos(2 * M_PI * i / steps);
        glut->viewer->split = (part.x + share * part.width) / glut->viewer->width;
        background_rest(glut, 0);
        background_take_events(glut);
        if (!glut->id)
            return fail(STATUS_INTERRUPTED, "the window was closed");
        status = draw_frame(glut);
    }
    return status;
}

/* Before and after, without panels. */
static Status wipe(Glut *glut, const char *path, bool overwrite) {
    Viewer *viewer = glut->viewer;
    const struct {
        Compare compare;
        OverlayMode overlay;
        double split;
    } was = {viewer->compare, viewer->overlay, viewer->split};
    background_settle(glut);
    TRY(background_request(glut, finish_task, NULL));
    viewer->compare = COMPARE_SPLIT;
    if (!glut->id || !viewer_shows_split(viewer)) {
        char why[160];
        viewer_why_apart(viewer, why, sizeof why);
        viewer->compare = was.compare;
        return fail(STATUS_USAGE, "%s%s", why[0] ? "can't compare: " : "there is no before and after: ",
                    why[0] ? why : "open a picture and pick a filter");
    }
    viewer->overlay = OVERLAY_OFF;
    viewer->toast.text[0] = '\0';
    for (int i = 0; i < SETTLING_BUILDS; i++)
        screen_build(&glut->screen);
    const Area part = part_of_picture(viewer);
    Status status = part.width >= 1 && part.height >= 1 ? filming_begin(glut, path, part, overwrite)
                                                        : fail(STATUS_USAGE, "nothing of the picture is in the window");
    if (status == STATUS_OK)
        status = wipe_over(glut, part);
    viewer->compare = was.compare;
    viewer->overlay = was.overlay;
    viewer->split = was.split;
    screen_touch(&glut->screen);
    const Status ended = glut->recording ? filming_end(glut, false) : STATUS_OK;
    return status == STATUS_OK ? ended : status;
}

Status serve_requests(Glut *glut) {
    System *system = glut->system;
    WindowRequests *asked = glut->viewer->requests, requests = *asked;
    *asked = (WindowRequests){.quit = requests.quit};
    glut->viewer->full_screen = system->kind->full_screen(system, requests.toggle_fullscreen);
    if (requests.copy_command)
        TRY(copy_command_line(glut));
    if (requests.copy_path)
        TRY(copy_path(glut));
    if (requests.copy_image)
        TRY(copy_image(glut));
    if (requests.forget_latency)
        pacing_forget(glut->viewer->pacing);
    if (requests.paste)
        system->kind->ask_text(system);
    if (requests.stop_recording)
        TRY(filming_end(glut, false));
    if (requests.record[0] && requests.along > 0)
        TRY(camera_film(glut, requests.record, requests.along, requests.replaces));
    else if (requests.record[0])
        TRY(requests.wipe ? wipe(glut, requests.record, requests.replaces)
                          : filming_begin(glut, requests.record, (Area){0}, requests.replaces));
    if (requests.screenshot[0]) {
        TRY(serve_screenshot(glut, requests.screenshot, false));
        viewer_say_file(glut->viewer, "Screenshot saved to", requests.screenshot, "");
    }
    return STATUS_OK;
}
