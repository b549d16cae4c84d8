/* request.h: all that the viewer is asked to show, as one value. A change is a copy with other members. The copy takes
 * the place of the old request once its pipeline and result could be made (viewer_ask): so there is nothing to take
 * back. */
#ifndef GLINT_APP_VIEW_SESSION_REQUEST_H
#define GLINT_APP_VIEW_SESSION_REQUEST_H

#include "app/view/data/orbit_camera.h"
#include "app/view/session/subject.h"
#include "core/chain/chain.h"
#include "core/scene/gathering.h"
#include "core/scene/scene_text.h"

enum { NAME_MAX_CHARACTERS = 64 };

typedef struct Request {
    Subject *subject; /* NULL: nothing is open */
    Chain *chain;     /* behind whatever is shown */
    size_t
        set_aside; /* the filter, counted from 1, that is not carried out while it is drawn on the picture; 0: none */
    PlanOptions options;
    char backend[NAME_MAX_CHARACTERS];
    int device;                      /* of a backend's, counted from 0; the host is one device */
    char level[NAME_MAX_CHARACTERS]; /* a name, or "best" */
    char scene[SCENE_TEXT_MAX];      /* of scenes: the text, with changes; the subject is made to have them */
    OrbitCamera orbit_camera;        /* of scenes */
    Gathering gathering;             /* of scenes */
    Look look;                       /* of scenes */
    Look look_before;                /* if look_taken: the look that is not of light */
    bool look_taken;                 /* for the sake of the scene */
} Request;

/* Its options, as its picture's values want them. */
PlanOptions request_options(const Request *request);
/* The chain with one filter, counted from 1, switched off; 0: none. A view, which owns nothing. */
Chain chain_without(const Chain *chain, size_t filter);

/* Whether a request may take the best level where the one that it names cannot do the job. */
typedef enum Fallback { FALLBACK_NONE, FALLBACK_BEST } Fallback;

#endif
