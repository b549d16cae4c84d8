/* scene_text.c: taking texts apart and putting them together. */
#include "core/scene/scene_text.h"

#include "core/scene/files/formats.h"
#include "core/scene/generators/scenes.h"
#include "core/scene/scene_open.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of parameters that a text leaves out: no parameter takes it. */
#define UNSAID (-1e300)

enum { PARAMS_MAX = 32, NEW_MAX = 1000 /* of a kind, in one scene */ };

/* A part of the text between commas. */
typedef struct Item {
    const char *text, *end;
    const char *values; /* behind the name's "=" */
    const ScenePart *part;
} Item;

/* ---- the scene without changes ---- */

static const SceneGenerator *generator_named(const char *text, size_t length) {
    for (size_t i = 0; i < scene_generator_count; i++)
        if (strlen(scene_generators[i]->name) == length && strncmp(scene_generators[i]->name, text, length) == 0)
            return scene_generators[i];
    return NULL;
}

/* The length of the path that the first characters begin with, 0 if they begin with none. */
static size_t path_length(const char *text, size_t length) {
    char path[SCENE_TEXT_MAX];
    return length < sizeof path && snprintf(path, sizeof path, "%.*s", (int)length, text) > 0 ? scene_path_length(path)
                                                                                              : 0;
}

static bool is_file(const char *text, size_t length) {
    return path_length(text, length) > 0;
}

size_t scene_text_base(const char *text) {
    const size_t all = strlen(text), word = strcspn(text, ",");
    if (path_length(text, all) == all)
        return all;
    if (scene_text_generator(text))
        return word;
    for (size_t length = word; length < all; length += 1 + strcspn(text + length + 1, ","))
        if (is_file(text, length))
            return length;
    return all;
}

size_t scene_text_file(const char *text) {
    const size_t base = scene_text_base(text), path = scene_text_generator(text) ? 0 : path_length(text, base);
    return path > 0 ? path : base;
}

const char *scene_text_name(const char *text, char name[SCENE_TEXT_MAX]) {
    size_t length = scene_text_base(text), path = scene_text_file(text);
    for (const char *slash; (slash = memchr(text, '/', path)); text = slash + 1) {
        length -= (size_t)(slash + 1 - text);
        path -= (size_t)(slash + 1 - text);
    }
    snprintf(name, SCENE_TEXT_MAX, "%.*s", (int)length, text);
    return name;
}

const SceneGenerator *scene_text_generator(const char *text) {
    return generator_named(text, strcspn(text, "=,"));
}

bool scene_text_recognize(const char *text) {
    return scene_text_generator(text) || is_file(text, scene_text_base(text));
}

/* ---- items ---- */

static Status no_such_part(const char *name, size_t length) {
    char known[128] = "";
    for (size_t i = 0; i < scene_part_count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", scene_parts[i].name);
    return fail(STATUS_USAGE, "no \"%.*s\" in scenes to be changed; there is %s", (int)length, name, known);
}

/* The item that begins there; `*text` moves behind it. False at the end. */
static bool next_item(const char **text, Item *item) {
    if (!**text)
        return false;
    item->text = *text + 1; /* behind the comma */
    item->end = item->text + strcspn(item->text, ",");
    const size_t name = strcspn(item->text, "=,");
    item->values = item->text[name] == '=' ? item->text + name + 1 : NULL;
    item->part = scene_part_by_name(item->text, name);
    *text = item->end;
    return true;
}

static Status check_items(const char *text) {
    Item item;
    for (text += scene_text_base(text); next_item(&text, &item);) {
        if (!item.part)
            return no_such_part(item.text, strcspn(item.text, "=,"));
        if (!item.values)
            return fail(STATUS_USAGE, "%s: want a change, as in %s=%s%s=0.5", item.part->name, item.part->name,
                        item.part->numbered ? "1:" : "", item.part->table.params[item.part->numbered].name);
    }
    return STATUS_OK;
}

/* A table for parsing, in which parameters that a text leaves out stay UNSAID, and are not written again. */
typedef struct Sparse {
    Param params[PARAMS_MAX];
    ParamTable table;
} Sparse;

static ParamTable sparse_table(ParamTable table, Sparse *sparse) {
    for (size_t i = 0; i < table.count; i++) {
        sparse->params[i] = table.params[i];
        sparse->params[i].default_value = UNSAID;
    }
    sparse->table = (ParamTable){sparse->params, table.count, table.size};
    return sparse->table;
}

/* The item's values; free them with params_destroy. */
static Status parse_item(const Item *item, Sparse *sparse, void **values) {
    const char *at;
    const ParamTable table = sparse_table(item->part->table, sparse);
    TRY(params_create(table, values));
    const Status status = params_parse(table, item->part->name, item->values, item->end, *values, &at);
    if (status != STATUS_OK)
        params_destroy(table, values);
    return status;
}

/* The number of the part that the item is about, among those of its kind, from 0 on. */
static size_t item_index(const Item *item, const void *values) {
    const double number = item->part->numbered ? param_number(&item->part->table.params[0], values) : 1;
    return number > 1 ? (size_t)number - 1 : 0;
}

static const Param *param_called(ParamTable table, const char *name) {
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.params[i].name, name) == 0)
            return &table.params[i];
    return NULL;
}

/* The value by which new ones are made; 0: the part has none, or the values leave it out. */
static double made_by(const ScenePart *part, const void *values) {
    const Param *param = part->made_by ? param_called(part->table, part->made_by) : NULL;
    return param ? fmax(param_number(param, values), 0) : 0;
}

/* ---- carrying out ---- */

/* Numbers that new ones leave out, for their items are gone, are of others that nobody sees. */
static Status add_until(const ScenePart *part, size_t index, Scene *scene) {
    const size_t count = part->count(scene);
    if (index >= count + NEW_MAX)
        return fail(STATUS_USAGE, "%s %zu: there are %zu, and room for %d more", part->name, index + 1, count,
                    (int)NEW_MAX);
    while (part->count(scene) <= index)
        TRY(part->add(scene));
    return STATUS_OK;
}

static Status apply_item(const Item *item, Scene *scene, const Scene *base) {
    const ScenePart *part = item->part;
    const size_t count = part->count(scene);
    const char *at;
    Sparse sparse;
    void *said, *values;
    TRY(parse_item(item, &sparse, &said));
    const size_t index = item_index(item, said);
    const bool makes = made_by(part, said) > 0;
    params_destroy(part->table, &said);
    if (index >= count && makes)
        TRY(add_until(part, index, scene));
    else if (index >= count && part->made_by)
        return fail(STATUS_USAGE, "%s %zu: there %s %zu; one that has a %s is new", part->name, index + 1,
                    count == 1 ? "is" : "are", count, part->made_by);
    else if (index >= count)
        return count > 0 ? fail(STATUS_USAGE, "%s %zu: there are %zu", part->name, index + 1, count)
                         : fail(STATUS_USAGE, "%s: there is none to be changed", part->name);
    TRY(params_create(part->table, &values));
    part->read(scene, index, values);
    Status status = params_parse(part->table, part->name, item->values, item->end, values, &at);
    if (status == STATUS_OK)
        status = part->write(scene, base, index, values);
    params_destroy(part->table, &values);
    return status;
}

Status scene_text_apply(const char *text, Scene *scene, const Scene *base) {
    TRY(check_items(text));
    for (size_t i = 0; i < scene_part_count; i++) {
        Item item;
        for (const char *at = text + scene_text_base(text); next_item(&at, &item);)
            if (item.part == &scene_parts[i])
                TRY(apply_item(&item, scene, base));
    }
    return STATUS_OK;
}

Status scene_text_open(const char *text, Scene **scene) {
    const size_t length = scene_text_base(text);
    *scene = NULL;
    TRY(check_items(text));
    char *base = strndup(text, length);
    Status status = base ? scene_open(base, scene) : fail(STATUS_DEVICE, "%s: no memory", text);
    if (status == STATUS_OK)
        status = scene_text_apply(text, *scene, NULL);
    if (status != STATUS_OK)
        scene_destroy(scene);
    free(base);
    return status;
}

/* ---- other texts ---- */

typedef struct Writer {
    char *text; /* SCENE_TEXT_MAX characters */
    size_t length;
} Writer;

__attribute__((format(printf, 2, 3))) static void append(Writer *to, const char *format, ...) {
    const size_t left = to->length < SCENE_TEXT_MAX ? SCENE_TEXT_MAX - to->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(left > 0 ? to->text + to->length : NULL, left, format, arguments);
    va_end(arguments);
    to->length += length > 0 ? (size_t)length : 0;
}

static Status check_length(const Writer *to) {
    return to->length < SCENE_TEXT_MAX
               ? STATUS_OK
               : fail(STATUS_USAGE, "more changes than %d characters; a scene that is saved begins with none",
                      SCENE_TEXT_MAX - 1);
}

static void append_values(Writer *to, const char *name, ParamTable table, const void *values, const char *before) {
    char text[1024];
    const size_t length = params_format(table, values, text, sizeof text);
    append(to, "%s%s%s%s", before, name, length > 0 ? "=" : "", text);
}

Status scene_text_values(const char *text, void **values) {
    const SceneGenerator *generator = scene_text_generator(text);
    const char *from = text + strcspn(text, "=,"), *at;
    if (!generator)
        return fail(STATUS_USAGE, "%s: no generator", text);
    TRY(params_create(generator->table, values));
    if (*from != '=')
        return STATUS_OK;
    const Status status =
        params_parse(generator->table, generator->name, from + 1, text + scene_text_base(text), *values, &at);
    if (status != STATUS_OK)
        params_destroy(generator->table, values);
    return status;
}

/* Where a generator makes `now` spheres instead of `count`, changes of spheres that are gone go. New ones that hands
 * have added stay behind all others. */
static void append_item(Writer *to, const Item *item, size_t count, size_t now) {
    Sparse sparse;
    void *values;
    const bool is_sphere = item->part && item->values && strcmp(item->part->name, "sphere") == 0 &&
                           parse_item(item, &sparse, &values) == STATUS_OK;
    const size_t index = is_sphere ? item_index(item, values) : 0;
    if (is_sphere && index >= count) {
        param_set_number(&item->part->table.params[0], values, (double)(index - count + now + 1));
        append_values(to, item->part->name, sparse.table, values, ",");
    } else if (!is_sphere || index < now) {
        append(to, ",%.*s", (int)(item->end - item->text), item->text);
    }
    if (is_sphere)
        params_destroy(item->part->table, &values);
}

static Status set_generator(const char *text, const Param *param, double value, Writer *to) {
    const SceneGenerator *generator = scene_text_generator(text);
    void *values;
    size_t count = 0, now = 0;
    Item item;
    TRY(scene_text_values(text, &values));
    Status status = generator->count(values, &count);
    param_set_number(param, values, value);
    if (status == STATUS_OK)
        status = generator->count(values, &now);
    append_values(to, generator->name, generator->table, values, "");
    params_destroy(generator->table, &values);
    for (const char *at = text + scene_text_base(text); next_item(&at, &item);)
        append_item(to, &item, count, now);
    return status;
}

/* Whether the item is about that part, and then its values, to be freed. */
static bool is_about(const Item *item, const ScenePart *part, size_t index, Sparse *sparse, void **values) {
    if (item->part != part || !item->values || parse_item(item, sparse, values) != STATUS_OK)
        return false;
    const bool is = item_index(item, *values) == index;
    if (!is)
        params_destroy(part->table, values);
    return is;
}

static Status set_part(const char *text, const ScenePart *part, size_t index, const Param *param, double value,
                       Writer *to) {
    bool found = false;
    Sparse sparse;
    void *values;
    Item item;
    append(to, "%.*s", (int)scene_text_base(text), text);
    for (const char *at = text + scene_text_base(text); next_item(&at, &item);)
        if (!found && is_about(&item, part, index, &sparse, &values)) {
            found = true;
            param_set_number(param, values, value);
            append_values(to, part->name, sparse.table, values, ",");
            params_destroy(part->table, &values);
        } else {
            append(to, ",%.*s", (int)(item.end - item.text), item.text);
        }
    if (found)
        return STATUS_OK;
    TRY(params_create(sparse_table(part->table, &sparse), &values));
    if (part->numbered)
        param_set_number(&part->table.params[0], values, (double)index + 1);
    param_set_number(param, values, value);
    append_values(to, part->name, sparse.table, values, ",");
    params_destroy(part->table, &values);
    return STATUS_OK;
}

Status scene_text_set(const char *text, const ScenePart *part, size_t index, const Param *param, double value,
                      char result[SCENE_TEXT_MAX]) {
    Writer to = {result, 0};
    TRY(part ? set_part(text, part, index, param, value, &to) : set_generator(text, param, value, &to));
    return check_length(&to);
}

Status scene_text_read(const char *text, const Scene *scene, const ScenePart *part, size_t index, void **values) {
    Sparse sparse;
    void *said;
    Item item;
    TRY(params_create(part->table, values));
    part->read(scene, index, *values);
    for (const char *at = text + scene_text_base(text); next_item(&at, &item);) {
        if (!is_about(&item, part, index, &sparse, &said))
            continue;
        for (size_t i = 0; i < part->table.count; i++)
            if (param_number(&part->table.params[i], said) > UNSAID)
                param_set_number(&part->table.params[i], *values, param_number(&part->table.params[i], said));
        params_destroy(part->table, &said);
    }
    return STATUS_OK;
}

/* Every number that the values say, one after the other. */
static Status merge_values(const Item *item, size_t index, ParamTable table, const void *values,
                           char text[SCENE_TEXT_MAX]) {
    for (size_t i = 0; i < table.count; i++) {
        const double number = param_number(&table.params[i], values);
        char next[SCENE_TEXT_MAX];
        if (number <= UNSAID || (item->part && item->part->numbered && i == 0))
            continue;
        TRY(scene_text_set(text, item->part, index, &table.params[i], number, next));
        memcpy(text, next, sizeof next);
    }
    return STATUS_OK;
}

static Status merge_item(const Item *item, char text[SCENE_TEXT_MAX]) {
    const SceneGenerator *generator = scene_text_generator(text);
    const bool of_generator = !item->part && generator && scene_text_generator(item->text) == generator;
    const char *at;
    Sparse sparse;
    void *values;
    if (!item->part && !of_generator)
        return no_such_part(item->text, strcspn(item->text, "=,"));
    if (!item->values)
        return fail(STATUS_USAGE, "\"%.*s\": want a change", (int)(item->end - item->text), item->text);
    const ParamTable table = sparse_table(of_generator ? generator->table : item->part->table, &sparse);
    TRY(params_create(table, &values));
    Status status =
        params_parse(table, of_generator ? generator->name : item->part->name, item->values, item->end, values, &at);
    if (status == STATUS_OK)
        status = merge_values(item, of_generator ? 0 : item_index(item, values),
                              of_generator ? generator->table : item->part->table, values, text);
    params_destroy(table, &values);
    return status;
}

Status scene_text_merge(const char *text, const char *items, char result[SCENE_TEXT_MAX]) {
    char listed[SCENE_TEXT_MAX];
    Item item;
    Writer to = {result, 0};
    append(&to, "%s", text);
    TRY(check_length(&to));
    if (snprintf(listed, sizeof listed, ",%s", items) >= SCENE_TEXT_MAX)
        return fail(STATUS_USAGE, "changes of more than %d characters", SCENE_TEXT_MAX - 1);
    for (const char *at = listed; next_item(&at, &item);)
        TRY(merge_item(&item, result));
    return STATUS_OK;
}

Status scene_text_reset(const char *text, const ScenePart *part, size_t index, char result[SCENE_TEXT_MAX]) {
    Writer to = {result, 0};
    Sparse sparse;
    void *values;
    Item item;
    append(&to, "%.*s", (int)scene_text_base(text), text);
    for (const char *at = text + scene_text_base(text); part && next_item(&at, &item);)
        if (is_about(&item, part, index, &sparse, &values))
            params_destroy(part->table, &values);
        else
            append(&to, ",%.*s", (int)(item.end - item.text), item.text);
    return check_length(&to);
}

bool scene_text_changes(const char *text, const ScenePart *part, size_t index) {
    Sparse sparse;
    void *values;
    Item item;
    for (const char *at = text + scene_text_base(text); next_item(&at, &item);)
        if (is_about(&item, part, index, &sparse, &values)) {
            params_destroy(part->table, &values);
            return true;
        }
    return false;
}

size_t scene_text_next(const char *text, const ScenePart *part, size_t count) {
    size_t next = count;
    Item item;
    for (text += scene_text_base(text); next_item(&text, &item);) {
        Sparse sparse;
        void *values;
        if (item.part != part || !item.values || parse_item(&item, &sparse, &values) != STATUS_OK)
            continue;
        const size_t index = item_index(&item, values);
        next = index >= next ? index + 1 : next;
        params_destroy(part->table, &values);
    }
    return next;
}

/* ---- in words ---- */

typedef struct Words {
    char *words, *key;
    size_t size;
} Words;

static void spell(const Param *param, double number, char *buffer, size_t size) {
    size_t length = 0;
    const bool chosen = param->kind == PARAM_CHOICE && number >= 0; /* below 0: the table has no default */
    const char *word = chosen ? param_choice(param, (size_t)number, &length) : NULL;
    if (word)
        snprintf(buffer, size, "%.*s", (int)length, word);
    else
        snprintf(buffer, size, "%.4g", number);
}

/* The first number that two values of a table do not share, the one that is said in `b`. */
static bool describe_values(const char *name, ParamTable table, const void *a, const void *b, Words *to) {
    for (size_t i = 0; i < table.count; i++) {
        const Param *param = &table.params[i];
        char old[32], now[32];
        const double from = param_number(param, a), value = param_number(param, b);
        if (!(value < from || value > from))
            continue;
        spell(param, from, old, sizeof old);
        spell(param, value, now, sizeof now);
        if (value <= UNSAID)
            snprintf(to->words, to->size, "%s: %s as it was", name, param->name);
        else if (from <= UNSAID)
            snprintf(to->words, to->size, "%s: %s %s", name, param->name, now);
        else
            snprintf(to->words, to->size, "%s: %s %s → %s", name, param->name, old, now);
        snprintf(to->key, to->size, "%s %s", name, param->name);
        return true;
    }
    return false;
}

/* The three numbers of a place that values say; false if they leave one out. */
static bool read_place(ParamTable table, const void *values, double place[3]) {
    static const char *const names[] = {"x", "y", "z"};
    bool all = true;
    for (int i = 0; i < 3; i++) {
        const Param *param = param_called(table, names[i]);
        place[i] = param ? param_number(param, values) : UNSAID;
        all &= place[i] > UNSAID;
    }
    return all;
}

static bool same_place(const double a[3], const double b[3]) {
    return !(fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) > 0);
}

/* Changes of parts that can be moved, added and removed; false if these are others. */
static bool describe_place(const char *name, const ScenePart *part, const void *a, const void *b, Words *to) {
    double before[3], now[3];
    const bool was_placed = read_place(part->table, a, before), is_placed = read_place(part->table, b, now);
    const bool moved = !same_place(before, now);
    const double made = made_by(part, b);
    const Param *param = part->made_by ? param_called(part->table, part->made_by) : NULL;
    const bool stays_removed = param && param_number(param, a) > UNSAID && made_by(part, a) <= 0;
    if (param && param_number(param, b) > UNSAID && made <= 0 && !stays_removed)
        snprintf(to->words, to->size, "%s: removed", name);
    else if (is_placed && moved && made > made_by(part, a))
        snprintf(to->words, to->size, "%s: at %.4g, %.4g, %.4g, %s %.4g", name, now[0], now[1], now[2], part->made_by,
                 made);
    else if (is_placed && moved)
        snprintf(to->words, to->size, "%s: to %.4g, %.4g, %.4g", name, now[0], now[1], now[2]);
    else if (was_placed && !is_placed)
        snprintf(to->words, to->size, "%s: no longer at %.4g, %.4g, %.4g", name, before[0], before[1], before[2]);
    else
        return false;
    snprintf(to->key, to->size, "%s place", name);
    return true;
}

static bool describe_base(const char *from, const char *to, Words *words) {
    const size_t a = scene_text_base(from), b = scene_text_base(to);
    const SceneGenerator *generator = scene_text_generator(to);
    void *before = NULL, *after = NULL;
    if (a == b && strncmp(from, to, a) == 0)
        return false;
    snprintf(words->words, words->size, "scene %.*s", (int)b, to);
    if (!generator || generator != scene_text_generator(from))
        return true;
    if (scene_text_values(from, &before) == STATUS_OK && scene_text_values(to, &after) == STATUS_OK)
        (void)describe_values(generator->name, generator->table, before, after, words);
    params_destroy(generator->table, &before);
    params_destroy(generator->table, &after);
    return true;
}

/* The text's values for the part that `like` is about; all UNSAID if the text has none. */
static Status find_like(const char *text, const Item *like, size_t index, void **values) {
    Sparse sparse;
    Item item;
    for (text += scene_text_base(text); next_item(&text, &item);)
        if (is_about(&item, like->part, index, &sparse, values))
            return STATUS_OK;
    return params_create(sparse_table(like->part->table, &sparse), values);
}

/* The first item of `from` that `to` has otherwise; `reversed`: the change is told the other way round. */
static bool describe_items(const char *from, const char *to, bool reversed, Words *words) {
    Item item;
    bool differs = false;
    for (const char *at = from + scene_text_base(from); !differs && next_item(&at, &item);) {
        char name[64];
        Sparse sparse;
        void *here, *there;
        if (!item.part || !item.values || parse_item(&item, &sparse, &here) != STATUS_OK)
            continue;
        const size_t index = item_index(&item, here);
        if (item.part->numbered)
            snprintf(name, sizeof name, "%s %zu", item.part->name, index + 1);
        else
            snprintf(name, sizeof name, "%s", item.part->name);
        const ParamTable all = item.part->table;
        if (find_like(to, &item, index, &there) == STATUS_OK) {
            if (item.part->numbered) /* texts have the number of unchanged parts, too */
                param_set_number(&all.params[0], there, (double)index + 1);
            const void *a = reversed ? there : here, *b = reversed ? here : there;
            differs = describe_place(name, item.part, a, b, words) || describe_values(name, all, a, b, words);
            params_destroy(item.part->table, &there);
        }
        params_destroy(item.part->table, &here);
    }
    return differs;
}

void scene_text_describe(const char *from, const char *to, char *words, char *key, size_t size) {
    Words of = {words, key, size};
    snprintf(words, size, "scene");
    key[0] = '\0';
    if (!describe_base(from, to, &of) && !describe_items(to, from, true, &of))
        (void)describe_items(from, to, false, &of);
}
