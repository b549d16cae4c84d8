/* subject.c: opening and closing pictures and scenes. */
#include "app/view/session/subject.h"

#include "app/tev/live.h"
#include "app/view/session/paths.h"
#include "app/view/session/stand_in.h"
#include "core/base/timing.h"
#include "core/codec/codec.h"
#include "core/codec/lens.h"
#include "core/codec/part.h"
#include "core/device/pixel_pool.h"
#include "core/image/icc.h"
#include "core/image/opaque.h"
#include "core/run/rendering.h"
#include "core/scene/particles/legend.h"
#include "core/scene/particles/trajectory.h"
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

/* How many pictures it has, 1 where that cannot be told without reading it twice, and whether they are developed. */
static void note_file(Subject *subject) {
    CodecFile file;
    subject->in_file = 1;
    if (strcmp(subject->name, "-") == 0 || codec_open(subject->name, (Pages){.partial = true}, &file) != STATUS_OK)
        return;
    subject->in_file = file.format->load_pages ? file.measure.count : 1;
    subject->develops = file.format->develops;
    codec_close(&file);
}

/* A picture is shown without them, too. */
static void note_colours(Subject *subject, const Image *picture) {
    if (colour_space_of_picture(picture, &subject->colours.space) != STATUS_OK)
        snprintf(subject->colours_trouble, sizeof subject->colours_trouble, "%s", status_message());
    subject->colours.coded = subject->colours.space && picture->view.shape.type == PIXEL_F32 && !picture->rendered;
}

/* In words, for all places that tell it. */
static void note_part(Subject *subject, FilePart part) {
    enum { KEEP = 50 }; /* bytes of the name */
    char words[PART_WORDS], name[KEEP + 10];
    const char *slash = strrchr(subject->name, '/');
    if (part_describe(part, words, sizeof words) == 0)
        return;
    path_cut_middle(slash ? slash + 1 : subject->name, KEEP, name, sizeof name);
    snprintf(subject->ends_early, sizeof subject->ends_early, "%s %s", name, words);
}

Status subject_decode(const char *path, RawWay raw, FilePart *part, Image **picture) {
    PixelSource *before = image_source_set(&pixel_pages);
    const bool live = live_changes(path) > 0;
    const Status status = live ? live_copy(path, picture, NULL) : codec_load_part(path, raw, part, picture);
    (void)image_source_set(before);
    return status;
}

Status subject_of_picture(const char *path, Image *picture, const FilePart *part, double decode_ms, Subject **subject) {
    const Status status = make(&subject_picture, path, subject);
    Subject *made = *subject;
    if (status != STATUS_OK) {
        subject_close(subject);
        image_destroy(&picture);
        return status;
    }
    made->picture = picture;
    made->decode_ms = decode_ms;
    note_file(made);
    (void)picture_tone(picture, &made->tone); /* callers that need it ask again */
    made->tone.premultiplied = picture->premultiplied;
    exif_shot(picture->exif, &made->shot);
    note_colours(made, picture);
    note_part(made, *part);
    image_make_straight(picture); /* as it is shown */
    return STATUS_OK;
}

Status subject_open_picture(const char *path, RawWay raw, bool hdr, Subject **subject) {
    const double start = clock_ms();
    const unsigned live = live_changes(path);
    FilePart part = {0};
    Image *picture = NULL;
    *subject = NULL;
    if (live == 0)
        TRY(stand_in_decode(path, raw, &picture));
    const bool stands_in = picture != NULL;
    if (!stands_in)
        TRY(subject_decode(path, raw, &part, &picture));
    if (hdr && rendering_make(&picture) == STATUS_DEVICE) {
        image_destroy(&picture);
        return STATUS_DEVICE;
    }
    const Status status = subject_of_picture(path, picture, &part, clock_ms() - start, subject);
    if (status == STATUS_OK) {
        (*subject)->stands_in = stands_in;
        (*subject)->live = live;
    }
    return status;
}

/* ---- scenes ---- */

bool scene_is_of_light(const Scene *scene) {
    return scene->light_count > 0 || scene->sky.kind != SKY_NONE || scene->has_ground || scene->material_count > 1;
}

/* A trajectory, which the bases of its frames own together. */
typedef struct SceneRun {
    Trajectory *trajectory;
    unsigned users;
} SceneRun;

static void leave_run(SceneRun *run) {
    if (!run || --run->users > 0)
        return;
    trajectory_close(&run->trajectory);
    free(run);
}

static Status open_run(const char *name, SceneRun **run) {
    *run = calloc(1, sizeof **run);
    if (!*run)
        return fail(STATUS_DEVICE, "%s: no memory", name);
    const Status status = trajectory_open(name, &(*run)->trajectory);
    if (status != STATUS_OK) {
        free(*run);
        *run = NULL;
    }
    return status;
}

/* Keeps what figures say about the particles that were read last, if they are this base's. */
static void keep_legend(SceneBase *base) {
    const ParticleLegend *legend = particles_legend(base->scene);
    if (legend && !base->legend)
        base->legend = malloc(sizeof *base->legend);
    if (legend && base->legend)
        *base->legend = *legend;
}

/* The frame that the name chooses; `run` is that of another frame of the file, or NULL. */
static Status open_frame(const char *name, SceneRun *run, SceneBase *base) {
    if (!run)
        TRY(open_run(name, &run));
    run->users++;
    base->run = run;
    TRY(trajectory_change(run->trajectory, name));
    return trajectory_show_beside(run->trajectory, trajectory_place(name), &base->scene);
}

/* Moves the particles of a base to the frame that the name chooses. Where it has other particles, *base is another one
 * with them. */
static Status move_base(const char *name, SceneBase **base) {
    SceneBase *before = *base;
    Scene *scene = before->scene;
    TRY(trajectory_change(before->run->trajectory, name));
    TRY(trajectory_show_beside(before->run->trajectory, trajectory_place(name), &scene));
    if (scene == before->scene) {
        keep_legend(before);
        return STATUS_OK;
    }
    SceneBase *made = *base = calloc(1, sizeof *made);
    if (!made) {
        scene_destroy(&scene);
        *base = before;
        return fail(STATUS_DEVICE, "%s: no memory", name);
    }
    *made = (SceneBase){.scene = scene, .run = before->run};
    made->run->users++;
    keep_legend(made);
    return STATUS_OK;
}

static Status open_base(const char *text, SceneRun *run, SceneBase **base) {
    SceneBase *made = *base = calloc(1, sizeof *made);
    char *name = strndup(text, scene_text_base(text));
    Status status = made && name ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory", text);
    if (status == STATUS_OK)
        status = trajectory_recognize(name) ? open_frame(name, run, made) : scene_open(name, &made->scene);
    if (status == STATUS_OK)
        keep_legend(made);
    free(name);
    if (status != STATUS_OK) {
        leave_run(made ? made->run : NULL);
        free(made);
        *base = NULL;
    }
    return status;
}

static void leave_base(SceneBase *base) {
    if (!base || --base->users > 0)
        return;
    if (base->of)
        scene_copy_free(base->of->scene, &base->scene);
    scene_destroy(&base->scene);
    leave_run(base->run);
    leave_base(base->of);
    free(base->legend);
    free(base);
}

/* A copy of `of` with so many spheres. */
static Status grow_base(SceneBase *of, size_t count, SceneBase **base) {
    SceneBase *made = *base = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a scene");
    Status status = scene_copy(of->scene, &made->scene);
    while (status == STATUS_OK && made->scene->count < count)
        status = scene_add_sphere(made->scene, (Sphere){.radius = 0});
    if (status != STATUS_OK) {
        scene_copy_free(of->scene, &made->scene);
        free(made);
        *base = NULL;
        return status;
    }
    made->of = of;
    of->users++;
    return STATUS_OK;
}

/* Has the subject use a base with as many spheres as its scene has: that one before, or one of its own. */
static Status fit_base(Subject *subject, SceneBase *before) {
    SceneBase *base = before, *root = subject->base;
    if (subject->scene->count <= root->scene->count)
        return STATUS_OK;
    if (before->scene->count != subject->scene->count)
        TRY(grow_base(root, subject->scene->count, &base));
    base->users++;
    subject->base = base;
    leave_base(root);
    return STATUS_OK;
}

const SceneBase *subject_base(const Subject *subject) {
    return subject->base && subject->base->of ? subject->base->of : subject->base;
}

size_t subject_frames(const Subject *subject) {
    const SceneBase *base = subject ? subject_base(subject) : NULL;
    return base && base->run ? trajectory_frames(base->run->trajectory) : 1;
}

static void show_bodies(Scene *scene) {
    if (!scene->bodies || !scene->bodies->known)
        return;
    scene_count_move(scene);
    scene_place_bodies(scene);
}

/* `before` is the base of the same scene before, or a fresh one. Makes a copy where there are
 * changes. Moving spheres are at rest in it, as in its original; bodies are where they
 * have come to. */
static Status take_base(Subject *subject, SceneBase *before) {
    SceneBase *base = before->of ? before->of : before;
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
    TRY(scene_text_apply(subject->name, subject->scene, base->scene));
    return fit_base(subject, before);
}

static Status open_scene(const char *text, SceneRun *run, SceneBase *base, Subject **subject) {
    Status status = strlen(text) < SCENE_TEXT_MAX
                        ? make(&subject_scene, text, subject)
                        : fail(STATUS_USAGE, "the scene's name has more than %d characters", SCENE_TEXT_MAX - 1);
    if (status == STATUS_OK && !base)
        status = open_base(text, run, &base);
    if (status == STATUS_OK)
        status = take_base(*subject, base);
    if (status != STATUS_OK)
        subject_close(subject);
    return status;
}

Status subject_open_scene(const char *text, Subject **subject) {
    *subject = NULL;
    return open_scene(text, NULL, NULL, subject);
}

/* The base of a text that differs from a subject's in no more than the frame, moved there; else NULL. */
static Status find_moved(const Subject *from, const char *text, SceneBase **base) {
    char *name = strndup(text, scene_text_base(text)), *before = strndup(from->name, scene_text_base(from->name));
    Status status = STATUS_OK;
    *base = NULL;
    if (name && before && from->base->run && trajectory_same_but_for_frame(name, before)) {
        *base = from->base;
        status = move_base(name, base);
    }
    free(name);
    free(before);
    return status;
}

Status subject_change_scene(const Subject *from, const char *text, Subject **subject) {
    const size_t length = scene_text_base(text);
    const bool same = length == scene_text_base(from->name) && strncmp(text, from->name, length) == 0;
    const size_t file = scene_text_file(text);
    const bool same_file = file == scene_text_file(from->name) && strncmp(text, from->name, file) == 0;
    SceneBase *base = from->base;
    *subject = NULL;
    if (!same)
        TRY(find_moved(from, text, &base));
    if (base)
        base->users++; /* a base that was made now goes with a subject that fails */
    const Status status = open_scene(text, same_file ? subject_base(from)->run : NULL, base, subject);
    leave_base(base);
    TRY(status);
    (*subject)->exposure = from->exposure;
    (*subject)->default_exposure = from->default_exposure;
    return STATUS_OK;
}

void subject_go_back(const Subject *subject) {
    SceneBase *const before = subject && subject->scene ? subject->base : NULL, *base = before;
    if (!before || !before->run || before->of)
        return;
    (void)move_base(subject->name, &base);
    if (base != before) { /* the other frame has other particles, so that these have not moved */
        base->users++;
        leave_base(base);
    }
}

size_t subject_file(const Subject *subject, char *buffer, size_t size) {
    const size_t length = subject->scene ? scene_text_file(subject->name) : strlen(subject->name);
    return (size_t)snprintf(buffer, size, "%.*s", (int)length, subject->name);
}

void subject_close(Subject **subject) {
    Subject *old = *subject;
    if (!old)
        return;
    image_destroy(&old->picture);
    colour_space_release(&old->colours.space);
    if (old->base && old->scene != old->base->scene)
        scene_copy_free(old->base->scene, &old->scene);
    leave_base(old->base);
    free(old->name);
    free(old);
    *subject = NULL;
}
