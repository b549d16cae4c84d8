/* gain_metadata.c: gain maps' metadata: numbers in XMP and in binary.
 * XMP is read as text: packets of cameras and programs have each property as an attribute, or as an element. */
#include "core/codec/gain_metadata.h"

#include "core/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAIN_SPACE "http://ns.adobe.com/hdr-gain-map/1.0/"
#define CONTAINER  "http://ns.google.com/photos/1.0/container/"
#define RDF_END    "</rdf:RDF>"

/* ---- reading XMP ---- */

enum { PREFIX_MAX = 32 };

/* The prefix that a text, ending in a zero, binds to a namespace, else the customary one. */
static void find_prefix(const char *xmp, const char *space, const char *customary, char prefix[PREFIX_MAX]) {
    snprintf(prefix, PREFIX_MAX, "%s", customary);
    for (const char *at = xmp; (at = strstr(at, "xmlns:"));) {
        at += strlen("xmlns:");
        const size_t length = strcspn(at, "= \t\r\n");
        const char *uri = at + length + strspn(at + length, "= \t\r\n");
        if (length > 0 && length < PREFIX_MAX && *uri && strncmp(uri + 1, space, strlen(space)) == 0 &&
            uri[1 + strlen(space)] == *uri)
            snprintf(prefix, PREFIX_MAX, "%.*s", (int)length, at);
    }
}

/* The value of a property, an attribute's or an element's, from `xmp` on: its length, or -1 without one. */
static int find_value(const char *xmp, const char *prefix, const char *name, const char **value) {
    char property[2 * PREFIX_MAX], close[2 * PREFIX_MAX + 4];
    const int length = snprintf(property, sizeof property, "%s:%s", prefix, name);
    snprintf(close, sizeof close, "</%s", property);
    for (const char *at = xmp; (at = strstr(at, property)); at += length) {
        const char *behind = at + length + strspn(at + length, " \t\r\n");
        if (at == xmp || !strchr(" \t\r\n<", at[-1]) || !*behind)
            continue;
        const char *open = *behind == '=' ? behind + 1 + strspn(behind + 1, " \t\r\n") : behind;
        *value = open + 1;
        if (at[-1] != '<' && *behind == '=' && (*open == '"' || *open == '\''))
            return (int)strcspn(open + 1, (const char[]){*open, '\0'});
        const char *end = at[-1] == '<' && *open == '>' ? strstr(open, close) : NULL;
        if (end)
            return (int)(end - open - 1);
    }
    return -1;
}

/* The numbers of a property, between tags: one for all colours, or three. True also where it is missing. */
static bool read_numbers(const char *xmp, const char *prefix, const char *name, double numbers[GAIN_CHANNELS]) {
    const char *at;
    const int length = find_value(xmp, prefix, name, &at);
    double found[GAIN_CHANNELS];
    int count = 0;
    if (length < 0)
        return true;
    for (const char *end = at + length; at < end;) {
        at += strspn(at, " \t\r\n");
        if (at >= end)
            break;
        if (*at == '<') {
            const char *close = memchr(at, '>', (size_t)(end - at));
            at = close ? close + 1 : end;
        } else if (count == GAIN_CHANNELS || !text_number(at, &at, &found[count++])) {
            return false;
        }
    }
    if (count != 1 && count != GAIN_CHANNELS)
        return false;
    for (int c = 0; c < GAIN_CHANNELS; c++)
        numbers[c] = found[count == 1 ? 0 : c];
    return true;
}

static bool read_number(const char *xmp, const char *prefix, const char *name, double *number) {
    double numbers[GAIN_CHANNELS] = {NAN, NAN, NAN};
    const bool read = read_numbers(xmp, prefix, name, numbers);
    if (!isnan(numbers[0]))
        *number = numbers[0];
    return read;
}

/* `xmp` ends in a zero. */
static bool read_curve(const char *xmp, GainCurve *curve) {
    char prefix[PREFIX_MAX];
    const char *value;
    find_prefix(xmp, GAIN_SPACE, "hdrgm", prefix);
    if (find_value(xmp, prefix, "Version", &value) < 0 || find_value(xmp, prefix, "GainMapMax", &value) < 0)
        return false;
    const int from_hdr = find_value(xmp, prefix, "BaseRenditionIsHDR", &value);
    if (from_hdr >= 4 && strncasecmp(value, "true", 4) == 0)
        return false;
    *curve = gain_curve_default();
    curve->headroom_max = NAN;
    const bool read =
        read_numbers(xmp, prefix, "GainMapMin", curve->min) && read_numbers(xmp, prefix, "GainMapMax", curve->max) &&
        read_numbers(xmp, prefix, "Gamma", curve->gamma) && read_numbers(xmp, prefix, "OffsetSDR", curve->offset) &&
        read_numbers(xmp, prefix, "OffsetHDR", curve->offset_hdr) &&
        read_number(xmp, prefix, "HDRCapacityMin", &curve->headroom_min) &&
        read_number(xmp, prefix, "HDRCapacityMax", &curve->headroom_max);
    return read && gain_curve_is_sound(curve);
}

/* A copy that ends in a zero; others within are spaces. */
static char *copy_text(const char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < size; i++)
        copy[i] = text[i] ? text[i] : ' ';
    copy[size] = '\0';
    return copy;
}

bool gain_curve_of_xmp(const char *xmp, size_t size, GainCurve *curve) {
    char *text = copy_text(xmp, size);
    const bool read = text && read_curve(text, curve);
    free(text);
    return read;
}

double gain_xmp_number(const char *xmp, size_t size, const char *space, const char *prefix, const char *name) {
    char *text = copy_text(xmp, size), bound[PREFIX_MAX];
    double number = 0;
    if (text) {
        find_prefix(text, space, prefix, bound);
        if (!read_number(text, bound, name, &number))
            number = 0;
    }
    free(text);
    return number;
}

/* ---- reading and writing ISO 21496-1 ---- */

enum { FLAG_CHANNELS = 0x80, FLAG_COLOURS = 0x40 /* of the picture */, FLAG_COMMON = 8, FLAG_BACKWARD = 4 };

typedef struct Numbers {
    const unsigned char *at, *end;
    double divisor; /* that all have in common; 0: each has its own */
    bool bad;
} Numbers;

static uint32_t next_u32(Numbers *numbers) {
    if (numbers->end - numbers->at < 4) {
        numbers->bad = true;
        return 1;
    }
    const unsigned char *at = numbers->at;
    numbers->at += 4;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static double next_number(Numbers *numbers, bool with_sign) {
    const uint32_t bits = next_u32(numbers);
    const double number = with_sign ? (double)(int32_t)bits : (double)bits;
    return number / (numbers->divisor > 0 ? numbers->divisor : (double)next_u32(numbers)); /* by 0: not sound */
}

bool gain_curve_of_iso(const unsigned char *data, size_t size, GainCurve *curve) {
    enum { HEAD = 5 };
    if (size <= HEAD || data[0] != 0 || data[1] != 0 || data[4] & FLAG_BACKWARD)
        return false;
    const int channels = data[4] & FLAG_CHANNELS ? GAIN_CHANNELS : 1;
    Numbers numbers = {data + HEAD, data + size, 0, false};
    if (data[4] & FLAG_COMMON)
        numbers.divisor = (double)next_u32(&numbers);
    if (data[4] & FLAG_COMMON && !(numbers.divisor > 0))
        return false;
    curve->headroom_min = next_number(&numbers, false);
    curve->headroom_max = next_number(&numbers, false);
    for (int c = 0; c < channels; c++) {
        curve->min[c] = next_number(&numbers, true);
        curve->max[c] = next_number(&numbers, true);
        curve->gamma[c] = next_number(&numbers, false);
        curve->offset[c] = next_number(&numbers, true);
        curve->offset_hdr[c] = next_number(&numbers, true);
    }
    for (int c = channels; c < GAIN_CHANNELS; c++) {
        curve->min[c] = curve->min[0];
        curve->max[c] = curve->max[0];
        curve->gamma[c] = curve->gamma[0];
        curve->offset[c] = curve->offset[0];
        curve->offset_hdr[c] = curve->offset_hdr[0];
    }
    return !numbers.bad && gain_curve_is_sound(curve);
}

static unsigned char *put_u32(unsigned char *to, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        *to++ = (unsigned char)(value >> shift);
    return to;
}

/* As a fraction: numbers of a sound curve times its divisor are less than 2^31. */
static unsigned char *put_number(unsigned char *to, double value) {
    enum { DIVISOR = 1 << 20 };
    return put_u32(put_u32(to, (uint32_t)(int32_t)lrint(value * DIVISOR)), DIVISOR);
}

static bool is_alike(const double numbers[GAIN_CHANNELS]) {
    return !(numbers[0] < numbers[1]) && !(numbers[0] > numbers[1]) && !(numbers[0] < numbers[2]) &&
           !(numbers[0] > numbers[2]);
}

size_t gain_curve_to_iso(const GainCurve *curve, unsigned char *data) {
    const bool one = is_alike(curve->min) && is_alike(curve->max) && is_alike(curve->gamma) &&
                     is_alike(curve->offset) && is_alike(curve->offset_hdr);
    unsigned char *to = put_u32(data, 0); /* versions: the oldest that reads it, and the writer's */
    *to++ = one ? FLAG_COLOURS : FLAG_COLOURS | FLAG_CHANNELS;
    to = put_number(to, curve->headroom_min);
    to = put_number(to, curve->headroom_max);
    for (int c = 0; c < (one ? 1 : GAIN_CHANNELS); c++) {
        to = put_number(to, curve->min[c]);
        to = put_number(to, curve->max[c]);
        to = put_number(to, curve->gamma[c]);
        to = put_number(to, curve->offset[c]);
        to = put_number(to, curve->offset_hdr[c]);
    }
    return (size_t)(to - data);
}

/* ---- writing XMP ---- */

#define PACKET_BEGIN                                                                                                   \
    "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"                                               \
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
#define PACKET_END RDF_END "</x:xmpmeta><?xpacket end=\"w\"?>"

/* Makes a packet of a stream of text that is closed here; STATUS_DEVICE if it had no memory. */
static Status close_packet(FILE *stream, char *const *text, const size_t *size, ImageBlock *packet) {
    const bool good = stream && !ferror(stream);
    const bool closed = stream && fclose(stream) == 0;
    const Status status =
        good && closed ? image_block_set(packet, *text, *size) : fail(STATUS_DEVICE, "no memory for XMP");
    free(*text);
    return status;
}

static void print_numbers(FILE *to, const char *name, const double numbers[GAIN_CHANNELS]) {
    if (is_alike(numbers))
        fprintf(to, "<hdrgm:%s>%.9g</hdrgm:%s>", name, numbers[0], name);
    else
        fprintf(
            to,
            "<hdrgm:%s><rdf:Seq><rdf:li>%.9g</rdf:li><rdf:li>%.9g</rdf:li><rdf:li>%.9g</rdf:li></rdf:Seq></hdrgm:%s>",
            name, numbers[0], numbers[1], numbers[2], name);
}

Status gain_curve_to_xmp(const GainCurve *curve, ImageBlock *packet) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to) {
        fprintf(to,
                PACKET_BEGIN "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"" GAIN_SPACE
                             "\" hdrgm:Version=\"1.0\" hdrgm:BaseRenditionIsHDR=\"False\" "
                             "hdrgm:HDRCapacityMin=\"%.9g\" hdrgm:HDRCapacityMax=\"%.9g\">",
                curve->headroom_min, curve->headroom_max);
        print_numbers(to, "GainMapMin", curve->min);
        print_numbers(to, "GainMapMax", curve->max);
        print_numbers(to, "Gamma", curve->gamma);
        print_numbers(to, "OffsetSDR", curve->offset);
        print_numbers(to, "OffsetHDR", curve->offset_hdr);
        fprintf(to, "</rdf:Description>" PACKET_END);
    }
    return close_packet(to, &text, &size, packet);
}

/* ---- the picture's packet ---- */

/* All descriptions of a packet are about the same: the length of what the first says, in its quotes. */
static int find_about(const char *xmp, const char **about) {
    const int length = find_value(xmp, "rdf", "about", about);
    if (length < 0)
        *about = "";
    return length < 0 ? 0 : length;
}

#define SPACES_BOUND                                                                                                   \
    "xmlns:hdrgm=\"" GAIN_SPACE "\" xmlns:Container=\"" CONTAINER "\" xmlns:Item=\"" CONTAINER "item/\""

/* Cuts out of a packet the description that an earlier directory has left, once all that it said was cut. */
static void cut_leftover(char *xmp) {
    static const char begin[] = "<rdf:Description", end[] = SPACES_BOUND "></rdf:Description>";
    char *const found = strstr(xmp, end);
    for (char *at = found; found && at >= xmp && (at == found || *at != '>'); at--)
        if (strncmp(at, begin, strlen(begin)) == 0) {
            memmove(at, found + strlen(end), strlen(found + strlen(end)) + 1);
            return;
        }
}

/* The packet, or NULL, with a description of the directory before its end. */
static Status announce(const char *xmp, size_t map_size, ImageBlock *packet) {
    const char *end = xmp ? strstr(xmp, RDF_END) : NULL, *about = "";
    const int length = xmp ? find_about(xmp, &about) : 0;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to)
        fprintf(to,
                "%.*s<rdf:Description rdf:about=\"%.*s\" " SPACES_BOUND
                " hdrgm:Version=\"1.0\"><Container:Directory><rdf:Seq>"
                "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"Primary\" "
                "Item:Mime=\"image/jpeg\"/></rdf:li>"
                "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"GainMap\" "
                "Item:Mime=\"image/jpeg\" Item:Length=\"%zu\"/></rdf:li>"
                "</rdf:Seq></Container:Directory></rdf:Description>%s",
                (int)(end ? end - xmp : (ptrdiff_t)strlen(PACKET_BEGIN)), end ? xmp : PACKET_BEGIN, length, about,
                map_size, end ? end : PACKET_END);
    return close_packet(to, &text, &size, packet);
}

Status gain_map_announce(ImageBlock xmp, size_t map_size, size_t max, ImageBlock *packet, unsigned *lost) {
    char *text = xmp.data ? copy_text((const char *)xmp.data, xmp.size) : NULL;
    if (xmp.data && !text)
        return fail(STATUS_DEVICE, "no memory for XMP");
    const bool readable = text && strstr(text, RDF_END);
    if (readable)
        cut_leftover(text);
    Status status = announce(readable ? text : NULL, map_size, packet);
    const bool fits = status == STATUS_OK && packet->size <= max;
    if (status == STATUS_OK && !fits)
        status = announce(NULL, map_size, packet);
    *lost |= xmp.data && (!readable || !fits) ? EXTRA_XMP : 0u;
    free(text);
    return status;
}

/* The number of an attribute of the item that begins here. */
static size_t item_number(const char *item, const char *prefix, const char *name) {
    const char *value;
    const int length = find_value(item, prefix, name, &value);
    return length > 0 && length < 12 ? strtoul(value, NULL, 10) : 0;
}

static size_t find_announced(const char *xmp, size_t size) {
    char container[PREFIX_MAX], item[PREFIX_MAX], tag[PREFIX_MAX + 8];
    size_t before = 0, behind = 0; /* bytes from the map to the end, if it was seen */
    const char *value;
    bool seen = false;
    find_prefix(xmp, CONTAINER, "Container", container);
    find_prefix(xmp, CONTAINER "item/", "Item", item);
    snprintf(tag, sizeof tag, "<%s:Item", container);
    for (const char *at = xmp; (at = strstr(at, tag));) {
        at += strlen(tag);
        char *one = copy_text(at, strcspn(at, ">"));
        if (!one)
            return 0;
        const int length = find_value(one, item, "Semantic", &value);
        const bool is_map = length == 7 && strncmp(value, "GainMap", 7) == 0;
        const size_t bytes = item_number(one, item, "Length");
        free(one);
        seen |= is_map;
        *(seen ? &behind : &before) += bytes;
    }
    (void)before;
    return seen && behind > 0 && behind < size ? size - behind : 0;
}

size_t gain_map_announced(const char *xmp, size_t packet_size, size_t size) {
    char *text = size < SIZE_MAX ? copy_text(xmp, packet_size) : NULL;
    const size_t at = text ? find_announced(text, size) : 0;
    free(text);
    return at;
}
