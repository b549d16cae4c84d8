/* viewer.h: what the viewer shows and how it comes to be, without a window.
 * Owns the open pictures and scene, the chain, the pipeline, its result and its timings. The window draws this state
 * and turns events into actions (actions.h); scripts do the same without a user (script.h). */
#ifndef GLINT_APP_VIEW_VIEWER_H
#define GLINT_APP_VIEW_VIEWER_H

#include "app/view/file_list.h"
#include "app/view/motion.h"
#include "app/view/orbit_camera.h"
#include "app/view/present.h"
#include "app/view/viewport.h"
#include "app/view/yardsticks.h"
#include "core/chain.h"
#include "core/pipeline.h"
#include "core/progressive.h"
#include "core/trace_stats.h"

typedef enum OverlayMode { OVERLAY_OFF, OVERLAY_COMPACT, OVERLAY_FULL, OVERLAY_MODES } OverlayMode;
typedef enum Compare { COMPARE_NONE, COMPARE_SPLIT, COMPARE_DIFFERENCE } Compare;

enum { LIGHT_MAX = 4096 /* samples of a pixel */ };
enum { TOAST_MAX = 512, ENTRY_MAX = 1024, LEVELS_MAX = 256, PACE_MAX = 16 };

/* What a message is about: an error goes once the next attempt of its kind succeeds. */
typedef enum ToastKind { TOAST_NOTE, TOAST_REQUEST, TOAST_WORK } ToastKind;

/* A message that fades by itself. */
typedef struct Toast {
    char text[TOAST_MAX];
    bool error;
    ToastKind kind;
    double until; /* clock_ms */
} Toast;

/* What is typed. */
typedef enum Entry { ENTRY_CHAIN, ENTRY_BORDER, ENTRIES } Entry;

/* What only the window can do; it serves and clears these. */
typedef struct WindowRequests {
    bool quit, toggle_fullscreen, copy_command;
    char screenshot[PATH_CAPACITY]; /* a file for the whole window, or empty */
} WindowRequests;

/* A named span's last values. */
typedef struct SpanHistory {
    const char *name;
    History history;
    bool stage; /* counts as work of the pipeline */
} SpanHistory;

/* What a backend last took for the job that is shown. */
typedef struct BackendTime {
    const Level *level; /* NULL: it was not asked yet */
    double ms;
} BackendTime;

/* What the stages of the last runs took, each on its level. */
typedef struct Pace {
    size_t count; /* of levels; 0: not known */
    const Level *levels[PACE_MAX];
    Shape shape; /* of the result */
    double ms, flops;
} Pace;

/* What was drawn since a script last asked. */
typedef struct Draws {
    unsigned count, shown; /* draws; results that a draw showed for the first time */
    unsigned from_result;  /* the result_serial then */
    double stall;          /* ms: the longest that the window neither drew nor looked for events */
    double since;          /* clock_ms */
    History ms;            /* a draw's time, from the result to the finished window */
} Draws;

/* A rung as the overlay and the keys see it. */
typedef struct LadderRow {
    const Level *level;
    int number;          /* the digit that picks it; the reference is 0 */
    const char *why_not; /* NULL if it can do the job */
    bool current;
} LadderRow;
enum { RUNGS_MAX = 24 };

typedef struct Viewer {
    /* what is asked for */
    FileList pictures;
    Scene *scene;
    char scene_name[PATH_CAPACITY];
    bool in_scene;
    Motion motion; /* of the scene's spheres */
    OrbitCamera orbit_camera;
    Look look, look_before;
    bool look_taken; /* for the sake of the scene, instead of look_before */
    Chain *chain;
    PlanOptions options;
    char level[64]; /* a name or "best" */
    int device_index, threads;

    /* what follows from it */
    Device *device;
    Image *picture; /* decoded, or NULL */
    Pipeline *pipeline;
    LadderRow rungs[RUNGS_MAX]; /* of the pipeline: that a level refuses may take it a millisecond to find */
    size_t rung_count;
    double decode_ms, upload_ms; /* of the picture and the pipeline that are there */
    bool has_result, on_device;  /* there is one; the pipeline's frame holds it */
    Image *result;               /* its pixels, if result_fetched says so; else those of an older one, or NULL */
    unsigned result_fetched;     /* the result_serial that they are of */
    unsigned result_of;          /* the picture_serial that it was made from */
    bool result_in_scene;
    unsigned picture_serial, result_serial; /* change with the pixels */
    Present present;                        /* how results reach the window */
    Device *left;                           /* the device before this one, if it has a port to be closed, or NULL */
    Present left_present;                   /* with that port: the window's thread closes it */
    char renderer[128];                     /* OpenGL's name for what draws */
    bool stale;                             /* the pipeline has to run */
    bool uploaded;                          /* the pipeline holds the picture */
    Progressive progressive;                /* of a look of light: what is gathered of it */
    uint32_t samples;                       /* a pixel, at which gathering ends */
    bool shown;                             /* all that is gathered has become a picture */
    double shown_at, show_ms;               /* when that was last done, and how long it took */
    bool settled;                           /* no more runs are due for the sake of medians */
    Stop *stop;                             /* of the pipeline's work: another thread may ask */

    /* timings */
    SpanHistory spans[SPANS_MAX];
    size_t span_count;
    History totals; /* ms of all stages, a run each, since the last change */
    History graph;  /* the same, also across changes of the level */
    Yardsticks yardsticks;
    LevelRace race;
    Timing level_times[LEVELS_MAX];  /* of this job, by the level's place in its backend's table */
    BackendTime sides[BACKENDS_MAX]; /* of this job, by the backend's place in the list */
    Pace pace;                       /* also of another job */
    Draws draws;
    TraceStats trace_stats;                        /* of this job, if it is a trace */
    bool trace_stats_tried, trace_stats_estimated; /* estimated: from a part of the pixels */
    Ceiling peak;                                  /* the device's arithmetic */
    double measure_at;           /* clock_ms: measurements wait until then, so that the user does not wait for them */
    Power power;                 /* of the device, asked for at most ten times a second; negative: not to be had */
    double power_time;           /* when, clock_ms */
    ProfileTrace *profile_trace; /* of --profile, or NULL */
    bool overwrite;              /* what scripts write replaces what exists */

    /* how it is shown */
    int width, height; /* the window, pixels */
    Area area;         /* what the overlay leaves free of it */
    Viewport viewport;
    OverlayMode overlay;
    bool help, unfiltered, measuring, racing, facts;
    bool held;   /* a button of the mouse is down: results come first, medians later */
    bool typing; /* characters go to `entry` */
    Entry entry_kind;
    char entry[ENTRY_MAX];
    size_t caret;    /* characters before it */
    bool menu;       /* a menu of the panels is open, as far as its last build knows; false closes it */
    double scroll;   /* of the help page, pages down: still due */
    size_t selected; /* the filter that keys change, or one that is not there: the last */
    Compare compare;
    double split;            /* 0 to 1 of the window's width */
    double exposure;         /* of what is shown, stops; anything else that is opened begins with its own */
    double other_exposure;   /* of the scene while a picture is shown, and the other way round */
    double default_exposure; /* of the scene: by its light, if it has any of its own */
    double pointer_x, pointer_y;
    double scale; /* of texts and panels; 1 is a window of ordinary size */
    Toast toast;
    WindowRequests requests;
} Viewer;

/* Something that is done with the viewer, wherever that may be. */
typedef Status ViewerTask(Viewer *viewer, void *argument);

/* Takes `device` over. The texts are copied; STATUS_USAGE for a chain that does not parse. */
Status viewer_create(Device *device, const char *chain, const char *level, PlanOptions options, Viewer **viewer);
void viewer_destroy(Viewer **viewer);

/* What follows, and viewer_set_backend, put one job in the place of another: a level that cannot do the new one was
 * chosen for the old one, and gives way to the best; a toast says so. The first job has to fit the level. */

/* Shows the first picture of the list, from number `from` on, that can be used; the others' reasons become toasts. */
Status viewer_show_first(Viewer *viewer, size_t from);
/* Opens a picture, a folder of pictures or a scene and shows it; opened pictures join the list. STATUS_INPUT if a
 * folder has no pictures or the file cannot be used (then it is not in the list, and what was shown stays). */
Status viewer_open(Viewer *viewer, const char *path);
Status viewer_open_scene(Viewer *viewer, const char *text);
/* Shows the picture `steps` on, skipping those that cannot be used; says so in a toast. */
Status viewer_step_picture(Viewer *viewer, int steps);
Status viewer_reload(Viewer *viewer);
/* Between the picture and the scene; opens the default scene if there was none. */
Status viewer_show_scene(Viewer *viewer, bool in_scene);

/* Each of these fails without changing anything: STATUS_USAGE with why the request makes no sense. */
Status viewer_set_chain(Viewer *viewer, const char *text);
Status viewer_set_level(Viewer *viewer, const char *name);
Status viewer_set_border(Viewer *viewer, Border border);
Status viewer_set_backend(Viewer *viewer, const char *name); /* keeps the level, where the other has it */
Status viewer_set_route(Viewer *viewer, const char *name);   /* or "best" */
Status viewer_set_param(Viewer *viewer, size_t link, const Param *param, double number);
/* Puts another filter, as chains spell it, in the place of one, or behind the last; "" takes it away. */
Status viewer_replace_link(Viewer *viewer, size_t link, const char *filter);
Status viewer_remove_link(Viewer *viewer, size_t link);
/* The filter that keys change: the one that was picked, or the last; 0 of an empty chain. */
size_t viewer_selected(const Viewer *viewer);
/* Interactive variants of viewer_set_chain and viewer_set_border: if the chosen level does not support the new job,
 * they fall back to `best` and show a toast that says why. */
Status viewer_pick_chain(Viewer *viewer, const char *text);
Status viewer_pick_border(Viewer *viewer, Border border);
/* The border of this mode that menus and keys begin with: a constant is half of white, to be seen on dark and on bright
 * edges, unless it has a value already. */
Border viewer_default_border(const Viewer *viewer, BorderMode mode);
/* A parameter of a filter, with the range and step that fit the picture's type. */
Param viewer_param(const Viewer *viewer, const Param *param);

/* Typing a chain or a border: begins with the one that is there (a toast says so if it is too long); Return takes it
 * (and, if it makes no sense, keeps it open), Esc does not, Backspace deletes. Other control characters are passed
 * over. */
void viewer_begin_entry(Viewer *viewer, Entry kind);
/* Whether what is typed makes sense so far; if not, status_message() says why. */
Status viewer_check_entry(const Viewer *viewer);
Status viewer_type(Viewer *viewer, char character);
/* The same for a key by its name; arrows, Home and End move the caret. Others do nothing. */
Status viewer_type_key(Viewer *viewer, const char *key);

/* The window's size, the part that panels leave free, and the scale of texts. */
void viewer_resize(Viewer *viewer, int width, int height);
void viewer_set_area(Viewer *viewer, Area area);
void viewer_fit(Viewer *viewer);
void viewer_reset_view(Viewer *viewer);
void viewer_zoom(Viewer *viewer, double factor, double x, double y);
void viewer_pan(Viewer *viewer, double dx, double dy);
/* In scenes. Turns a perspective camera about what it looks at, and moves an orthographic one. */
void viewer_orbit(Viewer *viewer, double dx, double dy);
/* In scenes; where the chosen level cannot do it, the best takes over and a toast says why. */
Status viewer_switch_camera(Viewer *viewer); /* between orthographic and perspective */
Status viewer_set_look(Viewer *viewer, Look look);
/* Lets the scene's spheres move, or stops them where they are. */
void viewer_toggle_motion(Viewer *viewer);
/* Whether each run shows the spheres somewhere else. */
bool viewer_moves(const Viewer *viewer);
/* Where the result lies: the placement, or the whole window for a scene. */
Viewport viewer_viewport(const Viewer *viewer);

/* Whether what is shown is light, which is gathered step by step. */
bool viewer_gathers(const Viewer *viewer);
/* In stops: of light before it becomes a picture, else on the screen alone. */
Status viewer_set_exposure(Viewer *viewer, double stops);

/* Runs the pipeline once; spheres that move are moved on before, and light is begun again, coarsely if it takes long.
 * The result stays on the device, unless its way to the window leads through the host. */
Status viewer_run(Viewer *viewer);
/* Brings the result's pixels to viewer->result, if they are not there. STATUS_USAGE before the first run. */
Status viewer_fetch(Viewer *viewer);
/* The result's pixels from (x, y) on into `part`, of its type and channels and as many as that has; false if there is
 * no result now, or it ends before. */
bool viewer_pixels(const Viewer *viewer, size_t x, size_t y, ImageView part);
/* Sends the result into OpenGL's object by the route in effect (present_send) and records what its parts took. */
Status viewer_send(Viewer *viewer, unsigned object);
/* Before the objects that results are sent into change or go. */
void viewer_release(Viewer *viewer);
/* Closes what a backend that was left has of OpenGL, and its device; before every draw. */
void viewer_release_left(Viewer *viewer);
/* Why results take the long way to the window, and what helps; "" if they do not. */
void viewer_route_trouble(const Viewer *viewer, char *buffer, size_t size);
/* Does one piece of pending work (a run, a measurement); true if it did any. Failures become toasts. Measurements take
 * 50 ms at most, those of a race 200, and wait until nothing was changed for a while. A run that `stop` ends is due
 * again; what was shown stays. */
bool viewer_work(Viewer *viewer);
/* In how many milliseconds viewer_work has something to do that waits; negative if nothing does. */
double viewer_waits_ms(const Viewer *viewer);
/* Keeps viewer->power up to date, at little cost. */
void viewer_ask_power(Viewer *viewer);
/* How long the run that is due will take: as it took before; or at most, by what the last runs took, if they did the
 * same with other values; or as a part of it takes now: 50 ms are spent on that if it will be slow. 0 if none is due or
 * it cannot be known. */
double viewer_expected_ms(Viewer *viewer);
/* All pending work except endless measuring and moving; of light, the default number of samples of the look. */
Status viewer_finish(Viewer *viewer);

/* Saves the result's pixels as batch and trace do (core/output.h), running first if that is due. */
Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite);
/* The format, by its extension, that holds the result exactly: "png", or "pfm" for floats. */
const char *viewer_result_format(const Viewer *viewer);
/* "STEM-001.png" for the format "png", or the next number that is free in the working folder. */
Status viewer_fresh_name(const char *stem, const char *format, char *path, size_t size);

/* Timings. `name` is static. */
void viewer_record(Viewer *viewer, const char *name, double ms);
const SpanHistory *viewer_span(const Viewer *viewer, const char *name); /* NULL if there is none */
/* The pipeline's figures over the last runs; zeros before the first. */
typedef struct Figures {
    double ms, mpixels, gigabytes, gigaflops; /* ms; per second */
    double bytes, flops;                      /* of the job, whatever the level; flops 0: not known, as of light */
    double bandwidth;                         /* of plain copies, GB/s; 0: not known yet */
    double copies, speedup;                   /* 0: not known yet */
    bool speedup_estimated;
} Figures;
Figures viewer_figures(const Viewer *viewer);

/* What a level took for this job, if it was timed. */
Timing viewer_level_time(const Viewer *viewer, const Level *level);
Timing viewer_lowest_time(const Viewer *viewer); /* that speedups are counted from */
/* The ladder of the main stage; 0 if nothing is bound or the chain is empty. */
size_t viewer_rungs(const Viewer *viewer, LadderRow rungs[RUNGS_MAX]);
const Level *viewer_level(const Viewer *viewer); /* the main stage's, or NULL */

const char *viewer_title(const Viewer *viewer); /* the picture's path or the scene's text; "" for none */
/* The picture's or scene's shape; zeroed if there is none. */
Shape viewer_shape(const Viewer *viewer);
/* That of its result, which a chain may make larger or smaller: what the viewport fits. */
Shape viewer_shown_shape(const Viewer *viewer);

/* Whether the picture stands in the place of the first result, which is still to come and as large. */
bool viewer_awaits_result(const Viewer *viewer);

/* What is shown that the pixels alone do not say: "difference x 4", "exposure +1.0", "paths, 12 samples"; the length as
 * snprintf does. `all` names the look, too. */
size_t viewer_describe(const Viewer *viewer, bool all, char *buffer, size_t size);

/* Shows why a request or a piece of work failed; if it did not, takes away what was said when it last failed. */
void viewer_answer(Viewer *viewer, ToastKind kind, Status status);
__attribute__((format(printf, 3, 4))) void viewer_say(Viewer *viewer, bool error, const char *format, ...);

#endif
