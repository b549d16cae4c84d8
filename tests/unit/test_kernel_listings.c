/* test_kernel_listings.c: every starter in CUDA C and every listing of assets/kernels/, compiled by each compiler that
 * is here, on the emulated GPU. Each gives the right result, without a race, and touches nothing that is not its own.
 */
#include "core/image/image.h"
#include "core/math/border_index.h"
#include "emulator/emulator.h"
#include "kernel/compile/compile.h"
#include "kernel/layout.h"
#include "kernel/operations.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

enum { POISON = 0xCD, WORDS_MAX = 16 };

/* A compiled file, and its module. */
typedef struct Loaded {
    KernelBinary binary;
    EmulatorModule *module;
    const char *what;
    Shape shape; /* type and channels that it is compiled for */
} Loaded;

/* ---- memory of the device ---- */

/* Freed all together at the end of a case. */
static void *blocks[WORDS_MAX];
static size_t block_count;

static void *device_memory(size_t bytes, int fill) {
    assert_true(block_count < WORDS_MAX);
    void *block = emulator_memory(bytes, fill);
    assert_non_null(block);
    return blocks[block_count++] = block;
}

static void free_blocks(void) {
    while (block_count > 0)
        emulator_memory_free(blocks[--block_count]);
}

/* A picture with rows farther apart than they are long. */
static ImageView device_picture(Shape shape, int fill) {
    const size_t stride = shape_row_bytes(shape) + 4 * pixel_type_size(shape.type);
    return (ImageView){shape, stride, device_memory(stride * shape.height, fill)};
}

static ImageView random_picture(Shape shape, unsigned long seed) {
    const ImageView view = device_picture(shape, 0);
    view_fill_random(view, seed);
    return view;
}

static KernelPicture picture_of(ImageView view, BorderMode border) {
    return (KernelPicture){.values = view.pixels,
                           .width = (int)view.shape.width,
                           .height = (int)view.shape.height,
                           .stride = (int)(view.stride / pixel_type_size(view.shape.type)),
                           .border = (int)border};
}

static float *random_floats(size_t count, unsigned long seed) {
    float *values = device_memory(count * sizeof *values, 0);
    view_fill_random((ImageView){{count, 1, 1, PIXEL_F32}, count * sizeof *values, values}, seed);
    return values;
}

/* ---- launches ---- */

static unsigned blocks_for(int count, int each) {
    return (unsigned)((count + each - 1) / each);
}

/* Enough blocks for so many pixels; a vector has one row, in which all threads of a block lie. */
static void launch(const Loaded *loaded, const KernelEntry *entry, int width, int height, size_t shared,
                   void *const *arguments) {
    const int *block = entry->block, *pixels = entry->pixels;
    const bool vector = entry->operation == GLINT_reduce || entry->operation == GLINT_dot;
    const int across = block[0] * pixels[0] * (vector ? block[1] * pixels[1] : 1);
    const EmulatorLaunch how = {
        .module = loaded->module,
        .kernel = entry->name,
        .grid = {blocks_for(width, across), vector ? 1 : blocks_for(height, block[1] * pixels[1]), 1},
        .block = {(unsigned)block[0], (unsigned)block[1], 1},
        .shared_bytes = shared,
        .arguments = arguments,
        .races = true};
    EmulatorFault fault;
    if (!emulator_launch(&how, &fault))
        fail_msg("%s: %s, line %d: %s", loaded->what, entry->name, fault.line, fault.text);
}

static void check_values(const Loaded *loaded, const KernelEntry *entry, ImageView got, ImageView want,
                         double tolerance) {
    for (size_t y = 0; y < got.shape.height; y++)
        for (size_t x = 0; x < got.shape.width; x++)
            for (int c = 0; c < got.shape.channels; c++) {
                const double a = view_value(got, x, y, c), b = view_value(want, x, y, c);
                if (!(fabs(a - b) <= tolerance))
                    fail_msg("%s: %s has %g at (%zu, %zu, %d), want %g", loaded->what, entry->name, a, x, y, c, b);
            }
    const size_t row = shape_row_bytes(got.shape); /* nothing was written behind the rows */
    for (size_t y = 0; y < got.shape.height; y++)
        for (size_t i = row; i < got.stride; i++)
            assert_int_equal(((unsigned char *)view_row(got, y))[i], POISON);
}

/* ---- operations ---- */

static const Shape size_shape = {37, 21, 0, PIXEL_U8};

static Shape shape_for(const Loaded *loaded) {
    return (Shape){size_shape.width, size_shape.height, loaded->shape.channels, loaded->shape.type};
}

static double tolerance_of(Shape shape) {
    return shape.type == PIXEL_F32 ? 2e-5 : 0;
}

/* Fills the constant memory of this name, if the file has it. */
static void fill_constant(const Loaded *loaded, const char *name, const void *data, size_t size) {
    size_t room = 0;
    void *at = emulator_variable(loaded->module, name, &room);
    if (at)
        memcpy(at, data, size < room ? size : room);
}

static double tap(ImageView in, BorderMode border, ptrdiff_t x, ptrdiff_t y, int c) {
    x = border_index(border, x, (ptrdiff_t)in.shape.width);
    y = border_index(border, y, (ptrdiff_t)in.shape.height);
    return x < 0 || y < 0 ? 0 : view_value(in, (size_t)x, (size_t)y, c);
}

/* A mask that is a column times a row, or one that is not. */
static KernelMask make_mask(const Loaded *loaded, bool separable) {
    enum { WIDTH = 5, HEIGHT = 4 };
    float *weights = device_memory(WIDTH * HEIGHT * sizeof *weights, 0);
    float *across = device_memory(WIDTH * sizeof *across, 0), *down = device_memory(HEIGHT * sizeof *down, 0);
    for (int i = 0; i < WIDTH; i++)
        across[i] = (float)(i - 1);
    for (int j = 0; j < HEIGHT; j++)
        down[j] = (float)(2 - j);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        weights[i] = separable ? across[i % WIDTH] * down[i / WIDTH] : (float)(i * 5 % 7 - 2);
    fill_constant(loaded, "constant_weights", weights, WIDTH * HEIGHT * sizeof *weights);
    return (KernelMask){.weights = weights,
                        .across = separable ? across : NULL,
                        .down = separable ? down : NULL,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .divisor = 20,
                        .bias = 3,
                        .separable = separable};
}

static void convolve_picture(ImageView in, const KernelMask *mask, BorderMode border, ImageView want) {
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            for (int c = 0; c < want.shape.channels; c++) {
                double sum = 0;
                for (int j = 0; j < mask->height; j++)
                    for (int i = 0; i < mask->width; i++)
                        sum +=
                            (double)mask->weights[j * mask->width + i] *
                            tap(in, border, (ptrdiff_t)x + i - mask->width / 2, (ptrdiff_t)y + j - mask->height / 2, c);
                view_set_value(want, x, y, c, sum / (double)mask->divisor + (double)mask->bias);
            }
}

/* Bytes of dynamic shared memory: some for each pixel of the block and each neighbour, where the kernel says so. */
static size_t shared_for(const KernelEntry *entry, const KernelMask *mask) {
    const int width = entry->block[0] * entry->pixels[0] + mask->width - 1;
    const int height = entry->block[1] * entry->pixels[1] + mask->height - 1;
    return (size_t)(entry->shared < 0 ? width * height * -entry->shared : entry->shared);
}

static void run_convolve(const Loaded *loaded, const KernelEntry *entry) {
    static const BorderMode modes[] = {BORDER_ZERO, BORDER_CLAMP, BORDER_MIRROR, BORDER_WRAP};
    enum { MODES = sizeof modes / sizeof *modes };
    const Shape shape = shape_for(loaded);
    const ImageView in = random_picture(shape, 3), out = device_picture(shape, POISON), want = device_picture(shape, 0);
    for (int separable = 0; separable < 2; separable++) {
        KernelMask mask = make_mask(loaded, separable);
        for (size_t m = 0; m < MODES; m++) {
            KernelPicture from = picture_of(in, modes[m]), to = picture_of(out, modes[m]);
            void *arguments[] = {&from, &to, &mask};
            convolve_picture(in, &mask, modes[m], want);
            launch(loaded, entry, to.width, to.height, shared_for(entry, &mask), arguments);
            check_values(loaded, entry, out, want, tolerance_of(shape));
        }
    }
}

static void run_point(const Loaded *loaded, const KernelEntry *entry) {
    const Shape shape = shape_for(loaded);
    const ImageView in = random_picture(shape, 4), out = device_picture(shape, POISON), want = device_picture(shape, 0);
    KernelPicture from = picture_of(in, BORDER_CLAMP), to = picture_of(out, BORDER_CLAMP);
    KernelPoint point = {1.5F, -20.25F};
    void *arguments[] = {&from, &to, &point};
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(want, x, y, c, 1.5 * view_value(in, x, y, c) - 20.25);
    launch(loaded, entry, to.width, to.height, (size_t)entry->shared, arguments);
    check_values(loaded, entry, out, want, tolerance_of(shape));
}

static void run_blend(const Loaded *loaded, const KernelEntry *entry) {
    const Shape shape = shape_for(loaded);
    const ImageView a = random_picture(shape, 5), b = random_picture(shape, 6), out = device_picture(shape, POISON),
                    want = device_picture(shape, 0);
    KernelPicture first = picture_of(a, BORDER_CLAMP), second = picture_of(b, BORDER_CLAMP),
                  to = picture_of(out, BORDER_CLAMP);
    float weight = 0.25F;
    void *arguments[] = {&first, &second, &to, &weight};
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(want, x, y, c, 0.75 * view_value(a, x, y, c) + 0.25 * view_value(b, x, y, c));
    launch(loaded, entry, to.width, to.height, (size_t)entry->shared, arguments);
    check_values(loaded, entry, out, want, tolerance_of(shape));
}

static void run_move(const Loaded *loaded, const KernelEntry *entry) {
    const Shape shape = shape_for(loaded), turned = {shape.height, shape.width, shape.channels, shape.type};
    const ImageView in = random_picture(shape, 7), out = device_picture(turned, POISON),
                    want = device_picture(turned, 0);
    KernelPicture from = picture_of(in, BORDER_CLAMP), to = picture_of(out, BORDER_CLAMP);
    void *arguments[] = {&from, &to};
    for (size_t y = 0; y < turned.height; y++)
        for (size_t x = 0; x < turned.width; x++)
            for (int c = 0; c < turned.channels; c++)
                view_set_value(want, x, y, c, view_value(in, y, x, c));
    launch(loaded, entry, to.width, to.height, (size_t)entry->shared, arguments);
    check_values(loaded, entry, out, want, 0);
}

static void run_histogram(const Loaded *loaded, const KernelEntry *entry) {
    const Shape shape = shape_for(loaded);
    if (shape.type != PIXEL_U8)
        return;
    const size_t bins = 256 * (size_t)shape.channels;
    const ImageView in = random_picture(shape, 8);
    KernelPicture from = picture_of(in, BORDER_CLAMP);
    unsigned *counts = device_memory(bins * sizeof *counts, 0), want[1024] = {0};
    void *arguments[] = {&from, &counts};
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                want[256 * c + (int)view_value(in, x, y, c)]++;
    launch(loaded, entry, from.width, from.height, (size_t)entry->shared, arguments);
    assert_memory_equal(counts, want, bins * sizeof *counts);
}

/* Launches until one value is left, as the sum of a block each. */
static void run_reduce(const Loaded *loaded, const KernelEntry *entry) {
    static const int counts[] = {1, 255, 256, 5000, 70001};
    const int each = entry->block[0] * entry->block[1] * entry->pixels[0] * entry->pixels[1];
    float *values = random_floats(70001, 9), *buffers[2];
    for (int i = 0; i < 2; i++)
        buffers[i] = device_memory(70001 * sizeof *values, POISON);
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        double want = 0;
        for (int i = 0; i < counts[n]; i++)
            want += (double)values[i];
        KernelVector in = {values, counts[n]};
        for (int turn = 0, more = 1; more; turn ^= 1) {
            float *out = buffers[turn];
            void *arguments[] = {&in, &out};
            launch(loaded, entry, in.count, 1, (size_t)entry->shared, arguments);
            in = (KernelVector){out, (int)blocks_for(in.count, each)};
            more = in.count > 1;
        }
        if (!(fabs((double)in.values[0] - want) <= 1e-5 * want))
            fail_msg("%s: %s sums %d values to %g, want %g", loaded->what, entry->name, counts[n], (double)in.values[0],
                     want);
    }
}

static void run_dot(const Loaded *loaded, const KernelEntry *entry) {
    enum { COUNT = 5001 };
    const int each = entry->block[0] * entry->block[1] * entry->pixels[0] * entry->pixels[1];
    float *a = random_floats(COUNT, 10), *b = random_floats(COUNT, 11), *out = device_memory(COUNT * sizeof *a, POISON);
    KernelVector first = {a, COUNT}, second = {b, COUNT};
    void *arguments[] = {&first, &second, &out};
    double want = 0, got = 0;
    for (int i = 0; i < COUNT; i++)
        want += (double)a[i] * (double)b[i];
    launch(loaded, entry, COUNT, 1, (size_t)entry->shared, arguments);
    for (unsigned i = 0; i < blocks_for(COUNT, each); i++)
        got += (double)out[i];
    assert_true(fabs(got - want) <= 1e-5 * want);
}

static void run_multiply(const Loaded *loaded, const KernelEntry *entry) {
    const Shape sizes[3] = {{23, 37, 1, PIXEL_F32}, {70, 23, 1, PIXEL_F32}, {70, 37, 1, PIXEL_F32}};
    const ImageView a = random_picture(sizes[0], 12), b = random_picture(sizes[1], 13),
                    c = device_picture(sizes[2], POISON), want = device_picture(sizes[2], 0);
    KernelMatrix matrices[3];
    const ImageView views[3] = {a, b, c};
    void *arguments[3];
    for (int i = 0; i < 3; i++) {
        matrices[i] = (KernelMatrix){views[i].pixels, (int)views[i].shape.width, (int)views[i].shape.height,
                                     (int)(views[i].stride / sizeof(float))};
        arguments[i] = &matrices[i];
    }
    for (size_t y = 0; y < c.shape.height; y++)
        for (size_t x = 0; x < c.shape.width; x++) {
            double sum = 0;
            for (size_t k = 0; k < a.shape.width; k++)
                sum += view_value(a, k, y, 0) * view_value(b, x, k, 0);
            view_set_value(want, x, y, 0, sum);
        }
    launch(loaded, entry, matrices[2].width, matrices[2].height, (size_t)entry->shared, arguments);
    check_values(loaded, entry, c, want, 2e-5);
}

/* ---- spheres ---- */

enum { SPHERES = 300 };

static void doubles(double to[3], float x, float y, float z) {
    to[0] = (double)x;
    to[1] = (double)y;
    to[2] = (double)z;
}
static void of_vec(double to[3], KernelVec v) {
    doubles(to, v.x, v.y, v.z);
}

/* The ray of a pixel, as glint/kernel.h defines it, in double. */
static void ray_of(const KernelCamera *camera, double x, double y, double origin[3], double direction[3]) {
    double from[3], forward[3], right[3], up[3], square = 0;
    of_vec(from, camera->from);
    of_vec(forward, camera->forward);
    of_vec(right, camera->right);
    of_vec(up, camera->up);
    for (int i = 0; i < 3; i++) {
        const double moved = (x - (double)camera->x) * right[i] + ((double)camera->y - y) * up[i];
        origin[i] = from[i] + (camera->parallel ? moved : 0);
        direction[i] = forward[i] + (camera->parallel ? 0 : moved);
        square += direction[i] * direction[i];
    }
    for (int i = 0; i < 3; i++)
        direction[i] /= sqrt(square);
}

/* The nearest sphere's colour, by the quadratic equation. */
static void colour_of(const KernelSphere *spheres, const double origin[3], const double direction[3], double nearest,
                      double rgb[3]) {
    double best = INFINITY;
    rgb[0] = rgb[1] = rgb[2] = 0;
    for (int i = 0; i < SPHERES; i++) {
        double centre[3], colour[3];
        doubles(centre, spheres[i].x, spheres[i].y, spheres[i].z);
        doubles(colour, spheres[i].red, spheres[i].green, spheres[i].blue);
        double b = 0, c = -(double)spheres[i].radius * (double)spheres[i].radius;
        for (int k = 0; k < 3; k++) {
            const double to = origin[k] - centre[k];
            b += to * direction[k];
            c += to * to;
        }
        const double root = sqrt(b * b - c), t = -b - root >= nearest ? -b - root : -b + root;
        if (!(t >= nearest && t < best)) /* NaN: the ray passes by */
            continue;
        best = t;
        for (int k = 0; k < 3; k++)
            rgb[k] = 255 * colour[k] * root / (double)spheres[i].radius;
    }
}

static void check_traced(const Loaded *loaded, const KernelEntry *entry, const KernelSphere *list,
                         KernelCamera camera) {
    const Shape shape = shape_for(loaded);
    const ImageView out = device_picture(shape, POISON);
    KernelSpheres spheres = {list, SPHERES};
    KernelPicture to = picture_of(out, BORDER_CLAMP);
    void *arguments[] = {&spheres, &camera, &to};
    int shown = 0, wrong = 0;
    launch(loaded, entry, to.width, to.height, (size_t)entry->shared, arguments);
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++) {
            double origin[3], direction[3], rgb[3];
            ray_of(&camera, (double)x, (double)y, origin, direction);
            colour_of(list, origin, direction, (double)camera.nearest, rgb);
            shown += rgb[0] > 0;
            for (int c = 0; c < 3; c++)
                wrong += fabs(view_value(out, x, y, c) - rgb[c]) > 0.51;
            if (shape.channels == 4)
                assert_true(view_value(out, x, y, 3) == 255);
        }
    assert_true(shown > 100 && shown < (int)(shape.width * shape.height));
    if (wrong > 2) /* outlines */
        fail_msg("%s: %s has %d wrong values of %d pixels that show spheres", loaded->what, entry->name, wrong, shown);
}

static void run_trace(const Loaded *loaded, const KernelEntry *entry) {
    const KernelCamera parallel = {.x = 18,
                                   .y = 10,
                                   .from = {0, 0, 0},
                                   .forward = {0, 0, -1},
                                   .right = {1, 0, 0},
                                   .up = {0, 1, 0},
                                   .parallel = 1,
                                   .nearest = -INFINITY};
    const KernelCamera perspective = {
        .x = 18, .y = 10, .from = {1, 2, 30}, .forward = {0, 0, -1}, .right = {0.03F, 0, 0}, .up = {0, 0.03F, 0}};
    KernelSphere *list = device_memory(SPHERES * sizeof *list, 0);
    const float *random = random_floats(7 * SPHERES, 14);
    if (loaded->shape.type != PIXEL_U8 || loaded->shape.channels < 3)
        return;
    for (int i = 0; i < SPHERES; i++, random += 7)
        list[i] = (KernelSphere){40 * random[0] - 20,     24 * random[1] - 12, 40 * random[2] - 20, 0.2F + random[3],
                                 0.1F + 0.9F * random[4], random[5],           random[6],           0};
    fill_constant(loaded, "constant_spheres", list, SPHERES * sizeof *list);
    check_traced(loaded, entry, list, parallel);
    check_traced(loaded, entry, list, perspective);
}

/* ---- files ---- */

static void (*const runs[])(const Loaded *loaded, const KernelEntry *entry) = {
    [GLINT_convolve] = run_convolve, [GLINT_point] = run_point,         [GLINT_reduce] = run_reduce,
    [GLINT_dot] = run_dot,           [GLINT_blend] = run_blend,         [GLINT_multiply] = run_multiply,
    [GLINT_move] = run_move,         [GLINT_histogram] = run_histogram, [GLINT_trace] = run_trace,
};

/* Each of its kernels, compiled for a kind of pixels. The launches find as many kernels as the file has to have. */
static void check_file(const char *path, const char *compiler, Shape shape, size_t kernels) {
    const KernelTarget target = {.kind = KERNEL_PTX,
                                 .capability = 90,
                                 .type = pixel_type_name(shape.type),
                                 .channels = shape.channels,
                                 .compiler = compiler};
    char what[600];
    Loaded loaded = {.what = what, .shape = shape};
    EmulatorFault fault;
    snprintf(what, sizeof what, "%s by %s for %sx%d", path, compiler, target.type, shape.channels);
    REQUIRE(kernel_compile(path, &target, &loaded.binary));
    assert_int_equal(loaded.binary.kernel_count, kernels);
    loaded.module = emulator_module((const char *)loaded.binary.bytes.data, loaded.binary.bytes.size, &fault);
    if (!loaded.module)
        fail_msg("%s: %s", what, fault.text);
    for (size_t i = 0; i < kernels; i++) {
        runs[loaded.binary.kernels[i].operation](&loaded, &loaded.binary.kernels[i]);
        free_blocks();
    }
    emulator_module_free(loaded.module);
    kernel_binary_free(&loaded.binary);
}

static void by_each_compiler(const char *path, size_t kernels) {
    static const Shape shapes[] = {
        {0, 0, 3, PIXEL_U8}, {0, 0, 1, PIXEL_U16}, {0, 0, 4, PIXEL_F32}, {0, 0, 4, PIXEL_U8}};
    size_t found = 0;
    for (size_t i = 0; i < kernel_compiler_count(); i++) {
        KernelCompilerInfo info;
        kernel_compiler_info(i, &info);
        const bool slow = strcmp(info.name, "nvcc") == 0; /* nvrtc has the same front end */
        if (info.kind != KERNEL_PTX || !info.found || (slow && check_quick()))
            continue;
        found++;
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            check_file(path, info.name, shapes[k], kernels);
    }
    if (found == 0)
        skip();
}

static void starters_are_right(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_operation_count; i++) {
        FILE *file = fopen("mine.cu", "w");
        assert_non_null(file);
        fputs(kernel_operations[i].starters[KERNEL_PTX], file);
        assert_int_equal(fclose(file), 0);
        by_each_compiler("mine.cu", 1);
    }
}

static void listings_are_right(void **state) {
    static const struct {
        const char *name;
        size_t kernels;
    } files[] = {{"convolve", 5}, {"reduce", 7}, {"multiply", 4}, {"dot", 4}, {"spheres", 3}};
    char path[512];
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, GLINT_SOURCE_DIR "/assets/kernels/%s.cu", files[i].name);
        by_each_compiler(path, files[i].kernels);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(starters_are_right), cmocka_unit_test(listings_are_right)};
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
