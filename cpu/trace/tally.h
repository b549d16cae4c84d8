/* tally.h: what a picture's rays cost. */
#ifndef GLINT_CPU_TRACE_TALLY_H
#define GLINT_CPU_TRACE_TALLY_H

#include "core/backend.h"

/* Backend.tally; draws the look of nodes. */
Status cpu_tally(Device *device, const Stage *stage, Tally *tally);

#endif
