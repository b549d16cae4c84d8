/* recorder.c: the thread, and the ways to write its pictures: a row of functions for each kind of file. */
#include "app/view/window/recorder.h"

#include "app/view/data/file_list.h"
#include "app/view/data/film.h"
#include "core/base/output.h"
#include "core/codec/apng.h"
#include "core/codec/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITING_MAX = 8, SENTENCE_MAX = 1024, NUMBERS = 32 };

typedef struct Waiting {
    Image *image;
    unsigned times;
} Waiting;

/* A kind of recording, by its path. The thread calls the functions, except begin. */
typedef struct Kind {
    Status (*begin)(Recorder *recorder);
    Status (*add)(Recorder *recorder, Image *image, unsigned times);
    Status (*end)(Recorder *recorder, bool complete);
} Kind;

struct Recorder {
    const Kind *kind;
    char path[PATH_CAPACITY];
    Shape shape;
    int rate;
    OutputRules rules;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Waiting waiting[WAITING_MAX]; /* these: under the lock */
    size_t count;
    bool ends;
    Status status; /* written by the thread alone */
    char sentence[SENTENCE_MAX];
    Output *output; /* claimed; the rest: the thread's, until it has ended */
    ApngWriter apng;
    Image *before;    /* the picture that it ends with, or NULL */
    unsigned written; /* pictures in the folder */
    pid_t process;
    int pipe;
};

static Status encode(const Image *image, Bytes *png) {
    return codec_encode(format_default, image, (SaveOptions){0}, png);
}

/* ---- a folder ---- */

static const char *next_name(const Recorder *recorder, char name[PATH_CAPACITY + NUMBERS]) {
    snprintf(name, PATH_CAPACITY + NUMBERS, "%s" FILM_FRAME, recorder->path, recorder->written + 1);
    return name;
}

/* Whether the first picture may be written shows at once. */
static Status begin_folder(Recorder *recorder) {
    char name[PATH_CAPACITY + NUMBERS];
    Output *first;
    if (mkdir(recorder->path, 0777) != 0 && errno != EEXIST)
        return fail(STATUS_DEVICE, "%s: no such folder can be made: %m", recorder->path);
    TRY(place_hold(recorder->path, &recorder->rules.place));
    TRY(output_claim(next_name(recorder, name), recorder->rules, &first));
    output_destroy(&first);
    return STATUS_OK;
}

static Status add_to_folder(Recorder *recorder, Image *image, unsigned times) {
    char name[PATH_CAPACITY + NUMBERS];
    Bytes png;
    TRY(encode(image, &png));
    Status status = STATUS_OK;
    for (unsigned i = 0; i < times && status == STATUS_OK; i++) {
        Output *output;
        status = output_claim(next_name(recorder, name), recorder->rules, &output);
        if (status == STATUS_OK)
            status = output_append(output, png);
        if (status == STATUS_OK)
            status = output_finish(output, NULL);
        else
            output_destroy(&output);
        recorder->written++;
    }
    bytes_free(&png);
    return status;
}

static Status end_folder(Recorder *recorder, bool complete) {
    (void)recorder, (void)complete;
    return STATUS_OK;
}

/* ---- an animated PNG ---- */

static Status begin_file(Recorder *recorder) {
    TRY(output_claim(recorder->path, recorder->rules, &recorder->output));
    const Status status = output_begin(recorder->output); /* it fails now rather than in the end */
    if (status != STATUS_OK)
        output_destroy(&recorder->output);
    return status;
}

static Status begin_apng(Recorder *recorder) {
    TRY(begin_file(recorder));
    return output_byte_sink(recorder->output, &recorder->apng.to);
}

/* Adds the part of a picture that differs from the one before. */
static Status add_to_apng(Recorder *recorder, Image *image, unsigned times) {
    const ImageView *before = recorder->before ? &recorder->before->view : NULL;
    TRY(apng_add_changed(&recorder->apng, image->view, before, times, (unsigned)recorder->rate));
    image_destroy(&recorder->before);
    recorder->before = image_retain(image);
    return STATUS_OK;
}

static Status end_apng(Recorder *recorder, bool complete) {
    const bool whole = complete && recorder->apng.frames > 0;
    Status status = whole ? apng_end(&recorder->apng) : STATUS_OK;
    if (status == STATUS_OK && whole) {
        status = output_finish(recorder->output, NULL);
        recorder->output = NULL;
    }
    image_destroy(&recorder->before);
    output_destroy(&recorder->output);
    return status;
}

/* ---- ffmpeg ---- */

/* Starts ffmpeg. Its input is a pipe, whose other end no other program gets. Its output is a draft without a name. No
 * other program can have taken the name, ffmpeg reads none as a protocol, and a kill leaves none behind. Most players
 * take yuv420p alone, with even sides. */
static Status start(Recorder *recorder, const int ends[2]) {
    char size[NUMBERS], rate[NUMBERS];
    posix_spawn_file_actions_t actions;
    char *extension = strrchr(recorder->path, '.') + 1, matroska[] = "matroska"; /* else ffmpeg calls them alike */
    const bool gif = strcasecmp(extension, "gif") == 0;
    snprintf(size, sizeof size, "%zux%zu", recorder->shape.width, recorder->shape.height);
    snprintf(rate, sizeof rate, "%d", recorder->rate);
    char *arguments[] = {"ffmpeg",
                         "-loglevel",
                         "error",
                         "-nostdin",
                         "-y",
                         "-f",
                         "rawvideo",
                         "-pix_fmt",
                         "rgb24",
                         "-s",
                         size,
                         "-framerate",
                         rate,
                         "-i",
                         "pipe:0",
                         "-vf",
                         gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse" : "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                         "-pix_fmt",
                         gif ? "pal8" : "yuv420p",
                         "-f",
                         strcasecmp(extension, "mkv") == 0 ? matroska : extension,
                         "/proc/self/fd/3",
                         NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output_descriptor(recorder->output), STDERR_FILENO + 1);
    const int error = posix_spawnp(&recorder->process, "ffmpeg", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? STATUS_OK
                      : fail(STATUS_DEVICE, "%s: no ffmpeg to be run (%s); a FOLDER/ or FILE.apng needs none",
                             recorder->path, strerror(error));
}

static Status begin_film(Recorder *recorder) {
    int ends[2];
    TRY(begin_file(recorder));
    if (pipe2(ends, O_CLOEXEC) != 0) {
        output_destroy(&recorder->output);
        return fail(STATUS_DEVICE, "no pipe for ffmpeg: %m");
    }
    const Status status = start(recorder, ends);
    close(ends[0]);
    recorder->pipe = ends[1];
    if (status != STATUS_OK) {
        close(ends[1]);
        output_destroy(&recorder->output);
    }
    return status;
}

static Status add_to_film(Recorder *recorder, Image *image, unsigned times) {
    const size_t size = recorder->shape.height * shape_row_bytes(recorder->shape);
    for (unsigned i = 0; i < times; i++)
        for (size_t done = 0; done < size;) {
            const ssize_t more = write(recorder->pipe, (const char *)image->view.pixels + done, size - done);
            if (more < 0 && errno != EINTR)
                return fail(STATUS_DEVICE, "%s: ffmpeg takes no more pictures", recorder->path);
            done += more > 0 ? (size_t)more : 0;
        }
    return STATUS_OK;
}

static Status end_film(Recorder *recorder, bool complete) {
    int how = -1;
    close(recorder->pipe);
    while (waitpid(recorder->process, &how, 0) < 0 && errno == EINTR)
        continue;
    Status status = how == 0 || !complete ? STATUS_OK
                                          : fail(STATUS_DEVICE, "%s: ffmpeg failed (status %d)", recorder->path,
                                                 WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how));
    if (status == STATUS_OK && complete)
        status = output_finish(recorder->output, NULL);
    output_destroy(&recorder->output);
    return status;
}

static const Kind kinds[FILM_KINDS] = {
    [FILM_FOLDER] = {begin_folder, add_to_folder, end_folder},
    [FILM_APNG] = {begin_apng, add_to_apng, end_apng},
    [FILM_FFMPEG] = {begin_film, add_to_film, end_film},
};

/* ---- the thread ---- */

/* The oldest picture, or false at the end. */
static bool await_picture(Recorder *recorder, Waiting *next) {
    pthread_mutex_lock(&recorder->lock);
    while (recorder->count == 0 && !recorder->ends)
        pthread_cond_wait(&recorder->changed, &recorder->lock);
    const bool there = recorder->count > 0;
    *next = recorder->waiting[0];
    pthread_mutex_unlock(&recorder->lock);
    return there;
}

/* Its place is free only now: so many are held at most. */
static void drop_picture(Recorder *recorder) {
    pthread_mutex_lock(&recorder->lock);
    image_destroy(&recorder->waiting[0].image);
    memmove(recorder->waiting, recorder->waiting + 1, --recorder->count * sizeof recorder->waiting[0]);
    pthread_cond_broadcast(&recorder->changed);
    pthread_mutex_unlock(&recorder->lock);
}

static void note(Recorder *recorder, Status status) {
    pthread_mutex_lock(&recorder->lock);
    if (recorder->status == STATUS_OK && status != STATUS_OK) {
        recorder->status = status;
        snprintf(recorder->sentence, sizeof recorder->sentence, "%s", status_message());
    }
    pthread_mutex_unlock(&recorder->lock);
}

/* Checks the folder in which the file will appear in the end: if it is gone, or its disk is full, the recording ends.
 */
static Status check_place(const Recorder *recorder) {
    const char *slash = strrchr(recorder->path, '/');
    char folder[PATH_CAPACITY];
    struct statvfs disk;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - recorder->path) : 1,
             slash ? recorder->path : ".");
    if (statvfs(folder, &disk) != 0)
        return fail(STATUS_DEVICE, "%s: %m", folder);
    return disk.f_bavail > 0 ? STATUS_OK : fail(STATUS_DEVICE, "%s: the disk is full", recorder->path);
}

static Status add(Recorder *recorder, const Waiting *next) {
    TRY(check_place(recorder));
    return recorder->kind->add(recorder, next->image, next->times);
}

/* A pipe whose reader is gone is an error, no signal. */
static void *work(void *argument) {
    Recorder *recorder = argument;
    Waiting next;
    sigset_t broken;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, NULL);
    while (await_picture(recorder, &next)) {
        if (recorder->status == STATUS_OK)
            note(recorder, add(recorder, &next));
        drop_picture(recorder);
    }
    note(recorder, recorder->kind->end(recorder, recorder->status == STATUS_OK));
    return NULL;
}

/* ---- from without ---- */

static void destroy(Recorder **recorder) {
    place_release(&(*recorder)->rules.place);
    pthread_cond_destroy(&(*recorder)->changed);
    pthread_mutex_destroy(&(*recorder)->lock);
    free(*recorder);
    *recorder = NULL;
}

Status recorder_begin(const char *path, Shape shape, int rate, OutputRules rules, Recorder **recorder) {
    *recorder = NULL;
    TRY(film_check(path));
    Recorder *made = *recorder = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a recording");
    made->kind = &kinds[film_kind(path)];
    made->shape = shape;
    made->rate = rate;
    made->rules = rules;
    made->rules.writer = "the recording";
    snprintf(made->path, sizeof made->path, "%s", path);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    Status status = made->kind->begin(made);
    if (status == STATUS_OK && pthread_create(&made->thread, NULL, work, made) != 0) {
        made->kind->end(made, false);
        status = fail(STATUS_DEVICE, "no thread for a recording");
    }
    if (status != STATUS_OK)
        destroy(recorder);
    return status;
}

bool recorder_add(Recorder *recorder, Image **image, unsigned times, bool waits) {
    pthread_mutex_lock(&recorder->lock);
    while (waits && recorder->count == WAITING_MAX)
        pthread_cond_wait(&recorder->changed, &recorder->lock);
    const bool taken = recorder->count < WAITING_MAX;
    if (taken) {
        recorder->waiting[recorder->count++] = (Waiting){*image, times};
        *image = NULL;
    }
    pthread_cond_broadcast(&recorder->changed);
    pthread_mutex_unlock(&recorder->lock);
    return taken;
}

Status recorder_state(Recorder *recorder) {
    pthread_mutex_lock(&recorder->lock);
    const Status status = recorder->status == STATUS_OK ? STATUS_OK : fail(recorder->status, "%s", recorder->sentence);
    pthread_mutex_unlock(&recorder->lock);
    return status;
}

Status recorder_end(Recorder **recorder) {
    Recorder *old = *recorder;
    if (!old)
        return STATUS_OK;
    pthread_mutex_lock(&old->lock);
    old->ends = true;
    pthread_cond_broadcast(&old->changed);
    pthread_mutex_unlock(&old->lock);
    pthread_join(old->thread, NULL);
    const Status status = old->status == STATUS_OK ? STATUS_OK : fail(old->status, "%s", old->sentence);
    destroy(recorder);
    return status;
}
