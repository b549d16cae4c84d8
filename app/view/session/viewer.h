/* viewer.h: the shown picture and how it comes to be, without a window.
 * Owns the open pictures and scene, the chain, the pipeline, its result and its timings. The window draws this state
 * and turns events into actions (actions.h); scripts do the same without a user (script.h). */
#ifndef GLINT_APP_VIEW_SESSION_VIEWER_H
#define GLINT_APP_VIEW_SESSION_VIEWER_H

#include "app/view/data/file_list.h"
#include "app/view/data/grade.h"
#include "app/view/data/pacing.h"
#include "app/view/data/present.h"
#include "app/view/data/stalls.h"
#include "app/view/data/viewport.h"
#include "app/view/data/watch.h"
#include "app/view/session/edits.h"
#include "app/view/session/interface.h"
#include "app/view/session/scene_works.h"
#include "app/view/session/session.h"
#include "core/base/bytes.h"
#include "core/codec/raw_way.h"

typedef struct FrameLog FrameLog; /* app/view/window/frame_log.h */
typedef struct Tools Tools;       /* app/view/tools/table.c */
typedef struct Viewer Viewer;

typedef enum OverlayMode { OVERLAY_OFF, OVERLAY_COMPACT, OVERLAY_FULL, OVERLAY_MODES } OverlayMode;
/* A difference shows values by how far they are apart, errors by FLIP, or its own colours. */
typedef enum DifferenceView { DIFFERENCE_HEAT, DIFFERENCE_FLIP, DIFFERENCE_COLOURS, DIFFERENCE_VIEWS } DifferenceView;
typedef enum Compare { COMPARE_NONE, COMPARE_SPLIT, COMPARE_DIFFERENCE, COMPARE_SIDES, COMPARE_FLICKER } Compare;
/* The panels of a person with a photograph, or those of levels and times besides; undecided: by what is shown. */
typedef enum ViewMode { MODE_UNDECIDED, MODE_PICTURE, MODE_SPEED } ViewMode;
/* Whether the strip of open pictures was opened or closed by hand, maybe in an earlier run. */
typedef enum StripChoice { STRIP_UNDECIDED, STRIP_CLOSED, STRIP_OPENED } StripChoice;
#define FLICKER_MS 500.0 /* that each side is shown */

enum { TOAST_MAX = 512 };

/* The kind of a message: an error goes once the next attempt of its kind succeeds. */
typedef enum ToastKind { TOAST_NOTE, TOAST_REQUEST, TOAST_WORK, TOAST_FILE } ToastKind;

/* A message that fades by itself. */
typedef struct Toast {
    char text[TOAST_MAX];
    bool error;
    ToastKind kind;
    double until; /* clock_ms */
} Toast;

/* Requests that only the window can serve; it clears them. */
typedef struct WindowRequests {
    bool quit, toggle_fullscreen, copy_command, copy_image, copy_path, paste, stop_recording, forget_latency;
    char screenshot[PATH_CAPACITY]; /* a file for the whole window, or empty */
    char record[PATH_CAPACITY];     /* a file for the draws from now on (recorder.h), or empty */
    bool wipe;                      /* that is the split, moving over the picture */
    double along;                   /* that is the way along the kept cameras, in so many seconds; 0: it is not */
    bool replaces;                  /* files of that name are replaced */
} WindowRequests;

/* The draws since a script last asked. */
typedef struct Draws {
    unsigned count;
    unsigned from_shown, from_result; /* Viewer.shown and the result_serial then */
    double since;                     /* clock_ms */
    History ms;                       /* a draw's time, from the result to the last command */
    double averaged;                  /* pixels of pictures that the window's thread made smaller by itself */
} Draws;

struct Viewer {
    /* the request */
    FileList pictures;
    Subject *open[SUBJECTS]; /* of each kind the last, whichever is shown */
    const Request *request;  /* the latest */
    Subject *subject;        /* of it; NULL: nothing is open */
    bool asks;               /* it is not carried out yet; then with this: */
    Fallback fallback;
    EditStep step;  /* when it was asked for */
    Edits waiting;  /* the requests since the session's, step by step: the last is `request` */
    bool postpones; /* changes wait for viewer_settle: the worker has the session, or shall get it */
    Edits edits;
    const Request *saved; /* whose result was saved last, or NULL */
    SceneWorks scenes;    /* that were open, with their changes */
    int threads;

    Session *session; /* while it is lent, a snapshot (snapshot.h) */
    Session *other;   /* while it is lent, the worker's; else room for that */
    bool lent;
    Device *left;          /* the device before this one, if it has a port to be closed, or NULL */
    Present *left_present; /* with that port: the window's thread closes it */

    /* how results reach the window, and how it is shown */
    Present *present;
    char renderer[128]; /* OpenGL's name for its renderer */
    Draws draws;
    double began;                /* clock_ms */
    Pacing *pacing;              /* the window's alone */
    Stalls stalls;               /* the same */
    unsigned shown;              /* results that a draw showed */
    Power power;                 /* of the device, asked for at most ten times a second; negative: not to be had */
    double power_time;           /* when, clock_ms */
    ProfileTrace *profile_trace; /* of --profile, or NULL */
    FrameLog *frame_log;         /* of --log, or NULL; the window's alone */
    bool overwrite;              /* files that scripts write replace others */
    bool scripted;               /* a script runs: messages may name options of the command */
    RawWay raw;                  /* how RAW files are developed */
    int width, height;           /* the window, pixels */
    Area area;                   /* the part of it that the overlay leaves free */
    Viewport viewport;           /* of pictures */
    OverlayMode overlay;
    ViewMode mode;     /* kept between runs */
    bool column_asked; /* by hand: it is shown even where it hides the picture */
    bool help, unfiltered, measuring, racing, facts, edits_listed;
    bool held;         /* a button of the mouse is down: results come first, medians later */
    unsigned movement; /* how often one went down */
    bool typing;       /* characters go to `entry` */
    char entry[ENTRY_MAX];
    size_t caret;    /* characters before it */
    size_t anchor;   /* the text between this and the caret is marked: typed characters take its place */
    bool menu;       /* a menu of the panels is open, as far as its last build knows; false closes it */
    double scroll;   /* of the help page, pages down: still due */
    size_t selected; /* the filter that keys change, or one that is not there: the last */
    Compare compare;
    bool flickers;        /* flickering shows the other side, as the draw that is made has it */
    double comparison_ms; /* the longest that a comparison with the reference may take; the default is 50 */
    DifferenceView difference_view;
    double gain, flip_gain; /* of differences, stops: of values, of FLIP's errors */
    double split;           /* 0 to 1 of the window's width */
    double pointer_x, pointer_y;
    double scale; /* of texts and panels; 1 is a window of ordinary size */
    Toast toast;
    WindowRequests *requests;
    Tools *tools;
    Grade grade;
    bool hdr;            /* pictures with a gain map open as their HDR rendering */
    bool hides_drawings; /* of other programs, over their pictures */
    bool editing;        /* the mask or curve of the selected filter is drawn */
    Watch watch;
    StripChoice strip;              /* kept between runs; strip_is_open */
    struct Keep *keep;              /* of what outlasts the window (keep.h), or NULL */
    struct Transcript *transcript;  /* or NULL */
    const ActionObserver *observer; /* of actions, or NULL */
    int rate;                       /* pictures a second of recordings */
    bool recording;                 /* one goes on, as the window says */
    bool bare;                      /* a film along cameras: no words stand on the picture */
    unsigned recorded;              /* whole seconds of it, up to the latest draw */
    bool full_screen;               /* the same */
    Interface *ui;
};

/* Something that is done with the viewer, wherever that may be. */
typedef Status ViewerTask(Viewer *viewer, void *argument);

/* Takes `device`, which has this number of its backend's, over. The texts are copied; STATUS_USAGE for a chain that
 * does not parse. */
Status viewer_create(Device *device, int number, const char *chain, const char *level, PlanOptions options,
                     Viewer **viewer);
void viewer_destroy(Viewer **place); /* accepts NULL there */

/* Puts a request of these values in the place of the latest; the chain stays the caller's, too. Carries it out at once,
 * unless changes are postponed. Then viewer_settle carries it out, unless a later one comes before. Fails without
 * changing anything: STATUS_USAGE with why the request makes no sense. With FALLBACK_BEST, a level that cannot do the
 * new job gives way to the best; a toast says so. */
Status viewer_ask(Viewer *viewer, Request next, Fallback fallback);
/* The same for another subject, which is taken over. */
Status viewer_ask_of(Viewer *viewer, Subject *subject, Request next, Fallback fallback);
/* The same for a request that was made before, as viewer_ask does. */
Status viewer_ask_again(Viewer *viewer, const Request *request, Fallback fallback);
Request viewer_request(const Viewer *viewer); /* a copy of the latest, to be changed */
bool viewer_asks(const Viewer *viewer);       /* whether a request waits for viewer_settle */
/* Whether what waits may change the result: more than filters that are off or set aside. */
bool viewer_changes_result(const Viewer *viewer);
Status viewer_settle(Viewer *viewer);

/* The functions below, and viewer_set_backend, put one job in the place of another. A level that cannot do the new job
 * gives way to the best, and a toast says so. The first job has to fit the level. */

/* Shows the first picture of the list, from number `from` on, that can be used; the others' reasons become toasts. */
Status viewer_show_first(Viewer *viewer, size_t from);
/* Opens a picture, a folder of these and of scenes, or a scene and shows it; pictures and folders join the list.
 * STATUS_INPUT if a folder has neither or the file cannot be used (then it is not in the list, and the result before
 * stays). */
Status viewer_open(Viewer *viewer, const char *path);
/* Opens several as viewer_open does, and shows the first picture that can be used; the others' reasons become toasts.
 * STATUS_INPUT if none can. */
Status viewer_open_all(Viewer *viewer, char *const paths[], size_t count);
/* A picture or a scene of the list; all stays if it cannot be used. */
Status viewer_open_picture(Viewer *viewer, size_t index);
/* Whether the shown picture or scene is the list's current one, whatever changes it has. */
bool viewer_shows_listed(const Viewer *viewer);
/* One that was left with changes has them again. */
Status viewer_open_scene(Viewer *viewer, const char *text);
/* The scene of a text, and the request that shows it. The camera is as the scene wants it, and the look suits its
 * light. Fails as subject_open_scene does. */
Status viewer_begin_scene(const Viewer *viewer, const char *text, Subject **opened, Request *next);
/* Another scene is shown now: it is at rest, and its exposure suits its light. */
void viewer_scene_shown(Viewer *viewer);
/* Shows the next file of the strip in this direction, skipping those that cannot be used; says so in a toast. */
Status viewer_step_picture(Viewer *viewer, int steps);
/* Shows the first or the last file of the strip, or the next one inwards that can be used. */
Status viewer_open_end(Viewer *viewer, bool last);
Status viewer_reload(Viewer *viewer);
/* Goes back to the picture or the scene that is open; opens the default scene if there was none. */
Status viewer_show(Viewer *viewer, SubjectPlace place);

/* Each of these fails without changing anything: STATUS_USAGE with why the request makes no sense. */
Status viewer_set_chain(Viewer *viewer, const char *text, Fallback fallback);
Status viewer_set_level(Viewer *viewer, const char *name);
/* Kernels of the user have changed: their times are forgotten, and the result is made again. */
void viewer_forget_kernels(Viewer *viewer);
Status viewer_set_border(Viewer *viewer, Border border, Fallback fallback);
Status viewer_set_backend(Viewer *viewer, const char *name); /* keeps the level, where the other has it */
Status viewer_set_device(Viewer *viewer, int number);        /* of the backend's, counted from 0 */
Status viewer_set_route(Viewer *viewer, const char *name);   /* or "best" */
Status viewer_set_param(Viewer *viewer, size_t link, const Param *param, double number);
/* A parameter with another value: a text if it is one (NULL or "": none), else a number. */
typedef struct ParamChange {
    const Param *param;
    double number;
    const char *text;
} ParamChange;
/* Several at once, which are one edit. */
Status viewer_set_params(Viewer *viewer, size_t link, const ParamChange *changes, size_t count);
/* The selected filter's parameter of this unit (core/param/param.h), and the link that it belongs to. NULL if there is
 * none, or the filter is switched off. */
const Param *viewer_selected_param(const Viewer *viewer, const char *unit, size_t *link);
/* The selected filter's parameter that names an image or a table of colours: the one that a path is typed for, or the
 * first. */
const Param *viewer_image_param(const Viewer *viewer, size_t *link);
/* Carries out a click on a slider (ui->clicked) that waits; STATUS_OK if there is none. */
Status viewer_take_click(Viewer *viewer);
/* Whether it is one of the link's parameters. */
bool viewer_has_param(const Viewer *viewer, size_t link, const Param *param);
/* A number moved by so many steps that fit the picture's type. */
Status viewer_step_param(Viewer *viewer, size_t link, const Param *param, int steps);
/* Sets parameters by assignments as chains spell them: "sigma=2.5:radius=9". */
Status viewer_set_values(Viewer *viewer, size_t link, const char *text);
/* Has the filter act within a rectangle or by a mask alone, as core/chain/within.h takes it; NULL or "": everywhere. */
Status viewer_confine(Viewer *viewer, size_t link, const char *within);
/* Where the selected filter acts, as chain_within has it. */
const char *viewer_within(const Viewer *viewer);
/* Puts another filter, as chains spell it, in the place of one, or behind the last; "" takes it away. */
Status viewer_replace_link(Viewer *viewer, size_t link, const char *filter);
Status viewer_insert_link(Viewer *viewer, size_t link, const char *filter); /* before that link */
/* Behind the last; `aside`: it is set aside at once (Request.set_aside), and nothing runs for it. */
Status viewer_add_link(Viewer *viewer, const char *filter, bool aside);
Status viewer_remove_link(Viewer *viewer, size_t link);
Status viewer_reset_link(Viewer *viewer, size_t link); /* to the values that it begins with; where it acts stays */
Status viewer_reset_links(Viewer *viewer, size_t first, size_t count);
Status viewer_duplicate_link(Viewer *viewer, size_t link);
Status viewer_toggle_link(Viewer *viewer, size_t link); /* off, and on again */
Status viewer_move_link(Viewer *viewer, size_t from, size_t to);
/* The filter that keys change: the one that was picked, or the last; 0 of an empty chain. */
size_t viewer_selected(const Viewer *viewer);
/* To the state before the last edit, and back; or to any state of the list. STATUS_USAGE if there is none. */
Status viewer_undo(Viewer *viewer);
Status viewer_redo(Viewer *viewer);
Status viewer_go_to_edit(Viewer *viewer, size_t index);
/* The border of this mode that menus and keys begin with. A constant without a value is half of white, to be seen on
 * dark and on bright edges. */
Border viewer_default_border(const Viewer *viewer, BorderMode mode);
/* A parameter of a link's filter. Its range and step fit the picture's type, and its size before that link. */
Param viewer_param(const Viewer *viewer, size_t link, const Param *param);
/* Why the filter does nothing with what is shown, a sentence without a full stop; else NULL. */
const char *viewer_idle_words(const Viewer *viewer, const Filter *filter);

/* Typing an action's argument: the line begins with the current value (a toast says so if it is too long), or with a
 * proposed path. A typed name replaces the marked one of that, a typed / or ~ all. Return takes the line, and keeps it
 * open if it makes no sense; Esc does not take it. Backspace deletes, Tab completes the line by the choice that is
 * marked, or the best. Other control characters do nothing. */
void viewer_begin_entry(Viewer *viewer, const Action *action);
/* Whether the typed line makes sense so far; if not, status_message() says why. */
Status viewer_check_entry(const Viewer *viewer);
Status viewer_type(Viewer *viewer, char character);
/* Takes a key by its name; arrows, Home and End move the caret, or mark a choice. Others do nothing. */
Status viewer_type_key(Viewer *viewer, const char *key);
/* Puts a choice that goes on, or `text`, where the line is. */
void viewer_set_entry(Viewer *viewer, const char *text);
/* So many characters at the line's begin stay until it is closed. */
void viewer_keep_entry(Viewer *viewer, size_t count);
/* Marks the text behind so many characters, and behind those that stay. */
void viewer_mark_entry(Viewer *viewer, size_t from);

/* Whether panels about levels and times are shown: as was decided; else for scenes, and where the tour is on. */
bool viewer_shows_speed(const Viewer *viewer);
/* The window's size, the part that panels leave free, and the scale of texts. */
void viewer_resize(Viewer *viewer, int width, int height);
void viewer_set_area(Viewer *viewer, Area area);
void viewer_fit(Viewer *viewer);
void viewer_reset_view(Viewer *viewer);
void viewer_zoom(Viewer *viewer, double factor, double x, double y);
void viewer_pan(Viewer *viewer, double dx, double dy);
/* Where the chosen level cannot do it, the best takes over and a toast says why. */
Status viewer_switch_camera(Viewer *viewer); /* between orthographic and perspective */
Status viewer_set_look(Viewer *viewer, Look look);
Status viewer_take_look(Viewer *viewer, const char *name); /* as request_take_look */
/* A number of the scene's generator (part NULL), of a part of it (core/scene/scene_parts.h), of the camera, of how
 * light is gathered. Fails as scene_text_set and viewer_ask do. */
Status viewer_set_scene_param(Viewer *viewer, const ScenePart *part, size_t index, const Param *param, double number);
Status viewer_set_camera_param(Viewer *viewer, const Param *param, double number);
Status viewer_set_gathering_param(Viewer *viewer, const Param *param, double number);
/* A value of figures. Annotations that the scene has nothing for are STATUS_USAGE. */
Status viewer_set_style_param(Viewer *viewer, const Param *param, double number);
/* Several of them, as texts have them: "sun=altitude=20,sphere=3:red=1"; "angle=30:lens=2"; "samples=64". */
Status viewer_change_scene(Viewer *viewer, const char *changes);
Status viewer_change_camera(Viewer *viewer, const char *text);
Status viewer_change_gathering(Viewer *viewer, const char *text);
Status viewer_change_style(Viewer *viewer, const char *text); /* "outline=2:shadow=1" */
/* Where the sun stands, degrees (core/scene/scene_parts.h); false if there is no scene, or an image lights it alone. */
bool viewer_sun(const Viewer *viewer, double *azimuth, double *altitude);
Status viewer_set_sun(Viewer *viewer, double azimuth, double altitude);
/* Where the middle of the sky's image stands, degrees; false if the sky is no image. */
bool viewer_sky(const Viewer *viewer, double *azimuth);
Status viewer_set_sky(Viewer *viewer, double azimuth);
/* The scene as its file or generator has it; or that part of it. */
Status viewer_reset_scene(Viewer *viewer, const ScenePart *part, size_t index);
/* Saves the scene as it is now, seen from where the camera is, in our own format. */
Status viewer_save_scene(Viewer *viewer, const char *path, bool overwrite);
/* Lets the scene's spheres move, or stops them where they are. */
void viewer_toggle_motion(Viewer *viewer);
/* Whether each run shows the spheres somewhere else. */
bool viewer_moves(const Viewer *viewer);
/* The part of the area that the result has: all, or the right half where the sides lie next to each other. */
Area viewer_result_area(const Viewer *viewer);
/* The part of the result that is seen in the free area, pixels of the window; without a size if none is. */
Area viewer_seen_area(const Viewer *viewer);
/* Where the two sides of a split meet, in pixels of the window: on that part. */
double viewer_split_x(const Viewer *viewer);
/* As the session's functions (session.h), with the latest wishes. */
const Difference *viewer_difference(const Viewer *viewer);
const Image *viewer_aligned(const Viewer *viewer, unsigned *serial);
/* Errors by FLIP, as flip_errors.h has them; and how much of those to come is made. */
const FlipErrors *viewer_flip(const Viewer *viewer);
double viewer_flip_progress(const Viewer *viewer);
const char *viewer_why_no_figures(const Viewer *viewer, char *buffer, size_t size);
/* The result's pixel that differs most, as far as is counted, or where FLIP is shown has the largest error; false if
 * none does. */
bool viewer_worst(const Viewer *viewer, size_t *x, size_t *y);
Image *viewer_unfiltered(const Viewer *viewer, unsigned *serial);
const Image *viewer_source(const Viewer *viewer, unsigned *serial);
SideFit viewer_fit_of_sides(const Viewer *viewer, Homography *to_source);
Homography viewer_beside(const Viewer *viewer);
/* Why the comparison that is asked for shows the result alone, as session_why_apart has it. Empty if none is asked for,
 * or it shows both sides. */
const char *viewer_why_apart(const Viewer *viewer, char *buffer, size_t size);
/* The comparisons that are drawn, of those that are asked for: where there is a source, and it has a place on the
 * result. Sides next to each other need none. */
bool viewer_shows_source(const Viewer *viewer); /* alone: while Space is held, or in turns */
bool viewer_shows_split(const Viewer *viewer);
bool viewer_shows_sides(const Viewer *viewer);
bool viewer_shows_difference(const Viewer *viewer);
bool viewer_shows_flip(const Viewer *viewer);      /* as the difference's view */
bool viewer_asks_difference(const Viewer *viewer); /* it is shown, or will be once it can be computed */
double *viewer_gain(Viewer *viewer);               /* of the difference's view, stops */
/* The gain in half stops, 0 to EXPOSURE_MAX, by which the largest difference becomes as bright as can be. STATUS_USAGE
 * if none is counted yet, or nothing differs. */
Status viewer_fit_gain(Viewer *viewer);
/* Whether flickering shows the other side at this time; viewer->flickers says it of the draw. */
bool viewer_flickers(const Viewer *viewer);
/* Shows the pixel that differs most from its like on the other side, large. STATUS_USAGE if nothing is compared. */
Status viewer_show_worst(Viewer *viewer);
/* Where the result lies: the placement, or the whole window for a scene. */
Viewport viewer_viewport(const Viewer *viewer);
double viewer_exposure(const Viewer *viewer); /* of the shown scene, stops */

/* Whether the result is light, which is gathered step by step. */
bool viewer_gathers(const Viewer *viewer);
/* The ms that a further step of the light takes, with a picture of it. Hands that wait let it end: a stopped one costs
 * all light. 0 where none is gathered yet, or the next step begins again. */
double viewer_light_ms(const Viewer *viewer);
bool viewer_denoises(const Viewer *viewer); /* the light that it gathers */
/* "noise 0.83 %, 12 s to 0.5 %": the noise of the light so far, and the time to the noise that ends it, or to the next
 * lower round figure. The length as snprintf does, 0 where it is not known. */
size_t viewer_describe_noise(const Viewer *viewer, char *buffer, size_t size);
/* In stops: of light before it becomes a picture, else on the screen alone. */
Status viewer_set_exposure(Viewer *viewer, double stops);
/* Exposure and gamma, as sliders have them, and by their names: "exposure=1.5:gamma=1.2". */
Tone viewer_tone(const Viewer *viewer);
Status viewer_change_tone(Viewer *viewer, const char *text);

/* Runs the pipeline once; spheres that move are moved on before, and light is begun again, coarsely if it takes long.
 * The result stays on the device, unless its way to the window leads through the host. */
Status viewer_run(Viewer *viewer);
/* Starts the due run if it is known to be quick, and its result need not pass through the host. The device then makes
 * it and draws it. False if it did not: then viewer_work does all that is due. */
bool viewer_start_run(Viewer *viewer);
/* Brings the result's pixels to viewer->result, if they are not there. STATUS_USAGE before the first run. */
Status viewer_fetch(Viewer *viewer);
/* The result's pixels from (x, y) on into `part`, of its type and channels and as many as that has. False if there is
 * no result now, it ends before, or the session is lent. */
bool viewer_pixels(const Viewer *viewer, size_t x, size_t y, ImageView part);
/* Sends the result into OpenGL's object by the route in effect (present_send). */
Status viewer_send(Viewer *viewer, unsigned object);
/* Waits for the run that was started (session_end_run), and until a sent result is there (present_wait), if one is on
 * its way. Records the times of its parts; *ms is their sum, or 0. */
Status viewer_await_sent(Viewer *viewer, double *ms);
/* Before the objects that results are sent into change or go. */
void viewer_release(Viewer *viewer);
/* Closes the port of a backend that was left, and its device; to be called before every draw. */
void viewer_release_left(Viewer *viewer);
/* Why results take the long way to the window, and a remedy; "" if they do not. */
void viewer_route_trouble(const Viewer *viewer, char *buffer, size_t size);
/* Does one piece of pending work (a run, a measurement); true if it did any. Failures become toasts. Measurements take
 * 50 ms at most, those of a race 200, and wait until nothing was changed for a while. A run that `stop` ends is due
 * again; the result before stays. */
bool viewer_work(Viewer *viewer);
/* Shows the outcome of a piece of work: failures become toasts, and end measuring. */
void viewer_note_work(Viewer *viewer, bool worked, Status status);
/* The session, with the window's latest wishes. */
Session *viewer_session(const Viewer *viewer);
/* Hands the session out to a worker, while panels are built from the figures before; and takes it back. */
Session *viewer_lend(Viewer *viewer);
void viewer_take_back(Viewer *viewer);
/* Measurements that are due wait so long from now on, or longer: something else comes first. */
void viewer_delay_measurements(Viewer *viewer, double ms);
/* In how many milliseconds viewer_work has something to do that waits; negative if nothing does. */
double viewer_waits_ms(const Viewer *viewer);
/* Keeps viewer->power up to date, at little cost. */
void viewer_ask_power(Viewer *viewer);
/* How long the due run will take: its last time, if it is known. Else the longest that earlier runs of these operations
 * let expect, on these levels or both on the best. Else the time of all by that of a part, which is run now: 50 ms if
 * the run will be slow. 0 if none is due, it cannot be known, or the best levels of something else say that it is
 * short. */
double viewer_expected_ms(Viewer *viewer);
/* All pending work except endless measuring and moving; of light, the default number of samples of the look. */
Status viewer_finish(Viewer *viewer);

/* Saves the result's pixels as batch and trace do (core/base/output.h), running first if that is due. */
Status viewer_save_result(Viewer *viewer, const char *path, bool overwrite);
/* Whether quitting loses edits: chain and border are not those of the beginning. They are kept by a result or a preset
 * that was saved. An empty chain is no loss. */
bool viewer_has_unsaved_edits(const Viewer *viewer);
void viewer_note_saved(Viewer *viewer); /* the latest request */
/* A scene, shown or not, with changes that no scene file has: quitting loses them. NULL if there is none. The camera is
 * no change. */
const SceneWork *viewer_unsaved_scene(const Viewer *viewer);
/* Stops the run that takes long, or the gathering of light, until another request or motion makes one due. `words` get
 * what was stopped. False if there is none. */
bool viewer_stop_run(Viewer *viewer, char *words, size_t size);
/* Encodes the result as PNG, for other programs: floats as 16 bits. `png` is freed by bytes_free. */
Status viewer_encode_result(Viewer *viewer, Bytes *png);
/* The format, by its extension, that holds the result exactly: "png", or "pfm" for floats. */
const char *viewer_result_format(const Viewer *viewer);
/* "STEM-001.png" for the format "png", or the next number that is free; STEM may lie in a folder. */
Status viewer_fresh_name(const char *stem, const char *format, char *path, size_t size);
/* The path of a file of that name next to the open picture or scene file; without one, in the working folder. */
void viewer_path_beside(const Viewer *viewer, const char *name, char *path, size_t size);

/* Timings. `name` is static. */
void viewer_record(Viewer *viewer, const char *name, double ms);
const SpanHistory *viewer_span(const Viewer *viewer, const char *name); /* NULL if there is none */
Figures viewer_figures(const Viewer *viewer);

/* A level's time for this job, if it was timed. */
Timing viewer_level_time(const Viewer *viewer, const Level *level);
Timing viewer_lowest_time(const Viewer *viewer); /* that speedups are counted from */
/* The ladder of the main stage; 0 if nothing is bound or the chain is empty. */
size_t viewer_rungs(const Viewer *viewer, LadderRow rungs[RUNGS_MAX]);
const Level *viewer_level(const Viewer *viewer); /* the main stage's, or NULL */

const char *viewer_title(const Viewer *viewer);       /* the picture's path or the scene's text; "" for none */
const SubjectKind *viewer_kind(const Viewer *viewer); /* of the subject; a picture's where nothing is open */
/* The picture that results are compared with, or the scene; NULL for the one that is not shown. */
const Image *viewer_picture(const Viewer *viewer);
const Scene *viewer_scene(const Viewer *viewer);
/* The picture's or scene's shape; zeroed if there is none. */
Shape viewer_shape(const Viewer *viewer);
/* The shape of the result, which a chain may make larger or smaller; the viewport fits it. */
Shape viewer_shown_shape(const Viewer *viewer);
bool viewer_keeps_size(const Viewer *viewer); /* whether both are as large */

/* Whether the picture stands in the place of the first result, which is still to come and as large. */
bool viewer_awaits_result(const Viewer *viewer);

/* Facts about the shown pixels: "difference x 4", "exposure +1.0", "paths, 12 samples"; the length as snprintf does.
 * `all` names the look, too. */
size_t viewer_describe(const Viewer *viewer, bool all, char *buffer, size_t size);

/* Shows why a request or a piece of work failed; if it did not, takes away the message of its last failure. */
void viewer_answer(Viewer *viewer, ToastKind kind, Status status);
/* "WORDS PATH REST" with the whole path of a file (path_told), which may not be there yet. */
void viewer_say_file(Viewer *viewer, const char *words, const char *path, const char *rest);
__attribute__((format(printf, 3, 4))) void viewer_say(Viewer *viewer, bool error, const char *format, ...);

#endif
