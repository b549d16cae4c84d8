/* browser.c: the window's thread draws, and the module's thread (web.h) sends and hears. */
#include "app/view/window/browser.h"

#include "app/say.h"
#include "app/view/window/audience.h"
#include "app/view/window/frames.h"
#include "app/view/window/offscreen.h"
#include "app/view/window/uploads.h"
#include "app/view/window/web.h"
#include "app/view/window/window.h"
#include "core/base/interrupt.h"
#include "core/base/module.h"
#include "core/base/text.h"

#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define SWAP_MS  (1e3 / 60) /* between draws that follow each other: no page shows more */
#define REST_FOR 250.0      /* ms after which a frame is sent finely */

enum { TOKEN_BYTES = 16, SERIAL_BYTES = 4, LEAD = WEB_LEAD + SERIAL_BYTES, TITLE_MAX = 256, REFUSAL_MAX = 512 };

/* Pages are told this, besides frames. Texts are UTF-8, as JSON and WebSockets want them; names of files may be none.
 */
typedef struct PagesTold {
    char title[TITLE_MAX];
    char *copied;                /* the text that was copied last; or NULL */
    unsigned copies, screenings; /* how often a text was copied, and the full screen was asked for */
    char refusal[REFUSAL_MAX];   /* why the last file that was dropped is not shown */
    unsigned refusals;
    unsigned serial; /* of all this, and of who is there */
} PagesTold;

typedef struct Browser {
    System of;
    Glut *glut;
    Offscreen *offscreen;
    Frames *frames;
    const WebLibrary *web;
    _Atomic(void *) server; /* NULL: it is not there yet, or no more */
    WebRules rules;
    char token[2 * TOKEN_BYTES + 1];
    int port;
    int wakes;                  /* an eventfd: something has come */
    double swapped;             /* clock_ms of the last swap */
    char *taken;                /* the text that was asked for, until it is taken */
    PageMessage heard;          /* the module's thread reads into it */
    Uploads uploads;            /* and writes files of a page's */
    int uploader;               /* whose file is being written; -1: nobody's */
    bool in_file[WATCHERS_MAX]; /* the client's message has begun, and not ended */
    Bytes written;              /* and writes from it: a text or an image */
    pthread_mutex_t lock;       /* of all that follows */
    Audience audience;
    Events inbox;
    PagesTold told;
    Bytes image; /* that was copied last, with LEAD bytes in front */
    unsigned images;
    char *pasted;   /* the last text of a browser's clipboard */
    char *dropped;  /* files that were dropped onto the page, a line each */
    bool shows;     /* a page has come: a draw is due */
    double kept_at; /* clock_ms of the newest frame */
} Browser;

static Browser *as_browser(System *system) {
    return (Browser *)(void *)system;
}

static void wake(const Browser *browser) {
    const uint64_t one = 1;
    (void)!write(browser->wakes, &one, sizeof one);
}

static void rouse(Browser *browser) {
    void *server = atomic_load(&browser->server);
    if (server)
        browser->web->rouse(server);
}

/* ---- pages come, go and speak: the module's thread ---- */

static void begin_hearing(Browser *browser) {
    const double now = clock_ms();
    pthread_mutex_lock(&browser->lock);
    browser->inbox.heard = (Heard){now, now};
}

static void end_hearing(Browser *browser) {
    pthread_mutex_unlock(&browser->lock);
    wake(browser);
}

static void on_join(void *context, unsigned client) {
    Browser *browser = context;
    begin_hearing(browser);
    audience_join(&browser->audience, client);
    browser->audience.list[client].image_given = browser->images;
    browser->told.serial++;
    browser->shows = true;
    end_hearing(browser);
    rouse(browser);
}

static void on_leave(void *context, unsigned client) {
    Browser *browser = context;
    browser->in_file[client] = false;
    if (browser->uploader == (int)client) {
        uploads_drop(&browser->uploads);
        browser->uploader = -1;
    }
    begin_hearing(browser);
    audience_leave(&browser->audience, client, &browser->inbox);
    browser->told.serial++;
    end_hearing(browser);
    rouse(browser);
}

static void on_message(void *context, unsigned client, const char *bytes, size_t size) {
    Browser *browser = context;
    PageMessage *message = &browser->heard;
    if (!page_message_read(bytes, size, message))
        return;
    begin_hearing(browser);
    const int steerer = browser->audience.steerer;
    audience_hear(&browser->audience, client, message, &browser->inbox);
    const bool passed = browser->audience.steerer != steerer;
    browser->told.serial += passed;
    if (message->kind == PAGE_PASTE && browser->audience.steerer == (int)client) {
        free(browser->pasted);
        browser->pasted = strdup(message->text);
    }
    end_hearing(browser);
    if (passed)
        rouse(browser);
}

/* ---- files that are dropped onto a page: the module's thread ---- */

static void refuse_file(Browser *browser) {
    browser->uploader = -1;
    uploads_drop(&browser->uploads);
    pthread_mutex_lock(&browser->lock);
    (void)text_escape(status_message(), TEXT_UTF8, browser->told.refusal, sizeof browser->told.refusal);
    browser->told.refusals++;
    browser->told.serial++;
    pthread_mutex_unlock(&browser->lock);
    rouse(browser);
}

/* The window opens it, with those that came before. */
static void hand_on_file(Browser *browser) {
    char *list = NULL;
    begin_hearing(browser);
    if (asprintf(&list, "%s%s\n", browser->dropped ? browser->dropped : "", browser->uploads.path) > 0) {
        free(browser->dropped);
        browser->dropped = list;
    }
    end_hearing(browser);
}

/* Takes the file if its sender steers as the first bytes come. Files of others are read and forgotten. */
static void begin_file(Browser *browser, unsigned client) {
    pthread_mutex_lock(&browser->lock);
    const bool steers = browser->audience.steerer == (int)client;
    pthread_mutex_unlock(&browser->lock);
    if (!steers)
        return;
    uploads_drop(&browser->uploads); /* of a page that steered before */
    browser->uploader = (int)client;
}

static bool on_bytes(void *context, unsigned client, const char *bytes, size_t size, bool ends) {
    Browser *browser = context;
    if (!browser->in_file[client])
        begin_file(browser, client);
    browser->in_file[client] = !ends;
    if (browser->uploader != (int)client)
        return true;
    browser->uploader = ends ? -1 : (int)client;
    if (uploads_take(&browser->uploads, bytes, size) != STATUS_OK ||
        (ends && uploads_complete(&browser->uploads) != STATUS_OK))
        refuse_file(browser);
    else if (ends)
        hand_on_file(browser);
    return true;
}

/* ---- pages are told: the module's thread ---- */

static bool put(Browser *browser, const void *data, size_t size, WebMessage *message) {
    unsigned char *grown = realloc(browser->written.data, WEB_LEAD + size);
    if (!grown)
        return false;
    browser->written = (Bytes){grown, WEB_LEAD + size};
    memcpy(grown + WEB_LEAD, data, size);
    message->data = grown;
    message->size = size;
    return true;
}

/* The steerer alone gets what was copied. */
static bool put_state(Browser *browser, unsigned client, WebMessage *message) {
    const PagesTold *told = &browser->told;
    const bool steers = browser->audience.steerer == (int)client;
    json_t *state = json_pack("{s:b, s:i, s:s, s:i, s:i, s:s?, s:i, s:s, s:i}", "steers", steers, "watchers",
                              (int)browser->audience.count, "title", told->title, "screenings", (int)told->screenings,
                              "copies", (int)told->copies, "copied", steers ? told->copied : NULL, "refusals",
                              (int)told->refusals, "refusal", steers ? told->refusal : "", "fileMax", (int)UPLOAD_MAX);
    char *text = state ? json_dumps(state, JSON_COMPACT) : NULL;
    json_decref(state);
    const bool done = text && put(browser, text, strlen(text), message);
    free(text);
    browser->audience.list[client].told = told->serial;
    return done;
}

static void put_serial(unsigned char *data, unsigned serial) {
    for (int i = 0; i < SERIAL_BYTES; i++)
        data[WEB_LEAD + i] = (unsigned char)(serial >> (8 * (SERIAL_BYTES - 1 - i)));
}

static bool put_image(Browser *browser, unsigned client, WebMessage *message) {
    browser->audience.list[client].image_given = browser->images;
    if (!put(browser, browser->image.data + WEB_LEAD, browser->image.size - WEB_LEAD, message))
        return false;
    put_serial(message->data, 0);
    return message->binary = true;
}

/* A frame of a window that rests is sent again, finely. */
static bool put_frame(Browser *browser, unsigned client, WebMessage *message) {
    Bytes jpeg;
    unsigned serial = frames_newest(browser->frames);
    pthread_mutex_lock(&browser->lock);
    const double left = browser->kept_at + REST_FOR - clock_ms();
    const bool quick = audience_awaits(&browser->audience, client, serial, false);
    const bool fine = !quick && serial > 0 && audience_awaits(&browser->audience, client, serial, true);
    pthread_mutex_unlock(&browser->lock);
    if (fine && left > 0)
        message->again_ms = left + 1;
    if (serial == 0 || !(quick || (fine && left <= 0)) ||
        frames_encode(browser->frames, fine, LEAD, &jpeg, &serial) != STATUS_OK)
        return false;
    pthread_mutex_lock(&browser->lock);
    audience_sent(&browser->audience, client, serial, fine);
    pthread_mutex_unlock(&browser->lock);
    put_serial(jpeg.data, serial);
    *message = (WebMessage){jpeg.data, jpeg.size - WEB_LEAD, true, 0};
    return true;
}

static bool on_turn(void *context, unsigned client, WebMessage *message) {
    Browser *browser = context;
    *message = (WebMessage){.binary = false};
    pthread_mutex_lock(&browser->lock);
    const Watcher *watcher = &browser->audience.list[client];
    const bool state = watcher->told != browser->told.serial && put_state(browser, client, message);
    const bool image = !state && watcher->image_given != browser->images && browser->audience.steerer == (int)client &&
                       put_image(browser, client, message);
    pthread_mutex_unlock(&browser->lock);
    return state || image || put_frame(browser, client, message);
}

/* ---- opening and closing ---- */

static Status open_window(System *of, Glut *glut, int width, int height) {
    Browser *browser = as_browser(of);
    TRY(offscreen_bind(browser->offscreen, width, height));
    browser->glut = glut;
    glut->id = 1;
    browser->server = browser->web->start(&browser->rules, &browser->port);
    if (!browser->server)
        return fail(STATUS_DEVICE,
                    "view: --serve=%d: this port of 127.0.0.1 cannot be listened on; --serve alone takes a free one",
                    browser->rules.port);
    say(stdout, "http://127.0.0.1:%d/?token=%s", browser->port, browser->token);
    fflush(stdout);
    return STATUS_OK;
}

static void close_window(System *of) {
    Browser *browser = as_browser(of);
    void *server = atomic_exchange(&browser->server, NULL);
    if (server)
        browser->web->stop(server);
    if (browser->glut && browser->glut->id)
        window_closes(browser->glut);
}

static void destroy(System *of) {
    Browser *browser = as_browser(of);
    offscreen_destroy(&browser->offscreen);
    frames_destroy(&browser->frames);
    if (browser->wakes >= 0)
        close(browser->wakes);
    pthread_mutex_destroy(&browser->lock);
    bytes_free(&browser->image);
    bytes_free(&browser->written);
    free(browser->told.copied);
    uploads_end(&browser->uploads);
    free(browser->pasted);
    free(browser->dropped);
    free(browser->taken);
    free(browser);
}

/* ---- draws ---- */

static void begin_draw(System *of) {
    const Browser *browser = as_browser(of);
    Viewer *viewer = browser->glut->viewer;
    if (offscreen_bind(browser->offscreen, viewer->width, viewer->height) != STATUS_OK)
        viewer_say(viewer, true, "%s", status_message());
}

/* Nobody waits for a monitor here: a window in motion would be drawn as often as the machine can. */
static void pace(Browser *browser) {
    const double left = browser->swapped + SWAP_MS - clock_ms();
    if (left > 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)(left * 1e6)}, NULL);
    browser->swapped = clock_ms();
}

static void swap(System *of) {
    Browser *browser = as_browser(of);
    pthread_mutex_lock(&browser->lock);
    const bool watched = browser->audience.count > 0;
    pthread_mutex_unlock(&browser->lock);
    const OffscreenSize size = offscreen_size(browser->offscreen);
    unsigned char *room = watched ? frames_room(browser->frames, size.width, size.height) : NULL;
    if (room) {
        offscreen_read(browser->offscreen, room);
        const bool other = frames_keep(browser->frames);
        pthread_mutex_lock(&browser->lock);
        browser->kept_at = other ? clock_ms() : browser->kept_at;
        pthread_mutex_unlock(&browser->lock);
        if (other)
            rouse(browser);
    }
    pace(browser);
}

/* ---- events ---- */

static bool has_events(System *of) {
    Browser *browser = as_browser(of);
    pthread_mutex_lock(&browser->lock);
    const bool has = browser->inbox.count > 0 || browser->shows || browser->dropped;
    pthread_mutex_unlock(&browser->lock);
    return has || (interrupted() && !browser->glut->viewer->requests->quit);
}

static void wait_for_pages(System *of, int descriptor, int ms) {
    struct pollfd waits[] = {{as_browser(of)->wakes, POLLIN, 0}, {descriptor, POLLIN, 0}};
    (void)poll(waits, sizeof waits / sizeof waits[0], ms);
}

static void take_events(System *of) {
    Browser *browser = as_browser(of);
    Glut *glut = browser->glut;
    uint64_t count;
    Event event;
    (void)!read(browser->wakes, &count, sizeof count);
    pthread_mutex_lock(&browser->lock);
    while (events_take(&browser->inbox, &event)) {
        glut->events.heard = event.heard;
        events_keep(&glut->events, event);
    }
    if (browser->shows)
        screen_touch(&glut->screen);
    browser->shows = false;
    pthread_mutex_unlock(&browser->lock);
    glut->viewer->requests->quit |= interrupted();
}

static bool holds_a_key(System *of) {
    Browser *browser = as_browser(of);
    pthread_mutex_lock(&browser->lock);
    const bool holds = browser->audience.held_count > 0;
    pthread_mutex_unlock(&browser->lock);
    return holds;
}

/* ---- the window's frame ---- */

static void begin_telling(Browser *browser) {
    pthread_mutex_lock(&browser->lock);
    browser->told.serial++;
}

static void end_telling(Browser *browser) {
    pthread_mutex_unlock(&browser->lock);
    rouse(browser);
}

static void set_title(System *of, const char *title) {
    Browser *browser = as_browser(of);
    begin_telling(browser);
    (void)text_escape(title, TEXT_UTF8, browser->told.title, sizeof browser->told.title);
    end_telling(browser);
}

static void resize(System *of, int width, int height) {
    events_keep(&as_browser(of)->glut->events, (Event){.kind = EVENT_SIZE, .x = width, .y = height});
}

/* The page goes there and back by itself, and its browser leaves it at Esc. */
static bool full_screen(System *of, bool toggle) {
    Browser *browser = as_browser(of);
    if (!toggle)
        return false;
    begin_telling(browser);
    browser->told.screenings++;
    end_telling(browser);
    return false;
}

/* ---- the browser's clipboard ---- */

static Status offer_text(System *of, const char *text) {
    Browser *browser = as_browser(of);
    char *copy = text_escaped(text, TEXT_UTF8);
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for the clipboard");
    begin_telling(browser);
    free(browser->told.copied);
    browser->told.copied = copy;
    browser->told.copies++;
    end_telling(browser);
    return STATUS_OK;
}

static void offer_image(System *of, Bytes png) {
    Browser *browser = as_browser(of);
    unsigned char *moved = realloc(png.data, LEAD + png.size);
    if (!moved) {
        bytes_free(&png);
        return;
    }
    memmove(moved + LEAD, moved, png.size);
    pthread_mutex_lock(&browser->lock);
    bytes_free(&browser->image);
    browser->image = (Bytes){moved, LEAD + png.size};
    browser->images++;
    end_telling(browser);
}

/* A page sends the text before the keys that paste it. */
static void ask_text(System *of) {
    Browser *browser = as_browser(of);
    pthread_mutex_lock(&browser->lock);
    free(browser->taken);
    browser->taken = strdup(browser->pasted ? browser->pasted : "");
    pthread_mutex_unlock(&browser->lock);
}

static char *take_text(System *of) {
    Browser *browser = as_browser(of);
    char *text = browser->taken;
    browser->taken = NULL;
    return text;
}

static char *take_files(System *of) {
    Browser *browser = as_browser(of);
    pthread_mutex_lock(&browser->lock);
    char *list = browser->dropped;
    browser->dropped = NULL;
    pthread_mutex_unlock(&browser->lock);
    return list;
}

/* ---- birth ---- */

static Status make_token(char token[2 * TOKEN_BYTES + 1]) {
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return fail(STATUS_DEVICE, "view: --serve: the system has no random numbers: %m");
    for (int i = 0; i < TOKEN_BYTES; i++)
        snprintf(token + (ptrdiff_t)2 * i, 3, "%02x", bytes[i]);
    return STATUS_OK;
}

static Status load(const WebLibrary **web) {
    void *module = module_open("glint-web.so", false);
    *web = module ? dlsym(module, "glint_web") : NULL;
    return *web ? STATUS_OK
                : fail(STATUS_DEVICE, "view: --serve: the module glint-web.so, of libwebsockets, is not there");
}

static Status make_parts(Browser *made) {
    TRY(load(&made->web));
    TRY(make_token(made->token));
    TRY(frames_create(&made->frames));
    made->wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (made->wakes < 0)
        return fail(STATUS_DEVICE, "view: --serve: the system has no descriptor left: %m");
    return offscreen_create(&made->offscreen);
}

Status browser_create(int port, System **system) {
    static const SystemKind kind = {
        .open = open_window,
        .close = close_window,
        .destroy = destroy,
        .begin_draw = begin_draw,
        .swap = swap,
        .has_events = has_events,
        .wait = wait_for_pages,
        .take_events = take_events,
        .holds_a_key = holds_a_key,
        .set_title = set_title,
        .resize = resize,
        .full_screen = full_screen,
        .offer_text = offer_text,
        .offer_image = offer_image,
        .ask_text = ask_text,
        .take_text = take_text,
        .take_files = take_files,
    };
    Browser *made = calloc(1, sizeof *made);
    *system = NULL;
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the window");
    made->of.kind = &kind;
    made->wakes = made->uploader = -1;
    uploads_begin(&made->uploads);
    pthread_mutex_init(&made->lock, NULL);
    audience_begin(&made->audience);
    made->rules = (WebRules){.port = port,
                             .token = made->token,
                             .page = browser_page,
                             .clients_max = WATCHERS_MAX,
                             .message_max = PAGE_TEXT_MAX,
                             .joined = on_join,
                             .left = on_leave,
                             .heard = on_message,
                             .came = on_bytes,
                             .next = on_turn,
                             .context = made};
    const Status status = make_parts(made);
    if (status == STATUS_OK) {
        interrupts_catch();
        *system = &made->of;
    } else
        destroy(&made->of);
    return status;
}
