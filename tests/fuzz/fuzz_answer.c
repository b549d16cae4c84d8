/* fuzz_answer.c: libFuzzer's entry into the answers of the sandbox's decoders. Any bytes are pictures, or a header, or
 * refused with a reason. Pictures take no more than the header said, and a format saves or refuses them.
 *
 * The input is an AnswerHead and the bytes from ANSWER_HEAD on. tests/fuzz/answers.py makes the seeds. */
#include "core/base/memory.h"
#include "core/codec/notes.h"
#include "core/codec/sandbox_answer.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int answer; /* a file in memory */

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    answer = memfd_create("answer", 0);
    return answer < 0 || setenv("GLINT_MEMORY", "16M", 1);
}

/* Returns the answer's size. */
static size_t write_answer(const uint8_t *data, size_t size) {
    const size_t head = size < sizeof(AnswerHead) ? size : sizeof(AnswerHead), rest = size - head;
    check(ftruncate(answer, 0) == 0 && ftruncate(answer, (off_t)(ANSWER_HEAD + rest)) == 0);
    check(pwrite(answer, data, head, 0) == (ssize_t)head);
    check(pwrite(answer, data + head, rest, ANSWER_HEAD) == (ssize_t)rest);
    return ANSWER_HEAD + rest;
}

static void check_status(Status status) {
    check(status == STATUS_OK || ((status == STATUS_INPUT || status == STATUS_DEVICE) && status_message()[0] != '\0'));
}

static void check_text(const Image *image) {
    Note note;
    size_t at = 0;
    while (notes_next(image, &at, &note))
        check(at <= image->text.size);
    check(at == image->text.size);
}

static size_t count_bytes(const Image *image) {
    size_t bytes = 0;
    for (; image; image = image->next) {
        bytes += shape_bytes(image->view.shape) + image->profile_size + image->exif.size + image->xmp.size +
                 image->text.size;
        check_text(image);
    }
    return bytes;
}

static void save(const Image *image, const Format *format) {
    unsigned lost = 0;
    Bytes file;
    check_status(codec_encode(format, image, (SaveOptions){.lost = &lost}, &file));
    check(lost <= EXTRAS);
    bytes_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { SAVED = 1 << 14, FEW = 8 };
    const unsigned last = size > 0 ? data[size - 1] : 0; /* decides on the pages asked for, and on the format saved */
    const Pages pages = {.count = last & 1, .partial = last & 2};
    const size_t bytes = write_answer(data, size);
    size_t format;
    Measure measure;
    Image *image;
    FilePart part;
    Status status = answer_measure(answer, bytes, pages, &format, &measure);
    check_status(status);
    check(status != STATUS_OK || (format < format_count && measure.count > 0 && measure.extras <= EXTRAS));
    if (status != STATUS_OK)
        return 0;
    measure.carried = bytes;
    status = answer_images(answer, bytes, &measure, &part, &image);
    check_status(status);
    check((status == STATUS_OK) == (image != NULL));
    check(!image || image_count(image) <= measure.count);
    check(!image || part.of == 0 || (pages.partial && part.rows <= part.of && part.fine <= part.rows));
    check(!image || count_bytes(image) - shape_bytes(image->view.shape) <= memory_sum(measure.further, bytes));
    check(!image || shape_bytes(image->view.shape) <= shape_bytes(measure.shape));
    if (image && shape_bytes(image->view.shape) <= SAVED && image_count(image) <= FEW)
        save(image, formats[(last >> 1) % format_count]);
    image_destroy(&image);
    return 0;
}
