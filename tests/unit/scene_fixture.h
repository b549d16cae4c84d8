/* scene_fixture.h: scenes by their text, compared, and the message when one fails. */
#ifndef GLINT_TESTS_UNIT_SCENE_FIXTURE_H
#define GLINT_TESTS_UNIT_SCENE_FIXTURE_H

#include "core/scene/files/format_read.h"
#include "core/scene/files/glint.h"
#include "core/scene/scene_open.h"
#include "tests/check.h"

#include <string.h>

static inline Scene *open_scene(const char *text) {
    Scene *scene = NULL;
    if (scene_open(text, &scene) != STATUS_OK)
        fail_msg("scene \"%s\": %s", text, status_message());
    return scene;
}

static inline void assert_message_has(const char *part) {
    if (!strstr(status_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), part);
}

static inline Bytes bytes_of(const char *text) {
    return (Bytes){(unsigned char *)(uintptr_t)text, strlen(text)};
}

static inline Scene *parse_as(const char *format, const char *text) {
    Scene *scene = NULL;
    char path[16];
    snprintf(path, sizeof path, "t.%s", format);
    if (scene_format_parse(scene_format_for_path(path), "t", bytes_of(text), NULL, &scene) != STATUS_OK)
        fail_msg("%s: %s", format, status_message());
    return scene;
}

static inline void assert_refused(const char *format, const char *text, const char *message) {
    Scene *scene = (Scene *)&scene;
    char path[16];
    snprintf(path, sizeof path, "t.%s", format);
    if (scene_format_parse(scene_format_for_path(path), "t", bytes_of(text), NULL, &scene) != STATUS_INPUT)
        fail_msg("taken: %s", text);
    assert_null(scene);
    assert_message_has(message);
}

static inline char *text_of(const Scene *scene) {
    const size_t size = scene_format(scene, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    assert_int_equal(scene_format(scene, text, size), size - 1);
    assert_int_equal(strlen(text), size - 1);
    return text;
}

static inline void assert_same_scene(const Scene *a, const Scene *b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->spheres, b->spheres, a->count * sizeof *a->spheres);
    assert_int_equal(a->triangle_count, b->triangle_count);
    if (a->triangle_count)
        assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
    assert_int_equal(a->cylinder_count, b->cylinder_count);
    if (a->cylinder_count)
        assert_memory_equal(a->cylinders, b->cylinders, a->cylinder_count * sizeof *a->cylinders);
    assert_int_equal(a->material_count, b->material_count);
    assert_memory_equal(a->materials, b->materials, a->material_count * sizeof *a->materials);
    assert_int_equal(a->light_count, b->light_count);
    if (a->light_count)
        assert_memory_equal(a->lights, b->lights, a->light_count * sizeof *a->lights);
    assert_int_equal(a->has_ground, b->has_ground);
    assert_memory_equal(&a->ground, &b->ground, sizeof a->ground);
    assert_memory_equal(&a->sky, &b->sky, sizeof a->sky);
    assert_string_equal(a->sky_file ? a->sky_file : "", b->sky_file ? b->sky_file : "");
    assert_int_equal(a->has_viewpoint, b->has_viewpoint);
    assert_memory_equal(&a->viewpoint, &b->viewpoint, sizeof a->viewpoint);
}

#endif
