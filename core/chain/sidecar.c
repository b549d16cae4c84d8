/* sidecar.c: reading and writing the edits of a picture or a scene, line by line. */
#include "core/chain/sidecar.h"

#include "core/base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING "glint edits "

enum { VERSION = 1 };

/* Stars, then the word of a rejected picture. */
static const char *const ratings[] = {"0", "1", "2", "3", "4", "5", "rejected"};

enum { RATINGS = sizeof ratings / sizeof ratings[0] };

static const char *const alphas[] = {[ALPHA_PREMULTIPLY] = "premultiply", [ALPHA_IGNORE] = "ignore"};

/* Blanks and tabs are escaped only where they begin or end a value. */
static const char escapes[] = "\\nrst", characters[] = "\\\n\r \t";

/* ---- ratings ---- */

Status rating_parse(const char *text, int *rating) {
    for (int i = 0; i < RATINGS; i++)
        if (strcmp(text, ratings[i]) == 0) {
            *rating = i > RATING_MAX ? RATING_REJECTED : i;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "rating \"%.60s\", want a number of stars from 0 to %d, or %s", text, RATING_MAX,
                ratings[RATINGS - 1]);
}

const char *rating_format(int rating) {
    return ratings[rating >= 0 && rating <= RATING_MAX ? rating : RATINGS - 1];
}

/* ---- reading ---- */

/* Puts the characters in the place of their escapes. */
static Status unescape(char *value) {
    char *to = value;
    for (const char *at = value; *at; at++) {
        const char *escape = *at == '\\' && at[1] ? strchr(escapes, at[1]) : NULL;
        if (*at == '\\' && !escape)
            return fail(STATUS_INPUT, "want one of \\\\ \\n \\r \\s \\t");
        *to++ = escape ? characters[escape - escapes] : *at;
        at += escape ? 1 : 0;
    }
    *to = '\0';
    return STATUS_OK;
}

static Status read_shown(Sidecar *sidecar, const char *value) {
    char *end = NULL;
    const unsigned long number = isdigit((unsigned char)value[0]) ? strtoul(value, &end, 10) : 0;
    if (number < 1 || number > SIDECAR_EDITS_MAX || *end)
        return fail(STATUS_INPUT, "shown \"%.60s\", want an edit's number from 1 on", value);
    sidecar->shown = number - 1;
    return STATUS_OK;
}

static Status read_linear(Sidecar *sidecar, const char *value) {
    sidecar->linear = strcmp(value, "yes") == 0;
    return sidecar->linear || strcmp(value, "no") == 0 ? STATUS_OK
                                                       : fail(STATUS_INPUT, "linear \"%.60s\", want yes or no", value);
}

static Status read_alpha(Sidecar *sidecar, const char *value) {
    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++)
        if (strcmp(value, alphas[i]) == 0) {
            sidecar->alpha = (AlphaMode)i;
            return STATUS_OK;
        }
    return fail(STATUS_INPUT, "alpha \"%.60s\", want %s or %s", value, alphas[0], alphas[1]);
}

static Status read_picture(Sidecar *sidecar, const char *value) {
    sidecar->picture = value;
    return STATUS_OK;
}

static Status read_scene(Sidecar *sidecar, const char *value) {
    sidecar->scene = value;
    return STATUS_OK;
}

static Status read_rating(Sidecar *sidecar, const char *value) {
    sidecar->rated = true;
    const Status status = rating_parse(value, &sidecar->rating);
    return status == STATUS_OK ? status : fail_within(STATUS_INPUT, "%s", "");
}

static Status read_edit(Sidecar *sidecar, const char *value) {
    if (sidecar->count == SIDECAR_EDITS_MAX)
        return fail(STATUS_INPUT, "more than %d edits", SIDECAR_EDITS_MAX);
    sidecar->edits[sidecar->count++] = (SidecarEdit){.words = value, .chain = "", .border = {BORDER_CLAMP, 0}};
    return STATUS_OK;
}

static Status read_filter(Sidecar *sidecar, const char *value) {
    sidecar->edits[sidecar->count - 1].chain = value;
    return STATUS_OK;
}

static Status read_border(Sidecar *sidecar, const char *value) {
    const Status status = border_parse(value, &sidecar->edits[sidecar->count - 1].border);
    return status == STATUS_OK ? status : fail_within(STATUS_INPUT, "%s", "");
}

/* The members of a scene's edit. */
static const char **scene_member(SceneEdit *scene, size_t index) {
    const char **const members[] = {&scene->changes, &scene->camera, &scene->look, &scene->light, &scene->figure};
    return members[index];
}

static const char *const scene_keys[] = {"changes", "camera", "look", "light", "figure"};

enum { SCENE_KEYS = sizeof scene_keys / sizeof scene_keys[0] };

static const struct {
    const char *key;
    bool of_edit; /* it stands behind an edit's line */
    Status (*read)(Sidecar *sidecar, const char *value);
} keys[] = {{"picture", false, read_picture}, {"linear", false, read_linear}, {"alpha", false, read_alpha},
            {"shown", false, read_shown},     {"rating", false, read_rating}, {"edit", false, read_edit},
            {"filter", true, read_filter},    {"border", true, read_border},  {"scene", false, read_scene}};

/* A key of an edit says how the picture looks: one that is unknown is no line to pass over. */
static Status read_other(Sidecar *sidecar, const char *key, const char *value) {
    for (size_t i = 0; i < SCENE_KEYS && sidecar->count > 0; i++)
        if (strcmp(key, scene_keys[i]) == 0) {
            *scene_member(&sidecar->edits[sidecar->count - 1].scene, i) = value;
            return STATUS_OK;
        }
    if (sidecar->count > 0 || sidecar->other_count == SIDECAR_EDITS_MAX)
        return fail(STATUS_INPUT, "\"%.60s\": version %d has no such key", key, VERSION);
    sidecar->others[sidecar->other_count++] = (SidecarLine){key, value};
    return STATUS_OK;
}

static char *trimmed(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Takes the line apart in place. */
static Status read_line(Sidecar *sidecar, char *line) {
    char *key = trimmed(line), *equals = strchr(key, '=');
    if (*key == '\0' || *key == '#')
        return STATUS_OK;
    if (!equals)
        return fail(STATUS_INPUT, "\"%.60s\", want KEY = VALUE", key);
    *equals = '\0';
    key = trimmed(key);
    char *value = trimmed(equals + 1);
    TRY(unescape(value));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i].key) == 0)
            return keys[i].of_edit && sidecar->count == 0 ? fail(STATUS_INPUT, "want an edit before its %s", key)
                                                          : keys[i].read(sidecar, value);
    return read_other(sidecar, key, value);
}

static Status read_version(const char *text) {
    const size_t length = strlen(OPENING);
    char *end = NULL;
    const long version = strncmp(text, OPENING, length) == 0 ? strtol(text + length, &end, 10) : 0;
    if (version < 1 || !strchr("\r\n", *end))
        return fail(STATUS_INPUT, "line 1: want \"%s%d\": these are no edits of glint", OPENING, VERSION);
    return version == VERSION
               ? STATUS_OK
               : fail(STATUS_INPUT, "line 1: version %ld is of a newer glint; this one reads %d", version, VERSION);
}

static Status read_lines(Sidecar *sidecar) {
    char *line = sidecar->text;
    for (int number = 1; line; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        const Status status = number > 1 ? read_line(sidecar, line) : STATUS_OK;
        if (status != STATUS_OK)
            return fail_within(status, "line %d: ", number);
        line = next;
    }
    if (sidecar->count == 0 && !sidecar->rated)
        return fail(STATUS_INPUT, "want an edit, as in \"edit = as it began\"");
    return sidecar->shown < sidecar->count || (sidecar->count == 0 && sidecar->shown == 0)
               ? STATUS_OK
               : fail(STATUS_INPUT, "edit %zu is shown, and there are %zu", sidecar->shown + 1, sidecar->count);
}

Status sidecar_parse(const char *text, Sidecar **sidecar) {
    Sidecar *made = *sidecar = calloc(1, sizeof *made);
    size_t lines = 1;
    for (const char *at = text; *at && lines < SIDECAR_EDITS_MAX; at++)
        lines += *at == '\n';
    if (made)
        *made = (Sidecar){.picture = "",
                          .text = strdup(text),
                          .edits = calloc(lines, sizeof *made->edits),
                          .others = calloc(lines, sizeof *made->others)};
    const bool room = made && made->text && made->edits && made->others;
    Status status = room ? read_version(text) : fail(STATUS_DEVICE, "no memory for the edits");
    if (status == STATUS_OK)
        status = read_lines(made);
    if (status != STATUS_OK)
        sidecar_destroy(sidecar);
    return status;
}

Status sidecar_load(const char *path, Sidecar **sidecar) {
    char *text;
    *sidecar = NULL;
    Status status = file_read_text(path, &text);
    if (status == STATUS_OK)
        status = sidecar_parse(text, sidecar);
    free(text);
    if (status != STATUS_OK && strncmp(status_message(), path, strlen(path)) != 0)
        return fail_within(status, "%s: ", path);
    return status;
}

void sidecar_destroy(Sidecar **sidecar) {
    Sidecar *old = *sidecar;
    if (!old)
        return;
    free(old->edits);
    free(old->others);
    free(old->text);
    free(old);
    *sidecar = NULL;
}

/* ---- writing ---- */

static void put(FILE *stream, const char *key, const char *value) {
    fprintf(stream, "%s = ", key);
    for (const char *at = value; *at; at++) {
        const char *character = strchr(characters, *at);
        const bool blank = *at == ' ' || *at == '\t', within = at > value && at[1];
        if (character && !(blank && within))
            fprintf(stream, "\\%c", escapes[character - characters]);
        else
            fputc(*at, stream);
    }
    fputc('\n', stream);
}

char *sidecar_format(const Sidecar *sidecar) {
    char *text = NULL, border[64], number[24];
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "%s%d\n# The edits of a %s\n", OPENING, VERSION,
            sidecar->scene ? "scene, by glint view." : "picture, by glint view; glint batch @FILE applies them.");
    put(stream, sidecar->scene ? "scene" : "picture", sidecar->scene ? sidecar->scene : sidecar->picture);
    if (sidecar->rating != 0 || sidecar->count == 0)
        put(stream, "rating", rating_format(sidecar->rating));
    if (sidecar->linear)
        put(stream, "linear", "yes");
    if (sidecar->alpha != ALPHA_PREMULTIPLY)
        put(stream, "alpha", alphas[sidecar->alpha]);
    for (size_t i = 0; i < sidecar->other_count; i++)
        put(stream, sidecar->others[i].key, sidecar->others[i].value);
    snprintf(number, sizeof number, "%zu", sidecar->shown + 1);
    if (sidecar->count > 0)
        put(stream, "shown", number);
    for (size_t i = 0; i < sidecar->count; i++) {
        const SidecarEdit *edit = &sidecar->edits[i];
        put(stream, "edit", edit->words);
        put(stream, "filter", edit->chain);
        if (edit->border.mode != BORDER_CLAMP)
            put(stream, "border", border_format(edit->border, border, sizeof border));
        for (size_t k = 0; k < SCENE_KEYS; k++) {
            SceneEdit scene = edit->scene;
            if (*scene_member(&scene, k))
                put(stream, scene_keys[k], *scene_member(&scene, k));
        }
    }
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/* ---- as a chain ---- */

Status sidecar_take(const char *text, PlanOptions *options, char **chain) {
    const size_t length = strlen(text), ending = strlen(SIDECAR_ENDING);
    Sidecar *sidecar;
    *chain = NULL;
    if (text[0] != '@' || length < ending + 1 || strcmp(text + length - ending, SIDECAR_ENDING) != 0)
        return STATUS_OK;
    TRY(sidecar_load(text + 1, &sidecar));
    const SidecarEdit none = {.chain = "", .border = {BORDER_CLAMP, 0}};
    const SidecarEdit *shown = sidecar->count > 0 ? &sidecar->edits[sidecar->shown] : &none;
    *chain = strdup(shown->chain);
    options->linear |= sidecar->linear;
    if (options->alpha == ALPHA_PREMULTIPLY)
        options->alpha = sidecar->alpha;
    if (options->border.mode == BORDER_CLAMP)
        options->border = shown->border;
    sidecar_destroy(&sidecar);
    return *chain ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a chain");
}
