/* request.h: all that the viewer is asked to show of a subject, as one value.
 * A request never changes once it is made. The viewer, its session and the list of edits own it together. A change is a
 * copy with other members. The copy takes the place of the old request once its pipeline and result could be made
 * (viewer_ask): so there is nothing to take back. */
#ifndef GLINT_APP_VIEW_SESSION_REQUEST_H
#define GLINT_APP_VIEW_SESSION_REQUEST_H

#include "app/cameras/orbit_camera.h"
#include "app/view/session/subject.h"
#include "core/chain/chain.h"
#include "core/run/figure_style.h"
#include "core/scene/gathering.h"
#include "core/scene/look.h"
#include "core/scene/scene_text.h"

enum { NAME_MAX_CHARACTERS = 64 };

typedef struct Request {
    Chain *chain; /* behind whatever is shown; without the images that filters name */
    size_t
        set_aside; /* the filter, counted from 1, that is not carried out while it is drawn on the picture; 0: none */
    PlanOptions options;
    char backend[NAME_MAX_CHARACTERS];
    int device;                      /* of a backend's, counted from 0; the host is one device */
    char level[NAME_MAX_CHARACTERS]; /* a name, or "best" */
    char scene[SCENE_TEXT_MAX];      /* of scenes: the text, with changes; the subject is made to have them */
    char opened[SCENE_TEXT_MAX];     /* of scenes: that text, as it was when the scene was opened */
    OrbitCamera orbit_camera;        /* of scenes */
    Gathering gathering;             /* of scenes */
    Look look;                       /* of scenes */
    Look look_before;                /* if look_taken: the look that is not of light */
    bool look_taken;                 /* for the sake of the scene */
    bool figure;                     /* of scenes: paths in the light of figures, the look "figure", */
    FigureStyle style;               /* drawn so */
    int references;                  /* further owners */
} Request;

/* Makes a request of these values, which shares their chain: nobody changes the chain from now on. STATUS_DEVICE if
 * memory is short. */
Status request_make(const Request *values, const Request **request);
/* Another owner; each ends with request_release, which accepts NULL there. */
const Request *request_retain(const Request *request);
void request_release(const Request **request);
/* Puts another request, which gets an owner more, in the place of one. */
void request_replace(const Request **request, const Request *by);

/* Its options, as the values of the subject's picture want them; NULL: nothing is open. */
PlanOptions request_options(const Request *request, const Subject *subject);
/* The name of its look, FIGURE_NAME for that of figures. */
const char *request_look(const Request *request);
/* Takes a look by its name. STATUS_USAGE with what there is. */
Status request_take_look(Request *request, const char *name);
/* The chain with one filter, counted from 1, switched off; 0: none. A view, which owns nothing. */
Chain chain_without(const Chain *chain, size_t filter);

/* Whether both carry the same links out at the same places of the chain, with the same options. Links that are off or
 * set aside may have any values, and any number of them may be at the end. */
bool request_same_filters(const Request *a, const Request *b);

/* Whether a request may take the best level where the one that it names cannot do the job. */
typedef enum Fallback { FALLBACK_NONE, FALLBACK_BEST } Fallback;

#endif
