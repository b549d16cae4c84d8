/* test_path.c: paths of light among a few spheres: laws of physics about them whatever the noise. */
#include "tests/unit/path_fixture.h"

#include "core/scene/sky.h"
#include "core/stage/point.h"

static const Ray downwards = {{0.3f, 0.2f, 50}, {0, 0, -1}, 0, HIT_NONE, INFINITY};

/* In a furnace that shines alike from everywhere, a surface that reflects all light cannot be seen. One that reflects
 * half of it shines half as bright. This holds for every material but rough metal, whose facets hide a part of each
 * other's light. */
static void furnace_hides_white_spheres(void **state) {
    (void)state;
    for (int kind = MATERIAL_DIFFUSE; kind <= MATERIAL_GLASS; kind++) {
        Scene *scene = scene_of("glint-scene 1\nsphere 0 0 0 10 1 1 1\n");
        uint32_t material;
        assert_int_equal(scene_add_material(scene,
                                            (Material){.kind = (MaterialKind)kind,
                                                       .diffuse = kind == MATERIAL_DIFFUSE,
                                                       .specular = 1,
                                                       .refraction = 1.5f,
                                                       .transmittance = 1},
                                            &material),
                         STATUS_OK);
        scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = {1, 1, 1}, .zenith = {1, 1, 1}};
        scene->spheres[0].material = material;
        const Vec white = light_along(scene, downwards, 512);
        assert_true(near(white.x, 1, 0.02f) && near(white.y, 1, 0.02f));
        scene->spheres[0].red = 0.5f;
        scene->materials[material].kind = MATERIAL_DIFFUSE;
        scene->materials[material].diffuse = 1;
        const Vec grey = light_along(scene, downwards, 512);
        assert_true(near(grey.x, 0.5f, 0.01f) && near(grey.y, 1, 0.02f));
        scene->materials[material] =
            (Material){.kind = MATERIAL_METAL, .diffuse = 0.25f, .specular = 0.75f, .refraction = 1};
        const Vec both = light_along(scene, downwards, 512); /* red of half the colour, mirrored almost straight back */
        assert_true(near(both.x, 0.5f, 0.02f) && near(both.y, 1, 0.02f));
        scene_destroy(&scene);
    }
}

/* ---- triangles ---- */

/* A box of twelve triangles around the origin, its normals outward; smooth ones bend about its corners. */
static void add_box(Scene *scene, float side, Vec centre, bool turned, bool smooth, uint32_t material) {
    const Vec x = turned ? vec(0.48f, 0.6f, 0.64f) : vec(1, 0, 0), y = turned ? vec(-0.8f, 0.6f, 0) : vec(0, 1, 0);
    const Vec z = vec_cross(x, y);
    static const int faces[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
    for (int f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++) {
            Triangle triangle = {.colour = {1, 1, 1}, .smooth = smooth, .material = material};
            const int corners[3] = {faces[f][0], faces[f][1 + half], faces[f][2 + half]};
            for (int k = 0; k < 3; k++) {
                const Vec across = vec_along(vec(0, 0, 0), corners[k] & 1 ? 1 : -1, x);
                const Vec out = vec_along(vec_along(across, corners[k] & 2 ? 1 : -1, y), corners[k] & 4 ? 1 : -1, z);
                triangle.points[k] = vec_along(centre, side / 2, out);
                if (smooth)
                    triangle.normals[k] = out;
            }
            assert_int_equal(scene_add_triangle(scene, triangle), STATUS_OK);
        }
}

/* No light comes into a closed box, however bright it is around it, wherever it stands, and whether its walls are bent
 * or not. None gets lost in one that shines. */
static void closed_boxes_leak_no_light(void **state) {
    (void)state;
    const Vec centres[] = {{0, 0, 0}, {1000, -300, 77}, {0.001f, 20, -40000}};
    for (int i = 0; i < 24; i++) {
        Scene *scene = scene_of("glint-scene 2\nsky gradient 1e6 1e6 1e6 1e6 1e6 1e6\nlight sun 1 2 3 1e6 1e6 1e6\n"
                                "light point 1e5 1e5 1e5 1e9 1e9 1e9\n");
        const float side = i % 2 ? 100 : 7;
        uint32_t mirror;
        assert_int_equal(
            scene_add_material(scene, (Material){.kind = MATERIAL_METAL, .specular = 1, .refraction = 1}, &mirror),
            STATUS_OK);
        add_box(scene, side, centres[i / 4 % 3], i >= 12, i % 4 > 1, i % 3 ? 0 : mirror);
        Pcg pcg = pcg_seed(2, 1);
        for (int k = 0; k < 400; k++) {
            const Vec way = vec(pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f);
            const Ray ray = ray_from(vec_along(centres[i / 4 % 3], 0.3f * side, way), vec_unit(way));
            const Vec light = light_along(scene, ray, 4);
            assert_true(light.x == 0);
            const World world = {scene};
            ShadingContext context;
            assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
            context.sky.kind = SKY_NONE; /* Whitted's light from everywhere is there in boxes, too */
            assert_true(whitted_radiance(&world, &context, ray, 5).x == 0);
            shading_context_free(&context);
        }
        scene_destroy(&scene);
    }
}

/* A box of glass that takes no light is as invisible in a furnace as a sphere, and so is a white one. A triangle that
 * shines lights a surface that faces it as its solid angle asks. */
static void boxes_hide_in_a_furnace(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        Scene *scene = scene_of("glint-scene 2\nsky gradient 1 1 1 1 1 1\n");
        uint32_t glass;
        assert_int_equal(scene_add_material(
                             scene,
                             (Material){.kind = MATERIAL_GLASS, .specular = 1, .refraction = 1.3f, .transmittance = 1},
                             &glass),
                         STATUS_OK);
        add_box(scene, 10, vec(0, 0, 0), i, false, i ? glass : 0);
        const Ray ray = ray_from(vec(20, 13, 50), vec_unit(vec(-18, -12.5f, -49)));
        const Vec light = light_along(scene, ray, 512);
        assert_true(near(light.x, 1, 0.03f));
        scene_destroy(&scene);
    }
}

/* White cylinders and discs cannot be seen in a furnace either, nor cylinders of clear glass. Rays come from the side,
 * through both ends, and through a disc across. */
static void cylinders_hide_in_a_furnace(void **state) {
    (void)state;
    const Ray rays[] = {{{3, 0.5f, 50}, {0, 0, -1}, 0, HIT_NONE, INFINITY},
                        {{50, 0.25f, 0.5f}, {-1, 0, 0}, 0, HIT_NONE, INFINITY},
                        {{30, 21, 20}, {-0.8f, -0.48f, -0.36f}, 0, HIT_NONE, INFINITY}};
    for (int i = 0; i < 18; i++) {
        Scene *scene = scene_of("glint-scene 2\nsky gradient 1 1 1 1 1 1\nmaterial glass 0 1 0 0 1.3 1 0\n");
        const Cylinder disc = {{{4, 0, 0}, {-2, 0, 1}}, 3, {{1, 1, 1}, {1, 1, 1}}, 1, 0};
        const Cylinder rod = {{{-6, 0, 0}, {6, 1, 0}}, 2, {{1, 1, 1}, {1, 1, 1}}, 0, (uint32_t)i / 9};
        if (i / 3 % 3 != 0)
            assert_int_equal(scene_add_cylinder(scene, rod), STATUS_OK);
        if (i / 3 % 3 != 1)
            assert_int_equal(scene_add_cylinder(scene, disc), STATUS_OK);
        const Vec light = light_along(scene, rays[i % 3], 512);
        assert_true(near(light.x, 1, 0.03f) && near(light.z, 1, 0.03f));
        scene_destroy(&scene);
    }
}

/* A closed cylinder keeps light out, wherever it stands, as boxes do. */
static void cylinders_leak_no_light(void **state) {
    (void)state;
    const Vec centres[] = {{0, 0, 0}, {1000, -300, 77}, {0.001f, 20, -40000}};
    for (int i = 0; i < 6; i++) {
        Scene *scene = scene_of("glint-scene 2\nsky gradient 1e6 1e6 1e6 1e6 1e6 1e6\nlight sun 1 2 3 1e6 1e6 1e6\n"
                                "light point 1e5 1e5 1e5 1e9 1e9 1e9\n");
        const Vec way = i < 3 ? vec(0, 7, 0) : vec(3, 7, -30);
        assert_int_equal(scene_add_cylinder(scene, (Cylinder){.ends = {vec_along(centres[i % 3], -1, way),
                                                                       vec_along(centres[i % 3], 1, way)},
                                                              .radius = 5,
                                                              .colours = {{1, 1, 1}, {1, 1, 1}}}),
                         STATUS_OK);
        Pcg pcg = pcg_seed(2, 1);
        for (int k = 0; k < 1000; k++) {
            const Vec out = vec(pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f, pcg_float(&pcg) - 0.5f);
            assert_true(light_along(scene, ray_from(vec_along(centres[i % 3], 5, out), vec_unit(out)), 4).x == 0);
        }
        scene_destroy(&scene);
    }
}

/* Light of a cylinder is found by chance. An endless one fills the angles from -a to a about the normal of a wall. The
 * wall gets sin a of all the light there could be, which is here the radius by the distance. */
static void cylinders_shine(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 2\nmaterial light 0 0 0 0 1 0 3\nground 0 1 0.5 0.5 0.5 0.5 0.5 0.5\n"
                            "cylinder -1e5 8 0 1e5 8 0 2 1 1 1 1\n");
    const Ray ray = {{0, 3, 4}, {0, -0.6f, -0.8f}, 0, HIT_NONE, INFINITY};
    assert_true(near(light_along(scene, ray, 40000).x, 0.5f * 3 * 2 / 8, 0.01f));
    scene_destroy(&scene);
}

static void triangles_shine_and_are_lit_by_suns(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 2\ntriangle -90 -90 0 90 -90 0 0 90 0 0.5 0.5 0.5\n");
    uint32_t lamp;
    const Ray ray = {{3, 0, 4}, {-0.6f, 0, -0.8f}, 0, HIT_NONE, INFINITY};
    assert_int_equal(scene_add_light(scene, (Light){LIGHT_SUN, {0, 3, 4}, {2, 2, 2}, 0}), STATUS_OK);
    assert_true(near(light_along(scene, ray, 16).x, 0.5f * 2 * 0.8f / PI_F, 1e-4f)); /* as a sphere is */
    scene->lights[0].at.z = -4;
    assert_true(light_along(scene, ray, 16).x == 0); /* from behind */
    assert_int_equal(scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = 9}, &lamp), STATUS_OK);
    add_box(scene, 8, vec(0, 0, 12), false, false, lamp); /* a square of side 8 at distance 8 */
    /* The form factor of a centred square of half a side a at distance h (Howell, C-11). */
    const float x = 0.5f, root = sqrtf(1 + x * x), factor = 4 / PI_F * (x / root * atanf(x / root));
    assert_true(near(light_along(scene, ray, 1 << 14).x, 0.5f * 9 * factor, 0.03f));
    assert_int_equal(scene_add_sphere(scene, (Sphere){500, 0, 0, 1, 1, 1, 1, lamp}), STATUS_OK); /* aimed at */
    assert_true(near(light_along(scene, ray, 1 << 14).x, 0.5f * 9 * factor, 0.03f));
    scene_destroy(&scene);
}

/* ---- image skies ---- */

static void give_sky(Scene *scene, uint32_t width, uint32_t height, const Vec *texels) {
    Vec *own = malloc(width * height * sizeof *own);
    assert_non_null(own);
    for (size_t i = 0; i < (size_t)width * height; i++)
        own[i] = texels[i];
    sky_free(&scene->sky_image);
    assert_int_equal(sky_create("sky", own, width, height, &scene->sky_image), STATUS_OK);
    scene->sky.kind = SKY_IMAGE;
}

/* A picture with dark and bright parts, and one black row, turned by more than a third. */
static void give_patchy_sky(Scene *scene) {
    enum { WIDTH = 13, HEIGHT = 7, BLACK = 4 };
    Vec texels[WIDTH * HEIGHT];
    Pcg pcg = pcg_seed(5, 1);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const float light = i / WIDTH == BLACK || pcg_float(&pcg) < 0.3f ? 0 : powf(1000, pcg_float(&pcg));
        texels[i] = vec(light, 0.5f * light, 0);
    }
    give_sky(scene, WIDTH, HEIGHT, texels);
    scene->sky_image.turn = 0.37f;
}

/* An image of one colour is the gradient of one colour. */
static void furnace_may_be_an_image(void **state) {
    (void)state;
    Vec texels[8 * 4];
    for (int i = 0; i < 8 * 4; i++)
        texels[i] = vec(1, 0.5f, 0.25f);
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 0 10 1 1 0.5\nsphere 0 25 0 9 0.5 1 1\n");
    scene->sky = (Sky){.kind = SKY_GRADIENT, .horizon = {1, 0.5f, 0.25f}, .zenith = {1, 0.5f, 0.25f}};
    const Vec gradient = light_along(scene, downwards, 4096);
    give_sky(scene, 8, 4, texels);
    const Vec image = light_along(scene, downwards, 4096);
    assert_true(near(gradient.x, image.x, 0.01f) && near(gradient.y, image.y, 0.005f));
    assert_true(near(gradient.z, image.z, 0.003f));
    ShadingContext context;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    assert_true(near(sky_ambient(&context).x, 0.1f, 1e-6f) && near(sky_ambient(&context).z, 0.025f, 1e-6f));
    shading_context_free(&context);
    scene_destroy(&scene);
}

/* The middle of the picture is -z, a quarter to the right of it +x, the upper side +y. */
static void sky_lies_as_documented(void **state) {
    (void)state;
    enum { WIDTH = 64, HEIGHT = 32 };
    static Vec texels[WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            texels[y * WIDTH + x] = vec((float)x, (float)y, 0);
    Scene *scene = scene_of("glint-scene 1\n");
    give_sky(scene, WIDTH, HEIGHT, texels);
    const SkyImage *sky = &scene->sky_image;
    const Vec ahead = sky_lookup(sky, vec(0, 0, -1)), right = sky_lookup(sky, vec(1, 0, 0));
    assert_true(near(ahead.x, WIDTH / 2 - 0.5f, 1e-3f) && near(ahead.y, HEIGHT / 2 - 0.5f, 1e-3f));
    assert_true(near(right.x, 3 * WIDTH / 4 - 0.5f, 1e-3f));
    assert_true(near(sky_lookup(sky, vec(0, 1, 0)).y, 0, 1e-3f));
    assert_true(near(sky_lookup(sky, vec(0, -1, 0)).y, HEIGHT - 1, 1e-3f));
    /* Behind, between the last column and the first. */
    assert_true(near(sky_lookup(sky, vec(0, 0, 1)).x, 0.5f * (WIDTH - 1), 1e-2f));
    scene_destroy(&scene);
}

/* A quarter of a turn to the right brings the middle to +x, and the back to the left side. */
static void sky_is_turned_about_y(void **state) {
    (void)state;
    enum { WIDTH = 64, HEIGHT = 32 };
    static Vec texels[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = vec((float)(i % WIDTH), (float)(i / WIDTH), 0); /* NOLINT(bugprone-integer-division) */
    Scene *scene = scene_of("glint-scene 1\n");
    give_sky(scene, WIDTH, HEIGHT, texels);
    static const float azimuths[] = {90, -270};
    for (int i = 0; i < 2; i++) {
        ShadingContext context;
        scene->sky.azimuth = azimuths[i];
        assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
        assert_true(near(sky_light(&context, vec(1, 0, 0)).x, WIDTH / 2 - 0.5f, 1e-3f));
        assert_true(near(sky_light(&context, vec(0, 0, 1)).x, 3 * WIDTH / 4 - 0.5f, 1e-3f));
        assert_true(near(sky_light(&context, vec(0, 0, -1)).x, WIDTH / 4 - 0.5f, 1e-3f));
        assert_true(near(sky_light(&context, vec(-1, 0, 0)).x, 0.5f * (WIDTH - 1), 1e-2f));
        assert_true(near(sky_light(&context, vec(0.6f, 0.8f, 0)).y, 32 * acosf(0.8f) / PI_F - 0.5f, 1e-3f));
        shading_context_free(&context);
    }
    scene_destroy(&scene);
}

/* Directions are drawn with the densities that they are said to have, which sum to 1; none that has light is left out.
 */
static void sky_is_drawn_as_its_density_says(void **state) {
    (void)state;
    enum { FINE = 32, DRAWS = 1 << 16 };
    Scene *scene = scene_of("glint-scene 1\n");
    give_patchy_sky(scene);
    const SkyImage *sky = &scene->sky_image;
    const uint32_t width = sky->width * FINE, height = sky->height * FINE;
    double sum = 0, want = 0, squares = 0, got = 0;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const float polar = PI_F * ((float)y + 0.5f) / (float)height;
            const float turn = 2 * PI_F * (((float)x + 0.5f) / (float)width - 0.5f);
            const Vec way = vec(sinf(polar) * sinf(turn), cosf(polar), -sinf(polar) * cosf(turn));
            const double size = 2 * (double)PI_F * (double)PI_F / ((double)width * height) * (double)sinf(polar);
            const float density = sky_density(sky, way), light = sky_lookup(sky, way).x;
            sum += (double)density * size;
            want += (double)light * size;
            assert_true(density > 0 || light <= 0);
        }
    assert_true(fabs(sum - 1) < 1e-4);
    for (uint32_t i = 0; i < DRAWS; i++) {
        float u, v, density;
        sampler_point(i, 11, &u, &v);
        const Vec way = sky_draw(sky, u, v, &density);
        assert_true(near(vec_dot(way, way), 1, 1e-5f));
        const double value = (double)(sky_lookup(sky, way).x / density);
        got += value / DRAWS;
        squares += value * value / DRAWS;
    }
    assert_true(fabs(got - want) < 4 * sqrt((squares - got * got) / DRAWS));
    scene_destroy(&scene);
}

static void drawn_texel_is_looked_up(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 1\n");
    give_patchy_sky(scene);
    const SkyImage *sky = &scene->sky_image;
    for (uint32_t y = 0; y < sky->height; y++) {
        const float *columns = sky->columns + y * (sky->width + 1);
        for (uint32_t x = 0; x < sky->width && sky->rows[y] < sky->rows[y + 1]; x++) {
            if (!(columns[x] < columns[x + 1]))
                continue;
            float density;
            const Vec way =
                sky_draw(sky, 0.5f * (columns[x] + columns[x + 1]), 0.5f * (sky->rows[y] + sky->rows[y + 1]), &density);
            const Vec light = sky_lookup(sky, way), texel = sky->texels[y * sky->width + x];
            assert_true(near(light.x, texel.x, 1e-3f + 1e-4f * texel.x));
            assert_true(near(sky_density(sky, way), density, 1e-4f * density));
        }
    }
    scene_destroy(&scene);
}

/* A texel of sun, thousands of times as bright as its surroundings: a surface sends on as much as the integral over the
 * picture says. */
static void sun_of_an_image_lights_as_its_integral(void **state) {
    (void)state;
    enum { WIDTH = 64, HEIGHT = 32, FINE = 16, SAMPLES = 1 << 14 };
    static Vec texels[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = vec(0.2f, 0.2f, 0.2f);
    texels[9 * WIDTH + 20] = vec(5000, 5000, 5000);
    Scene *scene = scene_of("glint-scene 1\nsphere 0 -1000 0 1000 1 1 1\n");
    give_sky(scene, WIDTH, HEIGHT, texels);
    double want = 0;
    for (int y = 0; y < HEIGHT * FINE / 2; y++)
        for (int x = 0; x < WIDTH * FINE; x++) {
            const float polar = PI_F * ((float)y + 0.5f) / (HEIGHT * FINE);
            const float turn = 2 * PI_F * (((float)x + 0.5f) / (WIDTH * FINE) - 0.5f);
            const Vec way = vec(sinf(polar) * sinf(turn), cosf(polar), -sinf(polar) * cosf(turn));
            const double size = 2 * (double)PI_F / (WIDTH * FINE) * (double)PI_F / (HEIGHT * FINE);
            want += (double)(sky_lookup(&scene->sky_image, way).x * cosf(polar) * sinf(polar)) * size / (double)PI_F;
        }
    const Ray ray = {{3, 4, 0}, {-0.6f, -0.8f, 0}, 0, HIT_NONE, INFINITY};
    const Estimate got = estimate(scene, ray, SAMPLES);
    assert_true(fabs(got.mean - want) < 4 * got.error);
    assert_true(got.error < 0.02 * want); /* an eighth of the error that scattered rays alone, few of which hit it,
                                             would have */
    scene_destroy(&scene);
}

/* In 2 million texels of 0.2, one is a sun, up to the brightest that there is. The lookup spreads it to its neighbours:
 * its irradiance is L cos sin times its height and width in radians, but for squares of these. Single precision
 * resolves the chances of other texels worse and worse; light that is not drawn is then found by chance. */
static void sun_of_one_texel_lights_as_its_size(void **state) {
    (void)state;
    enum { WIDTH = 2048, HEIGHT = 1024, SAMPLES = 1 << 14, ROW = 340 };
    static const float suns[] = {1e4f, 1e6f, 1e9f};
    const double even = (double)0.2f, side = (double)PI_F / HEIGHT, polar = side * (ROW + 0.5);
    Vec *texels = malloc(sizeof *texels * WIDTH * HEIGHT);
    assert_non_null(texels);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        texels[i] = vec(0.2f, 0.2f, 0.2f);
    for (size_t k = 0; k < sizeof suns / sizeof *suns; k++) {
        Scene *scene = scene_of("glint-scene 1\nsphere 0 -1000 0 1000 1 1 1\n");
        texels[ROW * WIDTH + 77] = vec(suns[k], suns[k], suns[k]);
        give_sky(scene, WIDTH, HEIGHT, texels);
        const double want = even + ((double)suns[k] - even) * cos(polar) * sin(polar) * side * side / (double)PI_F;
        const Ray ray = {{3, 4, 0}, {-0.6f, -0.8f, 0}, 0, HIT_NONE, INFINITY};
        const Estimate got = estimate(scene, ray, SAMPLES);
        if (!(fabs(got.mean - want) < 4 * got.error + 1e-3 * want && got.error < 0.02 * want))
            fail_msg("a sun of %g: %g +- %g, want %g", (double)suns[k], got.mean, got.error, want);
        scene_destroy(&scene);
    }
    free(texels);
}

/* A facing surface gets pi L (r/d)^2 from a ball lamp of radius r at distance d, and sends on albedo / pi of that. */
static void ball_lamp_lights_as_its_solid_angle(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 -1000 1000 0.5 0.5 0.5\nsphere 0 0 10 2 1 1 1\n");
    uint32_t lamp;
    assert_int_equal(scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = 9}, &lamp), STATUS_OK);
    scene->spheres[1].material = lamp;
    const Ray ray = {
        {3, 0, 4}, {-0.6f, 0, -0.8f}, 0, HIT_NONE, INFINITY}; /* from the side, at the point below the lamp */
    const Vec light = light_along(scene, ray, 4096);
    assert_true(near(light.x, 0.5f * 9 * 0.04f, 0.003f));
    const Ray up = {{0, 0, 4}, {0, 0, 1}, 0, HIT_NONE, INFINITY};
    assert_true(near(light_along(scene, up, 1).x, 9, 0));
    /* Something between them takes it all. */
    assert_int_equal(scene_add_sphere(scene, (Sphere){.z = 6, .radius = 1.9f}), STATUS_OK);
    assert_true(light_along(scene, ray, 64).x < 0.02f);
    scene_destroy(&scene);
}

/* Paths hit a ball lamp of radius r at distance d by chance, and are sent to a sun of its irradiance, pi L (r / d)^2.
 * Both give rough metal as much light. */
static void rough_metal_mirrors_lamp_and_sun_alike(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 -1000 1000 0.9 0.6 0.3\nsphere 0 30 40 4 1 1 1\n");
    uint32_t metal, lamp;
    const Material rough = {.kind = MATERIAL_METAL, .specular = 1, .roughness = 0.7f, .refraction = 1};
    assert_int_equal(scene_add_material(scene, rough, &metal), STATUS_OK);
    assert_int_equal(scene_add_material(scene, (Material){.kind = MATERIAL_LIGHT, .emission = 50}, &lamp), STATUS_OK);
    scene->spheres[0].material = metal;
    scene->spheres[1].material = lamp;
    for (int i = 0; i < 3; i++) {
        const Vec from = {6, -10 * (float)i, 10};
        const Ray ray = ray_from(from, vec_unit(vec_times(from, -1)));
        scene->light_count = 0;
        scene->spheres[1].radius = 4;
        const Vec by_chance = light_along(scene, ray, 1 << 17);
        scene->spheres[1].radius = 0;
        const float irradiance = PI_F * 50 * 16 / 2500;
        assert_int_equal(scene_add_light(scene, (Light){LIGHT_SUN, {0, 3, 4}, {irradiance, irradiance, irradiance}, 0}),
                         STATUS_OK);
        const Vec aimed = light_along(scene, ray, 1);
        assert_true(aimed.x > 0.01f && aimed.x > aimed.z);
        assert_true(near(by_chance.x, aimed.x, 0.04f * aimed.x) && near(by_chance.z, aimed.z, 0.04f * aimed.z));
    }
    scene_destroy(&scene);
}

static void sun_and_point_follow_their_laws(void **state) {
    (void)state;
    Scene *scene = scene_of("glint-scene 1\nsphere 0 0 -1000 1000 1 1 1\n");
    const Ray ray = {{3, 0, 4}, {-0.6f, 0, -0.8f}, 0, HIT_NONE, INFINITY};
    assert_int_equal(scene_add_light(scene, (Light){LIGHT_SUN, {0, 3, 4}, {2, 2, 2}, 0}), STATUS_OK);
    assert_true(near(light_along(scene, ray, 16).x, 2 * 0.8f / PI_F, 1e-4f));
    scene->lights[0] = (Light){LIGHT_POINT, {0, 0, 5}, {50, 50, 50}, 0};
    assert_true(near(light_along(scene, ray, 16).x, 2 / PI_F, 1e-3f));
    scene_destroy(&scene);
}

/* Helmholtz: glass lets as much light through one way as the other way; straight on, ((n - 1) / (n + 1))^2 come back;
 * total reflection begins at the critical angle. */
static void fresnel_is_reciprocal(void **state) {
    (void)state;
    float onward = 0, back = 0;
    assert_true(near(fresnel(1, 1 / 1.5f, &onward), 0.04f, 1e-6f));
    for (float cosine = 0.05f; cosine < 1; cosine += 0.05f) {
        const float in = fresnel(cosine, 1 / 1.5f, &onward), out = fresnel(onward, 1.5f, &back);
        assert_true(near(in, out, 1e-5f) && near(back, cosine, 1e-4f));
    }
    assert_true(fresnel(0.74f, 1.5f, &onward) == 1 && fresnel(0.75f, 1.5f, &onward) < 1);
}

/* For any seed, the points are a (0, 2)-sequence. The first 2^k points have one in each of 2^k intervals on both axes,
 * and one in each cell of 2^(k/2) squared. */
static void points_are_stratified(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 50; seed++) {
        enum { POINTS = 256, SIDE = 16 };
        int across[POINTS] = {0}, down[POINTS] = {0}, cells[SIDE][SIDE] = {{0}};
        for (uint32_t i = 0; i < POINTS; i++) {
            float x, y;
            sampler_point(i, seed * 2654435761u, &x, &y);
            assert_true(x >= 0 && x < 1 && y >= 0 && y < 1);
            across[(int)(x * POINTS)]++;
            down[(int)(y * POINTS)]++;
            cells[(int)(x * SIDE)][(int)(y * SIDE)]++;
        }
        for (int i = 0; i < POINTS; i++)
            assert_true(across[i] == 1 && down[i] == 1 && cells[i / SIDE][i % SIDE] == 1);
    }
}

static double tone(double light) {
    const double gathered[4] = {4 * light, 0, 0, 8}, exposure = 2;
    double out[4];
    point_tone(&exposure, 255, 4, gathered, NULL, NULL, out);
    return out[0];
}

static void tone_keeps_order_and_bounds(void **state) {
    (void)state;
    double before = -1;
    assert_true(tone(0) <= 0 && tone(1e30) <= 255 && tone(1e30) > 254.9 && tone(-1) <= 0 && tone((double)NAN) <= 0);
    for (double light = 0; light < 20; light += 0.01) {
        const double screen = tone(light);
        assert_true(screen >= before && screen <= 255);
        before = screen;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(furnace_hides_white_spheres),
        cmocka_unit_test(ball_lamp_lights_as_its_solid_angle),
        cmocka_unit_test(rough_metal_mirrors_lamp_and_sun_alike),
        cmocka_unit_test(sun_and_point_follow_their_laws),
        cmocka_unit_test(fresnel_is_reciprocal),
        cmocka_unit_test(points_are_stratified),
        cmocka_unit_test(tone_keeps_order_and_bounds),
        cmocka_unit_test(closed_boxes_leak_no_light),
        cmocka_unit_test(boxes_hide_in_a_furnace),
        cmocka_unit_test(cylinders_hide_in_a_furnace),
        cmocka_unit_test(cylinders_leak_no_light),
        cmocka_unit_test(cylinders_shine),
        cmocka_unit_test(triangles_shine_and_are_lit_by_suns),
        cmocka_unit_test(furnace_may_be_an_image),
        cmocka_unit_test(sky_lies_as_documented),
        cmocka_unit_test(sky_is_turned_about_y),
        cmocka_unit_test(sky_is_drawn_as_its_density_says),
        cmocka_unit_test(drawn_texel_is_looked_up),
        cmocka_unit_test(sun_of_an_image_lights_as_its_integral),
        cmocka_unit_test(sun_of_one_texel_lights_as_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
