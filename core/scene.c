/* scene.c: scenes by generator or from files: docs/scene-format.md. */
#include "core/file.h"
#include "core/image.h"
#include "core/scenes/scenes.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char header[] = "glint-scene 1";

/* The numbers of a sphere's line, in order. */
static const struct {
    const char *name, *wanted;
    size_t offset;
    double least, most;
    float smallest; /* the smallest magnitude beside 0 */
} fields[] = {
    {"x", "-1e9 to 1e9", offsetof(Sphere, x), -SPHERE_FARTHEST, SPHERE_FARTHEST, 0},
    {"y", "-1e9 to 1e9", offsetof(Sphere, y), -SPHERE_FARTHEST, SPHERE_FARTHEST, 0},
    {"z", "-1e9 to 1e9", offsetof(Sphere, z), -SPHERE_FARTHEST, SPHERE_FARTHEST, 0},
    {"radius", "0 or 1e-6 to 1e9", offsetof(Sphere, radius), 0, SPHERE_FARTHEST, SPHERE_LEAST},
    {"red", "0 to 1", offsetof(Sphere, red), 0, 1, 0},
    {"green", "0 to 1", offsetof(Sphere, green), 0, 1, 0},
    {"blue", "0 to 1", offsetof(Sphere, blue), 0, 1, 0},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Where a text is being read. */
typedef struct Reader {
    const char *name, *at, *line_start;
    int line;
} Reader;

static float *field_at(Sphere *sphere, size_t field) {
    return (float *)(void *)((char *)sphere + fields[field].offset);
}

static Status scene_create(const char *name, size_t count, Scene **scene) {
    *scene = NULL;
    const size_t most = image_budget() / sizeof(Sphere);
    if (count > most || count >= SPHERE_NONE)
        return fail(STATUS_INPUT,
                    "%s: %zu spheres; the memory that one scene may take holds %zu (GLINT_MEMORY sets this limit)",
                    name, count, most);
    Scene *made = calloc(1, sizeof *made);
    Sphere *spheres = calloc(count ? count : 1, sizeof *spheres);
    if (!made || !spheres) {
        free(made);
        free(spheres);
        return fail(STATUS_DEVICE, "%s: no memory for %zu spheres", name, count);
    }
    static _Atomic uint64_t serials; /* over all threads */
    *made = (Scene){spheres, count, ++serials};
    *scene = made;
    return STATUS_OK;
}

/* ---- files ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *word_end(const char *at) {
    while (*at && *at != '\n' && *at != '#' && !is_blank(*at))
        at++;
    return at;
}

/* Skips blanks and a comment; true if the line goes on behind them. */
static bool line_goes_on(Reader *reader) {
    while (is_blank(*reader->at))
        reader->at++;
    if (*reader->at == '#')
        reader->at += strcspn(reader->at, "\n");
    return *reader->at && *reader->at != '\n';
}

static void next_line(Reader *reader) {
    reader->at += strcspn(reader->at, "\n");
    if (*reader->at == '\n')
        reader->at++;
    reader->line_start = reader->at;
    reader->line++;
}

/* Fails with the place, what was expected and what stands there. */
static Status wrong(const Reader *reader, const char *expected) {
    const int shown_most = 40;
    const long length = word_end(reader->at) - reader->at;
    const int shown = (int)(length < shown_most ? length : shown_most);
    const int column = (int)(reader->at - reader->line_start) + 1;
    if (shown == 0)
        return fail(STATUS_INPUT, "%s:%d:%d: the line ends, want %s", reader->name, reader->line, column, expected);
    return fail(STATUS_INPUT, "%s:%d:%d: \"%.*s\", want %s", reader->name, reader->line, column, shown, reader->at,
                expected);
}

static Status parse_field(Reader *reader, size_t field, Sphere *sphere) {
    char expected[80];
    snprintf(expected, sizeof expected, "%s, a number from %s", fields[field].name, fields[field].wanted);
    const char *end;
    double number;
    if (!line_goes_on(reader) || !text_number(reader->at, &end, &number) || end != word_end(reader->at) ||
        number < fields[field].least || number > fields[field].most ||
        (number != 0 && fabsf((float)number) < fields[field].smallest))
        return wrong(reader, expected);
    *field_at(sphere, field) = (float)number;
    reader->at = end;
    return STATUS_OK;
}

static Status parse_sphere(Reader *reader, Sphere *sphere) {
    static const char keyword[] = "sphere";
    const char *end = word_end(reader->at);
    if (end - reader->at != sizeof keyword - 1 || strncmp(reader->at, keyword, sizeof keyword - 1) != 0)
        return wrong(reader, "sphere");
    reader->at = end;
    for (size_t field = 0; field < FIELDS; field++)
        TRY(parse_field(reader, field, sphere));
    return line_goes_on(reader) ? wrong(reader, "the end of the line: a sphere has 7 numbers") : STATUS_OK;
}

static Status parse_header(Reader *reader) {
    const size_t length = sizeof header - 1;
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): strncmp has seen that many characters */
    if (strncmp(reader->at, header, length) != 0 || (reader->at[length] && !strchr(" \t\r\n#", reader->at[length])))
        return fail(STATUS_INPUT, "%s:1:1: the first line is not \"%s\": this is not a scene of this version",
                    reader->name, header);
    reader->at += length;
    return line_goes_on(reader) ? wrong(reader, "the end of the line") : STATUS_OK;
}

/* At most one sphere a line that begins with its keyword: enough room, allocated once. */
static size_t count_lines(Reader reader) {
    size_t count = 0;
    for (; *reader.at; next_line(&reader))
        count += line_goes_on(&reader);
    return count;
}

Status scene_parse(const char *name, const char *text, Scene **scene) {
    Reader reader = {name, text, text, 1};
    *scene = NULL;
    TRY(parse_header(&reader));
    next_line(&reader);
    TRY(scene_create(name, count_lines(reader), scene));
    size_t made = 0;
    for (; *reader.at; next_line(&reader)) {
        if (!line_goes_on(&reader))
            continue;
        const Status status = parse_sphere(&reader, &(*scene)->spheres[made++]);
        if (status != STATUS_OK) {
            scene_destroy(scene);
            return status;
        }
    }
    return STATUS_OK;
}

static Status scene_load(const char *path, Scene **scene) {
    Bytes file = {0};
    char *text = NULL;
    Status status = file_read(path, &file);
    if (status != STATUS_OK)
        goto done;
    status = fail(STATUS_DEVICE, "%s: no memory for its text", path);
    text = malloc(file.size + 1);
    if (!text)
        goto done;
    if (file.size > 0)
        memcpy(text, file.data, file.size);
    text[file.size] = '\0';
    status = strlen(text) == file.size
                 ? scene_parse(path, text, scene)
                 : fail(STATUS_INPUT, "%s: a zero byte at %zu: this is not a scene", path, strlen(text));
done:
    free(text);
    bytes_free(&file);
    return status;
}

/* A short decimal that reads back as the same float. */
static void spell(float number, char *buffer, size_t size) {
    for (int digits = 6; digits <= 9; digits++) { /* %g drops zeros */
        snprintf(buffer, size, "%.*g", digits, (double)number);
        if (strtof(buffer, NULL) == number)
            return;
    }
}

/* Appends to what `length` characters stand in `buffer` already, as far as it reaches; returns the new length. */
__attribute__((format(printf, 4, 5))) static size_t append(char *buffer, size_t size, size_t length, const char *format,
                                                           ...) {
    va_list arguments;
    va_start(arguments, format);
    const int wrote =
        vsnprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, format, arguments);
    va_end(arguments);
    return length + (wrote > 0 ? (size_t)wrote : 0);
}

size_t scene_format(const Scene *scene, char *buffer, size_t size) {
    size_t length = append(buffer, size, 0, "%s\n#      x y z radius red green blue\n", header);
    for (size_t i = 0; i < scene->count; i++) {
        length = append(buffer, size, length, "sphere");
        for (size_t field = 0; field < FIELDS; field++) {
            char number[40];
            spell(*field_at(&scene->spheres[i], field), number, sizeof number);
            length = append(buffer, size, length, " %s", number);
        }
        length = append(buffer, size, length, "\n");
    }
    return length;
}

/* ---- generators ---- */

const SceneGenerator *const scene_generators[] = {
#define SCENE(name) &scene_##name,
#include "core/scenes/scenes.def"
#undef SCENE
};
const size_t scene_generator_count = sizeof scene_generators / sizeof scene_generators[0];

static const SceneGenerator *generator_of(const char *text) {
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < scene_generator_count; i++)
        if (strlen(scene_generators[i]->name) == length && strncmp(scene_generators[i]->name, text, length) == 0)
            return scene_generators[i];
    return NULL;
}

static Status scene_generate(const SceneGenerator *generator, const char *assignments, Scene **scene) {
    void *values;
    const char *at;
    size_t count = 0;
    TRY(params_create(generator->table, &values));
    Status status = STATUS_OK;
    if (assignments)
        status = params_parse(generator->table, generator->name, assignments, assignments + strlen(assignments), values,
                              &at);
    if (status == STATUS_OK)
        status = generator->count(values, &count);
    if (status == STATUS_OK)
        status = scene_create(generator->name, count, scene);
    if (status == STATUS_OK)
        generator->generate(values, *scene);
    params_destroy(generator->table, &values);
    return status;
}

static Status no_such_generator(const char *name, size_t length) {
    char known[256] = "";
    for (size_t i = 0; i < scene_generator_count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", scene_generators[i]->name);
    return fail(STATUS_USAGE, "no scene \"%.*s\"; there is %s, or the name of a file", (int)length, name, known);
}

static bool is_scene_file(const char *text) {
    const char *dot = strrchr(text, '.');
    return dot && strcasecmp(dot, ".scene") == 0;
}

Status scene_open(const char *text, Scene **scene) {
    *scene = NULL;
    const SceneGenerator *generator = generator_of(text);
    const char *equals = strchr(text, '=');
    if (!generator && equals && !is_scene_file(text))
        return no_such_generator(text, (size_t)(equals - text));
    if (!generator)
        return scene_load(text, scene);
    return scene_generate(generator, equals ? equals + 1 : NULL, scene);
}

bool scene_recognize(const char *text) {
    return generator_of(text) || is_scene_file(text);
}

void scene_destroy(Scene **scene) {
    if (!*scene)
        return;
    free((*scene)->spheres);
    free(*scene);
    *scene = NULL;
}
