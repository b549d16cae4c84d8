/* fuzz_scene.c: libFuzzer's entry into the scene formats: any text is read or refused with a reason.
 *
 *   cmake --preset sanitize && cmake --build --preset sanitize --target fuzzers
 *   mkdir -p build-sanitize/scenes
 *   build-sanitize/fuzz_scene -max_len=4096 -timeout=5 -rss_limit_mb=1024 build-sanitize/scenes SAMPLES
 *
 * The first byte chooses the format (0 is glint's own, then in the order of the table), and the text follows. SAMPLES
 * is a folder of such files. A finding is a crash, a leak or a hang of 5 s. So is a scene that differs when the text of
 * scene_format is read. */
#include "core/scene/files/formats.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Scene *scene = NULL;
    if (size == 0)
        return 0;
    char *text = malloc(size); /* of this size exactly, so that a step beyond the end is seen */
    check(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const Status status = scene_format_parse(scene_formats[data[0] % scene_format_count], "t",
                                             (Bytes){(unsigned char *)text, strlen(text)}, &scene);
    check((status == STATUS_OK) == (scene != NULL));
    check(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0] != '\0'));
    if (scene)
        there_and_back(scene);
    scene_destroy(&scene);
    free(text);
    return 0;
}
