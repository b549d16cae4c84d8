/* fuzz_frames.c: libFuzzer's entry into the index of frames. Any file has frames, each of which is read or refused with
 * a reason. The index is the same through a window of any size. A reader of the whole file gives a frame as the index
 * does, or refuses it with the same sentence, whatever is damaged.
 *
 * The first byte chooses the format, and how many bytes the smaller window has at first; the file follows. */
#include "core/base/file.h"
#include "core/scene/files/format_read.h"
#include "core/scene/particles/frames.h"
#include "core/scene/particles/trajectory.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FORMATS = 5, FRAMES = 6 /* that are tried, from the first one on */, MESSAGE = 1024 };

static const char *const extensions[FORMATS] = {"dump", "xyz", "gro", "pdb", "cif"};
static char folder[] = "/tmp/glint-fuzz-XXXXXX", paths[FORMATS][64];

static void clean(void) {
    for (size_t i = 0; i < FORMATS; i++)
        unlink(paths[i]);
    rmdir(folder);
}

/* Small, so that files reach the limit. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    check(mkdtemp(folder) != NULL && atexit(clean) == 0);
    for (size_t i = 0; i < FORMATS; i++)
        snprintf(paths[i], sizeof paths[i], "%s/t.%s", folder, extensions[i]);
    return setenv("GLINT_MEMORY", "1M", 1);
}

static void write_file(const char *path, const void *data, size_t size) {
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    check(descriptor >= 0 && write(descriptor, data, size) == (ssize_t)size && close(descriptor) == 0);
}

static bool same_index(const Frames *a, const Frames *b) {
    bool same = a->count == b->count && a->head == b->head && a->head_lines == b->head_lines;
    for (size_t i = 0; same && i <= a->count; i++)
        same = a->places[i].offset == b->places[i].offset && a->places[i].line == b->places[i].line;
    return same;
}

/* Frames follow each other, and their lines are those of the file. */
static void check_index(const Frames *frames, const uint8_t *data, size_t size) {
    check(frames->count >= 1 && frames->head <= size);
    for (size_t i = 0; i < frames->count; i++) {
        const FramePlace *place = &frames->places[i];
        check(place[0].offset <= place[1].offset && place[1].offset <= size);
        check(place->line == lines_within((const char *)data, place->offset));
    }
}

static Status read_alone(Frames *frames, size_t frame, const ParticleOptions *options, Scene **scene) {
    Bytes text;
    Extract extract;
    ParticleFrame about = {0};
    check(frames_read(frames, frame, &text, &extract) == STATUS_OK);
    const Status status = scene_format_frame(frames->format, "t", text, extract, options, &about, scene);
    particle_frame_free(&about);
    bytes_free(&text);
    return status;
}

/* As "file:frame=N" is read, which goes no further than to that frame. */
static Status read_whole(const SceneFormat *format, const uint8_t *data, size_t size, ParticleOptions *options,
                         size_t frame, Scene **scene) {
    char *text = malloc(size + 1);
    check(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    options->frame = (double)frame;
    const Status status = scene_format_parse(format, "t", (Bytes){(unsigned char *)text, size}, options, scene);
    free(text);
    return status;
}

static bool same_scene(const Scene *a, const Scene *b) {
    return a && b && a->count == b->count && memcmp(a->spheres, b->spheres, a->count * sizeof *a->spheres) == 0;
}

/* The sentence of a reader that failed. */
static void keep_message(Status status, char message[MESSAGE]) {
    snprintf(message, MESSAGE, "%s", status == STATUS_OK ? "" : status_message());
}

static void try_frames(Frames *frames, const uint8_t *data, size_t size) {
    void *values;
    check(params_create(particle_options, &values) == STATUS_OK);
    for (size_t i = 0; i < frames->count && i < FRAMES; i++) {
        Scene *alone = NULL, *whole = NULL;
        char one[MESSAGE], other[MESSAGE];
        const Status status = read_alone(frames, i + 1, values, &alone);
        keep_message(status, one);
        check((status == STATUS_OK) == (alone != NULL) && (status == STATUS_OK || one[0] != '\0'));
        check(read_whole(frames->format, data, size, values, i + 1, &whole) == status);
        keep_message(status, other);
        check(strcmp(one, other) == 0 && (!alone || same_scene(whole, alone)));
        scene_destroy(&whole);
        scene_destroy(&alone);
    }
    Scene *none = NULL;
    check(read_whole(frames->format, data, size, values, frames->count + 1, &none) == STATUS_INPUT && !none);
    params_destroy(particle_options, &values);
}

/* Places between frames, forth and back. */
static void try_places(const char *path) {
    Trajectory *trajectory;
    Scene *scene = NULL;
    check(trajectory_open(path, &trajectory) == STATUS_OK);
    const double last = (double)trajectory_frames(trajectory);
    const double places[] = {1, 1.5, 2, 2.25, last, last - 0.5, 1.5};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        check(trajectory_show(trajectory, places[i], &scene) != STATUS_OK || scene != NULL);
    trajectory_close(&trajectory);
    scene_destroy(&scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Frames frames, same;
    if (size == 0)
        return 0;
    const uint8_t first = *data++;
    const char *path = paths[first % FORMATS];
    write_file(path, data, --size);
    check(frames_open(path, &frames) == STATUS_OK);
    check(frames_open_by(path, 1 + first / FORMATS, &same) == STATUS_OK && same_index(&frames, &same));
    frames_close(&same);
    check_index(&frames, data, size);
    try_frames(&frames, data, size);
    frames_close(&frames);
    try_places(path);
    return 0;
}
