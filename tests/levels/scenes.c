/* scenes.c: scenes, and plans that trace them. */
#include "tests/levels/scenes.h"
#include "core/scene/files/glint.h"
#include "core/scene/look.h"
#include "core/scene/scene_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Plan *plan_of(const Scene *scene, const char *sight, Look look, Shape shape) {
    Plan *plan;
    int out;
    TraceJob job = {.scene = scene, .look = look, .sampling = {0, 2, 3, looks[look].depth}};
    REQUIRE(camera_parse(sight, &job.camera));
    REQUIRE(plan_create((PlanOptions){0}, &plan));
    REQUIRE(plan_trace(plan, job, (TraceOptions){.exposure = 1}, shape, &out));
    return plan;
}

void check_sights(Bench *benches, Scene *(*make)(int kind, size_t count), int kinds) {
    static const char *const sights[] = {"orthographic=unit=4", "perspective=z=900",
                                         "perspective=angle=80:x=9:y=4:z=20", "random"};
    static const size_t counts[] = {1, 40, 6000};
    const Shape shapes[] = {{113, 71, 4, PIXEL_U8}, {31, 17, 3, PIXEL_U8}};
    for (int kind = 0; kind < kinds; kind++)
        for (size_t n = is_quick() ? 1 : 0; n < (is_quick() ? 2 : sizeof counts / sizeof counts[0]); n++)
            for (size_t c = 0; c < sizeof sights / sizeof sights[0]; c++) {
                Scene *scene = make(kind, counts[n]);
                Plan *plan;
                int out;
                TraceJob job = {.scene = scene, .look = (Look)((n + c + (size_t)kind) % LOOK_NODES)};
                REQUIRE(camera_parse(sights[c], &job.camera));
                REQUIRE(plan_create((PlanOptions){0}, &plan));
                REQUIRE(plan_trace(plan, job, (TraceOptions){.exposure = 1}, shapes[counts[n] > 1000], &out));
                check_plan(benches, plan);
                scene_destroy(&scene);
            }
}

Scene *open_seen(const char *text, Camera *camera) {
    Scene *scene;
    REQUIRE(scene_text_open(text, &scene));
    *camera = camera_default();
    camera->unit = 16;
    if (scene->has_viewpoint)
        REQUIRE(camera_from(scene->viewpoint, camera));
    return scene;
}

Scene *degenerate_scene(Degenerate kind, size_t count) {
    enum { LINE_LENGTH_MAX = 120 };
    Pcg pcg = pcg_seed(9, kind);
    char *text = malloc(count * LINE_LENGTH_MAX + LINE_LENGTH_MAX);
    assert_non_null(text);
    int used = sprintf(text, "glint-scene 1\n");
    for (size_t i = 0; i < count; i++) {
        float at[3], radius = 4 + 4 * pcg_float(&pcg);
        for (int a = 0; a < 3; a++)
            at[a] = 200 * pcg_float(&pcg) - 100;
        if (kind == ALIKE || kind == CONCENTRIC) {
            at[0] = 3, at[1] = -7, at[2] = 11;
            radius = kind == ALIKE ? 20 : 0.01F * (float)(1 + i * 7919 % count);
        } else if (kind == LINE) {
            at[1] = 5, at[2] = 0;
        } else if (kind == FAR_AWAY && i == 0) {
            at[0] = 1e9F, radius = 1e6F;
        } else if (kind == POINTS && i % 3) {
            radius = 0;
        } else if (kind == ALL_SIZES) {
            radius = i % 1000 == 0 ? 50 : ldexpf(1e-6F, (int)draw(&pcg, 22));
        }
        used += sprintf(text + used, "sphere %.9g %.9g %.9g %.9g 1 1 1\n", (double)at[0], (double)at[1], (double)at[2],
                        (double)radius);
    }
    Scene *scene;
    REQUIRE(scene_parse("degenerate", text, &scene));
    free(text);
    return scene;
}
