/* trace_film.c: the two formats, a row of functions each. */
#include "app/trace_film.h"

#include "core/codec/apng.h"
#include "core/codec/y4m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FRAME "FRAME\n"

typedef struct FilmFormat {
    const char *extension;
    Status (*begin)(TraceFilm *film);
    Status (*add)(TraceFilm *film, const Image *image);
    Status (*end)(TraceFilm *film);
} FilmFormat;

struct TraceFilm {
    const FilmFormat *format;
    Output *output;
    Shape shape;
    long rate;
    ApngWriter apng;
    Image *before; /* the picture that the file ends with, or NULL */
    Y4m y4m;
    unsigned char *frame; /* with its line */
};

/* ---- animated PNG ---- */

static Status begin_apng(TraceFilm *film) {
    return output_byte_sink(film->output, &film->apng.to);
}

static Status add_apng(TraceFilm *film, const Image *image) {
    const ImageView *before = film->before ? &film->before->view : NULL;
    TRY(apng_add_changed(&film->apng, image->view, before, 1, (unsigned)film->rate));
    if (!film->before)
        return image_clone(image->view, &film->before);
    view_copy(image->view, film->before->view);
    return STATUS_OK;
}

static Status end_apng(TraceFilm *film) {
    return apng_end(&film->apng);
}

/* ---- YUV4MPEG2 ---- */

static Status begin_y4m(TraceFilm *film) {
    char line[Y4M_LINE];
    if (film->shape.channels != 3 || film->shape.type != PIXEL_U8)
        return fail(STATUS_USAGE, "%s: Y4M has neither alpha nor linear light; want NAME.png, or a background",
                    output_path(film->output));
    film->y4m = (Y4m){.width = film->shape.width, .height = film->shape.height, .chroma = y4m_chroma("444")};
    snprintf(film->y4m.rest, sizeof film->y4m.rest, " F%ld:1 Ip A1:1", film->rate);
    film->frame = malloc(strlen(FRAME) + y4m_frame_bytes(&film->y4m));
    if (!film->frame)
        return fail(STATUS_DEVICE, "%s: no memory for a frame", output_path(film->output));
    const size_t length = y4m_format(&film->y4m, line, sizeof line);
    return output_append(film->output, (Bytes){(unsigned char *)line, length});
}

static Status add_y4m(TraceFilm *film, const Image *image) {
    const size_t line = strlen(FRAME);
    memcpy(film->frame, FRAME, line);
    TRY(y4m_encode(&film->y4m, image->view, film->frame + line));
    return output_append(film->output, (Bytes){film->frame, line + y4m_frame_bytes(&film->y4m)});
}

static Status end_y4m(TraceFilm *film) {
    (void)film;
    return STATUS_OK;
}

/* ---- films ---- */

static const FilmFormat formats[] = {{"png", begin_apng, add_apng, end_apng},
                                     {"apng", begin_apng, add_apng, end_apng},
                                     {"y4m", begin_y4m, add_y4m, end_y4m}};

static const FilmFormat *format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; i++)
        if (strcasecmp(dot + 1, formats[i].extension) == 0)
            return &formats[i];
    return NULL;
}

bool trace_film_takes(const char *path) {
    return format_of(path) != NULL;
}

Status trace_film_begin(Output *output, Shape shape, long rate, TraceFilm **film) {
    TraceFilm *made = *film = calloc(1, sizeof *made);
    const FilmFormat *format = format_of(output_path(output));
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a film");
    *made = (TraceFilm){.format = format, .output = output, .shape = shape, .rate = rate};
    Status status = format ? output_make_folders(output)
                           : fail(STATUS_USAGE, "%s: want a film NAME.png or NAME.y4m", output_path(output));
    if (status == STATUS_OK)
        status = output_begin(output);
    if (status == STATUS_OK)
        status = format->begin(made);
    if (status != STATUS_OK)
        trace_film_destroy(film);
    return status;
}

Status trace_film_add(TraceFilm *film, const Image *image) {
    return film->format->add(film, image);
}

Status trace_film_close(TraceFilm *film) {
    return film->format->end(film);
}

void trace_film_destroy(TraceFilm **film) {
    if (!*film)
        return;
    image_destroy(&(*film)->before);
    free((*film)->frame);
    free(*film);
    *film = NULL;
}
