/* chain.c: parsing and lowering chains. */
#include "core/chain/chain.h"

#include "core/base/text.h"
#include "core/chain/within.h"
#include "core/codec/codec.h"
#include "core/codec/cube.h"
#include "core/codec/lens.h"
#include "core/plan/convert.h"
#include "core/plan/fuse.h"
#include "core/plan/precision.h"
#include "core/plan/predict.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The end of a link: the next ',' outside quotes. */
static const char *link_end(const char *text) {
    bool quoted = false;
    for (; *text && (quoted || *text != ','); text++)
        quoted ^= *text == '\'';
    return text;
}

typedef struct Place {
    char *within;
} Place;

static const Param place_params[] = {
    {"within", "where the filter acts: a rectangle, as in 640x360+100+80, or a mask, whose brightness says how far",
     PARAM_DATA, PARAM_TEXT, offsetof(Place, within), 0, 0, 0, 0},
};
const ParamTable chain_place = {place_params, sizeof place_params / sizeof place_params[0], sizeof(Place)};

const char *chain_within(const ChainLink *link) {
    const Place *place = link->place;
    return place && place->within && place->within[0] ? place->within : NULL;
}

enum { NESTED_MAX = 8 }; /* presets within presets */

/* A text that is being parsed: a chain, or a preset that the text `user` names. */
typedef struct Source {
    const char *text;
    const Preset *preset;
    const struct Source *user;
} Source;

typedef struct Parsing {
    Chain *chain;
    const Presets *presets; /* NULL until one is named */
    Presets *loaded;        /* the same if they are ours to free */
} Parsing;

/* Says where in the text it went wrong. */
static Status at_column(Status status, const Source *source, const char *at) {
    const Preset *preset = source->preset;
    const int column = (int)(at - source->text) + 1;
    return preset ? fail_within(status, "@%s: %s:%d:%d: ", preset->name, preset->file, preset->line,
                                preset->column - 1 + column)
                  : fail_within(status, "chain: column %d: ", column);
}

static Status no_such_filter(const char *name, size_t length) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < filter_count; i++)
        if (text_closer(name, length, filters[i]->name, &best))
            close = filters[i]->name;
    if (length == 0)
        return fail(STATUS_USAGE, "want a filter's name");
    if (close)
        return fail(STATUS_USAGE, "no filter \"%.*s\"; did you mean \"%s\"?", (int)length, name, close);
    return fail(STATUS_USAGE, "no filter \"%.*s\"; `glint list filters` shows all filters", (int)length, name);
}

static Status no_such_preset(const Presets *presets, const char *name, size_t length) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < presets->count; i++)
        if (text_closer(name, length, presets->list[i].name, &best))
            close = presets->list[i].name;
    if (close)
        return fail(STATUS_USAGE, "no preset \"@%.*s\"; did you mean \"@%s\"?", (int)length, name, close);
    return fail(STATUS_USAGE, "no preset \"@%.*s\"; `glint list presets` shows all presets", (int)length, name);
}

static Status parse_links(Parsing *parsing, const Source *source);

static Status parse_preset(Parsing *parsing, const Source *user, const char *name, const char *end) {
    const size_t length = preset_name_length(name);
    if (length == 0)
        return fail(STATUS_USAGE, "want a preset's name behind '@'");
    if (name + length < end)
        return fail(STATUS_USAGE, "\"%.*s\" behind \"@%.*s\": a preset takes no parameters",
                    (int)(end - name - (ptrdiff_t)length), name + length, (int)length, name);
    if (!parsing->presets) {
        TRY(presets_load(&parsing->loaded));
        parsing->presets = parsing->loaded;
    }
    const Preset *preset = presets_find(parsing->presets, name, length);
    if (!preset)
        return no_such_preset(parsing->presets, name, length);
    int nested = 0;
    for (const Source *source = user; source->preset; source = source->user, nested++)
        if (source->preset == preset)
            return fail(STATUS_USAGE, "the preset \"@%s\" uses itself", preset->name);
    if (nested == NESTED_MAX)
        return fail(STATUS_USAGE, "presets are more than %d deep within each other", NESTED_MAX);
    return parse_links(parsing, &(Source){preset->chain, preset, user});
}

/* The next ':' outside quotes, or `end`. */
static const char *find_colon(const char *text, const char *end) {
    bool quoted = false;
    for (; text < end && (quoted || *text != ':'); text++)
        quoted ^= *text == '\'';
    return text;
}

/* Where "NAME=..." begins among assignments, or `end`. */
static const char *find_assignment(const char *text, const char *end, const char *name) {
    const size_t length = strlen(name);
    while (text < end) {
        const char *at = text + strspn(text, " ");
        if (strncmp(at, name, length) == 0 && at[length + strspn(at + length, " ")] == '=')
            break;
        text = find_colon(text, end);
        text += text < end;
    }
    return text;
}

Status chain_set_values(ChainLink *link, const char *text, const char *end, const char **at) {
    const char *name = link->filter->name, *place = find_assignment(text, end, place_params[0].name);
    const char *behind = find_colon(place, end);
    *at = behind;
    if (behind < end)
        return fail(STATUS_USAGE, "%s: want %s= behind all other parameters", name, place_params[0].name);
    if (place > text || place == end)
        TRY(params_parse(link->filter->table, name, text, place < end ? place - 1 : end, link->values, at));
    return place < end ? params_parse(chain_place, name, place, end, link->place, at) : STATUS_OK;
}

/* Where a colon stands behind the name of a filter, it is that which is wrong. */
static Status no_such_name(const char *begin, size_t length, const char *end) {
    const size_t name = strcspn(begin, ":");
    if (name >= length || !filter_by_name(begin, name))
        return no_such_filter(begin, length);
    return fail(STATUS_USAGE, "%.*s: want '=' behind the name, as in %.*s=%.*s", (int)name, begin, (int)name, begin,
                (int)(end - begin - (ptrdiff_t)name - 1), begin + name + 1);
}

/* Whether assignments give this parameter a value, by its name or its place. */
static bool is_given(const char *text, const char *end, ParamTable table, const char *name) {
    size_t place = 0;
    while (strcmp(table.params[place].name, name) != 0)
        place++;
    if (find_assignment(text, end, name) < end)
        return true;
    for (; place > 0 && text < end; place--) {
        text = find_colon(text, end);
        text += text < end;
    }
    return text < end && !memchr(text, '=', (size_t)(find_colon(text, end) - text));
}

/* The filter that had this one's name before, if its own parameter is among the assignments. */
static const Filter *find_meant(const Filter *named, const char *text, const char *end) {
    for (size_t i = 0; i < filter_count; i++)
        if (filters[i]->once.name && strcmp(filters[i]->once.name, named->name) == 0 &&
            is_given(text, end, filters[i]->table, filters[i]->once.parameter))
            return filters[i];
    return named;
}

static Status parse_filter(Chain *chain, const char *begin, const char *end, const char **at) {
    const char *behind = begin;
    while (behind < end && *behind != '=')
        behind++;
    size_t length = (size_t)(behind - begin);
    while (length > 0 && begin[length - 1] == ' ')
        length--;
    if (chain->count == CHAIN_MAX)
        return fail(STATUS_USAGE, "more than %d filters", CHAIN_MAX);
    const Filter *filter = filter_by_name(begin, length);
    if (!filter)
        return no_such_name(begin, length, end);
    ChainLink *link = &chain->links[chain->count++];
    link->filter = filter = find_meant(filter, behind == end ? end : behind + 1, end);
    TRY(params_create(filter->table, &link->values));
    TRY(params_create(chain_place, &link->place));
    *at = behind;
    return behind == end ? STATUS_OK : chain_set_values(link, behind + 1, end, at);
}

/* Appends the links of the text to the chain. */
static Status parse_links(Parsing *parsing, const Source *source) {
    const char *begin = source->text + strspn(source->text, " ");
    while (*begin) {
        const bool off = *begin == '~';
        const size_t first = parsing->chain->count;
        begin += off + (off ? strspn(begin + 1, " ") : 0);
        const char *end = link_end(begin), *trimmed = end, *at = begin;
        while (trimmed > begin && trimmed[-1] == ' ')
            trimmed--;
        const Status status = *begin == '@' ? parse_preset(parsing, source, begin + 1, trimmed)
                                            : parse_filter(parsing->chain, begin, trimmed, &at);
        if (status != STATUS_OK)
            return at_column(status, source, at);
        for (size_t i = first; i < parsing->chain->count; i++)
            parsing->chain->links[i].off |= off;
        begin = *end ? end + 1 + strspn(end + 1, " ") : end;
        if (*end && !*begin)
            return at_column(fail(STATUS_USAGE, "want a filter behind the comma"), source, begin);
    }
    return STATUS_OK;
}

Status chain_parse_with(const char *text, const Presets *presets, Chain **chain) {
    *chain = calloc(1, sizeof **chain);
    if (!*chain)
        return fail(STATUS_DEVICE, "no memory for a chain");
    Parsing parsing = {.chain = *chain, .presets = presets};
    const Status status = parse_links(&parsing, &(Source){.text = text});
    presets_destroy(&parsing.loaded);
    if (status != STATUS_OK)
        chain_destroy(chain);
    return status;
}

Status chain_parse(const char *text, Chain **chain) {
    return chain_parse_with(text, NULL, chain);
}

Chain *chain_retain(Chain *chain) {
    __atomic_add_fetch(&chain->references, 1, __ATOMIC_RELAXED);
    return chain;
}

void chain_destroy(Chain **chain) {
    Chain *old = *chain;
    *chain = NULL;
    if (!old || __atomic_fetch_sub(&old->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (size_t i = 0; i < old->count; i++)
        if (old->links[i].filter) {
            params_destroy(old->links[i].filter->table, &old->links[i].values);
            params_destroy(chain_place, &old->links[i].place);
        }
    for (size_t i = 0; i < old->image_count; i++) {
        free(old->images[i].path);
        image_destroy(&old->images[i].image);
    }
    free(old);
}

static ChainFile file_now(const char *path) {
    struct stat now;
    if (stat(path, &now) != 0)
        return (ChainFile){0, 0};
    return (ChainFile){now.st_size, (int64_t)now.st_mtim.tv_sec * 1000000000 + now.st_mtim.tv_nsec};
}

/* Whether a link names that file. */
static bool names(const Chain *chain, const char *path) {
    for (size_t i = 0; i < chain->count; i++) {
        const ParamTable table = chain->links[i].filter->table;
        const char *within = chain_within(&chain->links[i]);
        bool there = within && strcmp(within, path) == 0;
        for (size_t k = 0; k < table.count && !there; k++) {
            const bool reads = table.params[k].kind == PARAM_IMAGE || table.params[k].kind == PARAM_CUBE;
            const char *text = reads ? param_text(&table.params[k], chain->links[i].values) : NULL;
            there = text && strcmp(text, path) == 0;
        }
        if (there)
            return true;
    }
    return false;
}

void chain_share_images(Chain *chain, const Chain *from) {
    if (chain == from || chain->image_count > 0)
        return;
    for (size_t i = 0; i < from->image_count; i++) {
        const ChainFile was = from->files[i], now = file_now(from->images[i].path);
        const bool same = now.changed != 0 && now.changed == was.changed && now.size == was.size;
        char *path = same && names(chain, from->images[i].path) ? strdup(from->images[i].path) : NULL;
        if (!path)
            continue;
        chain->files[chain->image_count] = was;
        chain->images[chain->image_count++] = (PlanImage){path, image_retain(from->images[i].image)};
    }
}

static Status read_image(Chain *chain, ParamKind kind, const char *path) {
    PlanImage *image = chain->images;
    while (image < chain->images + chain->image_count && strcmp(image->path, path) != 0)
        image++;
    if (image < chain->images + chain->image_count)
        return STATUS_OK;
    if (chain->image_count == CHAIN_MAX)
        return fail(STATUS_USAGE, "chain: more than %d images besides the picture", CHAIN_MAX);
    image->path = strdup(path);
    if (!image->path)
        return fail(STATUS_DEVICE, "no memory for a chain");
    chain->image_count++;
    chain->files[image - chain->images] = file_now(path);
    return kind == PARAM_CUBE ? cube_load(path, &image->image) : codec_load(path, &image->image);
}

static Status read_mask(Chain *chain, const ChainLink *link) {
    const char *within = chain_within(link);
    Region rectangle;
    if (!within || link->off || within_is_rectangle(within, &rectangle))
        return STATUS_OK;
    if (!within[strspn(within, "0123456789x+-")] && access(within, F_OK) != 0)
        return fail(STATUS_USAGE, "within=%s: want a rectangle, as in 640x360+100+80, or the path of a mask", within);
    return read_image(chain, PARAM_IMAGE, within);
}

Status chain_read_images(Chain *chain) {
    for (size_t i = 0; i < chain->count; i++) {
        const ParamTable table = chain->links[i].filter->table;
        for (size_t k = 0; k < table.count && !chain->links[i].off; k++) {
            const ParamKind kind = table.params[k].kind;
            const bool read = kind == PARAM_IMAGE || kind == PARAM_CUBE;
            const char *path = read ? param_text(&table.params[k], chain->links[i].values) : NULL;
            if (path)
                TRY(read_image(chain, kind, path));
        }
        TRY(read_mask(chain, &chain->links[i]));
    }
    return STATUS_OK;
}

Status chain_open(const char *text, Chain **chain) {
    TRY(chain_parse(text, chain));
    const Status status = chain_read_images(*chain);
    if (status != STATUS_OK)
        chain_destroy(chain);
    return status;
}

/* Appends to a text of `length` letters; returns the new length, whether or not all of it fitted. */
static size_t put(char *buffer, size_t size, size_t length, const char *text) {
    if (length < size)
        snprintf(buffer + length, size - length, "%s", text);
    return length + strlen(text);
}

static size_t put_values(char *buffer, size_t size, size_t length, ParamTable table, const void *values,
                         const char *before) {
    if (params_format(table, values, NULL, 0) == 0)
        return length;
    length = put(buffer, size, length, before);
    return length + (length < size ? params_format(table, values, buffer + length, size - length)
                                   : params_format(table, values, NULL, 0));
}

size_t chain_format(const Chain *chain, char *buffer, size_t size) {
    size_t length = 0;
    if (size > 0)
        buffer[0] = '\0';
    for (size_t i = 0; i < chain->count; i++) {
        const ChainLink *link = &chain->links[i];
        length = put(buffer, size, length, i ? "," : "");
        length = put(buffer, size, length, link->off ? "~" : "");
        length = put(buffer, size, length, link->filter->name);
        const size_t named = length;
        length = put_values(buffer, size, length, link->filter->table, link->values, "=");
        if (chain_within(link))
            length =
                put_values(buffer, size, length, chain_place, link->place, length > named ? ":within=" : "=within=");
    }
    return length;
}

Status chain_copy(const Chain *chain, Chain **copy) {
    Chain *made = *copy = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a chain");
    Status status = STATUS_OK;
    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const ChainLink *from = &chain->links[i];
        ChainLink *to = &made->links[made->count++];
        to->filter = from->filter;
        to->off = from->off;
        status = params_clone(from->filter->table, from->values, &to->values);
        if (status == STATUS_OK)
            status = params_clone(chain_place, from->place, &to->place);
    }
    if (status != STATUS_OK)
        chain_destroy(copy);
    return status;
}

bool link_same(const ChainLink *a, const ChainLink *b) {
    return a->filter == b->filter && a->off == b->off && params_same(chain_place, a->place, b->place) &&
           params_same(a->filter->table, a->values, b->values);
}

bool chain_same(const Chain *a, const Chain *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && a != b && i < a->count; i++)
        same = link_same(&a->links[i], &b->links[i]);
    return same;
}

static Status make_path_whole(const Param *param, void *values) {
    const char *path = param_text(param, values);
    if (!path || !path[0])
        return STATUS_OK;
    char *whole = realpath(path, NULL);
    const Status status = whole ? param_set_text(param, values, whole) : fail(STATUS_INPUT, "%s: %m", path);
    free(whole);
    return status;
}

static bool names_file(const Param *param) {
    return param->kind == PARAM_IMAGE || param->kind == PARAM_CUBE || strcmp(param->unit, PARAM_FILE) == 0;
}

Status chain_make_paths_whole(Chain *chain) {
    Region rectangle;
    for (size_t i = 0; i < chain->count; i++) {
        const ParamTable table = chain->links[i].filter->table;
        const char *within = chain_within(&chain->links[i]);
        for (size_t k = 0; k < table.count; k++)
            if (names_file(&table.params[k]))
                TRY(make_path_whole(&table.params[k], chain->links[i].values));
        if (within && !within_is_rectangle(within, &rectangle))
            TRY(make_path_whole(&place_params[0], chain->links[i].place));
    }
    return STATUS_OK;
}

/* Visits the files that one link's table of parameters names. */
static Status visit_files(ParamTable table, const void *values, Status (*visit)(void *context, const char *path),
                          void *context) {
    for (size_t i = 0; i < table.count; i++) {
        const char *path = names_file(&table.params[i]) ? param_text(&table.params[i], values) : NULL;
        if (path && path[0])
            TRY(visit(context, path));
    }
    return STATUS_OK;
}

Status chain_files(const Chain *chain, Status (*visit)(void *context, const char *path), void *context) {
    Region rectangle;
    for (size_t i = 0; i < chain->count; i++) {
        const ChainLink *link = &chain->links[i];
        const char *within = chain_within(link);
        TRY(visit_files(link->filter->table, link->values, visit, context));
        if (within && !within_is_rectangle(within, &rectangle))
            TRY(visit(context, within));
    }
    return STATUS_OK;
}

static bool chain_acts(const Chain *chain) {
    bool acts = false;
    for (size_t i = 0; i < chain->count; i++)
        acts |= !chain->links[i].off;
    return acts;
}

/* Filters of single pixels and of statistics see straight colours. */
static const bool sees_straight[FILTER_CATEGORIES] = {[FILTER_POINT] = true, [FILTER_STATISTICS] = true};

/* The context is the link. */
static Status plan_filter(Plan *plan, int in, PixelType type, void *context, int *out) {
    (void)type;
    const ChainLink *link = context;
    return link->filter->plan(link->values, plan, in, out);
}

static Status plan_link(Plan *plan, const ChainLink *link, int *value) {
    const int before = *value;
    ChainLink context = *link;
    TRY(sees_straight[link->filter->category] ? plan_straight(plan, before, plan_filter, &context, value)
                                              : link->filter->plan(link->values, plan, before, value));
    TRY(plan_like(plan, before, value));
    return chain_within(link) ? within_plan(plan, chain_within(link), before, value) : STATUS_OK;
}

Status chain_append(const Chain *chain, Plan *plan, int value) {
    PlanOptions options = *plan_options(plan);
    TRY(chain_choose_precision(chain, plan_value_shape(plan, value), &options));
    plan_set_choice(plan, options.choice);
    const ChainPrecision precision = plan_options_precision(&options);
    const bool linear = plan_options(plan)->linear && chain_acts(chain);
    const Shape shape = plan_value_shape(plan, value);
    const PixelType type = shape.type,
                    result = type < plan_options(plan)->type_min ? plan_options(plan)->type_min : type;
    const bool high = type != PIXEL_F32 && !linear && precision == PRECISION_HIGH && chain_acts(chain);
    const bool lit = plan_options(plan)->straight && plan_options(plan)->tone.premultiplied && chain_acts(chain) &&
                     shape_has_alpha(shape) && type == PIXEL_F32;
    plan_set_unfiltered(plan, value);
    plan_offer_images(plan, chain->images, chain->image_count);
    if (lit) {
        plan_label(plan, "premultiply");
        TRY(plan_point(plan, POINT_light, value, value, type, &value));
    }
    if (linear) {
        plan_label(plan, "to linear");
        TRY(plan_decode(plan, value, &value));
    }
    if (high) {
        plan_label(plan, "widen");
        TRY(plan_widen(plan, value, &value));
    }
    for (size_t i = 0; i < chain->count; i++) {
        const ChainLink *link = &chain->links[i];
        if (link->off)
            continue;
        plan_label(plan, link->filter->name);
        TRY(plan_link(plan, link, &value));
    }
    if (linear) {
        plan_label(plan, "from linear");
        TRY(plan_encode(plan, value, result == type ? type : PIXEL_F32, &value));
    }
    if (high || result != type) {
        plan_label(plan, "store");
        TRY(plan_store(plan, value, result, &value));
    }
    if (lit && plan_value_premultiplied(plan, value)) {
        plan_label(plan, "unpremultiply");
        TRY(plan_point(plan, POINT_straight, value, PLAN_NONE, type, &value));
    }
    plan_set_result(plan, value);
    if (high)
        plan_place_conversions(plan);
    if (precision == PRECISION_POINTS)
        plan_widen_points(plan);
    if (!plan_options(plan)->unfused)
        fuse_points(plan);
    return STATUS_OK;
}

bool chain_reads_picture(const Chain *chain) {
    bool reads = false;
    for (size_t i = 0; i < chain->count; i++) {
        const ChainLink *link = &chain->links[i];
        reads |= !link->off && link->filter->reads_picture && link->filter->reads_picture(link->values);
    }
    return reads;
}

void chain_note_picture(const Chain *chain, const Image *picture, PlanOptions *options) {
    bool reads = false;
    for (size_t i = 0; i < chain->count; i++)
        reads |= !chain->links[i].off && chain->links[i].filter->reads_shot;
    if (reads)
        exif_shot(picture->exif, &options->shot);
    if (chain_reads_picture(chain)) {
        options->shot.known = true;
        options->picture = picture->view.pixels ? picture : NULL;
    }
}

Status chain_plan(const Chain *chain, Shape input, PlanOptions options, Plan **plan) {
    int picture;
    TRY(plan_create(options, plan));
    Status status = plan_source(*plan, input, &picture);
    if (status == STATUS_OK)
        status = chain_append(chain, *plan, picture);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

/* The roundings of a plan whose values are stored so, where each step is a stage. */
static Status count_roundings(const Chain *chain, Shape input, PlanOptions options, ChainPrecision precision,
                              size_t *count) {
    Plan *plan;
    options.precision = precision;
    options.unfused = true;
    TRY(chain_plan(chain, input, options, &plan));
    *count = plan_count_roundings(plan);
    plan_destroy(&plan);
    return STATUS_OK;
}

/* The time of a plan whose values are stored so. Its points run all together or all apart, whichever is predicted to be
 * faster. Fusing itself goes by the picture's size, which shall have no say here. */
static Status predict(const Chain *chain, Shape input, PlanOptions options, ChainPrecision precision, double *seconds) {
    Plan *plan;
    *seconds = INFINITY;
    options.precision = precision;
    for (int apart = 0; apart < 2; apart++) {
        options.unfused = apart;
        options.fused = !apart;
        TRY(chain_plan(chain, input, options, &plan));
        *seconds = fmin(*seconds, plan_seconds(plan, options.device));
        plan_destroy(&plan);
    }
    return STATUS_OK;
}

Status chain_choose_precision(const Chain *chain, Shape input, PlanOptions *options) {
    PrecisionChoice choice = {.made = true, .stored_seconds = INFINITY, .high_seconds = INFINITY};
    if (options->precision != PRECISION_AUTO || options->choice.made)
        return STATUS_OK;
    choice.deeper = input.type < options->type_min;
    TRY(count_roundings(chain, input, *options, PRECISION_STORED, &choice.roundings));
    choice.along = choice.roundings;
    if (choice.roundings > 1)
        TRY(count_roundings(chain, input, *options, PRECISION_POINTS, &choice.along));
    if (choice.roundings > 1 && options->device && !choice.deeper) {
        TRY(predict(chain, input, *options, PRECISION_POINTS, &choice.stored_seconds));
        TRY(predict(chain, input, *options, PRECISION_HIGH, &choice.high_seconds));
    }
    precision_decide(&choice);
    options->choice = choice;
    return STATUS_OK;
}

/* A filter that is off, or confined, leaves each pixel at its place. */
static Status link_geometry(const Chain *chain, size_t link, Shape input, PlanOptions options, Geometry *geometry) {
    Chain alone = *chain;
    Plan *plan;
    options.precision = PRECISION_STORED; /* it leaves places as they are */
    *geometry = (Geometry){input, ORIGIN_EXACT, homography_identity(), 0};
    if (chain->links[link].off || chain_within(&chain->links[link]))
        return STATUS_OK;
    alone.links[0] = chain->links[link];
    alone.count = 1;
    TRY(chain_plan(&alone, input, options, &plan));
    *geometry = plan_geometry(plan);
    plan_destroy(&plan);
    return STATUS_OK;
}

Status chain_geometry(const Chain *chain, size_t first, size_t count, Shape input, PlanOptions options,
                      Geometry *geometry) {
    *geometry = (Geometry){input, ORIGIN_EXACT, homography_identity(), 0};
    for (size_t i = first; i < first + count; i++) {
        Geometry link;
        const Status status = link_geometry(chain, i, geometry->result, options, &link);
        if (status != STATUS_OK) {
            geometry->link = i + 1;
            return status;
        }
        link.link = link.origin == ORIGIN_EXACT ? 0 : i + 1;
        *geometry = geometry_join(geometry, &link);
    }
    return STATUS_OK;
}
