/* test_sandbox.c: pictures decoded in the sandbox are those decoded outside; a decoder that crashes, hangs, or asks for
 * what it must not have is one failed input. The decoder is wrapped by one that misbehaves for files that say so. */
#include "core/codec.h"
#include "core/sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/check.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

Status __real_codec_unpack(Bytes file, Pages pages, size_t max, Image **image);
Status __wrap_codec_unpack(Bytes file, Pages pages, size_t max, Image **image);

static Sandbox *sandbox;

static void crash(void) {
    volatile int *volatile nowhere = NULL;
    // cppcheck-suppress nullPointer
    *nowhere = 1; /* NOLINT(clang-analyzer-core.NullDereference) */
}

static void hang(void) {
    for (volatile unsigned i = 0;; i++) {
    }
}

static void wait_for_ever(void) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}

static void open_a_file(void) {
    (void)!open("/etc/passwd", O_RDONLY);
}

static void go_online(void) {
    (void)!socket(AF_INET, SOCK_STREAM, 0);
}

static void make_a_process(void) {
    (void)!fork();
}

/* Which is refused without an end. */
static void write_somewhere(void) {
    if (write(STDERR_FILENO, "x", 1) < 0)
        abort();
}

static void leave(void) {
    _exit(0);
}

/* Far more than the picture takes. */
static void take_memory(void) {
    enum { STEP = 1 << 20, STEPS = 4096 };
    for (int i = 0; i < STEPS; i++) {
        char *memory = malloc(STEP);
        if (!memory)
            abort();
        memset(memory, 1, STEP);
    }
}

/* By the red value of the first pixel. */
static const struct {
    void (*do_it)(void);
    const char *says;
} deeds[] = {{crash, "crashed"},
             {hang, "longer than 1 s"},
             {wait_for_ever, "longer than 1 s"},
             {open_a_file, "must not have"},
             {go_online, "must not have"},
             {make_a_process, "must not have"},
             {write_somewhere, "the decoder"},
             {abort, "the decoder"},
             {leave, "makes no sense"},
             {take_memory, "the decoder"}};

enum { DEEDS = sizeof deeds / sizeof *deeds, HARMLESS = 200 };

Status __wrap_codec_unpack(Bytes file, Pages pages, size_t max, Image **image) {
    TRY(__real_codec_unpack(file, pages, max, image));
    const size_t deed = (*image)->view.shape.width == 3 ? ((unsigned char *)(*image)->view.pixels)[0] : HARMLESS;
    if (deed < DEEDS)
        deeds[deed].do_it();
    return STATUS_OK;
}

static Status load(const char *path, Image **image) {
    Input input;
    CodecFile file;
    *image = NULL;
    TRY(input_open(path, &input));
    TRY(codec_adopt(&input, (Pages){0}, sandbox_box(sandbox), &file));
    assert_false(codec_has_rows(&file));
    return codec_read(&file, codec_memory(&file), image);
}

static void write_picture(const char *path, unsigned char first) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "P6\n3 1\n255\n%cbcdefghi", first);
    assert_int_equal(fclose(file), 0);
}

static void check_blocks(const ImageBlock *want, const ImageBlock *got) {
    assert_int_equal(want->size, got->size);
    if (want->size > 0)
        assert_memory_equal(want->data, got->data, want->size);
}

static void samples_are_the_same(void **state) {
    (void)state;
    DIR *folder = opendir(FOLDER);
    size_t count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[600];
        CodecFile file;
        Image *want = NULL, *got = NULL;
        snprintf(path, sizeof path, FOLDER "%s", entry->d_name);
        if (!format_for_path(path) || codec_open(path, (Pages){0}, &file) != STATUS_OK)
            continue;
        REQUIRE(codec_read(&file, codec_memory(&file), &want));
        REQUIRE(load(path, &got));
        assert_int_equal(image_count(want), image_count(got));
        for (const Image *a = want, *b = got; a && b; a = a->next, b = b->next) {
            assert_true(shape_equal(a->view.shape, b->view.shape));
            assert_memory_equal(a->view.pixels, b->view.pixels, shape_bytes(a->view.shape));
            check_blocks(&a->exif, &b->exif);
            check_blocks(&a->xmp, &b->xmp);
            check_blocks(&a->text, &b->text);
            assert_int_equal(a->profile_size, b->profile_size);
            assert_int_equal(a->extras, b->extras);
            assert_memory_equal(&a->resolution, &b->resolution, sizeof a->resolution);
            assert_memory_equal(&a->seconds, &b->seconds, sizeof a->seconds);
        }
        image_destroy(&want);
        image_destroy(&got);
        count++;
    }
    closedir(folder);
    assert_true(count >= 3);
}

static void what_misbehaves_fails_alone(void **state) {
    (void)state;
    for (int deed = 0; deed <= DEEDS; deed++) {
        Image *image;
        char path[16];
        snprintf(path, sizeof path, "%d.ppm", deed);
        write_picture(path, (unsigned char)(deed < DEEDS ? deed : HARMLESS));
        const Status status = load(path, &image);
        if (status != (deed < DEEDS ? STATUS_INPUT : STATUS_OK))
            fail_msg("deed %d: status %d, %s", deed, (int)status, status_message());
        if (deed < DEEDS && !strstr(status_message(), deeds[deed].says))
            fail_msg("deed %d: says \"%s\", want \"%s\"", deed, status_message(), deeds[deed].says);
        image_destroy(&image);
    }
}

static void damage_is_told_as_outside(void **state) {
    (void)state;
    Image *image;
    FILE *file = fopen("cut.ppm", "w");
    assert_non_null(file);
    fputs("P6\n3 100\n255\nabc", file);
    fclose(file);
    assert_int_equal(load("cut.ppm", &image), STATUS_INPUT);
    assert_string_equal(status_message(), "cut.ppm: damaged PNM: the file ends early");
    file = fopen("text.ppm", "w");
    assert_non_null(file);
    fputs("hello, world", file);
    fclose(file);
    assert_int_equal(load("text.ppm", &image), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "no known picture format"));
}

enum { THREADS = 4, EACH = 20 };

static void *load_many(void *wrong) {
    for (int i = 0; i < EACH; i++) {
        Image *image;
        *(int *)wrong += load("good.ppm", &image) != STATUS_OK || ((unsigned char *)image->view.pixels)[1] != 'b';
        *(int *)wrong += load("bad.ppm", &image) != STATUS_INPUT;
        image_destroy(&image);
    }
    return NULL;
}

static void many_threads_share_it(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    write_picture("good.ppm", HARMLESS);
    write_picture("bad.ppm", 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_many, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

int main(void) {
    if (sandbox_open(1, &sandbox) != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_same), cmocka_unit_test(what_misbehaves_fails_alone),
        cmocka_unit_test(damage_is_told_as_outside), cmocka_unit_test(many_threads_share_it)};
    const int failed = cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
    sandbox_close(&sandbox);
    return failed;
}
