/* subject.c: opening and closing what is looked at. */
#include "app/view/subject.h"

#include "core/codec.h"
#include "core/timing.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const SubjectKind *const subject_kinds[SUBJECTS] = {&subject_picture, &subject_scene};

static Status make(const SubjectKind *kind, const char *name, Subject **subject) {
    static atomic_uint serial;
    Subject *made = *subject = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "%s: no memory", name);
    *made = (Subject){.kind = kind, .name = strdup(name), .serial = atomic_fetch_add(&serial, 1) + 1};
    return made->name ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory", name);
}

Status subject_open_picture(const char *path, Subject **subject) {
    const double start = clock_ms();
    Status status = make(&subject_picture, path, subject);
    if (status == STATUS_OK)
        status = codec_load(path, &(*subject)->picture);
    if (status == STATUS_OK)
        (*subject)->decode_ms = clock_ms() - start;
    else
        subject_close(subject);
    return status;
}

Status subject_open_scene(const char *text, Subject **subject) {
    Status status = make(&subject_scene, text, subject);
    if (status == STATUS_OK)
        status = scene_open(text, &(*subject)->scene);
    if (status != STATUS_OK)
        subject_close(subject);
    return status;
}

void subject_close(Subject **subject) {
    Subject *old = *subject;
    if (!old)
        return;
    image_destroy(&old->picture);
    scene_destroy(&old->scene);
    free(old->name);
    free(old);
    *subject = NULL;
}
