/* crew.h: further devices that trace a picture together with the first one.
 * Owns their pipelines, their threads and their shares of the rows. Devices share rows, not samples, because sums of
 * floats depend on their order: the picture has the same bits as on one device. */
#ifndef GLINT_CORE_TRACER_CREW_H
#define GLINT_CORE_TRACER_CREW_H

#include "core/tracer/progressive.h"

typedef struct Crew Crew;

enum { CREW_MAX = 63 }; /* devices besides the first */

/* A crew of no devices. STATUS_DEVICE if memory is short. */
Status crew_create(Crew **crew);
/* Adds a device, which is taken over, also on failure. STATUS_USAGE beyond CREW_MAX. */
Status crew_add(Crew *crew, Device *device);
/* Makes the plan of the first's trace for another device. */
typedef Status CrewPlan(const void *context, Device *device, Plan **plan);
/* Gives each device a plan of the trace in the place of the one before, if it had one. `level` is the first's, so that
 * all make the same bits. Fails as `plan_of`, pipeline_create and pipeline_replace do. */
Status crew_plan(Crew *crew, CrewPlan *plan_of, const void *context, const char *level);
/* How many devices there are besides the first. */
size_t crew_count(const Crew *crew);

/* Behind progressive_begin: deals the rows out, and begins to trace those of the others, with the camera of the first's
 * trace. STATUS_DEVICE if a thread or memory is not to be had; nothing runs then. */
Status crew_start(Crew *crew, Progressive *first);
/* Asks the others to leave off: at once, or when each of their pixels has a sample. */
typedef enum CrewStop { CREW_GO_ON, CREW_STOP_WITH_SAMPLES, CREW_STOP_AT_ONCE } CrewStop;
void crew_stop(Crew *crew, CrewStop how);
/* Waits for the others, and brings their rows into the first's frames. The first then counts the samples that all
 * pixels have. Fails as the first of them that failed. To be called behind each crew_start that succeeded. */
Status crew_finish(Crew *crew, Progressive *first);

/* In place of these two, for a picture that is looked at on its way. Joins the first in its gathering: it has pixels of
 * its own, and no pass is under way. The others get its camera and scene, and the samples so far of their rows.
 * STATUS_DEVICE if memory is short, or a copy fails. */
Status crew_join(Crew *crew, const Progressive *first);
/* All gather for about `ms`, by one step each at least; spans get those of the first. Whenever no pass is under way,
 * the first has all rows, and counts the samples that all pixels have. The light is lost where a device failed, or was
 * asked to stop by the first's queue (STATUS_INTERRUPTED). */
Status crew_step(Crew *crew, Progressive *first, double ms, Spans *spans);

/* Closes the devices. Accepts NULL, nulls the pointer. */
void crew_destroy(Crew **crew);

#endif
