/* levels.h: levels.def expanded to prototypes, so that a wrong signature does not compile. */
#ifndef GLINT_CPU_LEVELS_H
#define GLINT_CPU_LEVELS_H

#include "core/backend.h"

extern const Level cpu_levels[];
extern const Backend cpu_backend;

#define LEVEL(operation, name, accepts, idea) Status cpu_##operation##_##name(Device *device, const Stage *stage);
#include "cpu/levels.def"
#undef LEVEL

/* The level that measurements say is fastest, NULL where it is the last that accepts the stage. */
const Level *cpu_choose(const Device *device, const Stage *stage);

/* Who may do a job: *why_not becomes a phrase that goes on "level X cannot do gaussian: ...". */
bool accepts_any(const Device *device, const Stage *stage, const char **why_not);
/* convolve: the mask is an outer product */
bool accepts_separable(const Device *device, const Stage *stage, const char **why_not);
/* point: a table of results is possible */
bool accepts_maps_values(const Device *device, const Stage *stage, const char **why_not);
/* point: light becomes bytes */
bool accepts_tones_bytes(const Device *device, const Stage *stage, const char **why_not);

/* The slot `tally` of the backend. */
Status cpu_tally(Device *device, const Stage *stage, Tally *tally);

/* trace: looks that do not ask what the level did; scenes of spheres */
bool accepts_uncounted(const Device *device, const Stage *stage, const char **why_not);
/* trace: looks that need no hierarchy */
bool accepts_flat(const Device *device, const Stage *stage, const char **why_not);
/* trace: the rays are lines of sight along z, shaded as the course does; scenes of spheres */
bool accepts_sightlines(const Device *device, const Stage *stage, const char **why_not);

#endif
