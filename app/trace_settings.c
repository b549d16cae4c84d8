/* trace_settings.c: the table of options, and which of them go together. */
#include "app/trace_settings.h"

#include "app/device_list.h"
#include "app/trace_cameras.h"
#include "app/trace_film.h"
#include "core/scene/look.h"
#include "core/scene/particles/lines.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SIMULATED_MAX 86400.0

long trace_frame_count(const TraceSettings *options) {
    return options->frames.chosen ? options->pictures : options->orbit > 0 ? options->orbit : options->along;
}

bool trace_makes_one_file(const TraceSettings *options) {
    const char *dot = strrchr(options->output, '.');
    const bool y4m = dot && strcasecmp(dot, ".y4m") == 0;
    return trace_makes_film(options) && !strstr(options->output, "{frame}") && trace_film_takes(options->output) &&
           (y4m || options->rate > 0 || options->frames.chosen);
}

bool trace_makes_film(const TraceSettings *options) {
    return options->frames.chosen || options->orbit > 0 || options->along > 0;
}

static Status read_size(const char *text, void *values) {
    return shape_parse_size(text, &((TraceSettings *)values)->shape);
}

static Status read_time(const char *text, void *values) {
    TraceSettings *options = values;
    TRY(option_number("time", text, 0.01, 1e6, &options->time));
    options->time *= 1e3;
    return STATUS_OK;
}

/* "10" or "10s". */
static Status read_simulated(const char *text, void *values) {
    char number[64];
    const size_t length = strlen(text), digits = length > 1 && text[length - 1] == 's' ? length - 1 : length;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    return option_number("simulate", number, 0, SIMULATED_MAX, &((TraceSettings *)values)->simulated);
}

static Status read_devices(const char *text, void *values) {
    ((TraceSettings *)values)->devices = text;
    return device_list_check(text);
}

/* "FROM:TO:STEP", whose parts may lack, or one number. */
static Status read_frames(const char *text, void *values) {
    FrameRange *range = &((TraceSettings *)values)->frames;
    const size_t all = SIZE_MAX;
    size_t numbers[3] = {1, all, 1};
    const char *at = text;
    size_t parts = 0;
    for (; parts < 3; parts++) {
        const Word word = {at, at + strcspn(at, ":")};
        if (word.end > word.begin && !word_whole(word, UINT32_MAX, &numbers[parts]))
            break;
        at = word.end;
        if (*at == '\0')
            break;
        at++;
    }
    const size_t from = numbers[0] > 0 ? numbers[0] : 1;
    if (parts == 0 && *at == '\0')
        numbers[1] = from;
    *range = (FrameRange){true, from, numbers[1] < all ? numbers[1] : 0, numbers[2]};
    return at > text && *at == '\0' && range->step > 0 && numbers[1] >= from
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "--frames is \"%s\", want FROM:TO:STEP, as in 1:100:10, or 1: for all; frames count from 1",
                      text);
}

static int spell_frames(const void *values, char *buffer, size_t size) {
    const FrameRange range = ((const TraceSettings *)values)->frames;
    if (!range.chosen)
        return snprintf(buffer, size, "%s", "");
    return range.to > 0 ? snprintf(buffer, size, "%zu:%zu:%zu", range.from, range.to, range.step)
                        : snprintf(buffer, size, "%zu::%zu", range.from, range.step);
}

static int spell_size(const void *values, char *buffer, size_t size) {
    const Shape shape = ((const TraceSettings *)values)->shape;
    return snprintf(buffer, size, "%zux%zu", shape.width, shape.height);
}

static int spell_positive(double number, char *buffer, size_t size) {
    return number > 0 ? snprintf(buffer, size, "%.17g", number) : snprintf(buffer, size, "%s", "");
}

static int spell_time(const void *values, char *buffer, size_t size) {
    return spell_positive(((const TraceSettings *)values)->time / 1e3, buffer, size);
}

static int spell_simulated(const void *values, char *buffer, size_t size) {
    return spell_positive(((const TraceSettings *)values)->simulated, buffer, size);
}

#define AT(member) OPTION_AT(TraceSettings, member)

static const Option option_rows[] = {
    {"output", "FILE",
     "the picture to write; its extension chooses the format (.hdr, .exr and .pfm get linear light); - is stdout, as "
     "PNG",
     OPTION_TEXT, AT(output), .letter = 'o', .neutral = true},
    {"size", "WxH", "size in pixels (1024x1024)", OPTION_OWN, .letter = 's', .read = read_size, .spell = spell_size},
    {"filter", "CHAIN", "filters behind the trace: gaussian=2,sharpen", OPTION_TEXT, AT(filter), .letter = 'F'},
    {"time", "S", "gather light for S seconds, or until there are --samples; each pixel gets at least one", OPTION_OWN,
     .read = read_time, .spell = spell_time},
    {"denoise", NULL, "remove the noise of the look paths, by normals, depth and albedo of the visible surfaces",
     OPTION_SWITCH, AT(denoise)},
    {"devices", "LIST", "devices of the backend that share the rows of a picture: all, or numbers as in 0,2",
     OPTION_OWN, .read = read_devices, .neutral = true},
    {"frames", "FROM:TO:STEP",
     "a film of a file's frames, from 1 on, as in 1:100:10, or 1: for all; -o NAME.png is animated, and {frame} in it "
     "numbers pictures",
     OPTION_OWN, .read = read_frames, .spell = spell_frames},
    {"rate", "FPS",
     "FPS pictures a second, up to 240, in a film of one file: NAME.png, which is animated, or NAME.y4m; that of "
     "--frames is one anyway (25)",
     OPTION_WHOLE, AT(rate), .min = 1, .max = FILM_RATE_MAX},
    {"resume", NULL,
     "go on with a film of --frames that broke off: pictures that are there, of the same file and options, stay as "
     ".glint-journal in their folder tells",
     OPTION_SWITCH, AT(resume), .neutral = true},
    {"between", "N", "N pictures more between two of --frames; particles go straight on to where they are next",
     OPTION_WHOLE, AT(between), .min = 0, .max = FRAMES_MAX},
    {"orbit", "N",
     "N frames, once around the point in the middle: out-0001.png and so on, or -o with {frame} in it; with --frames, "
     "their pictures go N degrees around",
     OPTION_WHOLE, AT(orbit), .min = 1, .max = FRAMES_MAX},
    {"along", "N", "N frames along the cameras that the window keeps for the scene, named as those of --orbit",
     OPTION_WHOLE, AT(along), .min = 2, .max = FRAMES_MAX},
    {"cameras", "FILE", "a file of kept cameras for --along, in place of the window's ($XDG_STATE_HOME/glint/cameras)",
     OPTION_TEXT, AT(cameras)},
    {"simulate", "S[s]",
     "move the bodies of the scene on for S seconds: before the picture, or from frame to frame of --orbit or --along",
     OPTION_OWN, .read = read_simulated, .spell = spell_simulated},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    ((TraceSettings *)values)->scene = arguments[0];
    return count == 1 ? STATUS_OK
                      : fail(STATUS_USAGE, "more than one scene: \"%s\" and \"%s\"", arguments[0], arguments[1]);
}

bool trace_makes_figure(const TraceSettings *options) {
    const FigureOptions *figure = &options->figure;
    return options->scene_options.figure || figure->has_background || figure->figure.outline > 0 ||
           figure->figure.cue > 0 || figure->figure.shadow;
}

bool trace_has_more(const TraceSettings *options) {
    return trace_makes_figure(options) || options->figure.annotate || options->figure.layers != 0;
}

static Status check_layers(const TraceSettings *options) {
    const Format *format = strcmp(options->output, "-") == 0 ? NULL : format_for_path(options->output);
    if (!format || strcmp(format->name, "exr") != 0)
        return fail(STATUS_USAGE, "--layers: an EXR alone holds them; want -o NAME.exr");
    return look_is_light(options->scene_options.look)
               ? STATUS_OK
               : fail(STATUS_USAGE, "--layers: the look %s has no light for an EXR; want --look whitted or paths",
                      looks[options->scene_options.look].name);
}

static Status check_figure(const TraceSettings *options) {
    const FigureOptions *figure = &options->figure;
    if (figure->layers)
        TRY(check_layers(options));
    if (trace_makes_figure(options) && options->scene_options.look != LOOK_PATHS)
        return fail(STATUS_USAGE, "--background, --outline, --cue, --shadow: want --look figure or paths, not %s",
                    looks[options->scene_options.look].name);
    if (figure->figure.crease > 0 && !(figure->figure.outline > 0))
        return fail(STATUS_USAGE, "--crease: its lines are as wide as those of --outline; want --outline W, too");
    if (figure->figure.shadow && !options->scene_options.figure)
        return fail(STATUS_USAGE, "--shadow: the light of paths is any; want --look figure");
    return trace_has_more(options) && options->scene_options.camera.kind == CAMERA_RANDOM
               ? fail(STATUS_USAGE, "random rays make no figure and no layers; want another camera")
               : STATUS_OK;
}

static Status check_film(const TraceSettings *options) {
    const bool film = trace_makes_film(options);
    if (options->rate > 0 && !(film && trace_makes_one_file(options)))
        return fail(STATUS_USAGE, "--rate: %s",
                    film ? "want a film in one file, -o NAME.png or NAME.y4m, without {frame}"
                         : "one picture has none; want --frames, --orbit or --along");
    if (options->resume && !options->frames.chosen)
        return fail(STATUS_USAGE, "--resume: want --frames, whose pictures may be there already");
    return STATUS_OK;
}

static Status check(void *values) {
    const TraceSettings *options = values;
    const Look look = options->scene_options.look;
    if (!options->scene || !options->output)
        return fail(STATUS_USAGE, "want a scene and -o FILE, as in glint trace spheres -o spheres.png");
    if (options->time > 0 && !look_is_light(look))
        return fail(STATUS_USAGE,
                    "--time: the look %s gathers no light, one ray a pixel is all; want --look whitted or paths",
                    looks[look].name);
    if (options->denoise && look != LOOK_PATHS)
        return fail(STATUS_USAGE, "--denoise: the look %s has no noise; want --look paths", looks[look].name);
    TRY(check_figure(options));
    TRY(check_film(options));
    TRY(trace_send_check(&options->send));
    TRY(trace_cameras_check(options->along, options->orbit, options->scene_options.chosen, options->cameras));
    if (options->between > 0 && !options->frames.chosen)
        return fail(STATUS_USAGE, "--between: want --frames, between which these pictures are");
    if (strcmp(options->output, "-") != 0 || !trace_makes_film(options))
        return STATUS_OK;
    return fail(STATUS_USAGE, "%s: stdout takes one picture; want -o FILE",
                options->frames.chosen ? "--frames"
                : options->orbit > 0   ? "--orbit"
                                       : "--along");
}

CommandLine trace_command_line(void) {
    return (CommandLine){
        .arguments = "SCENE",
        .help = "Ray traces SCENE (a generator such as spheres=count=2000:seed=7, or a file).\vThe looks whitted and "
                "paths gather light: interrupted (Ctrl-C), they write the light gathered so far. Examples:\n\n  glint "
                "trace packed --look paths --time 60 -o packed.png\n  glint trace packed --look paths --filter "
                "gaussian=2 -o soft.hdr\n  glint trace cloud --camera perspective --orbit 120 -o cloud.png",
        .tables = {{OPTION_ROWS(option_rows), 0},
                   scene_options_table(offsetof(TraceSettings, scene_options)),
                   figure_options_table(offsetof(TraceSettings, figure)),
                   trace_send_table(offsetof(TraceSettings, send)),
                   common_options},
        .common = 4,
        .arguments_read = take_arguments,
        .check = check};
}

TraceSettings trace_settings_defaults(void) {
    TraceSettings options = {
        .common = common_defaults, .shape = {1024, 1024, 3, PIXEL_U8}, .scene_options = scene_options_defaults};
    options.scene_options.takes_figure = true;
    return options;
}

PixelType trace_picture_type(const TraceSettings *options) {
    const Format *format = format_for_path(options->output);
    const bool linear = format && format->writes & F32X3 && !(format->writes & U8X3);
    return linear && look_is_light(options->scene_options.look) ? PIXEL_F32 : PIXEL_U8;
}
