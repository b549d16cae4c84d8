/* apng.c: chunks. */
#include "app/view/window/apng.h"

#include <stdint.h>
#include <string.h>

enum { SIGNATURE = 8, HEADER = 25 /* bytes of the chunk IHDR */, AROUND = 12 /* of a chunk, around its data */ };
enum { COUNT_AT = SIGNATURE + HEADER + 8 /* of the pictures, in acTL */, TIMES_MAX = 65535 };

static void put(unsigned char *to, uint32_t number, int bytes) {
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * (bytes - 1 - i));
}

static uint32_t get(const unsigned char *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

/* The check sum of a chunk's type and data (polynomial 0xedb88320), a byte by a table. */
static uint32_t check_sum(uint32_t sum, const unsigned char *data, size_t size) {
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < size; i++)
        sum = table[(sum ^ data[i]) & 255] ^ sum >> 8;
    return sum;
}

static bool append(Apng *apng, const void *data, size_t size) {
    return size == 0 || bytes_append(&apng->file, &apng->capacity, data, size); /* chunks may have no data */
}

/* A chunk whose data begin with `head`, in big endian, and go on with `rest`. */
static bool add_chunk(Apng *apng, const char *type, const unsigned char *head, size_t head_size,
                      const unsigned char *rest, size_t rest_size) {
    unsigned char number[4];
    uint32_t sum = check_sum(~0u, (const unsigned char *)type, 4);
    sum = check_sum(check_sum(sum, head, head_size), rest, rest_size);
    put(number, (uint32_t)(head_size + rest_size), 4);
    bool added = append(apng, number, 4) && append(apng, type, 4) && append(apng, head, head_size) &&
                 append(apng, rest, rest_size);
    put(number, ~sum, 4);
    added = added && append(apng, number, 4);
    return added;
}

/* Adds the control of a frame, which replaces the shown pixels there for so long. */
static bool add_control(Apng *apng, const unsigned char *header, size_t x, size_t y, unsigned times, int rate) {
    unsigned char data[26] = {0};
    put(data, apng->sequence++, 4);
    memcpy(data + 4, header, 8); /* width and height, as IHDR has them */
    put(data + 12, (uint32_t)x, 4);
    put(data + 16, (uint32_t)y, 4);
    put(data + 20, times < TIMES_MAX ? times : TIMES_MAX, 2);
    put(data + 22, (uint32_t)rate, 2);
    return add_chunk(apng, "fcTL", data, sizeof data, NULL, 0);
}

/* The first picture's data are those that programs show which know no animation. */
static bool add_data(Apng *apng, const unsigned char *data, size_t size, bool first) {
    unsigned char number[4];
    if (first)
        return add_chunk(apng, "IDAT", NULL, 0, data, size);
    put(number, apng->sequence++, 4);
    return add_chunk(apng, "fdAT", number, sizeof number, data, size);
}

Status apng_add(Apng *apng, Bytes png, size_t x, size_t y, unsigned times, int rate) {
    static const unsigned char without_end[8] = {0}; /* the number of pictures, and how often: for ever */
    const unsigned char *header = png.data + SIGNATURE + 8;
    const bool first = apng->pictures++ == 0;
    bool added = !first || (append(apng, png.data, SIGNATURE + HEADER) &&
                            add_chunk(apng, "acTL", without_end, sizeof without_end, NULL, 0));
    added = added && add_control(apng, header, x, y, times, rate);
    for (size_t at = SIGNATURE; added && at + AROUND <= png.size; at += AROUND + get(png.data + at))
        if (memcmp(png.data + at + 4, "IDAT", 4) == 0)
            added = add_data(apng, png.data + at + 8, get(png.data + at), first);
    return added ? STATUS_OK : fail(STATUS_DEVICE, "no memory for so long an animation; a folder needs none");
}

/* The number of pictures is known by now, and so is its chunk's check sum. */
Status apng_end(Apng *apng) {
    if (!add_chunk(apng, "IEND", NULL, 0, NULL, 0))
        return fail(STATUS_DEVICE, "no memory for an animation");
    unsigned char *control = apng->file.data + COUNT_AT;
    put(control, apng->pictures, 4);
    put(control + 8, ~check_sum(~0u, control - 4, 12), 4);
    return STATUS_OK;
}

void apng_free(Apng *apng) {
    bytes_free(&apng->file);
    *apng = (Apng){.capacity = 0};
}
