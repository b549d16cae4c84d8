/* fuzz_scene.c: libFuzzer's entry into the scene formats: any text is read or refused with a reason.
 *
 *   cmake --preset sanitize && cmake --build --preset sanitize --target fuzzers
 *   mkdir -p build-sanitize/scenes
 *   build-sanitize/fuzz_scene -max_len=4096 -timeout=5 -rss_limit_mb=1024 build-sanitize/scenes SAMPLES
 *
 * The first byte chooses the format (0 is glint's own, then in the order of the table), and the text follows. From 128
 * on a line of options of particles comes before the text. SAMPLES is a folder of such files. A finding is a crash, a
 * leak or a hang of 5 s. So is a scene that differs when the text of scene_format is read. */
#include "core/scene/files/format_read.h"
#include "core/scene/files/glint.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Small, so that scenes reach the limit. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    return setenv("GLINT_MEMORY", "64K", 1);
}

static char *text_of(const Scene *scene) {
    const size_t size = scene_format(scene, NULL, 0) + 1;
    char *text = malloc(size);
    check(text && scene_format(scene, text, size) == size - 1);
    return text;
}

/* Numbers are written so that they read back the same: then their text is the same, too. */
static void there_and_back(const Scene *scene) {
    char *text = text_of(scene);
    Scene *back = NULL;
    check(scene_parse("back", text, &back) == STATUS_OK);
    check(back->count == scene->count &&
          memcmp(back->spheres, scene->spheres, scene->count * sizeof *scene->spheres) == 0);
    char *again = text_of(back);
    check(strcmp(text, again) == 0);
    free(again);
    free(text);
    scene_destroy(&back);
}

/* The options in the line at *data, which moves behind it; NULL where they make no sense. */
static ParticleOptions *read_options(const uint8_t **data, const uint8_t *end) {
    const uint8_t *newline = memchr(*data, '\n', (size_t)(end - *data)), *stop = newline ? newline : end;
    char *text = strndup((const char *)*data, (size_t)(stop - *data));
    const char *at;
    void *values;
    check(text && params_create(particle_options, &values) == STATUS_OK);
    *data = newline ? newline + 1 : end;
    if (params_parse(particle_options, "t", text, text + strlen(text), values, &at) != STATUS_OK)
        params_destroy(particle_options, &values);
    free(text);
    return values;
}

/* Reads the bytes as that format: copies of this size exactly, so that a step beyond the end is seen. */
static void read_as(const SceneFormat *format, const uint8_t *data, size_t size, const ParticleOptions *options) {
    Scene *scene = NULL;
    char *text = malloc(size + 1);
    check(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const Bytes file = {(unsigned char *)text, format->table ? size : strlen(text)};
    const Status status = scene_format_parse(format, "t", file, options, &scene);
    check((status == STATUS_OK) == (scene != NULL));
    check(status == STATUS_OK || status == STATUS_INPUT || (options && status == STATUS_USAGE));
    check(status == STATUS_OK || status_message()[0] != '\0');
    if (scene)
        there_and_back(scene);
    scene_destroy(&scene);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = data + size, first = size > 0 ? *data++ : 0;
    if (size == 0)
        return 0;
    ParticleOptions *options = first >= 128 ? read_options(&data, end) : NULL;
    read_as(scene_formats[first % scene_format_count], data, (size_t)(end - data), options);
    void *values = options;
    params_destroy(particle_options, &values);
    return 0;
}
