/* notes.c: text that goes with a picture. */
#include "core/codec/notes.h"

#include <stdlib.h>
#include <string.h>

/* The bytes of the character that begins here, or 0 if it is none (RFC 3629). */
static size_t character(const unsigned char *text, size_t left) {
    const unsigned lead = text[0];
    const size_t count = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (count > left)
        return 0;
    for (size_t i = 1; i < count; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    const unsigned second = count > 1 ? text[1] : 0;
    const bool is_long = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90),
               is_beyond = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    return is_long || is_beyond ? 0 : count;
}

static bool is_utf8(const unsigned char *text, size_t size) {
    for (size_t at = 0, step = 0; at < size; at += step)
        if ((step = character(text + at, size - at)) == 0)
            return false;
    return true;
}

/* Returns the end. */
static unsigned char *put(unsigned char *to, const unsigned char *text, size_t size) {
    const bool latin = !is_utf8(text, size);
    for (size_t i = 0; i < size; i++) {
        if (latin && text[i] >= 0x80)
            *to++ = (unsigned char)(0xC0 | text[i] >> 6);
        *to++ = latin && text[i] >= 0x80 ? (text[i] & 0xBF) : text[i];
    }
    *to++ = 0;
    return to;
}

Status notes_add(Image *image, const char *key, const void *text, size_t size) {
    const size_t length = strnlen(text, size), key_length = strlen(key);
    const size_t most = 2 * (length + key_length) + 2; /* Latin-1 becomes two bytes each */
    for (size_t i = length; i < size; i++)
        image->extras |= ((const char *)text)[i] ? EXTRA_TEXT : 0;
    if (length > NOTES_MAX || key_length > NOTES_MAX || image->text.size + most > NOTES_MAX) {
        image->extras |= EXTRA_TEXT;
        return STATUS_OK;
    }
    unsigned char *grown = realloc(image->text.data, image->text.size + most);
    if (!grown)
        return fail(STATUS_DEVICE, "no memory for the text of a picture");
    unsigned char *end = put(grown + image->text.size, (const unsigned char *)key, key_length);
    end = put(end, text, length);
    image->text = (ImageBlock){grown, (size_t)(end - grown)};
    return STATUS_OK;
}

bool notes_are_sound(ImageBlock text) {
    size_t halves = 0;
    for (size_t i = 0; i < text.size; i++)
        halves += text.data[i] == 0;
    return text.size <= NOTES_MAX && halves % 2 == 0 && text.data[text.size - 1] == 0 && is_utf8(text.data, text.size);
}

bool notes_next(const Image *image, size_t *at, Note *note) {
    if (*at >= image->text.size)
        return false;
    note->key = (const char *)image->text.data + *at;
    note->text = note->key + strlen(note->key) + 1;
    *at += strlen(note->key) + strlen(note->text) + 2;
    return true;
}

const char *notes_find(const Image *image, const char *key) {
    Note note;
    for (size_t at = 0; notes_next(image, &at, &note);)
        if (strcmp(note.key, key) == 0)
            return note.text;
    return NULL;
}

bool notes_of_iptc(const void *resources, size_t size) {
    return memmem(resources, size, "8BIM\4\4", 6) != NULL;
}

bool notes_latin(const char *text, char *latin) {
    const unsigned char *from = (const unsigned char *)text;
    while (*from) {
        const bool two = *from >= 0x80;
        if (two && (*from & 0xFC) != 0xC0)
            return false;
        *latin++ = (char)(two ? (from[0] & 3) << 6 | (from[1] & 0x3F) : *from);
        from += two ? 2 : 1;
    }
    *latin = '\0';
    return true;
}
