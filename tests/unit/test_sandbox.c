/* test_sandbox.c: pictures decoded in the sandbox are those decoded outside. A decoder that is taken over, makes calls
 * that it must not, or answers as it likes is one failed input. The decoder is this program, executed again: in its
 * place of codec_measure and codec_unpack it has others, which misbehave for pictures that say so. */
#include "core/codec/codec.h"
#include "core/codec/notes.h"
#include "core/codec/sandbox.h"
#include "core/codec/sandbox_answer.h"
#include "core/codec/sandbox_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check.h"
#include "tests/unit/sandbox_deeds.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

/* Signals are judged by the sandbox; without memory there is a null pointer. */
const char *__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
const char *__asan_default_options(void) {
    return "handle_segv=0:handle_abort=0:allocator_may_return_null=1:detect_leaks=1";
} /* NOLINT */

Status __real_codec_unpack(Bytes file, Pages pages, size_t max, FilePart *part, Image **image);
Status __wrap_codec_unpack(Bytes file, Pages pages, size_t max, FilePart *part, Image **image);
Status __real_codec_measure(Input *file, Pages pages, size_t *format, Measure *measure);
Status __wrap_codec_measure(Input *file, Pages pages, size_t *format, Measure *measure);

static Sandbox *sandbox, *hasty; /* hasty: ends a decoder that takes more than a second */

enum {
    HARMLESS = 200,
    PATIENCE = 300, /* seconds */
    DEEDS_WIDE = 3, /* pixels of a picture that has to do with them */
    LIES_WIDE = 4,
    MEASURES_WIDE = 5
};

/* ---- its answers ---- */

enum { AT = 1 << 16, BIG = 40 << 20 /* bytes: where lies are put, and how much of the answer they claim */ };

/* The answer that a decoder's first picture lies in, and its parcel; there is room behind it. */
typedef struct Lie {
    AnswerHead *head;
    AnswerParcel *parcel;
    unsigned char *base;
} Lie;

static void lie_with_text(const Lie *lie, const char *text, size_t size) {
    memcpy(lie->base + AT, text, size);
    lie->parcel->blocks[3] = (AnswerBlock){AT, size};
}

static void status_of(const Lie *lie, uint32_t status, const char *why) {
    lie->head->status = status;
    snprintf(lie->head->why, sizeof lie->head->why, "%s", why);
}

static void say_interrupted(const Lie *lie) {
    status_of(lie, STATUS_INTERRUPTED, "interrupted");
}
static void say_partial(const Lie *lie) {
    status_of(lie, STATUS_PARTIAL, "some");
}
static void say_usage(const Lie *lie) {
    status_of(lie, STATUS_USAGE, "usage");
}
static void say_anything(const Lie *lie) {
    status_of(lie, UINT32_MAX, "anything");
}
static void say_nothing(const Lie *lie) {
    status_of(lie, STATUS_INPUT, "");
}
static void say_input(const Lie *lie) {
    status_of(lie, STATUS_INPUT, "as it likes");
}
static void say_two_lines(const Lie *lie) {
    status_of(lie, STATUS_INPUT, "one\nglint: two\x1B[2J");
}
static void say_without_end(const Lie *lie) {
    lie->head->status = STATUS_INPUT;
    memset(lie->head->why, 'x', sizeof lie->head->why);
}
static void not_complete(const Lie *lie) {
    lie->head->complete = 1;
}
static void no_picture(const Lie *lie) {
    lie->head->first = 0;
}
static void picture_in_the_head(const Lie *lie) {
    lie->head->first = 8;
}
static void picture_beyond(const Lie *lie) {
    lie->head->first = (uint64_t)1 << 40;
}
static void picture_at_the_last(const Lie *lie) {
    lie->head->first = UINT64_MAX;
}
static void next_is_itself(const Lie *lie) {
    lie->parcel->next = lie->head->first;
}
static void pixels_beyond(const Lie *lie) {
    lie->parcel->pixels = UINT64_MAX - 4;
}
static void pixels_of_the_head(const Lie *lie) {
    lie->parcel->pixels = 1;
}
static void no_width(const Lie *lie) {
    lie->parcel->shape.width = 0;
}
static void vast_width(const Lie *lie) {
    lie->parcel->shape.width = (uint64_t)1 << 62;
}
static void wide_as_the_answer(const Lie *lie) {
    lie->parcel->shape.width = (uint64_t)1 << 31;
}
static void counts_for_pixels(const Lie *lie) {
    lie->parcel->shape.type = PIXEL_U32;
}
static void many_channels(const Lie *lie) {
    lie->parcel->shape.channels = 0x80000001;
}
static void one_pixel_more(const Lie *lie) {
    lie->parcel->shape.width++;
}
static void lies_on_its_side(const Lie *lie) {
    lie->parcel->shape.width = 1;
    lie->parcel->shape.height = LIES_WIDE;
}
static void deeper(const Lie *lie) {
    lie->parcel->shape.type = PIXEL_U16;
}
static void with_alpha(const Lie *lie) {
    lie->parcel->shape.channels = 4;
}
static void gray(const Lie *lie) {
    lie->parcel->shape.channels = 1;
}
static void no_channels(const Lie *lie) {
    lie->parcel->shape.channels = 0;
}
static void premultiplied_bytes(const Lie *lie) {
    lie->parcel->premultiplied = 1;
}
static void more_than_true(const Lie *lie) {
    lie->parcel->has_gama = 2;
}
static void further_extras(const Lie *lie) {
    lie->parcel->extras = 1u << 20;
}
static void no_number(const Lie *lie) {
    lie->parcel->resolution[1] = NAN;
}
static void endless_resolution(const Lie *lie) {
    lie->parcel->resolution[0] = INFINITY;
}
static void backwards(const Lie *lie) {
    lie->parcel->seconds = -1;
}
static void text_without_end(const Lie *lie) {
    lie_with_text(lie, "Comment\0endless", 15);
}
static void text_without_pair(const Lie *lie) {
    lie_with_text(lie, "Comment\0a\0b", 12);
}
static void text_that_is_none(const Lie *lie) {
    lie_with_text(lie, "Comment\0\xFF\xFE", 11);
}
static void text_beyond_its_bound(const Lie *lie) {
    lie->parcel->blocks[3] = (AnswerBlock){AT, 2 * NOTES_MAX};
}
static void profile_beyond(const Lie *lie) {
    lie->parcel->blocks[0] = (AnswerBlock){AT, UINT64_MAX - 10};
}
static void profile_of_the_head(const Lie *lie) {
    lie->parcel->blocks[0] = (AnswerBlock){8, 100};
}
static void profile_of_nothing(const Lie *lie) {
    lie->parcel->blocks[0] = (AnswerBlock){AT, 0};
}
static void profile_nowhere(const Lie *lie) {
    lie->parcel->blocks[0] = (AnswerBlock){0, 100};
}
static void part_that_nobody_wants(const Lie *lie) {
    lie->head->part = (AnswerPart){1, 1, 1};
}
static void exif_that_is_none(const Lie *lie) {
    lie->parcel->blocks[1] = (AnswerBlock){AT, 4};
}

/* Names the same bytes twice: together they are more than the answer. */
static void amplified(const Lie *lie) {
    lie->parcel->blocks[0] = lie->parcel->blocks[2] = (AnswerBlock){ANSWER_HEAD, BIG};
}

static void more_than_the_header_said(const Lie *lie) {
    AnswerParcel second = *lie->parcel;
    memcpy(lie->base + AT, &second, sizeof second);
    lie->parcel->next = AT;
}

static void map_that_was_not_told(const Lie *lie) {
    lie->parcel->gain_map = (AnswerGainMap){{1, 1, 1, PIXEL_U8}, AT, gain_curve_default()};
}
static void map_without_pixels(const Lie *lie) {
    lie->parcel->gain_map = (AnswerGainMap){{0, 0, 1, PIXEL_U8}, AT, gain_curve_default()};
}
static void map_without_a_curve(const Lie *lie) {
    lie->parcel->gain_map = (AnswerGainMap){.shape = {1, 1, 1, PIXEL_U8}, .pixels = AT};
}

/* By the red value. Most answers make no sense; some are another's fault, or believed. */
static const struct {
    void (*tell)(const Lie *lie);
    const char *says;
} lies[] = {{say_interrupted, NULL},
            {say_partial, NULL},
            {say_usage, NULL},
            {say_anything, NULL},
            {say_nothing, NULL},
            {say_without_end, NULL},
            {say_input, "as it likes"},
            {say_two_lines, ": one glint: two [2J"},
            {not_complete, NULL},
            {no_picture, NULL},
            {picture_in_the_head, NULL},
            {picture_beyond, NULL},
            {picture_at_the_last, NULL},
            {next_is_itself, NULL},
            {pixels_beyond, NULL},
            {pixels_of_the_head, NULL},
            {no_width, "no pixels"},
            {vast_width, "more bytes than"},
            {wide_as_the_answer, NULL},
            {counts_for_pixels, NULL},
            {one_pixel_more, NULL},
            {lies_on_its_side, NULL},
            {deeper, NULL},
            {with_alpha, NULL},
            {gray, NULL},
            {many_channels, NULL},
            {no_channels, "0 channels"},
            {premultiplied_bytes, NULL},
            {more_than_true, NULL},
            {further_extras, NULL},
            {no_number, NULL},
            {endless_resolution, NULL},
            {backwards, NULL},
            {text_without_end, NULL},
            {text_without_pair, NULL},
            {text_that_is_none, NULL},
            {text_beyond_its_bound, NULL},
            {profile_beyond, NULL},
            {profile_of_the_head, NULL},
            {profile_of_nothing, NULL},
            {profile_nowhere, NULL},
            {part_that_nobody_wants, NULL},
            {exif_that_is_none, NULL},
            {amplified, NULL},
            {map_that_was_not_told, NULL},
            {map_without_pixels, "no pixels"},
            {map_without_a_curve, NULL},
            {more_than_the_header_said, NULL}};

enum { DEEDS = sizeof deeds / sizeof *deeds, LIES = sizeof lies / sizeof *lies };

/* The first picture lies right behind the head. */
static void answer_with(Image *image, void (*tell)(const Lie *lie)) {
    unsigned char *base = (unsigned char *)image->view.pixels - ANSWER_HEAD;
    AnswerWriter writer = answer_begin(base, BIG);
    writer.used += 1 << 12;
    if (answer_put_images(&writer, image, (FilePart){0}) != STATUS_OK)
        abort();
    answer_end(&writer, STATUS_OK);
    AnswerHead *head = (AnswerHead *)base;
    tell(&(Lie){head, (AnswerParcel *)(base + head->first), base});
    _exit(0);
}

static bool in_decoder(void) {
    return strcmp(program_invocation_name, "glint: sandbox") == 0;
}

Status __wrap_codec_unpack(Bytes file, Pages pages, size_t max, FilePart *part, Image **image) {
    TRY(__real_codec_unpack(file, pages, max, part, image));
    const size_t width = (*image)->view.shape.width, number = ((unsigned char *)(*image)->view.pixels)[0];
    if (in_decoder() && width == DEEDS_WIDE && number < DEEDS)
        deeds[number].do_it();
    if (in_decoder() && width == LIES_WIDE && number < LIES)
        answer_with(*image, lies[number].tell);
    return STATUS_OK;
}

/* ---- of headers ---- */

static void measure_no_format(size_t *format, Measure *measure) {
    (void)measure, *format = format_count;
}
static void measure_any_format(size_t *format, Measure *measure) {
    (void)measure, *format = SIZE_MAX;
}
static void measure_a_turn(size_t *format, Measure *measure) {
    (void)format, measure->orientation = 9;
}
static void measure_no_picture(size_t *format, Measure *measure) {
    (void)format, measure->count = 0;
}
static void measure_two(size_t *format, Measure *measure) {
    (void)format, measure->count = 2;
}
static void measure_extras(size_t *format, Measure *measure) {
    (void)format, measure->extras = 1u << 30;
}
static void measure_counts(size_t *format, Measure *measure) {
    (void)format, measure->shape.type = PIXEL_U32;
}
static void measure_no_channels(size_t *format, Measure *measure) {
    (void)format, measure->shape.channels = -1;
}
static void measure_nothing(size_t *format, Measure *measure) {
    (void)format, measure->shape.height = 0;
}
static void measure_all(size_t *format, Measure *measure) {
    (void)format, measure->shape.height = SIZE_MAX / 2;
}

static void (*const measures[])(size_t *format, Measure *measure) = {
    measure_no_format, measure_any_format, measure_a_turn,      measure_no_picture, measure_two,
    measure_extras,    measure_counts,     measure_no_channels, measure_nothing,    measure_all};
enum { MEASURES = sizeof measures / sizeof *measures };

/* PPM: the red value lies at the file's end. */
Status __wrap_codec_measure(Input *file, Pages pages, size_t *format, Measure *measure) {
    TRY(__real_codec_measure(file, pages, format, measure));
    const size_t width = measure->shape.width, bytes = 3 * width;
    const size_t number = file->bytes.size >= bytes ? file->bytes.data[file->bytes.size - bytes] : MEASURES;
    if (in_decoder() && width == MEASURES_WIDE && number < MEASURES)
        measures[number](format, measure);
    return STATUS_OK;
}

/* ---- the asking process ---- */

static Measure measured; /* of the file that was loaded last */
static FilePart part;    /* of it */

static Status load_pages(const char *path, Pages pages, Image **image) {
    Input input;
    CodecFile file;
    *image = NULL;
    TRY(input_open(path, &input));
    TRY(codec_adopt(&input, pages, sandbox_box(sandbox), &file));
    assert_false(codec_has_rows(&file));
    measured = file.measure;
    const Status status = codec_read(&file, codec_memory(&file), image);
    part = file.part;
    return status;
}

static Status load(const char *path, Image **image) {
    return load_pages(path, (Pages){0}, image);
}

static void write_picture(const char *path, size_t width, unsigned char first) {
    static const char values[] = "bcdefghijklmnopq";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "P6\n%zu 1\n255\n%c%.*s", width, first, (int)(3 * width - 1), values);
    assert_int_equal(fclose(file), 0);
}

static void check_blocks(const ImageBlock *want, const ImageBlock *got) {
    assert_int_equal(want->size, got->size);
    if (want->size > 0)
        assert_memory_equal(want->data, got->data, want->size);
}

static void check_images(const Image *want, const Image *got) {
    assert_int_equal(image_count(want), image_count(got));
    for (; want && got; want = want->next, got = got->next) {
        assert_true(shape_equal(want->view.shape, got->view.shape));
        assert_memory_equal(want->view.pixels, got->view.pixels, shape_bytes(want->view.shape));
        check_blocks(&want->exif, &got->exif);
        check_blocks(&want->xmp, &got->xmp);
        check_blocks(&want->text, &got->text);
        assert_int_equal(want->profile_size, got->profile_size);
        assert_int_equal(want->extras, got->extras);
        assert_int_equal(want->plays, got->plays);
        assert_int_equal(want->premultiplied, got->premultiplied);
        assert_memory_equal(&want->resolution, &got->resolution, sizeof want->resolution);
        assert_memory_equal(&want->seconds, &got->seconds, sizeof want->seconds);
    }
}

/* Without the sandbox. */
static Status load_here(const char *path, Image **image) {
    CodecFile file;
    *image = NULL;
    TRY(codec_open(path, (Pages){0}, &file));
    measured = file.measure;
    return codec_read(&file, codec_memory(&file), image);
}

/* Refused pictures are refused with the same words. */
static void samples_are_the_same(void **state) {
    (void)state;
    DIR *folder = opendir(FOLDER);
    size_t count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[600], said[1024];
        Image *want, *got;
        snprintf(path, sizeof path, FOLDER "%s", entry->d_name);
        if (!format_for_path(path))
            continue;
        const Status status = load_here(path, &want);
        snprintf(said, sizeof said, "%s", status_message());
        const Measure here = measured;
        if (load(path, &got) != status || (status != STATUS_OK && strcmp(said, status_message()) != 0))
            fail_msg("%s: status %d, \"%s\" becomes \"%s\"", path, (int)status, said, status_message());
        if (status == STATUS_OK) {
            check_images(want, got);
            assert_int_equal(here.premultiplied, measured.premultiplied);
            assert_int_equal(here.orientation, measured.orientation);
        }
        count += status == STATUS_OK;
        image_destroy(&want);
        image_destroy(&got);
    }
    closedir(folder);
    assert_true(count >= 3);
}

static void check_failure(size_t width, size_t number, const char *says) {
    Image *image;
    write_picture("taken.ppm", width, (unsigned char)number);
    Sandbox *const patient = sandbox;
    sandbox = strstr(says, "longer than 1 s") ? hasty : patient;
    const Status status = load_pages("taken.ppm", (Pages){.count = width == MEASURES_WIDE}, &image);
    sandbox = patient;
    if (status != STATUS_INPUT || !strstr(status_message(), says))
        fail_msg("width %zu, %zu: status %d, \"%s\", want \"%s\"", width, number, (int)status,
                 status == STATUS_OK ? "" : status_message(), says);
    assert_null(image);
}

static void what_misbehaves_fails_alone(void **state) {
    (void)state;
    Image *image;
    for (size_t i = 0; i < DEEDS; i++)
        check_failure(DEEDS_WIDE, i, deeds[i].says);
    write_picture("good.ppm", DEEDS_WIDE, HARMLESS);
    REQUIRE(load("good.ppm", &image));
    image_destroy(&image);
}

/* The maximum that this process has held, in KiB. */
static long most_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Two rows of three. */
static void parts_come_through(void **state) {
    (void)state;
    static const unsigned char rows[] = {1, 2, 3, 4, 5, 6, 128, 128, 128};
    Image *image;
    FILE *file = fopen("cut.ppm", "w");
    assert_non_null(file);
    fprintf(file, "P6\n1 3\n255\n%.*s", 8, (const char *)rows);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(load("cut.ppm", &image), STATUS_INPUT);
    REQUIRE(load_pages("cut.ppm", (Pages){.partial = true}, &image));
    assert_non_null(image);
    if (!image)
        return;
    assert_memory_equal(image->view.pixels, rows, sizeof rows);
    assert_true(part.of == 3 && part.rows == 2 && part.fine == 2);
    image_destroy(&image);
}

static void no_answer_is_believed(void **state) {
    (void)state;
    enum { ALLOWED = 256 << 10 };
    const long before = most_memory();
    Image *image;
    for (size_t i = 0; i < LIES; i++)
        check_failure(LIES_WIDE, i, lies[i].says ? lies[i].says : "makes no sense");
    assert_true(most_memory() - before < ALLOWED);
    write_picture("good.ppm", LIES_WIDE, HARMLESS);
    REQUIRE(load("good.ppm", &image));
    image_destroy(&image);
}

static void no_header_is_believed(void **state) {
    (void)state;
    for (size_t i = 0; i < MEASURES; i++) {
        const bool is_shape = measures[i] == measure_nothing || measures[i] == measure_all;
        check_failure(MEASURES_WIDE, i, is_shape ? "an image of 5 x" : "makes no sense");
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
        image_destroy(&image);
        *(int *)wrong += load("bad.ppm", &image) != STATUS_INPUT;
        image_destroy(&image);
    }
    return NULL;
}

static void many_threads_share_it(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0};
    write_picture("good.ppm", DEEDS_WIDE, HARMLESS);
    write_picture("bad.ppm", DEEDS_WIDE, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_many, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(wrong[i], 0);
    }
}

/* The first child of a process, or 0. */
static pid_t child_of(pid_t process) {
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &child) != 1)
        child = 0;
    if (file)
        fclose(file);
    return child;
}

/* Waits for at most some seconds until there is one; 0 if there is none. */
static pid_t wait_for_child(pid_t process) {
    pid_t child = 0;
    for (int i = 0; i < 500 && (child = child_of(process)) == 0; i++)
        usleep(10000);
    return child;
}

/* Nobody may have asked how it ended. */
static bool has_ended(pid_t process) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    if (file)
        fclose(file);
    return state == 'Z' || state == 'X';
}

static bool is_gone(pid_t process) {
    for (int i = 0; i < 500 && !has_ended(process); i++)
        usleep(10000);
    return has_ended(process);
}

/* The server that the test has is the first child of its process. */
static void the_server_has_nothing(void **state) {
    (void)state;
    char path[64], text[4096];
    const pid_t server = child_of(getpid());
    assert_true(server > 0);
    snprintf(path, sizeof path, "/proc/%d/status", server);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text, "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000"));
    assert_non_null(strstr(text, "NoNewPrivs:\t1"));
    snprintf(path, sizeof path, "/proc/%d/environ", server);
    file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_null(memmem(text, size, SECRET, strlen(SECRET)));
}

/* A process of its own asks for a picture whose decoder hangs, and is killed: nobody outlives it. */
static void nobody_outlives_who_asked(void **state) {
    (void)state;
    write_picture("slow.ppm", DEEDS_WIDE, 1);
    const pid_t asks = fork();
    if (asks == 0) {
        Image *image;
        if (sandbox_open(PATIENCE, false, &sandbox) == STATUS_OK)
            (void)load("slow.ppm", &image);
        _exit(0);
    }
    const pid_t server = wait_for_child(asks), decoder = server > 0 ? wait_for_child(server) : 0;
    kill(asks, SIGKILL);
    waitpid(asks, NULL, 0);
    assert_true(server > 0 && decoder > 0);
    assert_true(is_gone(server) && is_gone(decoder));
}

int main(int argc, char **argv) {
    (void)argc;
    processors = sysconf(_SC_NPROCESSORS_ONLN);
    sandbox_serve_if_asked(argv);
    setenv(SECRET, "1", 1);
    if (sandbox_open(PATIENCE, false, &sandbox) != STATUS_OK || sandbox_open(1, false, &hasty) != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_same),        cmocka_unit_test(the_server_has_nothing),
        cmocka_unit_test(what_misbehaves_fails_alone), cmocka_unit_test(no_answer_is_believed),
        cmocka_unit_test(parts_come_through),          cmocka_unit_test(no_header_is_believed),
        cmocka_unit_test(damage_is_told_as_outside),   cmocka_unit_test(many_threads_share_it),
        cmocka_unit_test(nobody_outlives_who_asked)};
    const int failed = cmocka_run_group_tests(tests, check_enter_folder, check_leave_folder);
    sandbox_close(&sandbox);
    sandbox_close(&hasty);
    return failed;
}
