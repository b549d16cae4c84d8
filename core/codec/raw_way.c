/* raw_way.c: the option --raw and its words. */
#include "core/codec/raw_way.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    unsigned kind; /* 0: develop, 1: highlights, 2: linear */
    unsigned value;
} words[] = {{"quality", 0, RAW_QUALITY},         {"fast", 0, RAW_FAST}, {"half", 0, RAW_HALF},
             {"preview", 0, RAW_PREVIEW},         {"clip", 1, RAW_CLIP}, {"blend", 1, RAW_BLEND},
             {"reconstruct", 1, RAW_RECONSTRUCT}, {"linear", 2, 1}};
enum { WORDS = sizeof words / sizeof *words };

Status raw_way_parse(const char *option, const char *text, RawWay *way) {
    unsigned values[3] = {0}, seen = 0;
    *way = (RawWay){0};
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        size_t i = 0;
        while (i < WORDS && (strlen(words[i].word) != length || strncmp(words[i].word, at, length) != 0))
            i++;
        if (i == WORDS || seen & 1u << words[i].kind)
            return fail(STATUS_USAGE,
                        "%s is \"%s\", want words between commas: quality, fast, half or preview; clip, blend or "
                        "reconstruct; linear",
                        option, text);
        seen |= 1u << words[i].kind;
        values[words[i].kind] = words[i].value;
        at += length;
        if (*at == '\0')
            break;
    }
    way->develop = values[0];
    way->highlights = values[1];
    way->linear = values[2] != 0;
    return STATUS_OK;
}

int raw_way_spell(RawWay way, char *buffer, size_t size) {
    const unsigned values[3] = {way.develop, way.highlights, way.linear};
    int length = snprintf(buffer, size, "%s", "");
    for (size_t i = 0; i < WORDS; i++)
        if (values[words[i].kind] == words[i].value && words[i].value != 0)
            length += snprintf(buffer + length, size - (size_t)length, "%s%s", length ? "," : "", words[i].word);
    return length;
}

static Status read_way(const char *text, void *way) {
    return raw_way_parse("--raw", text, way);
}

static int spell_way(const void *way, char *buffer, size_t size) {
    return raw_way_spell(*(const RawWay *)way, buffer, size);
}

static const Option option_rows[] = {
    {"raw", "WORDS",
     "how RAW files are developed: quality, fast, half (a pixel of four) or preview (the JPEG within); highlights "
     "clip, blend or reconstruct; linear for f32 light, else u16 with the curve of sRGB (quality,clip)",
     OPTION_OWN, .read = read_way, .spell = spell_way},
};

OptionTable raw_way_table(size_t offset) {
    return (OptionTable){OPTION_ROWS(option_rows), offset};
}
