/* options.c: options, shapes and pixels of callers, checked. */
#include "library/library.h"

#include <string.h>

/* The place of a word in a list "stored|high|auto", whose first stands for NULL. */
static Status read_word(const char *option, const char *words, const char *word, int *index) {
    *index = 0;
    if (!word)
        return STATUS_OK;
    for (const char *at = words; *at; at += strcspn(at, "|"), at += *at == '|', ++*index)
        if (strcspn(at, "|") == strlen(word) && strncmp(at, word, strlen(word)) == 0)
            return STATUS_OK;
    return fail(STATUS_USAGE, "%s is \"%s\", want one of %s", option, word, words);
}

Status library_plan_options(const GlintPlanOptions *theirs, PlanOptions *how, const char **level, size_t *pictures) {
    GlintPlanOptions options = GLINT_PLAN_OPTIONS;
    int alpha, precision;
    *how = (PlanOptions){.border = {BORDER_CLAMP, 0}};
    TRY(library_take("plan options", theirs, &options));
    if (options.border)
        TRY(border_parse(options.border, &how->border));
    TRY(read_word("alpha", "premultiply|ignore", options.alpha, &alpha));
    TRY(read_word("precision", "stored|high|auto", options.precision ? options.precision : "auto", &precision));
    how->alpha = (AlphaMode)alpha;
    how->precision = (ChainPrecision)precision;
    how->linear = options.linear != 0;
    how->unfused = options.unfused != 0;
    *level = options.level ? options.level : "best";
    *pictures = options.pictures > 0 ? options.pictures : 1;
    return STATUS_OK;
}

Status library_shape(const GlintShape *shape, Shape *core) {
    TRY(library_given("glint", "shape", shape));
    if (shape->type < GLINT_U8 || shape->type > GLINT_F32)
        return fail(STATUS_USAGE, "shape: its type is %d, want GLINT_U8, GLINT_U16 or GLINT_F32", (int)shape->type);
    if (shape->channels < 1 || shape->channels > 4)
        return fail(STATUS_USAGE, "shape: %d channels, want 1 to 4", (int)shape->channels);
    if (shape->width == 0 || shape->height == 0)
        return fail(STATUS_USAGE, "shape: %zu x %zu pixels, want 1 at least a side", shape->width, shape->height);
    *core = (Shape){shape->width, shape->height, shape->channels, (PixelType)shape->type};
    return shape_exists(*core);
}

GlintShape library_shape_back(Shape shape) {
    return (GlintShape){shape.width, shape.height, shape.channels, (int32_t)shape.type};
}

/* ---- pixels ---- */

static Status wrong(const char *what, const char *why) {
    return fail(STATUS_USAGE, "%s: %s", what, why);
}

/* The pictures as one of `count` times the channels: whether all fit the address space. */
static bool find_span(Shape shape, size_t count, Pictures *pictures) {
    uintptr_t begin, end;
    ptrdiff_t way;
    if (count - 1 > PTRDIFF_MAX || __builtin_mul_overflow((ptrdiff_t)(count - 1), pictures->picture, &way) ||
        !places_span(shape, pictures->first, &pictures->begin, &pictures->end))
        return false;
    begin = pictures->begin + (uintptr_t)(way < 0 ? way : 0);
    end = pictures->end + (uintptr_t)(way < 0 ? 0 : way);
    if (begin > pictures->begin || end < pictures->end)
        return false;
    pictures->begin = begin;
    pictures->end = end;
    return true;
}

static Status check_strides(const char *what, Shape shape, size_t count, bool written, const Pictures *pictures) {
    const size_t value = pixel_type_size(shape.type);
    const Places *places = &pictures->first;
    uintptr_t begin, end;
    if (((uintptr_t)places->first | (uintptr_t)places->row | (uintptr_t)places->pixel | (uintptr_t)places->channel |
         (count > 1 ? (uintptr_t)pictures->picture : 0)) %
        value)
        return wrong(what, "its address and strides are no multiples of a value's bytes");
    if (!places_span(shape, *places, &begin, &end))
        return wrong(what, "its strides lead beyond the address space");
    const size_t apart = pictures->picture < 0 ? (size_t)0 - (size_t)pictures->picture : (size_t)pictures->picture;
    return !written || (places_are_apart(shape, *places) && (count == 1 || apart >= end - begin))
               ? STATUS_OK
               : wrong(what, "its strides make values share memory, or weave pictures into each other");
}

Status library_pictures(const char *what, Shape shape, size_t count, const GlintPixels *pixels, bool written,
                        Pictures *pictures) {
    if (!pixels || !pixels->pixels)
        return wrong(what, "NULL, want the address of pixels");
    if (pixels->place != GLINT_HOST && pixels->place != GLINT_ON_DEVICE)
        return fail(STATUS_USAGE, "%s: its place is %d, want GLINT_HOST or GLINT_ON_DEVICE", what, (int)pixels->place);
    const ptrdiff_t value = (ptrdiff_t)pixel_type_size(shape.type);
    *pictures = (Pictures){.on_device = pixels->place == GLINT_ON_DEVICE};
    Places places = {pixels->pixels, pixels->row, pixels->pixel, pixels->channel};
    places.channel = places.channel ? places.channel : value;
    places.pixel = places.pixel ? places.pixel : shape.channels * value;
    places.row = places.row ? places.row : (ptrdiff_t)shape_row_bytes(shape);
    pictures->first = places_settle(shape, places);
    if (!pixels->picture && __builtin_mul_overflow(pictures->first.row, (ptrdiff_t)shape.height, &pictures->picture))
        return wrong(what, "its strides lead beyond the address space");
    pictures->picture = pixels->picture ? pixels->picture : pictures->picture;
    TRY(check_strides(what, shape, count, written, pictures));
    return find_span(shape, count, pictures) ? STATUS_OK : wrong(what, "its strides lead beyond the address space");
}
