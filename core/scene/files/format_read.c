/* format_read.c: scenes of files, by their formats. */
#include "core/scene/files/format_read.h"

#include "core/base/memory.h"
#include "core/base/pages.h"
#include "core/scene/particles/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The folder of a path with its slash, or "". */
static Status folder_of(const char *path, char **folder) {
    const char *slash = strrchr(path, '/');
    *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
    return *folder ? STATUS_OK : fail(STATUS_DEVICE, "%s: no memory for the name of its folder", path);
}

/* A scene of that name without anything in it. */
static Status create(const char *name, Scene **scene) {
    TRY(scene_create(name, 0, scene));
    const Status status = folder_of(name, &(*scene)->folder);
    if (status != STATUS_OK)
        scene_destroy(scene);
    return status;
}

static Status read_particles(const SceneFormat *format, Particles *particles, const ParticleOptions *options,
                             ParticleFrame *frame, Scene **scene) {
    TRY(create(particles->name, scene));
    Status status = format->table(particles);
    if (status == STATUS_OK)
        status = particles_spheres(particles, options, frame, *scene);
    particles_clear(particles);
    if (status != STATUS_OK)
        scene_destroy(scene);
    return status;
}

Status scene_format_frame(const SceneFormat *format, const char *name, Bytes text, Extract extract,
                          const ParticleOptions *options, ParticleFrame *frame, Scene **scene) {
    Particles particles = {.name = name, .file = text, .extract = extract};
    return read_particles(format, &particles, options, frame, scene);
}

/* Reads a file of which only the head is in memory. Pages behind it, which nobody writes, take no memory. */
static Status read_late(const SceneFormat *format, Input *input, const ParticleOptions *options, Scene **scene) {
    LateRows late = {input, input->bytes.size};
    Particles particles = {.name = input->name, .late = &late};
    TRY(memory_fits(input->size, input->name));
    unsigned char *bytes = malloc(input->size + 1);
    if (!bytes)
        return fail(STATUS_DEVICE, "%s: no memory to read it", input->name);
    pages_hint(bytes, input->size + 1);
    memcpy(bytes, input->bytes.data, late.held);
    bytes[input->size] = '\0';
    particles.file = (Bytes){bytes, input->size};
    const Status status = read_particles(format, &particles, options, NULL, scene);
    free(bytes);
    return status;
}

/* Reads the frame that the options choose. */
static Status read_chosen(const SceneFormat *format, Input *input, const ParticleOptions *options, Scene **scene) {
    Bytes text;
    Extract extract;
    const char *const name = input->name;
    const double frame = options->frame;
    if (frame > floor(frame)) {
        input_close(input);
        return fail(STATUS_USAGE, "%s: frame is %.9g, want a whole number", name, frame);
    }
    if (frame == 1 && input->seekable && input->bytes.size < input->size && format->is_head &&
        format->is_head(input->bytes)) {
        const Status status = read_late(format, input, options, scene);
        input_close(input);
        return status;
    }
    TRY(frames_take(format, input, (size_t)frame, &text, &extract));
    const Status status = scene_format_frame(format, name, text, extract, options, NULL, scene);
    bytes_free(&text);
    return status;
}

Status scene_format_read(const SceneFormat *format, Input *input, const ParticleOptions *options, Scene **scene) {
    void *defaults = NULL;
    *scene = NULL;
    if (!options)
        TRY(params_create(particle_options, &defaults));
    const Status status = read_chosen(format, input, options ? options : defaults, scene);
    params_destroy(particle_options, &defaults);
    return status;
}

static Status parse(const SceneFormat *format, const char *name, Bytes file, Scene **scene) {
    TRY(create(name, scene));
    const Status status = format->parse(name, file, *scene);
    if (status != STATUS_OK)
        scene_destroy(scene);
    return status;
}

Status scene_format_parse(const SceneFormat *format, const char *name, Bytes file, const ParticleOptions *options,
                          Scene **scene) {
    Input input = input_of(file);
    input.name = name;
    return format->table ? scene_format_read(format, &input, options, scene) : parse(format, name, file, scene);
}
