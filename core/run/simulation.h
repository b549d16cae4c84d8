/* simulation.h: bodies of a scene, moved by a device.
 * Owns the queue that moves them and their state on its device; the scene has the state that was fetched last. */
#ifndef GLINT_CORE_RUN_SIMULATION_H
#define GLINT_CORE_RUN_SIMULATION_H

#include "core/device/backend.h"
#include "core/scene/scene.h"

typedef struct Simulation Simulation;

/* Makes *simulation one of these bodies on the queue's device (both borrowed). It keeps the one that is there if it
 * fits; else simulation_close ends that one first. Waits. STATUS_DEVICE. */
Status simulation_begin(Simulation **simulation, Bodies *bodies, Queue *queue);
/* Fetches the state, and gives the device's memory back: before the queue or the scene ends. Accepts NULL, nulls the
 * pointer. If the state cannot be fetched, the bodies stay where they were when it last was. */
Status simulation_close(Simulation **simulation);

/* Moves the bodies so many steps on, by the level that is best on the device. Waits. STATUS_INTERRUPTED if the queue
 * was asked to stop: then they are where they were. */
Status simulation_advance(Simulation *simulation, const Gravity *gravity, unsigned steps);
/* Brings the state to the bodies, if the device has a later one. Accepts NULL. */
Status simulation_fetch(Simulation *simulation);
/* Puts the scene's spheres where its bodies are. Where the device lets spheres follow the state, those of the host stay
 * where they were until simulation_settle(). */
Status simulation_show(Simulation *simulation, Scene *scene);
/* Puts the spheres of the host there, too. */
Status simulation_settle(Simulation *simulation, Scene *scene);
/* Whether the spheres of the host are not where simulation_show() was last. Accepts NULL. */
bool simulation_is_ahead(const Simulation *simulation);

#endif
