/* xmp.c: the parts of an XMP packet (ISO 16684-1) that stay true after a picture was turned and filtered, and stands
 * alone in its file. Orientation, dimensions and thumbnails go, and so do promises of things that outputs lack.
 * Properties are XML attributes or elements; both are cut out as text, so that everything else stays to the byte. */
#include "core/codec/formats.h"

#include <string.h>

/* A namespace, its prefix where a packet binds none, and its properties that are cut. Properties are words that may end
 * in a star. The namespaces of Google, Apple and Adobe tell of pictures and films behind the picture. Their definitions
 * are Android's Ultra HDR image format, motion photo format, and dynamic depth, each 1.0. The namespace of notes tells
 * of a second packet. */
typedef struct Space {
    const char *uri, *prefix, *cut;
    enum { ALWAYS, IF_TURNED, IF_EXTENDED } when;
    enum { NO_PROMISE, PROMISE, PROMISE_OF_MAP /* or of others, which then are behind the picture, too */ } promise;
} Space;

static const Space spaces[] = {
    {"http://ns.adobe.com/tiff/1.0/", "tiff", "ImageWidth ImageLength", ALWAYS, NO_PROMISE},
    {"http://ns.adobe.com/tiff/1.0/", "tiff", "Orientation", IF_TURNED, NO_PROMISE},
    {"http://ns.adobe.com/exif/1.0/", "exif", "PixelXDimension PixelYDimension", ALWAYS, NO_PROMISE},
    {"http://ns.adobe.com/xap/1.0/", "xmp", "Thumbnails", ALWAYS, NO_PROMISE},
    {"http://ns.adobe.com/xap/1.0/", "xap", "Thumbnails", ALWAYS, NO_PROMISE}, /* the old prefix of "xmp" */
    {"http://ns.adobe.com/xmp/note/", "xmpNote", "HasExtendedXMP", ALWAYS, NO_PROMISE},
    {"http://ns.adobe.com/hdr-gain-map/1.0/", "hdrgm", "*", ALWAYS, PROMISE_OF_MAP},
    {"http://ns.apple.com/HDRGainMap/1.0/", "HDRGainMap", "*", ALWAYS, PROMISE},
    {"http://ns.apple.com/pixeldatainfo/1.0/", "apdi", "*", ALWAYS, PROMISE},
    {"http://ns.google.com/photos/1.0/container/", "Container", "*", ALWAYS, PROMISE_OF_MAP},
    {"http://ns.google.com/photos/1.0/container/", "GContainer", "*", ALWAYS, PROMISE_OF_MAP},
    {"http://ns.google.com/photos/1.0/container/item/", "Item", "*", ALWAYS, PROMISE_OF_MAP},
    {"http://ns.google.com/photos/1.0/container/item/", "GContainerItem", "*", ALWAYS, PROMISE_OF_MAP},
    {"http://ns.google.com/photos/1.0/camera/", "GCamera", "MicroVideo* MotionPhoto*", ALWAYS, PROMISE},
    {"http://ns.google.com/photos/dd/1.0/device/", "Device", "*", ALWAYS, PROMISE},
    {"http://ns.google.com/photos/1.0/depthmap/", "GDepth", "*", IF_EXTENDED, PROMISE},
    {"http://ns.google.com/photos/1.0/image/", "GImage", "*", IF_EXTENDED, PROMISE},
    {"http://ns.google.com/photos/1.0/audio/", "GAudio", "*", IF_EXTENDED, PROMISE},
    {"http://ns.oplus.com/photos/1.0/camera/", "OpCamera", "MotionPhoto* OLivePhotoVersion VideoLength", ALWAYS,
     PROMISE},
    {"http://ns.xiaomi.com/photos/1.0/camera/", "MiCamera", "XMPMeta", ALWAYS, PROMISE},
};
enum { SPACES = sizeof spaces / sizeof *spaces };

typedef struct Text {
    char *at, *end;
} Text;

static bool is_space(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

static bool starts(Text text, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(text.end - text.at) >= length && memcmp(text.at, word, length) == 0;
}

/* Behind the first occurrence of a word; the end without one. */
static char *behind(Text text, const char *word) {
    char *found = memmem(text.at, (size_t)(text.end - text.at), word, strlen(word));
    return found ? found + strlen(word) : text.end;
}

static char *behind_spaces(Text text) {
    while (text.at < text.end && is_space(*text.at))
        text.at++;
    return text.at;
}

/* ---- names ---- */

typedef struct Word {
    const char *at;
    size_t size;
} Word;

static bool is_word(Word word, const char *text) {
    return strlen(text) == word.size && memcmp(word.at, text, word.size) == 0;
}

/* Up to a letter that no name has. */
static Word name_at(Text text) {
    size_t size = 0;
    while (text.at + size < text.end && text.at[size] && !strchr(" \t\r\n=/<>\"':", text.at[size]))
        size++;
    return (Word){text.at, size};
}

/* Whether the name is one of these words. */
static bool is_among(Word name, const char *words) {
    for (size_t size; *words; words += size + (words[size] == ' ')) {
        size = strcspn(words, " ");
        const bool open = words[size - 1] == '*';
        const size_t length = size - open;
        if ((open ? name.size >= length : name.size == length) && memcmp(name.at, words, length) == 0)
            return true;
    }
    return false;
}

/* A prefix that the packet binds: to one of these namespaces, or, space < 0, to none of them. */
typedef struct Binding {
    char prefix[32];
    int space;
} Binding;

typedef struct Packet {
    Binding bindings[64];
    size_t count; /* of these; spaces beyond them are not known */
    bool turned, extended;
} Packet;

static int space_of_uri(Word uri) {
    for (int i = 0; i < SPACES; i++)
        if (is_word(uri, spaces[i].uri))
            return i;
    return -1;
}

static bool is_default(Word prefix) {
    for (int i = 0; i < SPACES; i++)
        if (is_word(prefix, spaces[i].prefix))
            return true;
    return false;
}

/* xmlns:prefix="uri", wherever it stands. */
static void find_bindings(Text text, Packet *packet) {
    for (;;) {
        text.at = behind(text, "xmlns:");
        const Word prefix = name_at(text);
        Text rest = {text.at + prefix.size, text.end};
        rest.at = behind_spaces(rest);
        if (rest.at == rest.end || packet->count == sizeof packet->bindings / sizeof *packet->bindings)
            return;
        if (*rest.at != '=')
            continue;
        rest.at = behind_spaces((Text){rest.at + 1, rest.end});
        if (rest.at == rest.end)
            return;
        const char *close = memchr(rest.at + 1, *rest.at, (size_t)(rest.end - rest.at - 1));
        const int space = close ? space_of_uri((Word){rest.at + 1, (size_t)(close - rest.at - 1)}) : -1;
        Binding *binding = &packet->bindings[packet->count];
        if (prefix.size >= sizeof binding->prefix || (space < 0 && !is_default(prefix)))
            continue;
        *binding = (Binding){.space = space};
        memcpy(binding->prefix, prefix.at, prefix.size);
        packet->count++;
    }
}

/* A prefix means the space it is bound to; without a binding, the one it means by custom. */
static bool means(const Packet *packet, Word prefix, const Space *space) {
    bool bound = false;
    for (size_t i = 0; i < packet->count; i++) {
        const Binding *binding = &packet->bindings[i];
        if (!is_word(prefix, binding->prefix))
            continue;
        if (binding->space >= 0 && strcmp(spaces[binding->space].uri, space->uri) == 0)
            return true;
        bound = true;
    }
    return !bound && is_word(prefix, space->prefix);
}

static bool applies(const Packet *packet, const Space *space) {
    return space->when == ALWAYS || (space->when == IF_TURNED ? packet->turned : packet->extended);
}

/* The namespace of a property to cut that stands here with one of these letters behind it; else NULL. *size is the
 * length of its name. */
static const Space *property_here(const Packet *packet, Text text, const char *followers, size_t *size) {
    const Word prefix = name_at(text);
    if (text.at + prefix.size == text.end || text.at[prefix.size] != ':')
        return NULL;
    const Word name = name_at((Text){text.at + prefix.size + 1, text.end});
    const char *next = name.at + name.size;
    *size = (size_t)(next - text.at);
    if (next == text.end || !*next || !strchr(followers, *next))
        return NULL;
    for (int i = 0; i < SPACES; i++)
        if (is_among(name, spaces[i].cut) && applies(packet, &spaces[i]) && means(packet, prefix, &spaces[i]))
            return &spaces[i];
    return NULL;
}

/* ---- properties ---- */

/* Behind an attribute whose name ends here: ="value"; NULL if it is none. */
static char *behind_attribute(Text text) {
    text.at = behind_spaces(text);
    if (text.at == text.end || *text.at != '=')
        return NULL;
    text.at = behind_spaces((Text){text.at + 1, text.end});
    if (text.at == text.end || (*text.at != '"' && *text.at != '\''))
        return NULL;
    char *const close = memchr(text.at + 1, *text.at, (size_t)(text.end - text.at - 1));
    return close ? close + 1 : NULL;
}

/* Behind the tag that begins here; the end if it is not closed. */
static char *behind_tag(Text text) {
    char quote = '\0';
    for (; text.at < text.end; text.at++) {
        if (quote ? *text.at == quote : *text.at == '"' || *text.at == '\'')
            quote = quote ? '\0' : *text.at;
        else if (!quote && *text.at == '>')
            return text.at + 1;
    }
    return text.end;
}

/* The end of a thing that is no element: a comment, CDATA or an instruction; NULL if something else begins here. */
static char *behind_other(Text text) {
    static const char *const ends[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (starts(text, ends[i][0]))
            return behind(text, ends[i][1]);
    return NULL;
}

/* Behind an element whose tag begins here, with all that is in it; NULL if it does not end. */
static char *behind_element(Text text) {
    for (size_t depth = 0; text.at < text.end;) {
        char *const other = behind_other(text), *const next = other ? other : behind_tag(text);
        if (next[-1] != '>')
            return NULL;
        if (!other)
            depth = text.at[1] == '/' ? depth - 1 : depth + (next[-2] != '/');
        if (depth == 0)
            return next;
        text.at = next;
        char *const tag = memchr(text.at, '<', (size_t)(text.end - text.at));
        text.at = tag ? tag : text.end;
    }
    return NULL;
}

/* The end of a thing that begins here and is kept. *in_tag: whether that is between the brackets of a tag. */
static char *step(Text text, bool *in_tag) {
    char *const other = *in_tag ? NULL : behind_other(text);
    if (other)
        return other;
    if (*in_tag && (*text.at == '"' || *text.at == '\''))
        return behind((Text){text.at + 1, text.end}, (const char[]){*text.at, '\0'});
    *in_tag = *in_tag ? *text.at != '>' : *text.at == '<';
    return text.at + 1;
}

unsigned xmp_settle(ImageBlock *block, bool turned, bool mapped) {
    if (!block->data)
        return 0;
    Text text = {(char *)block->data, (char *)block->data + block->size};
    Packet packet = {.turned = turned, .extended = behind(text, "HasExtendedXMP") < text.end};
    char *kept = text.at;
    bool in_tag = false;
    unsigned lost = 0;
    find_bindings(text, &packet);
    while (text.at < text.end) {
        const bool may = in_tag ? is_space(*text.at) : *text.at == '<';
        const Text inside = {text.at + 1, text.end};
        size_t size = 0;
        const Space *space = may ? property_here(&packet, inside, in_tag ? "= \t\r\n" : "> /\t\r\n", &size) : NULL;
        char *const cut_to = !space   ? NULL
                             : in_tag ? behind_attribute((Text){inside.at + size, text.end})
                                      : behind_element(text);
        char *const next = cut_to ? cut_to : space ? text.end : step(text, &in_tag);
        if (!cut_to) {
            memmove(kept, text.at, (size_t)(next - text.at));
            kept += next - text.at;
        }
        lost |= cut_to && (mapped ? space->promise == PROMISE : space->promise > NO_PROMISE) ? EXTRA_BESIDE : 0u;
        text.at = next;
    }
    block->size = (size_t)(kept - (char *)block->data);
    if (block->size == 0)
        image_block_free(block);
    return lost;
}
