/* test_kernel_cpu.c: the starters in C, compiled and called: they read beyond edges, add and round as glint does. */
#include "core/image/border.h"
#include "core/image/image.h"
#include "core/math/pcg.h"
#include "kernel/compile/compile.h"
#include "kernel/layout.h"
#include "kernel/operations.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/check.h"

/* The kernel `mine` of an operation's starter, for pixels of this type. Its object's file stays open: dlopen takes a
 * path that it knows for the object that it has. */
static void *load_starter(int operation, PixelType type, int channels) {
    const KernelTarget target = {.kind = KERNEL_CPU, .type = pixel_type_name(type), .channels = channels};
    KernelBinary binary;
    char path[64];
    FILE *file = fopen("mine.c", "w");
    assert_non_null(file);
    fputs(kernel_operations[operation].starters[KERNEL_CPU], file);
    assert_int_equal(fclose(file), 0);
    REQUIRE(kernel_compile("mine.c", &target, &binary));
    assert_string_equal(binary.log, "");
    assert_int_equal(binary.kernel_count, 1);
    assert_string_equal(binary.kernels[0].name, "mine");
    assert_int_equal(binary.kernels[0].operation, operation);
    const int memory = memfd_create("kernel", MFD_CLOEXEC);
    assert_true(memory >= 0 && write(memory, binary.bytes.data, binary.bytes.size) == (ssize_t)binary.bytes.size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL), *kernel = object ? dlsym(object, "mine") : NULL;
    if (!kernel)
        fail_msg("%s", dlerror());
    kernel_binary_free(&binary);
    return kernel;
}

static bool has_compiler(void) {
    KernelCompilerInfo info;
    for (size_t i = 0; i < kernel_compiler_count(); i++) {
        kernel_compiler_info(i, &info);
        if (info.kind == KERNEL_CPU && info.found)
            return true;
    }
    return false;
}

static KernelPicture picture_of(ImageView view, Border border) {
    return (KernelPicture){.values = view.pixels,
                           .width = (int)view.shape.width,
                           .height = (int)view.shape.height,
                           .stride = (int)(view.stride / pixel_type_size(view.shape.type)),
                           .border = border.mode,
                           .outside = border.value};
}

static double sample(ImageView view, Border border, ptrdiff_t x, ptrdiff_t y, int c) {
    x = border_index(border.mode, x, (ptrdiff_t)view.shape.width);
    y = border_index(border.mode, y, (ptrdiff_t)view.shape.height);
    return x < 0 || y < 0 ? (double)border.value : view_value(view, (size_t)x, (size_t)y, c);
}

/* A mask of whole numbers that is larger than the picture, and not symmetric: the sums are exact. */
static void check_convolve(Shape shape, Border border) {
    enum { WIDTH = 9, HEIGHT = 4 };
    float weights[WIDTH * HEIGHT];
    Image *in, *out;
    void (*kernel)(KernelPicture, KernelPicture, KernelMask, KernelPart);
    *(void **)&kernel = load_starter(GLINT_convolve, shape.type, shape.channels);
    REQUIRE(image_create(shape, &in));
    REQUIRE(image_create(shape, &out));
    view_fill_random(in->view, 5);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        weights[i] = (float)(i * 7 % 11 - 3);
    const KernelMask mask = {.weights = weights, .width = WIDTH, .height = HEIGHT, .divisor = 60, .bias = 2};
    const int middle = (int)shape.height / 2;
    kernel(picture_of(in->view, border), picture_of(out->view, border), mask, (KernelPart){middle, (int)shape.height});
    kernel(picture_of(in->view, border), picture_of(out->view, border), mask, (KernelPart){0, middle});
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                double sum = 0, want;
                for (int j = 0; j < HEIGHT; j++)
                    for (int i = 0; i < WIDTH; i++)
                        sum += (double)weights[j * WIDTH + i] *
                               sample(in->view, border, (ptrdiff_t)x + i - WIDTH / 2, (ptrdiff_t)y + j - HEIGHT / 2, c);
                const double got = view_value(out->view, x, y, c);
                view_set_value(out->view, x, y, c, sum / 60 + 2);
                want = view_value(out->view, x, y, c);
                assert_true(shape.type == PIXEL_F32 ? fabs(want - got) < 2e-5 : want == got);
            }
    image_destroy(&in);
    image_destroy(&out);
}

static void convolve_agrees_at_every_border(void **state) {
    static const Shape shapes[] = {
        {7, 5, 3, PIXEL_U8}, {1, 1, 1, PIXEL_U8}, {2, 9, 4, PIXEL_U16}, {6, 2, 2, PIXEL_F32}};
    (void)state;
    if (!has_compiler())
        skip();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int mode = 0; mode < border_count; mode++)
            check_convolve(shapes[i], (Border){(BorderMode)mode, mode == BORDER_CONSTANT ? 100 : 0});
}

/* Halves, values beyond both ends, infinity and NaN, as view_set_value stores them. */
static void check_stored(PixelType type) {
    const float white = (float)pixel_type_white(type);
    const float values[] = {0.5F,         1.5F,  2.5F,      253.5F, 254.5F,   0.49999997F, -0.5F, -7,
                            white - 0.5F, white, white + 1, 3e9F,   INFINITY, -INFINITY,   NAN};
    enum { COUNT = sizeof values / sizeof *values };
    void (*kernel)(KernelPicture, KernelPicture, KernelPoint, KernelPart);
    const Border none = {BORDER_ZERO, 0};
    Image *in, *out, *want;
    *(void **)&kernel = load_starter(GLINT_point, type, 1);
    const Shape one = {1, 1, 1, type};
    REQUIRE(image_create(one, &in));
    REQUIRE(image_create(one, &out));
    REQUIRE(image_create(one, &want));
    view_set_value(in->view, 0, 0, 0, 1);
    for (int i = 0; i < COUNT; i++) {
        kernel(picture_of(in->view, none), picture_of(out->view, none), (KernelPoint){0, values[i]},
               (KernelPart){0, 1});
        view_set_value(want->view, 0, 0, 0, (double)values[i]);
        assert_memory_equal(out->view.pixels, want->view.pixels, pixel_type_size(type));
    }
    image_destroy(&in);
    image_destroy(&out);
    image_destroy(&want);
}

static void values_are_stored_as_glint_stores_them(void **state) {
    (void)state;
    if (!has_compiler())
        skip();
    check_stored(PIXEL_U8);
    check_stored(PIXEL_U16);
    check_stored(PIXEL_F32);
}

static void matrices_and_vectors_agree(void **state) {
    float a[6] = {1, 2, 3, 4, 5, 6}, b[8] = {1, 0, 2, -1, 3, 1, 5, 9}, c[8] = {0}, sum = 0;
    void (*multiply)(KernelMatrix, KernelMatrix, KernelMatrix, KernelPart);
    void (*reduce)(KernelVector, float *, KernelPart);
    void (*dot)(KernelVector, KernelVector, float *, KernelPart);
    (void)state;
    if (!has_compiler())
        skip();
    *(void **)&multiply = load_starter(GLINT_multiply, PIXEL_F32, 1);
    *(void **)&reduce = load_starter(GLINT_reduce, PIXEL_F32, 1);
    *(void **)&dot = load_starter(GLINT_dot, PIXEL_F32, 1);
    /* (1 2; 4 5) (1 0; 3 1), in rows of three, four and four */
    multiply((KernelMatrix){a, 2, 2, 3}, (KernelMatrix){b, 2, 2, 4}, (KernelMatrix){c, 2, 2, 4}, (KernelPart){0, 2});
    const float want[8] = {7, 2, 0, 0, 19, 5, 0, 0};
    assert_memory_equal(c, want, sizeof want);
    reduce((KernelVector){b, 8}, &sum, (KernelPart){1, 7});
    assert_true(sum == 10);
    dot((KernelVector){a, 6}, (KernelVector){b, 8}, &sum, (KernelPart){0, 6});
    assert_true(sum == 1 + 6 - 4 + 15 + 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(convolve_agrees_at_every_border),
                                       cmocka_unit_test(values_are_stored_as_glint_stores_them),
                                       cmocka_unit_test(matrices_and_vectors_agree)};
    return cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
}
