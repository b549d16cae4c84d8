/* trajectory.c: frames by their index, and particles between two. */
#include "core/scene/particles/trajectory.h"

#include "core/base/memory.h"
#include "core/base/share.h"
#include "core/scene/files/format_read.h"
#include "core/scene/particles/frames.h"
#include "core/scene/particles/legend.h"
#include "core/scene/scene_open.h"
#include "core/scene/scene_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 14 /* spheres that a thread takes at once */ };

/* Nearer to a frame than this, it is the frame. */
static const double whole = 1e-6;

/* A frame in memory. */
typedef struct Still {
    size_t frame; /* 0: none */
    Scene *scene; /* with the text's changes; NULL once it was given away */
    ParticleFrame about;
    ParticleLegend legend;
    size_t images; /* of all particles; what is behind them are the text's own spheres */
} Still;

struct Trajectory {
    char *text, *path;
    ParticleOptions *options;
    Frames frames;
    ParticleRanges ranges;
    Still stills[2]; /* of the frames between which places were asked for last */
    Still shown;     /* without a scene, which is the caller's */
    bool keeps;      /* a scene stays behind another one */
};

static void still_clear(Still *still) {
    scene_destroy(&still->scene);
    particle_frame_free(&still->about);
    *still = (Still){.frame = 0};
}

/* ---- opening ---- */

bool trajectory_recognize(const char *text) {
    char path[SCENE_TEXT_MAX];
    if (scene_text_generator(text) || !scene_text_recognize(text))
        return false;
    snprintf(path, sizeof path, "%.*s", (int)scene_text_file(text), text);
    const SceneFormat *format = scene_format_for_path(path);
    return format && format->pass;
}

static Status read_options(Trajectory *trajectory) {
    const size_t path = scene_text_file(trajectory->text), base = scene_text_base(trajectory->text);
    const char *at, *begin = trajectory->text + path + 1, *end = trajectory->text + base;
    void *values;
    TRY(params_create(particle_options, &values));
    trajectory->options = values;
    return base > path ? params_parse(particle_options, trajectory->path, begin, end, values, &at) : STATUS_OK;
}

static Status open_text(Trajectory *trajectory, const char *text) {
    trajectory->text = strdup(text);
    trajectory->path = strndup(text, scene_text_file(text));
    if (!trajectory->text || !trajectory->path)
        return fail(STATUS_DEVICE, "%s: no memory", text);
    TRY(read_options(trajectory));
    return frames_open(trajectory->path, &trajectory->frames);
}

Status trajectory_open(const char *text, Trajectory **trajectory) {
    *trajectory = calloc(1, sizeof **trajectory);
    if (!*trajectory)
        return fail(STATUS_DEVICE, "%s: no memory", text);
    const Status status = open_text(*trajectory, text);
    if (status != STATUS_OK)
        trajectory_close(trajectory);
    return status;
}

void trajectory_close(Trajectory **trajectory) {
    if (!*trajectory)
        return;
    void *options = (*trajectory)->options;
    params_destroy(particle_options, &options);
    frames_close(&(*trajectory)->frames);
    still_clear(&(*trajectory)->stills[0]);
    still_clear(&(*trajectory)->stills[1]);
    still_clear(&(*trajectory)->shown);
    free((*trajectory)->text);
    free((*trajectory)->path);
    free(*trajectory);
    *trajectory = NULL;
}

size_t trajectory_frames(const Trajectory *trajectory) {
    return trajectory->frames.count;
}

/* ---- texts ---- */

static void params_forget(ParticleOptions *options) {
    void *values = options;
    params_destroy(particle_options, &values);
}

double trajectory_place(const char *text) {
    Trajectory reading = {.text = strdup(text), .path = strndup(text, scene_text_file(text))};
    double place = 1;
    if (reading.text && reading.path && read_options(&reading) == STATUS_OK)
        place = reading.options->frame;
    params_forget(reading.options);
    free(reading.text);
    free(reading.path);
    return place;
}

/* The option of the frame in the text, or where it would stand, from a colon on; *end is behind it. */
static size_t find_frame(const char *text, size_t *end) {
    static const char name[] = ":frame=";
    const size_t path = scene_text_file(text), base = scene_text_base(text);
    char quote = '\0';
    *end = path;
    for (size_t at = path; at < base; at++) {
        quote = quote ? (text[at] == quote ? '\0' : quote) : text[at] == '\'' || text[at] == '"' ? text[at] : '\0';
        if (quote || strncmp(text + at, name, sizeof name - 1) != 0)
            continue;
        *end = at + sizeof name - 1 + strcspn(text + at + sizeof name - 1, ":,");
        return at;
    }
    return path;
}

Status trajectory_set_place(const char *text, double place, char *result) {
    size_t end;
    const size_t begin = find_frame(text, &end);
    const int length = place > 1
                           ? snprintf(result, SCENE_TEXT_MAX, "%.*s:frame=%.7g%s", (int)begin, text, place, text + end)
                           : snprintf(result, SCENE_TEXT_MAX, "%.*s%s", (int)begin, text, text + end);
    return length < SCENE_TEXT_MAX ? STATUS_OK : fail(STATUS_USAGE, "the scene's text is too long");
}

bool trajectory_same_but_for_frame(const char *a, const char *b) {
    char one[SCENE_TEXT_MAX], other[SCENE_TEXT_MAX];
    return trajectory_set_place(a, 1, one) == STATUS_OK && trajectory_set_place(b, 1, other) == STATUS_OK &&
           strcmp(one, other) == 0;
}

Status trajectory_change(Trajectory *trajectory, const char *text) {
    Trajectory changed = {.text = strdup(text), .path = trajectory->path};
    Status status = changed.text ? read_options(&changed) : fail(STATUS_DEVICE, "%s: no memory", text);
    if (status != STATUS_OK) {
        params_forget(changed.options);
        free(changed.text);
        return status;
    }
    if (!trajectory_same_but_for_frame(trajectory->text, text)) {
        still_clear(&trajectory->stills[0]);
        still_clear(&trajectory->stills[1]);
        still_clear(&trajectory->shown);
        trajectory->ranges = (ParticleRanges){.known = false};
    }
    params_forget(trajectory->options);
    free(trajectory->text);
    trajectory->options = changed.options;
    trajectory->text = changed.text;
    return STATUS_OK;
}

Status trajectory_open_scene(const char *text, Scene **scene) {
    Trajectory *trajectory;
    *scene = NULL;
    if (!trajectory_recognize(text) || trajectory_place(text) <= floor(trajectory_place(text)))
        return scene_text_open(text, scene);
    TRY(trajectory_open(text, &trajectory));
    const Status status = trajectory_show(trajectory, trajectory->options->frame, scene);
    trajectory_close(&trajectory);
    return status;
}

/* ---- reading ---- */

static size_t bytes_in_memory(const Trajectory *trajectory) {
    size_t sum = 0;
    for (int i = 0; i < 2; i++)
        if (trajectory->stills[i].scene)
            sum += scene_bytes(trajectory->stills[i].scene);
    return sum;
}

static Status read_scene(Trajectory *trajectory, size_t frame, Still *still) {
    Bytes text;
    Extract extract;
    Frames *frames = &trajectory->frames;
    TRY(frames_read(frames, frame, &text, &extract));
    Status status = memory_fits(memory_sum(bytes_in_memory(trajectory), text.size), trajectory->path);
    if (status == STATUS_OK)
        status = scene_format_frame(frames->format, trajectory->path, text, extract, trajectory->options, &still->about,
                                    &still->scene);
    bytes_free(&text);
    if (status != STATUS_OK)
        return status == STATUS_INPUT && frames->count > 1 ? fail_within(status, "frame %zu: ", frame) : status;
    still->images = still->scene->count / still->about.count;
    still->legend = *particles_legend(still->scene);
    return scene_text_apply(trajectory->text, still->scene, NULL);
}

static Status still_read(Trajectory *trajectory, size_t frame, Still *still) {
    *still = (Still){.frame = frame, .about.ranges = trajectory->ranges};
    const Status status = read_scene(trajectory, frame, still);
    trajectory->ranges = still->about.ranges;
    if (status != STATUS_OK)
        still_clear(still);
    return status;
}

/* Whether both have the same particles, in the same order. */
static bool alike(const Still *a, const Still *b) {
    const ParticleFrame *one = &a->about, *other = &b->about;
    return one->count == other->count && a->images == b->images && !one->ids == !other->ids &&
           (!one->ids || memcmp(one->ids, other->ids, one->count * sizeof *one->ids) == 0);
}

/* Keeps what is needed to tell whether the next one is alike. */
static Status note_shown(Trajectory *trajectory, const Still *still) {
    Still *shown = &trajectory->shown;
    const size_t bytes = still->about.count * sizeof *still->about.ids;
    if (shown->frame > 0 && alike(shown, still))
        return STATUS_OK;
    uint32_t *ids = still->about.ids ? malloc(bytes) : NULL;
    if (still->about.ids && !ids)
        return fail(STATUS_DEVICE, "%s: no memory for the numbers of its particles", trajectory->path);
    if (ids)
        memcpy(ids, still->about.ids, bytes);
    still_clear(shown);
    *shown = *still;
    shown->scene = NULL;
    shown->about.ids = ids;
    shown->about.bonds = (Bonds){0};
    return STATUS_OK;
}

/* Whether the scene, which was shown, has the still's particles, and as many bonds. */
static bool suits(const Trajectory *trajectory, const Still *still, const Scene *scene) {
    return scene && trajectory->shown.frame > 0 && alike(&trajectory->shown, still) &&
           scene->count == still->scene->count && scene->cylinder_count == still->scene->cylinder_count;
}

/* Gives the still's spheres to the scene that has the same particles, else the still's scene. */
static Status give(Trajectory *trajectory, Still *still, Scene **scene) {
    const bool moves = *scene && suits(trajectory, still, *scene);
    TRY(note_shown(trajectory, still));
    particles_legend_keep(&still->legend);
    if (moves) {
        Sphere *spheres = (*scene)->spheres;
        const size_t capacity = (*scene)->capacity.spheres;
        (*scene)->spheres = still->scene->spheres;
        (*scene)->capacity.spheres = still->scene->capacity.spheres;
        still->scene->spheres = spheres;
        still->scene->capacity.spheres = capacity;
        const size_t bonds = still->scene->cylinder_count * sizeof *still->scene->cylinders;
        if (bonds > 0) /* in place: copies of the scene borrow them */
            memcpy((*scene)->cylinders, still->scene->cylinders, bonds);
        (*scene)->moves++;
    } else {
        if (!trajectory->keeps)
            scene_destroy(scene);
        *scene = still->scene;
        still->scene = NULL;
    }
    return STATUS_OK;
}

static Status show_frame(Trajectory *trajectory, size_t frame, Scene **scene) {
    Still still;
    TRY(still_read(trajectory, frame, &still));
    const Status status = give(trajectory, &still, scene);
    still_clear(&still);
    return status;
}

/* ---- between frames ---- */

/* The frame, kept in memory, and not in the place of `other`. */
static Status keep(Trajectory *trajectory, size_t frame, size_t other, Still **kept) {
    Still *stills = trajectory->stills;
    for (int i = 0; i < 2; i++)
        if (stills[i].frame == frame) {
            *kept = &stills[i];
            return STATUS_OK;
        }
    *kept = &stills[stills[0].frame == other && other > 0];
    still_clear(*kept);
    return still_read(trajectory, frame, *kept);
}

typedef struct Mix {
    const Still *from, *to;
    const uint32_t *partners; /* of the particles of `from`, in `to`; NULL: their own numbers */
    double share;
    bool wraps; /* into the box */
    double inverse[3][3];
    Sphere *spheres;
} Mix;

static const uint32_t nobody = UINT32_MAX;

/* By both lists of numbers, which rise. STATUS_DEVICE. */
static Status find_partners(const Still *from, const Still *to, uint32_t **partners) {
    const size_t count = from->about.count;
    const uint32_t *ids = from->about.ids, *others = to->about.ids;
    *partners = malloc(count * sizeof **partners);
    if (!*partners)
        return fail(STATUS_DEVICE, "no memory to find %zu particles in the next frame", count);
    for (size_t i = 0, k = 0; i < count; i++) {
        while (k < to->about.count && ids && others && others[k] < ids[i])
            k++;
        const bool found = ids && others && k < to->about.count && others[k] == ids[i];
        (*partners)[i] = found ? (uint32_t)k : nobody;
    }
    return STATUS_OK;
}

/* The box between two frames, in the words for figures. */
static void mix_legends(const Mix *mix) {
    ParticleLegend legend = mix->from->legend;
    const Box *from = &mix->from->legend.box, *to = &mix->to->legend.box;
    for (int i = 0; i < 3 && legend.has_box && mix->to->legend.has_box; i++) {
        legend.box.corner[i] = from->corner[i] + mix->share * (to->corner[i] - from->corner[i]);
        for (int k = 0; k < 3; k++)
            legend.box.sides[i][k] = from->sides[i][k] + mix->share * (to->sides[i][k] - from->sides[i][k]);
    }
    particles_legend_keep(&legend);
}

/* The nearest image of a way, along the periodic sides. */
static void shorten(const Mix *mix, double way[3]) {
    const Box *box = &mix->from->about.box;
    for (int i = 0; i < 3; i++) {
        double share = 0;
        for (int k = 0; k < 3; k++)
            share += way[k] * mix->inverse[k][i];
        const double sides = box->open[i] ? 0 : nearbyint(share);
        for (int k = 0; k < 3; k++)
            way[k] -= sides * box->sides[i][k];
    }
}

/* How far a place lies outside of the box, in whole periodic sides. */
static void wrap(const Mix *mix, const Sphere *sphere, double back[3]) {
    const Box *box = &mix->from->about.box;
    const double at[3] = {(double)sphere->x - box->corner[0], (double)sphere->y - box->corner[1],
                          (double)sphere->z - box->corner[2]};
    for (int i = 0; i < 3; i++) {
        double share = 0;
        for (int k = 0; k < 3; k++)
            share += at[k] * mix->inverse[k][i];
        for (int k = 0; k < 3; k++)
            back[k] -= (box->open[i] ? 0 : floor(share)) * box->sides[i][k];
    }
}

static void mix_sphere(const Mix *mix, const Sphere *from, const Sphere *to, Sphere *sphere) {
    const float share = (float)mix->share;
    double way[3] = {(double)to->x - (double)from->x, (double)to->y - (double)from->y, (double)to->z - (double)from->z};
    if (mix->from->about.is_periodic)
        shorten(mix, way);
    sphere->x = (float)((double)from->x + mix->share * way[0]);
    sphere->y = (float)((double)from->y + mix->share * way[1]);
    sphere->z = (float)((double)from->z + mix->share * way[2]);
    sphere->radius = from->radius + share * (to->radius - from->radius);
    sphere->red = from->red + share * (to->red - from->red);
    sphere->green = from->green + share * (to->green - from->green);
    sphere->blue = from->blue + share * (to->blue - from->blue);
}

/* Particles, of each their images. */
static void mix_piece(const void *job, size_t piece) {
    const Mix *mix = job;
    const ParticleFrame *from = &mix->from->about, *to = &mix->to->about;
    const size_t end = (piece + 1) * PIECE < from->count ? (piece + 1) * PIECE : from->count;
    for (size_t i = piece * PIECE; i < end; i++) {
        const uint32_t partner = mix->partners ? mix->partners[i] : (uint32_t)i;
        double back[3] = {0};
        for (size_t image = 0; image < mix->from->images; image++) {
            Sphere *sphere = &mix->spheres[image * from->count + i];
            const Sphere *begin = &mix->from->scene->spheres[image * from->count + i];
            *sphere = *begin;
            if (partner == nobody || image >= mix->to->images)
                continue;
            mix_sphere(mix, begin, &mix->to->scene->spheres[image * to->count + partner], sphere);
            if (mix->wraps && image == 0)
                wrap(mix, sphere, back);
            sphere->x += (float)back[0];
            sphere->y += (float)back[1];
            sphere->z += (float)back[2];
        }
    }
}

static Status mix_frames(Trajectory *trajectory, const Still *from, const Still *to, double share, Scene *scene) {
    uint32_t *partners = NULL;
    const ParticleFrame *about = &from->about;
    Mix mix = {.from = from, .to = to, .share = share, .spheres = scene->spheres};
    if (!alike(from, to))
        TRY(find_partners(from, to, &partners));
    mix.partners = partners;
    mix.wraps = about->is_periodic && trajectory->options->wrap > 0;
    if (about->is_periodic)
        box_invert(&about->box, mix.inverse);
    share_pieces((about->count + PIECE - 1) / PIECE, mix_piece, &mix);
    free(partners);
    const size_t first = about->count * from->images; /* of the text's own spheres, which stay as they are */
    memcpy(scene->spheres + first, from->scene->spheres + first, (from->scene->count - first) * sizeof *scene->spheres);
    bonds_move(&about->bonds, from->scene, scene);
    mix_legends(&mix);
    scene->moves++;
    return STATUS_OK;
}

static Status show_between(Trajectory *trajectory, size_t frame, double share, Scene **scene) {
    Still *from, *to;
    TRY(keep(trajectory, frame, frame + 1, &from));
    TRY(keep(trajectory, frame + 1, frame, &to));
    if (!suits(trajectory, from, *scene))
        TRY(show_frame(trajectory, frame, scene));
    return mix_frames(trajectory, from, to, share, *scene);
}

/* The still of that frame, if it is kept. */
static const Still *find_kept(const Trajectory *trajectory, size_t frame, const Scene *scene) {
    for (int i = 0; scene && i < 2; i++)
        if (trajectory->stills[i].frame == frame && suits(trajectory, &trajectory->stills[i], scene))
            return &trajectory->stills[i];
    return NULL;
}

static Status show(Trajectory *trajectory, double place, Scene **scene) {
    const double below = floor(place + whole), share = place - below;
    const size_t frame = below >= 1 && below < 0x1p32 ? (size_t)below : 0;
    const Still *kept = find_kept(trajectory, frame, *scene);
    if (share > whole)
        return show_between(trajectory, frame, share, scene);
    return kept ? mix_frames(trajectory, kept, kept, 0, *scene) : show_frame(trajectory, frame, scene);
}

Status trajectory_show(Trajectory *trajectory, double place, Scene **scene) {
    TRY(show(trajectory, place, scene));
    particles_legend_pass(*scene);
    return STATUS_OK;
}

Status trajectory_show_beside(Trajectory *trajectory, double place, Scene **scene) {
    trajectory->keeps = true;
    const Status status = trajectory_show(trajectory, place, scene);
    trajectory->keeps = false;
    return status;
}
