/* frames.c: one pass over a file, through a window that holds a frame. */
#include "core/scene/particles/frames.h"

#include "core/base/array.h"
#include "core/base/memory.h"
#include "core/base/pages.h"
#include "core/scene/files/formats.h"
#include "core/scene/particles/header.h"

#include <stdlib.h>

enum { WINDOW = 1 << 22 /* bytes at first */, GROWTH = 4 };

static Status add_place(Frames *frames, size_t offset, size_t line) {
    if (frames->count + 2 > frames->capacity) { /* one more stands behind the last */
        TRY(memory_fits(memory_product(2 * frames->capacity, sizeof *frames->places), frames->name));
        if (!ARRAY_ROOM(frames->places, frames->capacity, frames->count + 2))
            return fail(STATUS_DEVICE, "%s: no memory for an index of %zu frames", frames->name, frames->count + 1);
    }
    frames->places[frames->count] = (FramePlace){offset, line};
    return STATUS_OK;
}

/* A part of the file, where frames are looked for. */
typedef struct Window {
    char *text;
    size_t offset, size, capacity; /* it has `size` bytes from `offset` on */
    size_t line;                   /* of the file, that begins it */
    bool over;                     /* no frame is looked for any more */
} Window;

static Status read_bytes(Frames *frames, size_t at, void *to, size_t count) {
    if (count == 0 || input_peek(&frames->input, at, to, count))
        return STATUS_OK;
    const Status shorter = fail(STATUS_INPUT, "%s: has become shorter while it was read", frames->name);
    return frames->input.trouble == STATUS_OK
               ? shorter
               : fail_within(input_settle(&frames->input, shorter), "%s: ", frames->name);
}

/* Fills the window, which first grows to as many bytes. */
static Status fill(Frames *frames, Window *window, size_t capacity) {
    if (capacity > window->capacity || !window->text) {
        TRY(memory_fits(capacity, frames->name));
        char *grown = realloc(window->text, capacity + 1);
        if (!grown)
            return fail(STATUS_DEVICE, "%s: no memory to find its frames", frames->name);
        window->text = grown;
        pages_hint(grown, capacity);
        window->capacity = capacity;
    }
    const size_t rest = frames->input.size - window->offset - window->size, room = window->capacity - window->size;
    const size_t more = rest < room ? rest : room;
    TRY(read_bytes(frames, window->offset + window->size, window->text + window->size, more));
    window->size += more;
    window->text[window->size] = '\0';
    return STATUS_OK;
}

static bool has_all(const Frames *frames, const Window *window) {
    return window->offset + window->size == frames->input.size;
}

/* Notes a frame, which lies from `begin` to where the header is. */
static Status note_frame(Frames *frames, const Window *window, const Header *header, const char *begin, size_t *line) {
    TRY(add_place(frames, window->offset + (size_t)(begin - window->text), *line));
    *line += lines_within(begin, (size_t)(header->next - begin));
    frames->count++;
    frames->places[frames->count] = (FramePlace){window->offset + (size_t)(header->next - window->text), *line};
    if (frames->count == 1) {
        frames->head = header->head;
        frames->head_lines = lines_within(window->text, header->head);
    }
    return STATUS_OK;
}

/* Notes the frames that lie within the window, and moves it behind them if more are looked for. */
static Status find_frames(Frames *frames, Window *window, Header *header, size_t wanted) {
    header->text = header->next = header->line = window->text;
    header->end = window->text + window->size;
    if (window->offset == 0)
        header->next += text_mark(window->text, window->size);
    const char *begin = window->text;
    for (; !window->over; begin = header->next) {
        header->ended = false;
        const bool found = frames->format->pass(header);
        if (header->ended && !has_all(frames, window))
            break;
        if (found)
            TRY(note_frame(frames, window, header, begin, &window->line));
        header->passed = frames->count;
        frames->damaged = header->damaged;
        window->over = !found || header->damaged || frames->count == wanted ||
                       (header->next == header->end && has_all(frames, window));
    }
    if (window->over)
        return STATUS_OK;
    const size_t passed = (size_t)(begin - window->text);
    window->offset += passed;
    window->size -= passed;
    memmove(window->text, begin, window->size);
    return STATUS_OK;
}

/* All that the file has is one frame. */
static Status find_none(Frames *frames) {
    frames->damaged = frames->format->pass != NULL;
    TRY(add_place(frames, 0, 0));
    frames->places[++frames->count] = (FramePlace){frames->input.size, 0};
    return STATUS_OK;
}

/* Finds so many frames, or all that there are. */
static Status find(Frames *frames, size_t first, size_t wanted, Window *window) {
    Particles nobodys = {.name = frames->name};
    Header header = {.particles = &nobodys};
    const size_t size = frames->input.size;
    window->over = !frames->format->pass;
    TRY(fill(frames, window, first < size && !window->over ? first : size));
    while (!window->over) {
        const size_t offset = window->offset;
        TRY(find_frames(frames, window, &header, wanted));
        if (!window->over) /* a window in which no frame ends is too small */
            TRY(fill(frames, window, window->offset > offset ? window->capacity : GROWTH * window->capacity));
    }
    return frames->count > 0 ? STATUS_OK : find_none(frames);
}

/* Takes the input over. Streams are kept whole. */
static Status begin(const SceneFormat *format, const Input *input, Frames *frames) {
    *frames = (Frames){.format = format, .name = input->name, .input = *input};
    return input->size < SIZE_MAX ? STATUS_OK : input_read(&frames->input, memory_budget());
}

Status frames_open(const char *path, Frames *frames) {
    return frames_open_by(path, WINDOW, frames);
}

Status frames_open_by(const char *path, size_t first, Frames *frames) {
    const SceneFormat *format = scene_format_for_path(path);
    Window window = {.text = NULL};
    Input input;
    *frames = (Frames){.format = NULL};
    if (!format || !format->pass)
        return fail(STATUS_USAGE,
                    "%s: has no frames; want .dump, .xyz, .gro, .pdb or .cif, or those formats' other names", path);
    TRY(input_open(path, &input));
    Status status = begin(format, &input, frames);
    if (status == STATUS_OK)
        status = find(frames, first, SIZE_MAX, &window);
    free(window.text);
    if (status != STATUS_OK)
        frames_close(frames);
    return status;
}

/* Where the part begins that all frames share behind the last one. */
static FramePlace tail_of(const Frames *frames) {
    return frames->format->tail ? frames->places[frames->count] : (FramePlace){frames->input.size, 0};
}

/* How the text of a frame differs from the file. */
static Extract extract_of(const Frames *frames, size_t frame) {
    const FramePlace begin = frames->places[frame - 1], end = frames->places[frame], tail = tail_of(frames);
    const bool first = frame == 1;
    const size_t head = first ? 0 : frames->head, left_out = tail.line > end.line ? tail.line - end.line : 0;
    return (Extract){.is_frame = !first || tail.offset > end.offset,
                     .head = head,
                     .lines = begin.line - (first ? 0 : frames->head_lines),
                     .tail = head + end.offset - begin.offset,
                     .tail_lines = left_out};
}

static Status no_frame(const Frames *frames) {
    return fail(STATUS_INPUT, "%s: has %zu frame%s, want frame=1 to %zu", frames->name, frames->count,
                frames->count == 1 ? "" : "s", frames->count);
}

Status frames_read(Frames *frames, size_t frame, Bytes *text, Extract *extract) {
    *text = (Bytes){0};
    if (frame < 1 || frame > frames->count)
        return no_frame(frames);
    *extract = extract_of(frames, frame);
    const size_t tail = tail_of(frames).offset, rest = frames->input.size - tail;
    const size_t size = extract->tail + rest;
    TRY(memory_fits(size, frames->name));
    unsigned char *bytes = malloc(size + 1);
    if (!bytes)
        return fail(STATUS_DEVICE, "%s: no memory to read frame %zu", frames->name, frame);
    *text = (Bytes){bytes, size};
    bytes[size] = '\0';
    Status status = read_bytes(frames, 0, bytes, extract->head);
    const size_t begin = frames->places[frame - 1].offset, own = extract->tail - extract->head;
    if (status == STATUS_OK)
        status = read_bytes(frames, begin, bytes + extract->head, own);
    if (status == STATUS_OK)
        status = read_bytes(frames, tail, bytes + extract->tail, rest);
    if (status != STATUS_OK)
        bytes_free(text);
    return status;
}

/* The first frame, from the window in which it was found, if it and what it shares lie there together. */
static bool take_first(const Frames *frames, Window *window, Bytes *text, Extract *extract) {
    const size_t end = frames->places[1].offset, tail = tail_of(frames).offset, rest = frames->input.size - tail;
    if (window->offset > 0 || window->size < end + rest || (rest > 0 && tail != end))
        return false;
    *extract = extract_of(frames, 1);
    *text = (Bytes){(unsigned char *)window->text, end + rest};
    window->text[end + rest] = '\0';
    window->text = NULL;
    return true;
}

Status frames_take(const SceneFormat *format, const Input *input, size_t frame, Bytes *text, Extract *extract) {
    Frames frames;
    Window window = {.text = NULL};
    *text = (Bytes){0};
    Status status = begin(format, input, &frames);
    if (status == STATUS_OK)
        status = find(&frames, WINDOW, format->tail ? SIZE_MAX : frame, &window);
    if (status == STATUS_OK && frame > frames.count && frames.damaged)
        frame = frames.count; /* whose reader says why none follows */
    if (status == STATUS_OK && !(frame == 1 && take_first(&frames, &window, text, extract)))
        status = frames_read(&frames, frame, text, extract);
    free(window.text);
    frames_close(&frames);
    return status;
}

void frames_close(Frames *frames) {
    if (frames->name)
        input_close(&frames->input);
    free(frames->places);
    *frames = (Frames){.format = NULL};
}
