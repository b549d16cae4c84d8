/* chain.c: parsing and lowering chains. */
#include "core/chain.h"

#include "core/codec.h"
#include "core/fuse.h"
#include "core/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of a link: the next ',' outside quotes. */
static const char *link_end(const char *text) {
    bool quoted = false;
    for (; *text && (quoted || *text != ','); text++)
        quoted ^= *text == '\'';
    return text;
}

static Status no_such_filter(int column, const char *name, size_t length) {
    const char *close = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < filter_count; i++)
        if (text_closer(name, length, filters[i]->name, &best))
            close = filters[i]->name;
    if (length == 0)
        return fail(STATUS_USAGE, "chain: column %d: want a filter's name", column);
    if (close)
        return fail(STATUS_USAGE, "chain: column %d: no filter \"%.*s\"; did you mean \"%s\"?", column, (int)length,
                    name, close);
    return fail(STATUS_USAGE, "chain: column %d: no filter \"%.*s\"; `glint list filters` shows what there is", column,
                (int)length, name);
}

static Status parse_link(const char *text, const char *begin, const char *end, ChainLink *link) {
    const char *behind = begin;
    while (behind < end && *behind != '=')
        behind++;
    const size_t length = (size_t)(behind - begin);
    link->filter = filter_by_name(begin, length);
    if (!link->filter)
        return no_such_filter((int)(begin - text) + 1, begin, length);
    TRY(params_create(link->filter->table, &link->values));
    if (behind == end)
        return STATUS_OK;
    const char *at = behind;
    const Status status = params_parse(link->filter->table, link->filter->name, behind + 1, end, link->values, &at);
    return status == STATUS_OK ? status : fail_within(status, "chain: column %d: ", (int)(at - text) + 1);
}

Status chain_parse(const char *text, Chain **chain) {
    *chain = calloc(1, sizeof **chain);
    if (!*chain)
        return fail(STATUS_DEVICE, "no memory for a chain");
    Status status = STATUS_OK;
    const char *begin = text + strspn(text, " ");
    while (status == STATUS_OK && *begin) {
        const char *end = link_end(begin);
        const char *trimmed = end;
        while (trimmed > begin && trimmed[-1] == ' ')
            trimmed--;
        if ((*chain)->count == CHAIN_MAX)
            status = fail(STATUS_USAGE, "chain: column %d: more than %d filters", (int)(begin - text) + 1, CHAIN_MAX);
        else
            status = parse_link(text, begin, trimmed, &(*chain)->links[(*chain)->count++]);
        begin = *end ? end + 1 + strspn(end + 1, " ") : end;
        if (status == STATUS_OK && *end && !*begin)
            status = fail(STATUS_USAGE, "chain: column %d: want a filter behind the comma", (int)(begin - text) + 1);
    }
    if (status != STATUS_OK)
        chain_destroy(chain);
    return status;
}

void chain_destroy(Chain **chain) {
    if (!*chain)
        return;
    for (size_t i = 0; i < (*chain)->count; i++)
        if ((*chain)->links[i].filter)
            params_destroy((*chain)->links[i].filter->table, &(*chain)->links[i].values);
    for (size_t i = 0; i < (*chain)->image_count; i++) {
        free((*chain)->images[i].path);
        image_destroy(&(*chain)->images[i].image);
    }
    free(*chain);
    *chain = NULL;
}

static Status read_image(Chain *chain, const char *path) {
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
    return codec_load(path, &image->image);
}

Status chain_read_images(Chain *chain) {
    for (size_t i = 0; i < chain->count; i++) {
        const ParamTable table = chain->links[i].filter->table;
        for (size_t k = 0; k < table.count; k++) {
            const char *path =
                table.params[k].kind == PARAM_IMAGE ? param_text(&table.params[k], chain->links[i].values) : NULL;
            if (path)
                TRY(read_image(chain, path));
        }
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

size_t chain_format(const Chain *chain, char *buffer, size_t size) {
    size_t length = 0;
    if (size > 0)
        buffer[0] = '\0';
    for (size_t i = 0; i < chain->count; i++) {
        const ChainLink *link = &chain->links[i];
        const bool has_values = params_format(link->filter->table, link->values, NULL, 0) > 0;
        const int wrote = snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0, "%s%s%s",
                                   i ? "," : "", link->filter->name, has_values ? "=" : "");
        length += wrote > 0 ? (size_t)wrote : 0;
        length += params_format(link->filter->table, link->values, length < size ? buffer + length : NULL,
                                length < size ? size - length : 0);
    }
    return length;
}

Status chain_append(const Chain *chain, Plan *plan, int value) {
    const bool linear = plan_options(plan)->linear && chain->count > 0;
    const PixelType type = plan_value_shape(plan, value).type;
    plan_offer_images(plan, chain->images, chain->image_count);
    if (linear) {
        plan_label(plan, "to linear");
        TRY(plan_point(plan, POINT_to_linear, value, PLAN_NONE, PIXEL_F32, &value));
    }
    for (size_t i = 0; i < chain->count; i++) {
        plan_label(plan, chain->links[i].filter->name);
        TRY(chain->links[i].filter->plan(chain->links[i].values, plan, value, &value));
    }
    if (linear) {
        plan_label(plan, "from linear");
        TRY(plan_point(plan, POINT_from_linear, value, PLAN_NONE, type, &value));
    }
    plan_set_result(plan, value);
    if (!plan_options(plan)->unfused)
        fuse_points(plan);
    return STATUS_OK;
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
