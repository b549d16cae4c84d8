/* test_library_sandbox.c: libglint's sandbox, whose server is this program, executed with another argument. */
#include "fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const server[] = {"/proc/self/exe", "serve", NULL};
static const char ppm[] = "P6\n2 1\n255\nabcdef";
enum { PPM = sizeof ppm - 1 };

static void assert_picture(GlintImage *image) {
    GlintShape shape;
    GlintPixels pixels;
    GOOD(glint_image_pixels(image, 0, &shape, &pixels, &error));
    assert_int_equal(shape.width, 2);
    assert_int_equal(shape.height, 1);
    assert_memory_equal(pixels.pixels, "abcdef", 6);
}

static void test_files(void **state) {
    (void)state;
    char path[] = "sandbox.XXXXXX";
    GlintSandbox *sandbox;
    GlintImage *image;
    const int file = mkstemp(path);
    assert_int_equal(write(file, ppm, PPM), PPM);
    close(file);
    GOOD(glint_sandbox(server, 60, &sandbox, &error));
    GOOD(glint_sandbox_read(sandbox, path, &image, &error));
    assert_picture(image);
    glint_image_free(image);
    GOOD(glint_sandbox_decode(sandbox, ppm, PPM, &image, &error));
    assert_picture(image);
    glint_image_free(image);
    REFUSED(glint_sandbox_decode(sandbox, ppm, PPM - 3, &image, &error), GLINT_INPUT, "the bytes: ");
    assert_null(image);
    REFUSED(glint_sandbox_decode(sandbox, "no picture at all", 17, &image, &error), GLINT_INPUT, "no known picture");
    REFUSED(glint_sandbox_read(sandbox, "none.ppm", &image, &error), GLINT_INPUT, "none.ppm: cannot be read");
    glint_sandbox_free(sandbox);
    unlink(path);
}

static void test_requests(void **state) {
    (void)state;
    static const char *const absent[] = {"/nowhere/at/all", NULL}, *const nothing[] = {NULL};
    GlintSandbox *sandbox = (GlintSandbox *)&state;
    GlintImage *image;
    REFUSED(glint_sandbox(server, 0, &sandbox, &error), GLINT_USAGE, "0 seconds, want 1 to 86400");
    assert_null(sandbox);
    REFUSED(glint_sandbox(nothing, 60, &sandbox, &error), GLINT_USAGE, "server[0] is NULL");
    REFUSED(glint_sandbox(absent, 60, &sandbox, &error), GLINT_DEVICE, "no process for a sandbox");
    REFUSED(glint_sandbox_decode(NULL, ppm, PPM, &image, &error), GLINT_USAGE, "sandbox: NULL");
    assert_null(image);
    glint_sandbox_free(NULL);
}

/* A program that serves nothing is one failure, and no hang. */
static void test_other_program(void **state) {
    (void)state;
    static const char *const other[] = {"/bin/true", NULL};
    GlintSandbox *sandbox;
    GlintImage *image;
    GOOD(glint_sandbox(other, 60, &sandbox, &error));
    assert_int_equal(glint_sandbox_decode(sandbox, ppm, PPM, &image, &error), GLINT_DEVICE);
    assert_null(image);
    glint_sandbox_free(sandbox);
}

static void *start(void *sandbox) {
    return glint_sandbox(server, 60, (GlintSandbox **)sandbox, NULL) == GLINT_OK ? sandbox : NULL;
}

static void test_threads(void **state) {
    (void)state;
    GlintSandbox *sandbox;
    GlintImage *image;
    pthread_t thread;
    void *started;
    assert_int_equal(pthread_create(&thread, NULL, start, &sandbox), 0);
    assert_int_equal(pthread_join(thread, &started), 0);
    assert_non_null(started);
    GOOD(glint_sandbox_decode(sandbox, ppm, PPM, &image, &error));
    assert_picture(image);
    glint_image_free(image);
    glint_sandbox_free(sandbox);
}

/* A forked child is refused, and leaves the server to its parent. */
static void test_fork(void **state) {
    (void)state;
    GlintSandbox *sandbox;
    GlintImage *image;
    int status;
    GOOD(glint_sandbox(server, 60, &sandbox, &error));
    const pid_t child = fork();
    if (child == 0) {
        const GlintStatus refused = glint_sandbox_decode(sandbox, ppm, PPM, &image, &error);
        glint_sandbox_free(sandbox);
        _exit(refused == GLINT_USAGE && strstr(error.sentence, "before fork()") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    GOOD(glint_sandbox_decode(sandbox, ppm, PPM, &image, &error));
    glint_image_free(image);
    glint_sandbox_free(sandbox);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),   cmocka_unit_test(test_requests), cmocka_unit_test(test_other_program),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_fork),
    };
    if (argc > 1 && strcmp(argv[1], "serve") == 0)
        glint_sandbox_serve();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
