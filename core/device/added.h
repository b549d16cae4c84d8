/* added.h: rungs that the program was given while it runs (ladder_add), and the facts about their launches. */
#ifndef GLINT_CORE_DEVICE_ADDED_H
#define GLINT_CORE_DEVICE_ADDED_H

#include "core/device/backend.h"

/* Whether the level was added: the user wrote it. */
bool ladder_added(const Level *level);
/* Notes the facts of an added level's last launch; by the thread that runs it. */
void ladder_note_facts(const Level *level, const LaunchFacts *facts);
/* The facts of an added level, in place of those that its backend told; zeros where none were noted. */
void ladder_own_facts(const Level *level, LaunchFacts *facts);

#endif
