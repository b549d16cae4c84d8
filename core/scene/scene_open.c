/* scene_open.c: generators and files by name. */
#include "core/scene/scene_open.h"

#include "core/base/file.h"
#include "core/base/memory.h"
#include "core/scene/files/format_read.h"
#include "core/scene/generators/scenes.h"
#include "core/scene/sky.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* ---- files ---- */

static Status load_sky(const char *name, Scene *scene) {
    char path[4096];
    const size_t used = scene_bytes(scene), max = memory_budget(), length = scene_sky_path(scene, path, sizeof path);
    if (length >= sizeof path)
        return fail(STATUS_INPUT, "%s: the path of its sky has %zu characters, want %zu at most", name, length,
                    sizeof path - 1);
    return length > 0 ? sky_load(path, max > used ? max - used : 0, &scene->sky_image) : STATUS_OK;
}

static Status read_file(const SceneFormat *format, const char *path, Bytes *file) {
    char *text;
    if (format->binary)
        return file_read(path, file);
    TRY(file_read_text(path, &text));
    *file = (Bytes){(unsigned char *)text, strlen(text)};
    return STATUS_OK;
}

static Status load_particles(const SceneFormat *format, const char *path, const char *assignments, Scene **scene) {
    void *values;
    const char *at;
    Input input;
    TRY(params_create(particle_options, &values));
    Status status =
        assignments ? params_parse(particle_options, path, assignments, assignments + strlen(assignments), values, &at)
                    : STATUS_OK;
    if (status == STATUS_OK && (status = input_open(path, &input)) == STATUS_OK)
        status = scene_format_read(format, &input, values, scene);
    params_destroy(particle_options, &values);
    return status;
}

static Status scene_load(const char *path, const char *assignments, Scene **scene) {
    const SceneFormat *named = scene_format_for_path(path), *format = named ? named : scene_formats[0];
    Bytes file;
    if (format->table)
        return load_particles(format, path, assignments, scene);
    if (assignments)
        return fail(STATUS_USAGE, "%s: takes no options behind a colon, which files of particles have", path);
    TRY(read_file(format, path, &file));
    Status status = scene_format_parse(format, path, file, NULL, scene);
    if (status == STATUS_OK)
        status = load_sky(path, *scene);
    if (status != STATUS_OK)
        scene_destroy(scene);
    bytes_free(&file);
    return status;
}

/* ---- generators ---- */

static const SceneGenerator *generator_of(const char *text) {
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < scene_generator_count; i++)
        if (strlen(scene_generators[i]->name) == length && strncmp(scene_generators[i]->name, text, length) == 0)
            return scene_generators[i];
    return NULL;
}

static Status scene_generate(const SceneGenerator *generator, const char *assignments, Scene **scene) {
    void *values;
    const char *at;
    size_t count = 0;
    TRY(params_create(generator->table, &values));
    Status status = STATUS_OK;
    if (assignments)
        status = params_parse(generator->table, generator->name, assignments, assignments + strlen(assignments), values,
                              &at);
    if (status == STATUS_OK)
        status = generator->count(values, &count);
    if (status == STATUS_OK)
        status = scene_create(generator->name, count, scene);
    if (status == STATUS_OK)
        status = generator->generate(values, *scene);
    if (status != STATUS_OK)
        scene_destroy(scene);
    params_destroy(generator->table, &values);
    return status;
}

static Status no_such_generator(const char *name, size_t length) {
    char known[256] = "";
    for (size_t i = 0; i < scene_generator_count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", scene_generators[i]->name);
    return fail(STATUS_USAGE, "no scene \"%.*s\"; there is %s, or the name of a file", (int)length, name, known);
}

Status scene_open(const char *text, Scene **scene) {
    *scene = NULL;
    const SceneGenerator *generator = generator_of(text);
    const char *equals = strchr(text, '=');
    if (generator)
        return scene_generate(generator, equals ? equals + 1 : NULL, scene);
    const size_t length = scene_path_length(text);
    if (length == 0 && equals)
        return no_such_generator(text, (size_t)(equals - text));
    if (length == 0 || text[length] == '\0')
        return scene_load(text, NULL, scene);
    char *path = strndup(text, length);
    const Status status =
        path ? scene_load(path, text + length + 1, scene) : fail(STATUS_DEVICE, "%s: no memory", text);
    free(path);
    return status;
}

size_t scene_path_length(const char *text) {
    const size_t all = strlen(text);
    char path[PATH_BYTES];
    if (scene_format_for_path(text))
        return all;
    for (size_t length = strcspn(text, ":"); length < all; length += 1 + strcspn(text + length + 1, ":"))
        if (snprintf(path, sizeof path, "%.*s", (int)length, text) < PATH_BYTES && scene_format_for_path(path))
            return length;
    return 0;
}

bool scene_recognize(const char *text) {
    return generator_of(text) || scene_path_length(text) > 0;
}
