/* wishes.h: the work and the measurements that the window wants of a session, as one value.
 * A session has a copy (Session.wishes): a worker that has the session reads nothing else of the window. Tools add
 * theirs (tool.h). */
#ifndef GLINT_APP_VIEW_SESSION_WISHES_H
#define GLINT_APP_VIEW_SESSION_WISHES_H

#include "app/view/session/results.h"
#include "core/base/profile_trace.h"
#include "core/plan/geometry.h"

/* The place of a result in the picture, or the frame of a scene, that its chain began with. */
typedef struct ResultPlace {
    Shape picture;
    Geometry geometry;  /* of the result */
    const char *filter; /* the first without a map; static, or NULL */
} ResultPlace;

typedef struct Wishes {
    int width, height;           /* of the window, pixels; the frame of a scene is as large */
    double comparison_ms;        /* the longest that a comparison with the reference may take */
    ProfileTrace *profile_trace; /* or NULL */
    bool through_host;           /* results reach the window through host memory */
    bool held;                   /* a button of the mouse is down: medians can wait */
    bool measuring;              /* runs without end */
    uint32_t samples;            /* that light shall have, no more and no fewer; 0: as the request says */
    bool racing, compares;
    bool difference, flip; /* of the sides is to be seen: values; errors by FLIP */
    Image *kept; /* a result that others are compared with, borrowed; or NULL: the picture, or the frame of a scene */
    unsigned kept_serial;
    ResultPlace kept_place;
    bool other_side;     /* is to be seen, of the latest result */
    bool unfiltered;     /* the frame of a scene before its filters is to be seen: */
    unsigned since;      /* of any result since this serial; 0: of the latest */
    size_t selected;     /* the filter that keys change, or one that is not there: the last */
    bool response;       /* of the selected filter's mask is to be seen */
    bool counts;         /* are to be seen, of this part: */
    HistogramOf counted; /* without the serial */
    bool machine_code;   /* of an emulated level is to be seen */
    unsigned curves;     /* of the machine are to be measured, for the nth time; 0: none */
    bool ahead;          /* the values of a stage are to be seen: */
    bool ahead_needed;   /* they have to be computed, of this job and stage */
    unsigned ahead_of_job;
    size_t ahead_stage;
} Wishes;

#endif
