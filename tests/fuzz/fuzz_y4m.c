/* fuzz_y4m.c: libFuzzer's entry into films. Any header is read or refused with a reason. A frame of any bytes becomes a
 * picture, which becomes a frame again. */
#include "core/codec/y4m.h"
#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    return setenv("GLINT_MEMORY", "4M", 1);
}

/* A header that was written is read as it was. */
static void header_there_and_back(const Y4m *film) {
    char line[2 * Y4M_LINE];
    Y4m again;
    const size_t length = y4m_format(film, line, sizeof line);
    check(length < sizeof line && line[length - 1] == '\n');
    line[length - 1] = '\0';
    check(length > Y4M_LINE || y4m_parse(line, &again) == STATUS_OK);
    check(length > Y4M_LINE || (again.width == film->width && again.height == film->height &&
                                again.chroma == film->chroma && again.full == film->full));
}

/* The line ends with the first line break; a frame that is cut short goes on with zeros. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { BYTES_MAX = 1 << 16 };
    char line[2 * Y4M_LINE];
    Y4m film;
    const uint8_t *end = memchr(data, '\n', size);
    const size_t length = end ? (size_t)(end - data) : size, left = end ? size - length - 1 : 0;
    snprintf(line, sizeof line, "%.*s", (int)(length < Y4M_LINE ? length : Y4M_LINE), (const char *)data);
    const Status status = y4m_parse(line, &film);
    check(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0] != '\0'));
    if (status != STATUS_OK)
        return 0;
    header_there_and_back(&film);
    const size_t bytes = y4m_frame_bytes(&film);
    Image *image = NULL;
    unsigned char *frame = bytes <= BYTES_MAX ? calloc(2, bytes) : NULL;
    if (!frame)
        return 0;
    memcpy(frame, end ? end + 1 : data, left < bytes ? left : bytes);
    check(y4m_decode(&film, frame, &image) == STATUS_OK);
    check(y4m_encode(&film, image->view, frame + bytes) == STATUS_OK);
    image_destroy(&image);
    free(frame);
    return 0;
}
