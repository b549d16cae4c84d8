/* lens_library.c: Lensfun, as glint calls it: the module glint-lens.so. */
#include "core/codec/lens_library.h"

#include <ctype.h>
#include <lensfun/lensfun.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static lfDatabase *database; /* read once */

static bool open_database(void) {
    lfDatabase *made = database ? NULL : lf_db_new();
    if (made && lf_db_load(made) == LF_NO_ERROR)
        database = made;
    else if (made)
        lf_db_destroy(made);
    return database != NULL;
}

static const char *or_none(const char *text) {
    return text[0] ? text : NULL;
}

/* The best match, or NULL. Its names begin with that of no language. */
static const lfCamera *find_camera(const Shot *shot) {
    const lfCamera **found = lf_db_find_cameras_ext(database, or_none(shot->maker), shot->model, 0);
    const lfCamera *camera = found ? found[0] : NULL;
    lf_free(found);
    return camera;
}

static const lfLens *find_lens(const lfCamera *camera, const char *name) {
    const lfLens **found = lf_db_find_lenses_hd(database, camera, NULL, name, 0);
    const lfLens *lens = found ? found[0] : NULL;
    lf_free(found);
    return lens;
}

/* A camera whose lens cannot be changed has a mount of its own, which begins with a small letter. */
static bool has_one_lens(const lfCamera *camera) {
    return camera->Mount && islower((unsigned char)camera->Mount[0]);
}

static void read_distortion(const lfLens *lens, float focal, LensProfile *profile) {
    lfLensCalibDistortion found;
    double *b = profile->bend;
    profile->bends = lf_lens_interpolate_distortion(lens, focal, &found) && found.Model != LF_DIST_MODEL_NONE;
    b[0] = 1;
    if (!profile->bends)
        return;
    const double first = (double)found.Terms[0], second = (double)found.Terms[1], third = (double)found.Terms[2];
    if (found.Model == LF_DIST_MODEL_POLY3) {
        b[0] = 1 - first;
        b[2] = first;
    } else if (found.Model == LF_DIST_MODEL_POLY5) {
        b[2] = first;
        b[4] = second;
    } else {
        b[0] = 1 - first - second - third;
        b[1] = third;
        b[2] = second;
        b[3] = first;
    }
}

/* Terms of red and of blue take turns: v, c, b. */
static void read_fringes(const lfLens *lens, float focal, LensProfile *profile) {
    lfLensCalibTCA found;
    profile->parts = lf_lens_interpolate_tca(lens, focal, &found) && found.Model != LF_TCA_MODEL_NONE;
    for (int i = 0; i < 2; i++) {
        profile->apart[i][0] = profile->parts ? (double)found.Terms[i] : 1;
        for (int k = 1; k < 3 && profile->parts && found.Model == LF_TCA_MODEL_POLY3; k++)
            profile->apart[i][k] = (double)found.Terms[2 * k + i];
    }
}

static void read_darkness(const lfLens *lens, const Shot *shot, float focal, LensProfile *profile) {
    const double far = 1000; /* metres, where the file does not tell */
    lfLensCalibVignetting found;
    profile->darkens = shot->aperture > 0 &&
                       lf_lens_interpolate_vignetting(lens, focal, (float)shot->aperture,
                                                      (float)(shot->distance > 0 ? shot->distance : far), &found) &&
                       found.Model == LF_VIGNETTING_MODEL_PA;
    for (int i = 0; i < 3 && profile->darkens; i++)
        profile->dark[i] = (double)found.Terms[i];
}

static LensFound say_unknown(const Shot *shot, const lfCamera *camera, char why[LENS_TEXT]) {
    if (!shot->model[0])
        snprintf(why, LENS_TEXT, "the picture does not tell its camera, want one as in lens=camera='Canon EOS 5D'");
    else if (!camera)
        snprintf(why, LENS_TEXT, "Lensfun knows no camera \"%s%s%s\", want another by camera=", shot->maker,
                 shot->maker[0] ? " " : "", shot->model);
    else if (!shot->lens[0])
        snprintf(why, LENS_TEXT, "the picture does not tell its lens, want one by name= that fits a %s", camera->Model);
    else
        snprintf(why, LENS_TEXT, "Lensfun knows no lens \"%.90s\" that fits a %.60s, want another by name=", shot->lens,
                 camera->Model);
    return LENS_UNKNOWN;
}

LensFound glint_lens_find(const Shot *shot, LensProfile *profile, char why[LENS_TEXT]) {
    if (!open_database()) {
        snprintf(why, LENS_TEXT, "Lensfun finds no database of lenses (Debian: liblensfun-data-v1)");
        return LENS_NO_DATABASE;
    }
    const lfCamera *camera = shot->model[0] ? find_camera(shot) : NULL;
    const lfLens *lens = camera && shot->lens[0] ? find_lens(camera, shot->lens) : NULL;
    if (camera && !lens && has_one_lens(camera))
        lens = find_lens(camera, NULL);
    if (!lens)
        return say_unknown(shot, camera, why);
    const bool zooms = lens->MaxFocal > lens->MinFocal;
    const float focal = shot->focal > 0 ? (float)shot->focal : zooms ? 0 : lens->MinFocal;
    if (!(focal > 0)) {
        snprintf(why, LENS_TEXT, "the picture does not tell its focal length, want it by focal=");
        return LENS_UNKNOWN;
    }
    *profile = (LensProfile){.diagonal = (double)camera->CropFactor / (double)lens->CropFactor};
    profile->unit = profile->diagonal / hypot((double)lens->AspectRatio, 1);
    snprintf(profile->text, LENS_TEXT, "%.80s with %.120s at %.4g mm", camera->Model, lens->Model, (double)focal);
    read_distortion(lens, focal, profile);
    read_fringes(lens, focal, profile);
    read_darkness(lens, shot, focal, profile);
    return LENS_FOUND;
}
