/* film.c: frames in, frames out. */
#include "app/batch/film.h"

#include "core/base/block_pool.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME "FRAME\n"

enum { HEAD_MAX = 4096 /* bytes of a frame's header */ };

struct Film {
    FilmRules rules;
    Input input;
    size_t at;   /* bytes of the input's head that are used up */
    bool ended;  /* no frame follows; this and the next two belong to the thread that opens */
    size_t read; /* frames */
    bool is_y4m; /* the input */
    Y4m from;    /* then */
    BlockPool blocks;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t turn;  /* has changed, or `last` */
    Y4m to;               /* once `shaped` */
    bool shaped;
    size_t written, last; /* frames; from `last` on none is written */
    bool damaged;         /* the frame itself ends the film, not the work on it */
    Status status;
    char why[1024];
};

typedef struct FilmFrame {
    Work work; /* first, so that a Work is ours */
    size_t number;
    unsigned char *raw; /* a block: header and values, as they were read */
    size_t raw_bytes;
    bool damaged; /* cannot be read, or does not fit the film */
    Bytes made;   /* as it will be written */
} FilmFrame;

static FilmFrame *frame_of(Work *work) {
    return (FilmFrame *)work;
}

/* ---- reading ---- */

/* Up to `size` bytes, as many as there are: *got is less at the end only. */
static Status read_bytes(Film *film, void *to, size_t size, size_t *got) {
    const size_t left = film->input.bytes.size - film->at, head = size < left ? size : left;
    memcpy(to, film->input.bytes.data + film->at, head);
    film->at += head;
    *got = head;
    while (*got < size && film->input.descriptor >= 0) {
        size_t count;
        TRY(interruptible_read(film->input.descriptor, film->input.name, (char *)to + *got, size - *got, &count));
        if (count == 0)
            break;
        *got += count;
    }
    return STATUS_OK;
}

static Status torn(const Film *film) {
    return fail(STATUS_INPUT, "the film ends within frame %zu", film->read + 1);
}

/* A line without its break; *there is false at the end of the film. */
static Status read_line(Film *film, char line[static Y4M_LINE], bool *there) {
    size_t length = 0, got;
    for (;;) {
        TRY(read_bytes(film, &line[length], 1, &got));
        *there = got > 0 || length > 0;
        if (got == 0 || line[length] == '\n')
            break;
        if (++length == Y4M_LINE - 1)
            return fail(STATUS_INPUT, "damaged y4m: a line of more than %d bytes", Y4M_LINE);
    }
    line[length] = '\0';
    return got == 0 && *there ? torn(film) : STATUS_OK;
}

/* Takes a block that holds the frame, whose first bytes are at `head`, and reads the rest. */
static Status read_rest(Film *film, FilmFrame *frame, const void *head, size_t head_bytes, size_t values) {
    void *block;
    bool fresh;
    size_t got;
    TRY(block_pool_take(&film->blocks, head_bytes + values, &block, &fresh));
    frame->raw = block;
    frame->raw_bytes = head_bytes + values;
    memcpy(frame->raw, head, head_bytes);
    TRY(read_bytes(film, frame->raw + head_bytes, values, &got));
    return got == values ? STATUS_OK : torn(film);
}

static Status read_y4m(Film *film, FilmFrame *frame, bool *there) {
    char line[Y4M_LINE];
    TRY(read_line(film, line, there));
    if (!*there)
        return STATUS_OK;
    if (strncmp(line, "FRAME", 5) != 0 || (line[5] != '\0' && line[5] != ' '))
        return fail(STATUS_INPUT, "damaged y4m: frame %zu does not begin with FRAME", film->read + 1);
    frame->work.shape = y4m_shape(&film->from);
    return read_rest(film, frame, "", 0, y4m_frame_bytes(&film->from));
}

/* Whether the header of a Netpbm format is complete. It has a magic number and two or three numbers, or PAM's last
 * line. Behind them stands a blank, or a comment up to the line's end. */
static bool is_complete(const char *head, size_t length) {
    const size_t wanted = head[1] == '4' ? 3 : 4;
    size_t words = 0;
    bool comment = false, word = false;
    if (length >= 7 && head[1] == '7')
        return memcmp(head + length - 7, "ENDHDR\n", 7) == 0;
    for (size_t i = 0; i < length && head[1] != '7'; i++) {
        if (word && (isspace((unsigned char)head[i]) || head[i] == '#')) {
            word = false;
            words++;
        }
        comment = comment ? head[i] != '\n' : head[i] == '#';
        if (words == wanted)
            return !comment || memchr(head + i, '\n', length - i);
        word |= !comment && !isspace((unsigned char)head[i]);
    }
    return false;
}

static Status read_netpbm(Film *film, FilmFrame *frame, bool *there) {
    char head[HEAD_MAX];
    size_t length = 0, got, format;
    Measure measure = {0};
    do {
        if (length == sizeof head)
            return fail(STATUS_INPUT, "damaged PNM: frame %zu has a header of more than %d bytes", film->read + 1,
                        HEAD_MAX);
        TRY(read_bytes(film, &head[length], 1, &got));
        *there = got > 0 || length > 0;
        if (got == 0)
            return *there ? torn(film) : STATUS_OK;
        length++;
        if (length == 2 && (head[0] != 'P' || head[1] < '4' || head[1] > '7'))
            return fail(STATUS_INPUT, "frame %zu is none of the binary Netpbm formats", film->read + 1);
    } while (length < 3 || !is_complete(head, length));
    Input input = input_of((Bytes){(unsigned char *)head, length});
    input.size = SIZE_MAX; /* the values are still to come */
    TRY(codec_measure(&input, (Pages){0}, &format, &measure));
    const Shape shape = measure.shape;
    frame->work.shape = shape;
    return read_rest(film, frame, head, length,
                     head[1] == '4' ? (shape.width + 7) / 8 * shape.height : shape_bytes(shape));
}

static Status open_frame(void *context, Work *work, Opened *opened) {
    Film *film = context;
    FilmFrame *frame = frame_of(work);
    bool there = false;
    *opened = OPENED_END;
    work->name = film->input.name;
    if (film->ended)
        return STATUS_OK;
    frame->number = film->read;
    const Status status = film->is_y4m ? read_y4m(film, frame, &there) : read_netpbm(film, frame, &there);
    film->ended = status != STATUS_OK || !there;
    frame->damaged = status != STATUS_OK;
    if (status != STATUS_OK)
        return fail_within(status, "%s: ", film->input.name);
    if (!there)
        return STATUS_OK;
    film->read++;
    work->as.type_max = PIXEL_F32;
    work->decoding = frame->raw_bytes + shape_bytes(work->shape);
    *opened = OPENED_WORK;
    return STATUS_OK;
}

/* The status of a step that fails because the frame is damaged. */
static Status judge(const Film *film, FilmFrame *frame, Status status) {
    frame->damaged = status != STATUS_OK;
    return status == STATUS_OK ? status : fail_within(status, "%s: frame %zu: ", film->input.name, frame->number + 1);
}

static Status decode_frame(void *context, Work *work, size_t max) {
    Film *film = context;
    FilmFrame *frame = frame_of(work);
    (void)max;
    const Status status = film->is_y4m ? y4m_decode(&film->from, frame->raw, &work->image)
                                       : codec_decode((Bytes){frame->raw, frame->raw_bytes}, &work->image);
    block_pool_give(&film->blocks, frame->raw);
    frame->raw = NULL;
    return judge(film, frame, status);
}

/* ---- writing ---- */

/* Gives the output the input's format, where that has room for the chain's result; else one with chroma for each pixel.
 * Under the lock. */
static void shape_output(Film *film, Shape shape) {
    const bool colour = shape.channels >= 3, kept = film->is_y4m && colour == (film->from.chroma->columns > 0) &&
                                                    (shape.type == PIXEL_U8) == (film->from.chroma->bits == 8);
    static const char *const names[2][2] = {{"mono", "mono16"}, {"444", "444p16"}};
    if (film->is_y4m)
        film->to = film->from;
    else
        film->to = (Y4m){.rest = " F25:1 Ip"};
    film->to.width = shape.width;
    film->to.height = shape.height;
    film->to.matrix = film->rules.matrix;
    if (!kept)
        film->to.chroma = y4m_chroma(names[colour][shape.type != PIXEL_U8]);
    film->shaped = true;
}

static Status check_shape(Film *film, Shape shape) {
    pthread_mutex_lock(&film->lock);
    if (!film->shaped)
        shape_output(film, shape);
    const bool same = film->to.width == shape.width && film->to.height == shape.height;
    pthread_mutex_unlock(&film->lock);
    return same ? STATUS_OK
                : fail(STATUS_INPUT, "it becomes %zu x %zu pixels, others %zu x %zu, and a y4m has one size",
                       shape.width, shape.height, film->to.width, film->to.height);
}

static Status make_y4m(Film *film, const Image *image, Bytes *made) {
    TRY(check_shape(film, image->view.shape));
    const size_t line = strlen(FRAME), bytes = line + y4m_frame_bytes(&film->to);
    void *block;
    bool fresh;
    TRY(block_pool_take(&film->blocks, bytes, &block, &fresh));
    *made = (Bytes){block, bytes};
    memcpy(made->data, FRAME, line);
    return y4m_encode(&film->to, image->view, made->data + line);
}

static Status encode_frame(void *context, Work *work) {
    Film *film = context;
    FilmFrame *frame = frame_of(work);
    const Status status = film->rules.format
                              ? codec_encode(film->rules.format, work->image, film->rules.save, &frame->made)
                              : make_y4m(film, work->image, &frame->made);
    return judge(film, frame, status);
}

/* Before the first frame. */
static Status begin_output(Film *film) {
    char line[2 * Y4M_LINE];
    Output *output = film->rules.output;
    TRY(output_make_folders(output));
    if (film->rules.format)
        return STATUS_OK;
    const size_t length = y4m_format(&film->to, line, sizeof line);
    return output_append(output, (Bytes){(unsigned char *)line, length});
}

/* Waits for its turn; there is one for each frame that is under way. */
static Status write_frame(void *context, Work *work) {
    Film *film = context;
    const FilmFrame *frame = frame_of(work);
    pthread_mutex_lock(&film->lock);
    while (film->written < frame->number && frame->number < film->last)
        pthread_cond_wait(&film->turn, &film->lock);
    const bool mine = frame->number < film->last;
    pthread_mutex_unlock(&film->lock);
    if (!mine)
        return fail(STATUS_INTERRUPTED, "the film ends before");
    if (frame->number == 0)
        TRY(begin_output(film));
    TRY(output_append(film->rules.output, frame->made));
    pthread_mutex_lock(&film->lock);
    film->written++;
    pthread_cond_broadcast(&film->turn);
    pthread_mutex_unlock(&film->lock);
    return STATUS_OK;
}

/* The first frame that fails is the film's end: those before it are written. */
static void frame_done(void *context, Work *work, Status status) {
    Film *film = context;
    FilmFrame *frame = frame_of(work);
    if (status != STATUS_OK) {
        pthread_mutex_lock(&film->lock);
        if (frame->number < film->last) {
            film->last = frame->number;
            if (status != STATUS_INTERRUPTED || film->status == STATUS_OK) { /* those that are dropped say not why */
                film->status = status;
                film->damaged = frame->damaged;
                snprintf(film->why, sizeof film->why, "%s", status_message());
            }
        }
        pthread_cond_broadcast(&film->turn);
        pthread_mutex_unlock(&film->lock);
        executor_stop(work, status == STATUS_DEVICE);
    }
    block_pool_give(&film->blocks, frame->raw);
    if (film->rules.format)
        bytes_free(&frame->made);
    else
        block_pool_give(&film->blocks, frame->made.data);
}

static Status plan_frame(void *context, const Pipeline *pipeline, const Strips *cut) {
    const FilmRules *rules = &((const Film *)context)->rules;
    return rules->planned ? rules->planned(rules->context, pipeline, cut) : STATUS_OK;
}

const ExecutorTasks film_tasks = {.work_bytes = sizeof(FilmFrame),
                                  .open = open_frame,
                                  .decode = decode_frame,
                                  .encode = encode_frame,
                                  .commit = write_frame,
                                  .done = frame_done,
                                  .planned = plan_frame};

/* ---- films ---- */

bool film_is_y4m(Bytes head) {
    return head.size >= 10 && memcmp(head.data, "YUV4MPEG2 ", 10) == 0;
}

bool film_begins(Bytes head) {
    const char *text = (const char *)head.data;
    return film_is_y4m(head) || (head.size >= 3 && text[0] == 'P' && text[1] >= '4' && text[1] <= '7' &&
                                 (isspace((unsigned char)text[2]) || text[2] == '#'));
}

static Status make_block(void *context, size_t bytes, void **memory) {
    (void)context;
    *memory = calloc(1, bytes);
    return *memory ? STATUS_OK : fail(STATUS_DEVICE, "no memory for a frame of a film");
}

static void drop_block(void *context, void *memory, size_t bytes) {
    (void)context, (void)bytes;
    free(memory);
}

static Status read_header(Film *film) {
    char line[Y4M_LINE];
    bool there;
    film->is_y4m = film_is_y4m(film->input.bytes);
    if (!film->is_y4m)
        return STATUS_OK;
    TRY(read_line(film, line, &there));
    TRY(y4m_parse(line, &film->from));
    film->from.matrix = film->rules.matrix;
    return STATUS_OK;
}

Status film_create(Input *input, FilmRules rules, Film **film) {
    enum { IDLE = 256 << 20 }; /* bytes of blocks */
    Film *made = *film = calloc(1, sizeof *made);
    if (!made) {
        input_close(input);
        return fail(STATUS_DEVICE, "no memory for a film");
    }
    *made =
        (Film){.rules = rules, .input = *input, .blocks = {.make = make_block, .drop = drop_block}, .last = SIZE_MAX};
    *input = (Input){.descriptor = -1};
    block_pool_init(&made->blocks, IDLE);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->turn, NULL);
    pipe_widen(made->input.descriptor);
    const Status status = read_header(made);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", made->input.name);
}

void film_destroy(Film **film) {
    Film *old = *film;
    *film = NULL;
    if (!old)
        return;
    block_pool_free(&old->blocks);
    pthread_mutex_destroy(&old->lock);
    pthread_cond_destroy(&old->turn);
    input_close(&old->input);
    free(old);
}

Status film_end(const Film *film, size_t *frames) {
    *frames = film->written;
    if (film->status == STATUS_OK) /* a signal may have come while no frame was under way */
        return film->ended ? STATUS_OK : fail(STATUS_INTERRUPTED, "interrupted");
    const bool partial = film->status == STATUS_INPUT && film->damaged && film->written > 0;
    return fail(partial ? STATUS_PARTIAL : film->status, "%s", film->why);
}
