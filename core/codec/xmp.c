/* xmp.c: what of an XMP packet (ISO 16684-1) stays true of a picture that was turned and filtered: all but its
 * orientation, its dimensions and its thumbnails. Properties are XML attributes or elements; both are cut out as text,
 * so that everything else stays to the byte. */
#include "core/codec/formats.h"

#include <stdio.h>
#include <string.h>

/* Prefixes as Adobe's tools write them; "xap" is what "xmp" was called. */
static const char *const cut[] = {"tiff:Orientation",     "tiff:ImageWidth", "tiff:ImageLength", "exif:PixelXDimension",
                                  "exif:PixelYDimension", "xmp:Thumbnails",  "xap:Thumbnails"};

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

/* The name of a property to cut that stands here with one of these letters behind it, or NULL. */
static const char *name_here(Text text, const char *followers) {
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        const char *next = text.at + strlen(cut[i]);
        if (starts(text, cut[i]) && next < text.end && *next && strchr(followers, *next))
            return cut[i];
    }
    return NULL;
}

/* Behind an attribute that begins here: name="value"; NULL if it is none. */
static char *behind_attribute(Text text, const char *name) {
    text.at = behind_spaces((Text){text.at + strlen(name), text.end});
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

/* Behind an element whose tag begins here, with all that is in it; NULL if it does not end. */
static char *behind_element(Text text, const char *name) {
    char close[32];
    char *const tag = behind_tag(text);
    if (tag[-1] == '>' && tag[-2] == '/')
        return tag;
    snprintf(close, sizeof close, "</%s", name);
    char *const found = behind((Text){tag, text.end}, close), *const last = behind_tag((Text){found, text.end});
    return last > found && last[-1] == '>' ? last : NULL;
}

/* Behind what begins here and is kept. *in_tag: whether that is between the brackets of a tag. */
static char *step(Text text, bool *in_tag) {
    if (!*in_tag && starts(text, "<!--"))
        return behind(text, "-->");
    if (!*in_tag && starts(text, "<![CDATA["))
        return behind(text, "]]>");
    if (!*in_tag && starts(text, "<?"))
        return behind(text, "?>");
    if (*in_tag && (*text.at == '"' || *text.at == '\''))
        return behind((Text){text.at + 1, text.end}, (const char[]){*text.at, '\0'});
    *in_tag = *in_tag ? *text.at != '>' : *text.at == '<';
    return text.at + 1;
}

void xmp_settle(ImageBlock *packet) {
    if (!packet->data)
        return;
    Text text = {(char *)packet->data, (char *)packet->data + packet->size};
    char *kept = text.at;
    bool in_tag = false;
    while (text.at < text.end) {
        const bool may = in_tag ? is_space(*text.at) : *text.at == '<';
        const Text inside = {text.at + 1, text.end};
        const char *name = may ? name_here(inside, in_tag ? "= \t\r\n" : "> /\t\r\n") : NULL;
        char *const cut_to = !name ? NULL : in_tag ? behind_attribute(inside, name) : behind_element(text, name);
        char *const next = cut_to ? cut_to : name ? text.end : step(text, &in_tag);
        if (!cut_to) {
            memmove(kept, text.at, (size_t)(next - text.at));
            kept += next - text.at;
        }
        text.at = next;
    }
    packet->size = (size_t)(kept - (char *)packet->data);
    if (packet->size == 0)
        image_block_free(packet);
}
