/* trial.h: trying in a child process a thing that may end a process. */
#ifndef GLINT_CORE_BASE_TRIAL_H
#define GLINT_CORE_BASE_TRIAL_H

#include <stdbool.h>

/* Calls `attempt` in a copy of this process, which has to be without other threads and ends behind the call. False if a
 * fault or a limit of `seconds` ended it before; *signal is the one that did, 0 if it called exit()
 * itself. True also where no process can be made: then nothing is known. */
bool trial_survived(void (*attempt)(void), unsigned seconds, int *signal);

#endif
