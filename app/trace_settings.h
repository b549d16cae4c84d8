/* trace_settings.h: what a command line of glint trace asks for. */
#ifndef GLINT_APP_TRACE_SETTINGS_H
#define GLINT_APP_TRACE_SETTINGS_H

#include "app/command_line.h"
#include "app/common_options.h"
#include "app/figure_options.h"
#include "app/scene_options.h"
#include "app/trace_send.h"

enum { FRAMES_MAX = 100000 };

/* Frames of a file of particles, from 1 on. */
typedef struct FrameRange {
    bool chosen;
    size_t from, to, step; /* to 0: the last one */
} FrameRange;

typedef struct TraceSettings {
    CommonOptions common;
    const char *scene, *output, *filter, *cameras;
    Shape shape;
    SceneOptions scene_options;
    TraceSendOptions send;
    double time; /* ms to gather for; 0: until all samples are there */
    FrameRange frames;
    long rate;        /* pictures a second of a film in one file; 0: as many as suit it */
    bool resume;      /* pictures of these frames that are there stay */
    long between;     /* pictures between two of these frames */
    long pictures;    /* of these frames, once the file is open */
    long orbit;       /* frames around the scene; 0: one picture from where the camera is; of frames, degrees */
    long along;       /* instead: frames along kept cameras */
    double simulated; /* seconds in which the bodies move on */
    bool denoise;
    FigureOptions figure;
    const char *devices; /* "all" or "0,2"; NULL: the one of --device */
} TraceSettings;

TraceSettings trace_settings_defaults(void);
/* Its options; values are read into TraceSettings. */
CommandLine trace_command_line(void);
/* Whether there is a film. */
bool trace_makes_film(const TraceSettings *options);
/* Whether it is one file. */
bool trace_makes_one_file(const TraceSettings *options);
/* How many pictures a film has; 0: it is one picture. */
long trace_frame_count(const TraceSettings *options);
/* Whether light is made into a figure, by the host, rather than into a picture by the device. */
bool trace_makes_figure(const TraceSettings *options);
/* Whether the file is made of more than the traced picture, which must be complete then. */
bool trace_has_more(const TraceSettings *options);
/* The type of the file's values: formats of linear light get it, the others get what a screen shows. */
PixelType trace_picture_type(const TraceSettings *options);

#endif
