/* serve.c: glint serve: a picture a request, filtered by a chain. */
#include "app/command.h"
#include "app/common_options.h"
#include "app/serve/http.h"
#include "app/serve/listen.h"
#include "app/serve/pool.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/module.h"
#include "core/base/share.h"
#include "core/codec/sandbox.h"
#include "core/codec/save.h"
#include "core/device/pixel_pool.h"
#include "core/run/rendering.h"
#include "library/tuning.h"

#include <dlfcn.h>
#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    BYTES_MAX = 64 << 20,
    TIMEOUT = 30,      /* s */
    CONNECTIONS = 512, /* connections for each job */
    OK = 200,
    BAD_REQUEST = 400,
    NOT_FOUND = 404,
    NOT_ALLOWED = 405,
    TOO_LARGE = 413,
    BAD_PICTURE = 422,
    FAILED = 500,
    BUSY = 503,
};

typedef struct Options {
    CommonOptions common;
    SaveOptions save;
    const char *socket;
    int port, jobs; /* port -1: none */
    double bytes_max;
    int timeout;
    bool trusted;
} Options;

typedef struct Server {
    const Options *options;
    Device *device;
    Pool *pool;
    Sandbox *sandbox; /* or NULL */
    PixelPool pixels; /* which the device copies without a detour */
    Budget budget;
    sem_t jobs;
} Server;

/* ---- answers ---- */

static void put_json(HttpAnswer *answer, int status, json_t *record) {
    char *text = record ? json_dumps(record, JSON_COMPACT) : NULL;
    json_decref(record);
    *answer = (HttpAnswer){status, "application/json", "", text, text ? strlen(text) : 0};
}

static void put_error(HttpAnswer *answer, int status, const char *sentence) {
    put_json(answer, status, json_pack("{s:o}", "error", json_text(sentence)));
}

static int status_for(Status status) {
    return status == STATUS_USAGE ? BAD_REQUEST : status == STATUS_INPUT ? BAD_PICTURE : FAILED;
}

static const char too_busy[] = "too much to do at once; try again";

static void refuse(void *context, bool busy, HttpAnswer *answer) {
    const Server *server = context;
    char sentence[100];
    snprintf(sentence, sizeof sentence, "the body is larger than %.0f bytes (--max-bytes)", server->options->bytes_max);
    put_error(answer, busy ? BUSY : TOO_LARGE, busy ? too_busy : sentence);
}

/* ---- pictures ---- */

/* Bytes that a request takes, about: to decode, and the picture, the result and a frame as floats. */
static size_t need(const CodecFile *file) {
    enum { PICTURES = 4 };
    const Shape shape = codec_shape(file);
    const size_t one = shape_bytes(shape_with_type(shape, PIXEL_F32));
    return memory_sum(codec_memory(file), memory_product(memory_product(one, PICTURES), file->measure.count));
}

static Status decode(Server *server, HttpRequest *request, size_t *share, const Format **format, Image **image) {
    CodecFile file;
    Input input = input_own("the body", (Bytes){request->body, request->size});
    request->body = NULL;
    TRY(codec_adopt(&input, (Pages){0}, sandbox_box(server->sandbox), &file));
    const size_t bytes = need(&file);
    const Status status = budget_wait(&server->budget, share, bytes);
    if (status != STATUS_OK) {
        codec_close(&file);
        return status;
    }
    *format = file.format;
    return codec_read(&file, codec_memory(&file), image);
}

static Status choose_format(const HttpRequest *request, const Format *of, const Format **format) {
    const char *name = request->argument(request->of, "format");
    *format = name ? format_by_name(name) : of->writes && !of->lacks ? of : format_default;
    return *format && (*format)->writes && !(*format)->lacks
               ? STATUS_OK
               : fail(STATUS_USAGE, "format is \"%s\", want one that can be written (glint list formats)", name);
}

static Status filter(Server *server, HttpRequest *request, const char *chain, Spans *spans, const Format **format,
                     Bytes *made) {
    PixelSource *const source = image_source_set(&server->pixels.source);
    size_t share = 0;
    Image *image = NULL;
    const Format *of = NULL;
    const double start = clock_ms();
    Status status = decode(server, request, &share, &of, &image);
    spans_add(spans, "decode", start, clock_ms());
    if (status == STATUS_OK)
        status = choose_format(request, of, format);
    if (status == STATUS_OK)
        status = pool_filter(server->pool, chain, &image, spans);
    const double filtered = clock_ms();
    if (status == STATUS_OK)
        status = rendering_fit(*format, &server->options->save, &image);
    if (status == STATUS_OK)
        status = picture_fit_channels(*format, &image);
    if (status == STATUS_OK)
        status = codec_encode(*format, image, server->options->save, made);
    spans_add(spans, "encode", filtered, clock_ms());
    image_destroy(&image);
    image_source_set(source);
    budget_return(&server->budget, &share);
    return status;
}

/* Waits for one of --jobs; false after --timeout. */
static bool begin_job(Server *server) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += server->options->timeout;
    int result;
    do
        result = sem_clockwait(&server->jobs, CLOCK_MONOTONIC, &until);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

static const char *media_type(const Format *format, char *text, size_t size) {
    snprintf(text, size, "image/%s", strcmp(format->name, "jpg") == 0 ? "jpeg" : format->name);
    return text;
}

/* All of it, decoding and encoding, and the steps between, as far as there is room for them. */
static void write_times(const Spans *spans, double total, char *note, size_t size) {
    size_t used = (size_t)snprintf(note, size, "total;dur=%.2f", total);
    for (size_t i = 0; i < spans->count && used < size; i++) {
        const Span *span = &spans->spans[i == 0 ? 0 : i == 1 ? spans->count - 1 : i - 1];
        used += (size_t)snprintf(note + used, size - used, ", %s;dur=%.2f", span->name, span->ms);
    }
}

static void answer_picture(Server *server, HttpRequest *request, HttpAnswer *answer) {
    static _Thread_local char type[32];
    const char *chain = request->argument(request->of, "chain");
    const Format *format = NULL;
    Spans spans = {0};
    Bytes made = {0};
    if (!chain)
        put_error(answer, BAD_REQUEST, "no chain; want one, as in /filter?chain=gaussian=2,sharpen");
    else if (request->size == 0)
        put_error(answer, BAD_REQUEST, "no body; want the bytes of a picture");
    else if (!begin_job(server))
        put_error(answer, BUSY, too_busy);
    if (answer->status)
        return;
    const double start = clock_ms();
    const Status status = filter(server, request, chain, &spans, &format, &made);
    const double total = clock_ms() - start;
    sem_post(&server->jobs);
    if (status != STATUS_OK) {
        put_error(answer, status_for(status), status_message());
        return;
    }
    *answer = (HttpAnswer){OK, media_type(format, type, sizeof type), "", made.data, made.size};
    write_times(&spans, total, answer->note, sizeof answer->note);
}

static void answer(void *context, HttpRequest *request, HttpAnswer *to) {
    Server *server = context;
    const bool posts = strcmp(request->method, "POST") == 0, gets = strcmp(request->method, "GET") == 0;
    if (posts && strcmp(request->path, "/filter") == 0)
        answer_picture(server, request, to);
    else if (gets && strcmp(request->path, "/") == 0)
        put_json(to, OK,
                 json_pack("{s:s, s:s, s:s, s:i, s:I}", "glint", "serve", "version", GLINT_VERSION, "backend",
                           server->device->backend->name, "jobs", server->options->jobs, "max_bytes",
                           (json_int_t)server->options->bytes_max));
    else if (strcmp(request->path, "/filter") == 0 || strcmp(request->path, "/") == 0)
        put_error(to, NOT_ALLOWED, "want POST /filter?chain=..., or GET /");
    else
        put_error(to, NOT_FOUND, "no such path; want POST /filter?chain=..., or GET /");
}

/* ---- the server ---- */

static Status run(Server *server, const HttpLibrary *http, int listening) {
    const Options *options = server->options;
    enum { SHARE = 4 };
    const HttpRules rules = {.listening = listening,
                             .body_max = (size_t)options->bytes_max,
                             .timeout = (unsigned)options->timeout,
                             .connections = CONNECTIONS,
                             .bodies_max = memory_budget() / SHARE,
                             .answer = answer,
                             .refuse = refuse,
                             .context = server};
    interrupts_catch();
    void *serving = http->start(&rules);
    if (!serving)
        return fail(STATUS_DEVICE, "the server cannot be started: no memory, threads or descriptors");
    if (options->socket)
        common_say(&options->common, "serving on %s; Ctrl+C or SIGTERM ends it", options->socket);
    else
        common_say(&options->common, "serving on http://127.0.0.1:%d; Ctrl+C or SIGTERM ends it", options->port);
    while (interruptible_sleep(3600) == STATUS_OK) {
    }
    http->stop(serving);
    return STATUS_OK;
}

static Status open_all(Server *server, Options *options) {
    enum { SECONDS_MIN = 1, IDLE_SHARE = 6 };
    CommonOptions common = options->common;
    if (!options->trusted)
        TRY(sandbox_open((unsigned)options->timeout + SECONDS_MIN, false, &server->sandbox));
    TRY(common_open(&common, &server->device));
    tuning_load(server->device);
    pixel_pool_init(&server->pixels, server->device->backend, memory_budget() / IDLE_SHARE);
    return pool_open(server->device, options->common.plan, options->common.level, &server->pool);
}

static Status serve(Options *options) {
    Server server = {.options = options};
    int listening = -1;
    void *module = module_open("glint-http.so", false);
    const HttpLibrary *http = module ? dlsym(module, "glint_http") : NULL;
    if (!http)
        return fail(STATUS_DEVICE, "serve: the module glint-http.so, of libmicrohttpd, is not there");
    options->jobs = options->jobs ? options->jobs : (int)share_cores();
    budget_init(&server.budget, memory_budget());
    sem_init(&server.jobs, 0, (unsigned)options->jobs);
    Status status = open_all(&server, options);
    if (status == STATUS_OK)
        status =
            options->socket ? listen_on_path(options->socket, &listening) : listen_on_port(&options->port, &listening);
    if (status == STATUS_OK)
        status = run(&server, http, listening);
    if (listening >= 0 && options->socket)
        unlink(options->socket);
    pool_close(&server.pool);
    sandbox_close(&server.sandbox);
    if (server.device) {
        pixel_pool_free(&server.pixels);
        device_close(&server.device);
    }
    sem_destroy(&server.jobs);
    budget_destroy(&server.budget);
    return status;
}

/* ---- options ---- */

#define AT(member) OPTION_AT(Options, member)

static const Option option_rows[] = {
    {"socket", "PATH", "listen on a Unix socket there, for this user alone", OPTION_TEXT, AT(socket)},
    {"port", "N", "listen on this port of the loopback interface; 0: one that is free", OPTION_WHOLE, AT(port),
     .max = 65535, .otherwise = -1},
    {"jobs", "N", "requests that are worked at at a time (as many as cores); others wait", OPTION_WHOLE, AT(jobs),
     .letter = 'j', .min = 1, .max = 256},
    {"max-bytes", "N", "refuse bodies that are larger (67108864)", OPTION_NUMBER, AT(bytes_max), .min = 1, .max = 1e12},
    {"timeout", "S", "seconds that a client may be silent, a request may wait, and a decoder may take (30)",
     OPTION_WHOLE, AT(timeout), .min = 1, .max = 86400},
    {"trusted", NULL, "decode in this process: all clients are trusted, and a damaged picture may end it",
     OPTION_SWITCH, AT(trusted)},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    (void)values;
    return count == 0 ? STATUS_OK : fail(STATUS_USAGE, "\"%s\": want no arguments but options", arguments[0]);
}

static Status check(void *values) {
    const Options *options = values;
    return (options->socket != NULL) != (options->port >= 0) ? STATUS_OK
                                                             : fail(STATUS_USAGE, "want --socket PATH or --port N");
}

Status serve_command(int argc, char **argv) {
    const CommandLine line = {
        .arguments = "--socket PATH | --port N",
        .help = "Filters pictures of requests: POST /filter?chain=gaussian=2 with a picture as the body.",
        .tables = {{OPTION_ROWS(option_rows), 0}, save_options_table(offsetof(Options, save)), common_options},
        .common = 2,
        .arguments_read = take_arguments,
        .check = check};
    Options options = {.port = -1, .bytes_max = BYTES_MAX, .timeout = TIMEOUT};
    options.common = common_defaults;
    TRY(command_line_read(&line, argc, argv, &options));
    Status status = common_start(&options.common, "serve");
    if (status == STATUS_OK)
        status = serve(&options);
    return common_finish(&options.common, status);
}
