/* subject.c: opening and closing pictures and scenes. */
#include "app/view/session/subject.h"

#include "core/base/timing.h"
#include "core/codec/codec.h"
#include "core/image/icc.h"
#include "core/image/opaque.h"
#include "core/scene/scene_open.h"
#include "core/scene/scene_text.h"

#include <stdatomic.h>
#include <stdio.h>
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
    if (status == STATUS_OK) {
        Image *picture = (*subject)->picture;
        (*subject)->decode_ms = clock_ms() - start;
        (void)icc_tone(picture->profile, picture->profile_size, &(*subject)->tone); /* callers that need it ask again */
        (*subject)->tone.premultiplied = picture->premultiplied;
        image_make_straight(picture); /* as it is shown */
    } else
        subject_close(subject);
    return status;
}

/* ---- scenes ---- */

static Status open_base(const char *text, SceneBase **base) {
    SceneBase *made = *base = calloc(1, sizeof *made);
    char *name = strndup(text, scene_text_base(text));
    Status status = made && name ? scene_open(name, &made->scene) : fail(STATUS_DEVICE, "%s: no memory", text);
    free(name);
    if (status != STATUS_OK) {
        free(made);
        *base = NULL;
    }
    return status;
}

static void leave_base(SceneBase *base) {
    if (!base || --base->users > 0)
        return;
    scene_destroy(&base->scene);
    free(base);
}

static void show_bodies(Scene *scene) {
    if (!scene->bodies || !scene->bodies->known)
        return;
    scene_count_move(scene);
    scene_place_bodies(scene);
}

/* Makes a copy where there are changes. Moving spheres are at rest in it, as in its original; bodies are where they
 * have come to. */
static Status take_base(Subject *subject, SceneBase *base) {
    subject->base = base;
    base->users++;
    if (!subject->name[scene_text_base(subject->name)]) {
        subject->scene = base->scene;
        show_bodies(subject->scene);
        return STATUS_OK;
    }
    if (base->scene->swings)
        TRY(scene_move(base->scene, 0));
    TRY(scene_copy(base->scene, &subject->scene));
    show_bodies(subject->scene);
    return scene_text_apply(subject->name, subject->scene, base->scene);
}

static Status open_scene(const char *text, SceneBase *base, Subject **subject) {
    Status status = strlen(text) < SCENE_TEXT_MAX
                        ? make(&subject_scene, text, subject)
                        : fail(STATUS_USAGE, "the scene's name has more than %d characters", SCENE_TEXT_MAX - 1);
    if (status == STATUS_OK && !base)
        status = open_base(text, &base);
    if (status == STATUS_OK)
        status = take_base(*subject, base);
    if (status != STATUS_OK)
        subject_close(subject);
    return status;
}

Status subject_open_scene(const char *text, Subject **subject) {
    *subject = NULL;
    return open_scene(text, NULL, subject);
}

Status subject_change_scene(const Subject *from, const char *text, Subject **subject) {
    const size_t length = scene_text_base(text);
    const bool same = length == scene_text_base(from->name) && strncmp(text, from->name, length) == 0;
    *subject = NULL;
    TRY(open_scene(text, same ? from->base : NULL, subject));
    (*subject)->exposure = from->exposure;
    (*subject)->default_exposure = from->default_exposure;
    return STATUS_OK;
}

size_t subject_file(const Subject *subject, char *buffer, size_t size) {
    const size_t length = subject->scene ? scene_text_base(subject->name) : strlen(subject->name);
    return (size_t)snprintf(buffer, size, "%.*s", (int)length, subject->name);
}

void subject_close(Subject **subject) {
    Subject *old = *subject;
    if (!old)
        return;
    image_destroy(&old->picture);
    if (old->base && old->scene != old->base->scene)
        scene_copy_free(old->base->scene, &old->scene);
    leave_base(old->base);
    free(old->name);
    free(old);
    *subject = NULL;
}
