/* reader.c: words, numbers and places of scene files. */
#include "core/scene/files/reader.h"

#include "core/base/text.h"
#include "core/scene/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const Field sphere_fields[SPHERE_FIELDS] = {
    FIELD_PLACE("x", Sphere, x),
    FIELD_PLACE("y", Sphere, y),
    FIELD_PLACE("z", Sphere, z),
    FIELD_RADIUS("radius", Sphere, radius),
    FIELD_RED("red", "0 to 1", Sphere, red, 1),
    FIELD_SHARE("green", Sphere, green),
    FIELD_SHARE("blue", Sphere, blue),
};

Status reader_parse(const char *name, Bytes text, char comment, Status (*parse)(Reader *reader, Scene *scene),
                    Scene *scene) {
    const char *begin = (const char *)text.data;
    return parse(&(Reader){name, begin, begin, 1, comment, false}, scene);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

const char *reader_word_end(const Reader *reader) {
    const char *at = reader->at;
    while (*at && *at != '\n' && *at != reader->comment && !is_blank(*at))
        at++;
    return at;
}

bool reader_goes_on(Reader *reader) {
    while (is_blank(*reader->at))
        reader->at++;
    if (*reader->at && *reader->at == reader->comment)
        reader->at += strcspn(reader->at, "\n");
    return *reader->at && *reader->at != '\n';
}

void reader_next_line(Reader *reader) {
    reader->at += strcspn(reader->at, "\n");
    if (*reader->at == '\n') {
        reader->at++;
        reader->line_start = reader->at;
        reader->line++;
    }
}

bool reader_find(Reader *reader) {
    while (!reader_goes_on(reader)) {
        if (!*reader->at)
            return false;
        reader_next_line(reader);
    }
    return true;
}

bool reader_take(Reader *reader, const char *word) {
    if (!reader_goes_on(reader))
        return false;
    const char *end = reader_word_end(reader);
    const size_t length = (size_t)(end - reader->at);
    if (strlen(word) != length || strncmp(word, reader->at, length) != 0)
        return false;
    reader->at = end;
    return true;
}

Status reader_wrong(const Reader *reader, const char *expected) {
    const int shown_max = 40;
    const long length = reader_word_end(reader) - reader->at;
    const int shown = (int)(length < shown_max ? length : shown_max);
    const size_t column = (size_t)(reader->at - reader->line_start) + 1;
    if (shown == 0)
        return fail(STATUS_INPUT, "%s:%zu:%zu: the %s ends, want %s", reader->name, reader->line, column,
                    *reader->at || reader->at != reader->line_start ? "line" : "file", expected);
    return fail(STATUS_INPUT, "%s:%zu:%zu: \"%.*s\", want %s", reader->name, reader->line, column, shown, reader->at,
                expected);
}

/* The number that makes up the next word; false if there is none. Stands at its beginning then, else behind it. */
static bool take_number(Reader *reader, double min, double max, float smallest, double *number) {
    const char *end;
    double taken;
    if (!reader_goes_on(reader) || !text_number(reader->at, &end, &taken) || end != reader_word_end(reader) ||
        taken < min || taken > max || (taken != 0 && fabsf((float)taken) < smallest))
        return false;
    *number = taken;
    reader->at = end;
    return true;
}

/* Takes a temperature (3000K, 3000K*4) for the colour that it stands for; *taken tells whether there is one.
 * STATUS_INPUT if it is out of range. */
static Status take_glow(Reader *reader, const Field *field, bool *taken, Colour *colour) {
    const char *end, *last;
    double kelvin, factor = 1;
    *taken = reader->glows && field->colour && reader_goes_on(reader) && text_number(reader->at, &end, &kelvin) &&
             *end == 'K';
    if (!*taken)
        return STATUS_OK;
    last = end + 1;
    const bool is_whole = *last != '*' || text_number(last + 1, &last, &factor);
    if (!is_whole || last != reader_word_end(reader) || !(kelvin >= KELVIN_MIN && kelvin <= KELVIN_MAX) ||
        !(factor >= 0 && factor <= field->max)) {
        char expected[128];
        snprintf(expected, sizeof expected,
                 "a temperature from 500K to 1e6K, or that times a factor from %s: 3000K*0.5", field->wanted);
        return reader_wrong(reader, expected);
    }
    *colour = black_body(kelvin);
    *colour = (Colour){colour->red * (float)factor, colour->green * (float)factor, colour->blue * (float)factor};
    reader->at = last;
    return STATUS_OK;
}

static void set_field(const Field *field, float value, void *to) {
    *(float *)(void *)((char *)to + field->offset) = value;
}

Status reader_numbers(Reader *reader, const Field *fields, size_t count, void *to) {
    for (size_t i = 0; i < count; i++) {
        const Field *field = &fields[i];
        char expected[96];
        double number;
        Colour glow = {0};
        bool glows;
        TRY(take_glow(reader, field, &glows, &glow));
        if (glows) {
            set_field(field, glow.red, to);
            set_field(&fields[++i], glow.green, to);
            set_field(&fields[++i], glow.blue, to);
            continue;
        }
        snprintf(expected, sizeof expected, "%s, a number from %s", field->name, field->wanted);
        if (!take_number(reader, field->min, field->max, field->smallest, &number))
            return reader_wrong(reader, expected);
        set_field(field, (float)number, to);
    }
    return STATUS_OK;
}

Status reader_whole(Reader *reader, const char *name, double min, double max, double *number) {
    char expected[128];
    const Reader before = *reader;
    if (take_number(reader, min, max, 0, number) && *number == floor(*number))
        return STATUS_OK;
    Reader place = before;
    (void)reader_goes_on(&place);
    snprintf(expected, sizeof expected, "%s, a whole number from %.0f to %.0f", name, min, max);
    return reader_wrong(&place, expected);
}

Status reader_direction(const Reader *reader, const char *what, Vec direction) {
    const float min = 1e-6f; /* squares stay normal in f32 */
    if (fabsf(direction.x) >= min || fabsf(direction.y) >= min || fabsf(direction.z) >= min)
        return STATUS_OK;
    return fail(STATUS_INPUT, "%s:%zu:%zu: %s has no length, want one of its numbers beyond +-1e-6", reader->name,
                reader->line, (size_t)(reader->at - reader->line_start) + 1, what);
}

Status reader_line_ends(Reader *reader, const char *expected) {
    return reader_goes_on(reader) ? reader_wrong(reader, expected) : STATUS_OK;
}

Status reader_added(const Reader *reader, Status status) {
    return status == STATUS_OK ? STATUS_OK : fail_within(status, "%s:%zu: ", reader->name, reader->line);
}

Status reader_viewpoint(const Reader *place, Viewpoint viewpoint, Scene *scene) {
    Camera unused;
    if (camera_from(viewpoint, &unused) != STATUS_OK)
        return fail_within(STATUS_INPUT, "%s:%zu:%zu: ", place->name, place->line,
                           (size_t)(place->at - place->line_start) + 1);
    scene->viewpoint = viewpoint;
    scene->has_viewpoint = true;
    return STATUS_OK;
}
