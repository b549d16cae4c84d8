/* subject.h: a picture or a scene that the viewer shows. Owns the open ones, and the differences of the two kinds. A
 * kind is a row of functions (subject_picture.c, subject_scene.c). No other code asks for the kind that is shown. */
#ifndef GLINT_APP_VIEW_SESSION_SUBJECT_H
#define GLINT_APP_VIEW_SESSION_SUBJECT_H

#include "app/view/data/viewport.h"
#include "core/codec/raw_way.h"
#include "core/image/colour_space.h"
#include "core/image/image.h"
#include "core/image/shot.h"
#include "core/image/tone.h"
#include "core/scene/scene.h"

typedef struct Viewer Viewer;
typedef struct Subject Subject;
typedef struct FilePart FilePart; /* core/codec/format.h */

typedef enum SubjectPlace { SUBJECT_PICTURE, SUBJECT_SCENE, SUBJECTS } SubjectPlace;

/* The functions that take a viewer: of the subject that it shows, if it shows one. */
typedef struct SubjectKind {
    SubjectPlace place;                                            /* of the one that is open of this kind */
    const char *missing;                                           /* why there is none of it to go back to */
    bool turns;                                                    /* dragging moves a camera, not a picture */
    const char *command;                                           /* that makes the same without a window */
    Status (*reopen)(Viewer *viewer);                              /* reads it again */
    Shape (*shape)(const Subject *subject, int width, int height); /* in a window of this size */
    Viewport (*viewport)(const Viewer *viewer);                    /* where the result lies in the window */
    void (*fit)(Viewer *viewer);
    void (*reset)(Viewer *viewer);
    void (*follow)(Viewer *viewer, bool resized); /* the window, or the part of it that panels leave free */
    void (*zoom)(Viewer *viewer, double factor, double x, double y);
    void (*pan)(Viewer *viewer, double dx, double dy);
    void (*format_shape)(const Viewer *viewer, char *buffer, size_t size);
    void (*format_zoom)(const Viewer *viewer, char *buffer, size_t size);
} SubjectKind;

extern const SubjectKind subject_picture, subject_scene;
extern const SubjectKind *const subject_kinds[SUBJECTS];

/* A scene as its file or generator has it, which those with changes borrow from. Or a copy of that one (`of`) with more
 * spheres, which nobody sees: plans need to know how many there will be. */
typedef struct SceneBase {
    Scene *scene;
    struct SceneRun *run;          /* the frames of its file, which bases of other frames share; NULL: it has none */
    struct ParticleLegend *legend; /* of particles (core/scene/particles/legend.h), or NULL */
    struct SceneBase *of;          /* NULL: it is the scene itself */
    unsigned users;                /* subjects, and copies */
} SceneBase;

/* How many frames of particles the scene's file has; 1 of other subjects. */
size_t subject_frames(const Subject *subject);
/* The scene without any changes; NULL of pictures. */
const SceneBase *subject_base(const Subject *subject);

struct Subject {
    const SubjectKind *kind;
    char *name;     /* the picture's path, or the scene's text, with all its changes */
    Image *picture; /* one of these two */
    Scene *scene;
    ToneCurve tone; /* of the picture, as far as its profile tells */
    Shot shot;      /* of the picture, as far as its Exif tells */
    PictureColours colours;
    char colours_trouble[256]; /* why they are not those that its file names; or "" */
    SceneBase *base;           /* of a scene: the scene itself is that, or a copy of it */
    unsigned serial;           /* no other has it */
    size_t in_file;            /* pictures of the file, of which this is the first */
    bool develops;             /* a RAW file is developed into it */
    unsigned live;             /* of one that another program sends: its changes so far (app/tev/live.h); else 0 */
    bool stands_in;            /* for one that is developed meanwhile (app/view/tools/develop.h) */
    char ends_early[160];      /* "photo.jpg ends early: 1503 of 2836 rows are there"; or "" */
    double decode_ms;          /* that opening it took */
    double exposure;           /* that it is shown with, stops */
    double default_exposure;
};

/* Whether the scene is made for light: it has lights, a sky, a ground, or surfaces other than plain colours. */
bool scene_is_of_light(const Scene *scene);
/* Reads a picture's file as codec_load_part does, into pages of its own. Memory of malloc that came at its second try
 * would look short: it leaves ENOMEM, which decoders are judged by. */
Status subject_decode(const char *path, RawWay raw, FilePart *part, Image **picture);
/* Makes a subject of a picture that was read in so many ms, and takes it over. STATUS_DEVICE if memory is short. */
Status subject_of_picture(const char *path, Image *picture, const FilePart *part, double decode_ms, Subject **subject);
/* Reads a picture. The JPEG within a RAW file stands in for it where that is large enough (stand_in.h). Fails as
 * codec_load does. `hdr`: a picture with a gain map becomes its HDR rendering; one that cannot stays as it is. */
Status subject_open_picture(const char *path, RawWay raw, bool hdr, Subject **subject);
/* Reads a scene. Fails as scene_open does. */
Status subject_open_scene(const char *text, Subject **subject);
/* A subject's scene as another text has it; a scene that is equal before any changes is not read again. Nor is one of
 * another frame with the same particles: these move, those of the subject before, too, whose base both share. Fails as
 * scene_text_open does. */
Status subject_change_scene(const Subject *from, const char *text, Subject **subject);
/* Moves particles back to the frame that a subject shows, where subject_change_scene has moved them for another one
 * that is not to be shown. */
void subject_go_back(const Subject *subject);
/* The file of a picture or scene as changes leave it: its name without them; returns the length as snprintf does. */
size_t subject_file(const Subject *subject, char *buffer, size_t size);
void subject_close(Subject **subject); /* accepts NULL */

#endif
